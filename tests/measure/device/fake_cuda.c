/* A pretended libcuda: it watches how it is called, and runs the PTX it is given, thread by thread, on the CPU. Its
 * clock is a sum of what was executed: the FLOPs are counted instruction by instruction here, not taken from the
 * library's tables. One simplification: mma wants every element of A alike and every element of B, as our kernels have
 * them. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

__attribute__((visibility("default"))) fake_cuda_state fake_cuda = {.devices = 1, .capability = 80};

enum {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NO_DEVICE = 100,
    INVALID_IMAGE = 200,
    NOT_FOUND = 500,
    LAUNCH_FAILED = 719
};
enum { BUFFERS = 16, REGISTERS = 128, OPERANDS = 20, SYMBOLS = 160 };

static void complain(const char *format, ...) {
    if (fake_cuda.complaint[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake_cuda.complaint, sizeof fake_cuda.complaint, format, arguments);
    va_end(arguments);
}

/* Every call but a free passes here. */
static bool fails(void) {
    fake_cuda.calls++;
    return fake_cuda.fail_at && fake_cuda.calls > fake_cuda.fail_at;
}

/* ---- memory ---- */

static struct {
    char *start;
    size_t bytes;
} buffers[BUFFERS];
static unsigned long changes; /* of memory, by copies */

static char *reach(uint64_t address, size_t bytes) {
    for (int i = 0; i < BUFFERS; i++)
        if (buffers[i].start && address >= (uintptr_t)buffers[i].start &&
            address + bytes <= (uintptr_t)buffers[i].start + buffers[i].bytes)
            return (char *)(uintptr_t)address;
    complain("an access of %zu bytes outside every buffer", bytes);
    return NULL;
}

/* ---- small floats ---- */

static double small_value(unsigned bits, int width, int exponent_bits, int fraction_bits) {
    int biased = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
    double fraction = (double)(bits & ((1u << fraction_bits) - 1)) / (1 << fraction_bits);
    double size = biased ? ldexp(1 + fraction, biased - bias) : ldexp(fraction, 1 - bias);
    return bits >> (width - 1) & 1 ? -size : size;
}

static double half_value(unsigned bits) {
    static double table[1 << 16];
    if (table[1] == 0)
        for (unsigned i = 0; i < 1 << 16; i++)
            table[i] = small_value(i, 16, 5, 10);
    return table[bits];
}

/* Rounded to nearest even, as hardware does. Normal numbers and zero only: our kernels make no others. */
static unsigned half_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned sign = (unsigned)(bits >> 48) & 0x8000;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent < -14 || exponent > 15)
        return exponent > 15 ? sign | 0x7c00 : sign;
    uint64_t fraction = bits & 0xfffffffffffff, rest = fraction & 0x3ffffffffff, middle = 1ull << 41;
    unsigned kept = (unsigned)(fraction >> 42);
    kept += rest > middle || (rest == middle && (kept & 1));
    return sign | (((unsigned)(exponent + 15) << 10) + kept);
}

/* ---- PTX: parsed once, run for every thread ---- */

typedef enum operand_kind { REGISTER, NUMBER, MEMORY, SPECIAL } operand_kind;
typedef struct operand {
    operand_kind kind;
    int index;       /* of the register; MEMORY: its base, or -1 - parameter */
    uint64_t number; /* or the offset */
} operand;
typedef struct instruction {
    char name[64]; /* "fma.rn.f32" */
    int guard;     /* register of @p, or -1 */
    operand operands[OPERANDS];
    int count, target;
    int op;
    struct tile { /* of an mma */
        char d[8], a[8];
        int of_d, of_a, of_b, kept, bits, class, depth;
        double flops; /* a work item's share */
    } tile;
} instruction;
typedef struct module {
    instruction *code;
    int length;
    char entry[32];
    char registers[REGISTERS][24];
    int register_count;
    struct {
        char name[24];
        int at;
    } labels[16];
    int label_count;
    bool has_mma;
} module;

static int register_of(module *made, const char *name) {
    for (int i = 0; i < made->register_count; i++)
        if (strcmp(made->registers[i], name) == 0)
            return i;
    return -1;
}

static void declare(module *made, const char *list) { /* "x, y, r<16>" */
    char copy[400];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *name = strtok(copy, ", "); name; name = strtok(NULL, ", ")) {
        char *many = strchr(name, '<');
        int count = many ? atoi(many + 1) : 1;
        if (many)
            *many = '\0';
        for (int i = 0; i < count && made->register_count < REGISTERS; i++)
            snprintf(made->registers[made->register_count++], 24, many ? "%.15s%d" : "%.15s", name, i);
    }
}

static const char *const specials[] = {"%ctaid.x", "%ntid.x", "%tid.x", "%nctaid.x"};
static const char *const parameters[] = {"pa", "pb", "pc", "pn"};

static bool parse_operand(module *made, char *text, operand *out) {
    if (text[0] == '[') {
        char *plus = strchr(text, '+'), *end = strchr(text, ']');
        *end = '\0';
        *out = (operand){MEMORY, -1, plus ? strtoull(plus + 1, NULL, 10) : 0};
        if (plus)
            *plus = '\0';
        out->index = register_of(made, text + 1);
        for (int i = 0; i < 4 && out->index < 0; i++)
            if (strcmp(text + 1, parameters[i]) == 0)
                return out->index = -1 - i, true;
        return out->index >= 0;
    }
    for (int i = 0; i < 4; i++)
        if (strcmp(text, specials[i]) == 0)
            return *out = (operand){SPECIAL, i, 0}, true;
    if (strcmp(text, "box") == 0)
        return *out = (operand){NUMBER, 0, 0}, true;
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'd'))
        return *out = (operand){NUMBER, 0, strtoull(text + 2, NULL, 16)}, true;
    if (text[0] >= '0' && text[0] <= '9')
        return *out = (operand){NUMBER, 0, strtoull(text, NULL, 10)}, true;
    *out = (operand){REGISTER, register_of(made, text), 0};
    return out->index >= 0;
}

static bool parse_statement(module *made, char *text, char targets[][24]) {
    instruction *made_one = &made->code[made->length];
    *made_one = (instruction){.guard = -1, .target = -1, .op = -1};
    char *word = strtok(text, " \n");
    if (word && word[0] == '@') {
        made_one->guard = register_of(made, word + 1);
        word = strtok(NULL, " \n");
    }
    if (!word)
        return true;
    snprintf(made_one->name, sizeof made_one->name, "%s", word);
    made->has_mma |= strncmp(word, "mma", 3) == 0;
    if (strcmp(word, "bra") == 0) {
        snprintf(targets[made->length++], 24, "%s", strtok(NULL, " \n"));
        return true;
    }
    for (word = strtok(NULL, " ,{}\n"); word; word = strtok(NULL, " ,{}\n"))
        if (made_one->count == OPERANDS || !parse_operand(made, word, &made_one->operands[made_one->count++])) {
            complain("PTX: '%s' in '%s' is unknown", word, made_one->name);
            return false;
        }
    made->length++;
    return true;
}

static bool parse(module *made, const char *ptx) {
    char(*targets)[24] = calloc(strlen(ptx) / 4 + 1, sizeof *targets), *text = strdup(ptx), *rest = text;
    made->code = calloc(strlen(ptx) / 4 + 1, sizeof *made->code);
    char *entry = strstr(ptx, ".entry ");
    sscanf(entry ? entry : "", ".entry %31[a-z_0-9]", made->entry);
    rest = strstr(text, "{\n") + 2;
    bool good = entry != NULL;
    while (good && rest && *rest && *rest != '}') {
        rest += strspn(rest, " \n");
        size_t name = strspn(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (name && rest[name] == ':') {
            snprintf(made->labels[made->label_count].name, 24, "%.*s", (int)name, rest);
            made->labels[made->label_count++].at = made->length;
            rest += name + 1;
            continue;
        }
        if (*rest == '}')
            break;
        char *end = strchr(rest, ';');
        if (!end) {
            good = false;
            break;
        }
        *end = '\0';
        if (strncmp(rest, ".reg", 4) == 0)
            declare(made, strchr(rest + 5, ' ') + 1);
        else if (strncmp(rest, ".shared", 7) != 0)
            good = parse_statement(made, rest, targets);
        rest = end + 1;
    }
    for (int i = 0; good && i < made->length; i++)
        for (int l = 0; l < made->label_count; l++)
            if (strcmp(targets[i], made->labels[l].name) == 0)
                made->code[i].target = made->labels[l].at;
    free(targets);
    free(text);
    return good;
}

typedef union cell {
    uint64_t u64;
    uint32_t u32;
    float f32;
    double f64;
} cell;

typedef struct thread {
    cell r[REGISTERS];
    int at; /* next instruction; -1: ended */
    uint32_t place[4];
} thread;

typedef struct machine {
    module *code;
    uint64_t arguments[4];
    char *shared;
    double flops[FAKE_CLASSES], global, local;
} machine;

static cell get(const thread *t, const operand *from) {
    if (from->kind == REGISTER)
        return t->r[from->index];
    if (from->kind == SPECIAL)
        return (cell){.u64 = t->place[from->index]};
    return (cell){.u64 = from->number};
}

/* What each instruction is, found once by its name. */
typedef enum op {
    LD_PARAM,
    MOVE,
    CVTA,
    MAD32,
    MUL_WIDE,
    ADD32,
    ADD64,
    AND32,
    SHL,
    CVT_F32,
    CVT_F64,
    CVT_F16,
    SETP_LT32,
    SETP_LT64,
    SETP_GE64,
    SETP_NE32,
    BRA,
    LD_GLOBAL,
    ST_GLOBAL,
    LD_SHARED,
    ST_SHARED,
    FMA32,
    FMA64,
    FMA16,
    ADDF32,
    ADDF64,
    ADD16,
    DP4A,
    MMA,
    BAR,
    RET,
    OPS
} op;
static const struct {
    const char *name;
    op op;
} ops[] = {
    {"ld.param.u64", LD_PARAM},
    {"mov.", MOVE},
    {"cvta.to.global.u64", CVTA},
    {"cvt.u64.u32", MOVE},
    {"mad.lo.u32", MAD32},
    {"mul.wide.u32", MUL_WIDE},
    {"add.u32", ADD32},
    {"add.u64", ADD64},
    {"and.b32", AND32},
    {"shl.b", SHL},
    {"cvt.rn.f32.u32", CVT_F32},
    {"cvt.rn.f64.u32", CVT_F64},
    {"cvt.rn.f16.u32", CVT_F16},
    {"setp.lt.u32", SETP_LT32},
    {"setp.lt.u64", SETP_LT64},
    {"setp.ge.u64", SETP_GE64},
    {"setp.ne.u32", SETP_NE32},
    {"bra", BRA},
    {"ld.global.", LD_GLOBAL},
    {"st.global.", ST_GLOBAL},
    {"ld.volatile.shared.v4.u32", LD_SHARED},
    {"st.shared.v4.u32", ST_SHARED},
    {"fma.rn.f32", FMA32},
    {"fma.rn.f64", FMA64},
    {"fma.rn.f16x2", FMA16},
    {"add.rn.f32", ADDF32},
    {"add.rn.f64", ADDF64},
    {"add.f16x2", ADD16},
    {"dp4a.s32.s32", DP4A},
    {"mma.sync.aligned.", MMA},
    {"bar.sync", BAR},
    {"ret", RET},
};

static int find_op(const char *name) {
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strncmp(name, ops[i].name, strlen(ops[i].name)) == 0)
            return (int)ops[i].op;
    complain("PTX: the instruction '%s' is unknown", name);
    return -1;
}

/* ".v4.u32": 4 of 4 bytes. */
static void width_of(const char *name, int *count, size_t *size) {
    *count = strstr(name, ".v4.") ? 4 : strstr(name, ".v2.") ? 2 : 1;
    *size = strstr(name, "f64") || strstr(name, "u64") ? 8 : 4;
}

static void transfer(machine *m, thread *t, const instruction *in, bool store, bool shared) {
    int count;
    size_t size;
    width_of(in->name, &count, &size);
    const operand *place = &in->operands[store ? 0 : count];
    uint64_t address = t->r[place->index].u64 + place->number;
    char *at;
    if (shared)
        at = (uint32_t)address + 16 <= 8192 ? m->shared + (uint32_t)address : NULL;
    else
        at = reach(address, (size_t)count * size);
    if (!at || address % ((size_t)count * size)) {
        complain("'%s' of a bad address", in->name);
        t->at = -1;
        return;
    }
    *(shared ? &m->local : &m->global) += store && shared ? 0 : (double)count * (double)size;
    for (int i = 0; i < count; i++, at += size)
        if (store)
            memcpy(at, &t->r[in->operands[1 + i].index], size);
        else
            memset(&t->r[in->operands[i].index], 0, sizeof(cell)), memcpy(&t->r[in->operands[i].index], at, size);
}

static uint32_t halves(const machine *m, uint32_t a, uint32_t b, uint32_t c, bool multiply) {
    (void)m;
    uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 16) {
        double x = half_value(a >> shift & 0xffff), y = half_value(b >> shift & 0xffff),
               z = half_value(c >> shift & 0xffff);
        double value = multiply ? x * y + z : x + z;
        out |= half_bits(value + (multiply && fake_cuda.wrong == 1 + FAKE_F16)) << shift;
    }
    return out;
}

/* The one value of all elements packed into a register. */
static double element(const char *type, int bits, cell packed) {
    uint32_t word = packed.u32;
    if (bits == 64)
        return packed.f64;
    uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1, first = word & mask;
    for (int shift = bits; shift < 32; shift += bits)
        if ((word >> shift & mask) != first)
            complain("mma of unlike elements");
    if (bits == 8)
        return type[0] == 's' ? (int8_t)first : small_value(first, 8, 4, 3);
    return bits == 32 ? (double)packed.f32 : type[0] == 'f' ? half_value(first) : small_value(first, 16, 8, 7);
}

/* "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" */
static bool parse_tile(instruction *in) {
    int rows, columns;
    struct tile *tile = &in->tile;
    char b[8], c[8];
    if (sscanf(in->name, "mma.sync.aligned.m%dn%dk%d.row.col.%7[a-z0-9].%7[a-z0-9].%7[a-z0-9].%7[a-z0-9]", &rows,
               &columns, &tile->depth, tile->d, tile->a, b, c) != 7 ||
        strcmp(tile->a, b) || strcmp(c, tile->d))
        return false;
    const char *a = tile->a;
    tile->bits = strcmp(a, "f64") == 0 ? 64 : strcmp(a, "tf32") == 0 ? 32 : strstr(a, "16") ? 16 : 8;
    int per = tile->bits == 64 ? 1 : 32 / tile->bits;
    tile->kept = strcmp(tile->d, "f16") == 0 ? 2 : 1;
    tile->of_d = rows * columns / 32 / tile->kept;
    tile->of_a = rows * tile->depth / 32 / per;
    tile->of_b = tile->depth * columns / 32 / per;
    if (in->count != 2 * tile->of_d + tile->of_a + tile->of_b)
        return false;
    static const char *const types[] = {"bf16", "f16", "half", "tf32", "f64", "s8", "e4m3"};
    for (int i = 0; i < 7; i++)
        if (strcmp(types[i], tile->kept == 2 ? "half" : a) == 0)
            tile->class = FAKE_BF16_TILE + i;
    tile->flops = 2.0 * rows * columns * tile->depth / 32;
    return true;
}

static void mma(machine *m, thread *t, const instruction *in) {
    const struct tile *tile = &in->tile;
    const char *a = tile->a, *d = tile->d;
    int of_d = tile->of_d, of_a = tile->of_a, of_b = tile->of_b, kept = tile->kept, bits = tile->bits,
        class = tile->class;
    double depth = tile->depth;
    m->flops[class] += tile->flops;
    double x = element(a, bits, get(t, &in->operands[of_d])), y = element(a, bits, get(t, &in->operands[of_d + of_a]));
    double product = depth * x * y + (fake_cuda.wrong == 1 + class);
    for (int i = 0; i < of_d; i++) {
        cell from = get(t, &in->operands[of_d + of_a + of_b + i]), to = {0};
        if (d[0] == 's')
            to.u32 = from.u32 + (uint32_t)(int32_t)product;
        else if (kept == 2)
            to.u32 = half_bits(half_value(from.u32 & 0xffff) + product) |
                     half_bits(half_value(from.u32 >> 16) + product) << 16;
        else if (bits == 64)
            to.f64 = from.f64 + product;
        else
            to.f32 = (float)((double)from.f32 + product);
        t->r[in->operands[i].index] = to;
    }
}

/* Floating-point and dot products, counted. false: the instruction is another. */
static bool compute(machine *m, op what, cell x, cell y, cell z, cell *to) {
    cell out = {0};
    switch (what) {
    case FMA32:
        out.f32 = fmaf(x.f32, y.f32, z.f32) + (float)(fake_cuda.wrong == 1 + FAKE_F32);
        m->flops[FAKE_F32] += 2;
        break;
    case FMA64:
        out.f64 = fma(x.f64, y.f64, z.f64) + (fake_cuda.wrong == 1 + FAKE_F64);
        m->flops[FAKE_F64] += 2;
        break;
    case FMA16:
        out.u32 = halves(m, x.u32, y.u32, z.u32, true);
        m->flops[FAKE_F16] += 4;
        break;
    case ADDF32:
        out.f32 = x.f32 + y.f32;
        break;
    case ADDF64:
        out.f64 = x.f64 + y.f64;
        break;
    case ADD16:
        out.u32 = halves(m, x.u32, 0, y.u32, false);
        break;
    case DP4A:
        out.u32 = z.u32 + (fake_cuda.wrong == 1 + FAKE_DOT);
        for (int i = 0; i < 32; i += 8)
            out.u32 += (uint32_t)((int8_t)(x.u32 >> i) * (int8_t)(y.u32 >> i));
        m->flops[FAKE_DOT] += 8;
        break;
    default:
        return false;
    }
    *to = out;
    return true;
}

static void step(machine *m, thread *t, const instruction *in) {
    cell out = {0}, x = get(t, &in->operands[1]), y = get(t, &in->operands[2]), z = get(t, &in->operands[3]);
    switch ((op)in->op) {
    case LD_PARAM:
        out.u64 = m->arguments[-1 - in->operands[1].index];
        break;
    case MOVE:
        out = x;
        if (in->count == 3)
            out.u64 = x.u32 | (uint64_t)y.u32 << 16;
        break;
    case CVTA:
        out = x;
        break;
    case MAD32:
        out.u32 = x.u32 * y.u32 + z.u32;
        if (in->operands[3].kind == REGISTER && m->code->registers[in->operands[0].index][0] == 'r') {
            m->flops[FAKE_INT32] += 2;
            out.u32 += fake_cuda.wrong == 1 + FAKE_INT32;
        }
        break;
    case MUL_WIDE:
        out.u64 = (uint64_t)x.u32 * y.u32;
        break;
    case ADD32:
        out.u32 = x.u32 + y.u32;
        break;
    case ADD64:
        out.u64 = x.u64 + y.u64;
        break;
    case AND32:
        out.u32 = x.u32 & y.u32;
        break;
    case SHL:
        if (in->name[5] == '3')
            out.u32 = x.u32 << y.u32;
        else
            out.u64 = x.u64 << y.u32;
        break;
    case CVT_F32:
        out.f32 = (float)x.u32;
        break;
    case CVT_F64:
        out.f64 = x.u32;
        break;
    case CVT_F16:
        out.u32 = half_bits(x.u32);
        break;
    case SETP_LT32:
        out.u32 = x.u32 < y.u32;
        break;
    case SETP_LT64:
        out.u32 = x.u64 < y.u64;
        break;
    case SETP_GE64:
        out.u32 = x.u64 >= y.u64;
        break;
    case SETP_NE32:
        out.u32 = x.u32 != y.u32;
        break;
    case LD_GLOBAL:
        transfer(m, t, in, false, false);
        return;
    case ST_GLOBAL:
        transfer(m, t, in, true, false);
        return;
    case LD_SHARED:
        transfer(m, t, in, false, true);
        return;
    case ST_SHARED:
        transfer(m, t, in, true, true);
        return;
    case MMA:
        mma(m, t, in);
        return;
    default:
        if (!compute(m, (op)in->op, x, y, z, &out))
            return;
    }
    t->r[in->operands[0].index] = out;
}

/* Until the end or the next barrier. */
static void run_thread(machine *m, thread *t) {
    while (t->at >= 0) {
        const instruction *in = &m->code->code[t->at++];
        if (in->guard >= 0 && !t->r[in->guard].u32)
            continue;
        if (in->op == BRA)
            t->at = in->target;
        else if (in->op == RET || in->op < 0 || t->at >= m->code->length + 1)
            t->at = -1;
        else if (in->op == BAR)
            return;
        else
            step(m, t, in);
    }
}

static double execute(module *code, uint64_t arguments[4], unsigned groups, unsigned group) {
    machine m = {.code = code, .shared = calloc(1, 8192)};
    thread *threads = malloc(group * sizeof *threads);
    memcpy(m.arguments, arguments, sizeof m.arguments);
    for (unsigned g = 0; g < groups; g++) {
        for (unsigned l = 0; l < group; l++)
            threads[l] = (thread){.place = {g, group, l, groups}};
        for (bool alive = true; alive;) {
            alive = false;
            for (unsigned l = 0; l < group; l++) {
                run_thread(&m, &threads[l]);
                alive |= threads[l].at >= 0;
            }
        }
    }
    free(threads);
    free(m.shared);
    double seconds = fmax(m.global / fake_cuda.memory, m.local / fake_cuda.shared);
    for (int i = 0; i < FAKE_CLASSES; i++)
        if (m.flops[i] > 0)
            seconds = fmax(seconds, m.flops[i] / fake_cuda.rate[i]);
    return seconds;
}

/* ---- the driver API ---- */

#define API __attribute__((visibility("default")))
static bool initialised;

API int cuInit(unsigned flags);
API int cuInit(unsigned flags) {
    if (flags)
        complain("cuInit with flags");
    if (fails())
        return NO_DEVICE;
    initialised = true;
    return fake_cuda.devices ? OK : NO_DEVICE;
}

API int cuDriverGetVersion(int *version);
API int cuDriverGetVersion(int *version) {
    *version = 12040;
    return OK;
}

API int cuDeviceGetCount(int *count);
API int cuDeviceGetCount(int *count) {
    if (!initialised)
        complain("cuDeviceGetCount before cuInit");
    *count = fake_cuda.devices;
    return fails() ? NO_DEVICE : OK;
}

API int cuDeviceGet(int *device, int index);
API int cuDeviceGet(int *device, int index) {
    *device = 40 + index;
    return fails() || index >= fake_cuda.devices ? INVALID_VALUE : OK;
}

API int cuDeviceGetName(char *name, int size, int device);
API int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "Pretended GPU %d", device - 40);
    return fails() ? INVALID_VALUE : OK;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int device);
API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = (size_t)256 << 20;
    return device < 40 || fails() ? INVALID_VALUE : OK;
}

API int cuDeviceGetAttribute(int *value, int attribute, int device);
API int cuDeviceGetAttribute(int *value, int attribute, int device) {
    const int values[][2] = {
        {1, 64}, {8, 49152}, {16, 1}, {38, 1 << 20}, {75, fake_cuda.capability / 10}, {76, fake_cuda.capability % 10}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i][0] == attribute && device >= 40)
            return *value = values[i][1], fails() ? INVALID_VALUE : OK;
    complain("attribute %d of device %d", attribute, device);
    return INVALID_VALUE;
}

API int cuCtxCreate_v2(void **context, unsigned flags, int device);
API int cuCtxCreate_v2(void **context, unsigned flags, int device) {
    if (flags || device < 40)
        complain("cuCtxCreate with flags %u, device %d", flags, device);
    if (fails())
        return OUT_OF_MEMORY;
    fake_cuda.contexts++;
    *context = malloc(1);
    return OK;
}

API int cuCtxDestroy_v2(void *context);
API int cuCtxDestroy_v2(void *context) {
    fake_cuda.contexts--;
    free(context);
    return OK;
}

API int cuModuleLoadDataEx(void **out, const void *image, unsigned count, int *options, void **values);
API int cuModuleLoadDataEx(void **out, const void *image, unsigned count, int *options, void **values) {
    if (fake_cuda.contexts != 1)
        complain("a module without a context");
    if (fails())
        return OUT_OF_MEMORY;
    module *made = calloc(1, sizeof *made);
    bool good = parse(made, image);
    if (fake_cuda.bad_ptx && made->has_mma) {
        good = false;
        if (count == 2 && options[0] == 5 && options[1] == 6)
            snprintf(values[0], (size_t)(uintptr_t)values[1], "\nptxas error   : Unknown modifier\nmore");
    }
    for (int i = 0; good && i < made->length; i++)
        good = (made->code[i].op = find_op(made->code[i].name)) >= 0 &&
               (made->code[i].op != MMA || parse_tile(&made->code[i]));
    if (!good) {
        free(made->code);
        free(made);
        return INVALID_IMAGE;
    }
    fake_cuda.modules++;
    *out = made;
    return OK;
}

static struct {
    const module *code;
    unsigned groups, group;
    uint64_t arguments[4];
    unsigned long changes;
    double seconds;
} last; /* a launch repeated on the same memory gives the same again: not run twice */

API int cuModuleUnload(void *which);
API int cuModuleUnload(void *which) {
    module *made = which;
    fake_cuda.modules--;
    last.code = NULL;
    free(made->code);
    free(made);
    return OK;
}

API int cuModuleGetFunction(void **function, void *which, const char *name);
API int cuModuleGetFunction(void **function, void *which, const char *name) {
    module *made = which;
    *function = made;
    return fails() || strcmp(made->entry, name) ? NOT_FOUND : OK;
}

API int cuMemAlloc_v2(unsigned long long *address, size_t bytes);
API int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
    if (fails())
        return OUT_OF_MEMORY;
    for (int i = 0; i < BUFFERS; i++)
        if (!buffers[i].start) {
            buffers[i].start = aligned_alloc(256, (bytes + 255) / 256 * 256);
            buffers[i].bytes = bytes;
            fake_cuda.buffers++;
            *address = (uintptr_t)buffers[i].start;
            return OK;
        }
    return OUT_OF_MEMORY;
}

API int cuMemFree_v2(unsigned long long address);
API int cuMemFree_v2(unsigned long long address) {
    for (int i = 0; i < BUFFERS; i++)
        if (buffers[i].start && (uintptr_t)buffers[i].start == address) {
            free(buffers[i].start);
            buffers[i].start = NULL;
            fake_cuda.buffers--;
            return OK;
        }
    complain("cuMemFree of what was not allocated");
    return INVALID_VALUE;
}

API int cuMemAllocHost_v2(void **memory, size_t bytes);
API int cuMemAllocHost_v2(void **memory, size_t bytes) {
    if (fails())
        return OUT_OF_MEMORY;
    fake_cuda.pinned++;
    *memory = malloc(bytes);
    return OK;
}

API int cuMemFreeHost(void *memory);
API int cuMemFreeHost(void *memory) {
    fake_cuda.pinned--;
    free(memory);
    return OK;
}

static int copy(void *to, const void *from, size_t bytes, void *stream) {
    if (stream)
        complain("a stream where the default one was meant");
    if (fails())
        return LAUNCH_FAILED;
    memcpy(to, from, bytes);
    fake_cuda.clock += 1e-6 + (double)bytes / fake_cuda.link;
    return OK;
}

API int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream);
API int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream) {
    char *at = reach(to, bytes);
    changes++;
    return at ? copy(at, from, bytes, stream) : INVALID_VALUE;
}

API int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream);
API int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream) {
    char *at = reach(from, bytes);
    return at ? copy(to, at, bytes, stream) : INVALID_VALUE;
}

typedef struct event {
    double at;
    bool recorded;
} event;

API int cuEventCreate(void **out, unsigned flags);
API int cuEventCreate(void **out, unsigned flags) {
    if (flags)
        complain("events that keep no time");
    if (fails())
        return OUT_OF_MEMORY;
    fake_cuda.events++;
    *out = calloc(1, sizeof(event));
    return OK;
}

API int cuEventDestroy_v2(void *which);
API int cuEventDestroy_v2(void *which) {
    fake_cuda.events--;
    free(which);
    return OK;
}

API int cuEventRecord(void *which, void *stream);
API int cuEventRecord(void *which, void *stream) {
    if (stream)
        complain("an event in another stream");
    *(event *)which = (event){fake_cuda.clock, true};
    return fails() ? LAUNCH_FAILED : OK;
}

API int cuEventSynchronize(void *which);
API int cuEventSynchronize(void *which) {
    if (!((event *)which)->recorded)
        complain("waited for an event that was not recorded");
    fake_cuda.clock += 1e-7;
    return fails() ? LAUNCH_FAILED : OK;
}

API int cuEventElapsedTime(float *milliseconds, void *start, void *end);
API int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    const event *from = start, *to = end;
    if (!from->recorded || !to->recorded)
        complain("time between events that were not recorded");
    *milliseconds = (float)((to->at - from->at) * (fake_cuda.lying_events ? 1 : 1000));
    return fails() ? LAUNCH_FAILED : OK;
}

API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void *stream, void **arguments, void **extra);
API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void *stream, void **arguments, void **extra) {
    module *code = function;
    if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || stream || extra || !gx || !bx || bx > 64)
        complain("a launch of %u x %u x %u groups of %u x %u x %u", gx, gy, gz, bx, by, bz);
    if (code->has_mma && bx % 32)
        complain("mma in a group of %u, which is no whole number of warps", bx);
    if (fails())
        return LAUNCH_FAILED;
    uint64_t values[4];
    for (int i = 0; i < 4; i++)
        memcpy(&values[i], arguments[i], sizeof values[i]);
    bool again = last.code == code && last.groups == gx && last.group == bx && last.changes == changes &&
                 memcmp(last.arguments, values, sizeof values) == 0 && strcmp(code->entry, "tiny") != 0;
    if (!again) {
        last.seconds = execute(code, values, gx, bx);
        last.code = code;
        last.groups = gx;
        last.group = bx;
        last.changes = changes;
        memcpy(last.arguments, values, sizeof values);
    }
    fake_cuda.clock += fake_cuda.launch + last.seconds;
    return OK;
}

API int cuGetErrorString(int result, const char **text);
API int cuGetErrorString(int result, const char **text) {
    *text = result == OUT_OF_MEMORY   ? "out of memory"
            : result == LAUNCH_FAILED ? "unspecified launch failure"
                                      : "some error";
    return OK;
}
