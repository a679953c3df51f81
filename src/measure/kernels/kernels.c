/* What micro-kernels of every architecture share: operands that keep results exact, what must come out by plain
 * arithmetic, and the proof that a kernel computes that and writes nothing else. Needs no heap and no C library but
 * memcpy, memset and memcmp, so that it also runs where there is no system. */
#include <stddef.h>
#include <string.h>

#include "measure/kernels/kernels.h"

enum { SIGN_EXPONENT_BIAS = 1023, RED_ZONE = 256 };

/* ---- numbers of the kernels' types ---- */

typedef struct number_format {
    int bytes, exponent, mantissa; /* bits; exponent 0: a two's complement integer */
} number_format;

static number_format format_of(roof_dtype dtype) {
    switch (dtype) {
    case ROOF_F64:
        return (number_format){8, 11, 52};
    case ROOF_F32:
        return (number_format){4, 8, 23};
    case ROOF_F16:
        return (number_format){2, 5, 10};
    case ROOF_BF16:
        return (number_format){2, 8, 7};
    case ROOF_INT32:
        return (number_format){4, 0, 31};
    default:
        return (number_format){1, 0, 7}; /* int8 */
    }
}

/* Numbers here are zero or normal and fit `format` exactly: prepared operands and their sums. */
static uint64_t encode(number_format format, double value) {
    uint64_t bits;
    if (format.exponent == 0)
        return (uint64_t)(int64_t)value;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = bits >> 63 << (format.exponent + format.mantissa);
    if (value == 0)
        return sign;
    int bias = (1 << (format.exponent - 1)) - 1;
    uint64_t exponent = (bits >> 52 & 0x7ff) - SIGN_EXPONENT_BIAS + (uint64_t)bias;
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) >> (52 - format.mantissa);
    return sign | exponent << format.mantissa | mantissa;
}

static double decode(number_format format, uint64_t bits) {
    int width = format.bytes * 8;
    if (format.exponent == 0)
        return (double)((int64_t)(bits << (64 - width)) >> (64 - width));
    uint64_t exponent = bits >> format.mantissa & ((UINT64_C(1) << format.exponent) - 1);
    uint64_t mantissa = bits & ((UINT64_C(1) << format.mantissa) - 1);
    uint64_t wide = bits >> (width - 1) << 63;
    if (exponent != 0 || mantissa != 0) {
        uint64_t bias = (UINT64_C(1) << (format.exponent - 1)) - 1;
        wide |= (exponent - bias + SIGN_EXPONENT_BIAS) << 52 | mantissa << (52 - format.mantissa);
    }
    double value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* Little endian, as both architectures are. */
static double number_get(const unsigned char *array, roof_dtype dtype, int index) {
    number_format format = format_of(dtype);
    uint64_t bits = 0;
    memcpy(&bits, array + index * format.bytes, (size_t)format.bytes);
    return decode(format, bits);
}

static void number_put(unsigned char *array, roof_dtype dtype, int index, double value) {
    number_format format = format_of(dtype);
    uint64_t bits = encode(format, value);
    memcpy(array + index * format.bytes, &bits, (size_t)format.bytes);
}

/* ---- shape of a kernel ---- */

static bool is_tile(const compute_kernel *kernel) {
    return kernel->columns == TILE_COLUMNS;
}

static const unsigned char *x_of(const compute_kernel *kernel, const compute_state *state) {
    return is_tile(kernel) ? state->tiles : state->x;
}

static const unsigned char *y_of(const compute_kernel *kernel, const compute_state *state) {
    return is_tile(kernel) ? state->tiles + TILE_BYTES : state->y;
}

/* Which elements of x and y are multiplied as term `term` of result lane `lane`. */
static void operands_of(const compute_kernel *kernel, int lane, int term, int *x, int *y) {
    int columns = kernel->columns, terms = kernel->terms;
    if (columns == 0) {
        *x = *y = lane * terms + term;
        return;
    }
    int block = lane / (columns * columns), row = lane / columns % columns, column = lane % columns;
    int group = is_tile(kernel) ? 4 / format_of(kernel->dtype).bytes : terms;
    int before = block * columns * terms;
    *x = before + row * terms + term;
    *y = before + (term / group * columns + column) * group + term % group;
}

static int operand_count(const compute_kernel *kernel) {
    int lanes = compute_lanes(kernel);
    return kernel->columns == 0 ? lanes * kernel->terms : lanes / kernel->columns * kernel->terms;
}

static roof_pattern pattern_of(const compute_kernel *kernel, int index) {
    bool add = kernel->adds != 0 ? index >= kernel->accumulators - kernel->adds : index % 2 == 1;
    if (kernel->pattern == ROOF_PATTERN_MUL_ADD)
        return add ? ROOF_PATTERN_ADD : ROOF_PATTERN_MUL;
    if (kernel->pattern == ROOF_PATTERN_FMA_ADD)
        return add ? ROOF_PATTERN_ADD : ROOF_PATTERN_FMA;
    return kernel->pattern;
}

static int times_of(const compute_kernel *kernel, roof_pattern pattern) {
    bool own = pattern == ROOF_PATTERN_ADD && pattern != kernel->pattern && kernel->adds != 0;
    return own ? kernel->add_times : kernel->times;
}

/* ---- operands and results ---- */

static bool multiplies_alone(const compute_kernel *kernel) {
    return kernel->pattern == ROOF_PATTERN_MUL || kernel->pattern == ROOF_PATTERN_MUL_ADD;
}

/* Multipliers are 1 and -1: a product that runs away would end as infinity or denormal. Else x and y are powers of two
 * whose products of either sign add up exactly in 11 bits for 100 iterations of up to 20 updates. First operands of
 * integer dots are positive: some instructions take them as unsigned. */
static double x_value(const compute_kernel *kernel, int element) {
    static const double factors[] = {-1, -1, 1, -1, 1}, counts[] = {1, 2, 3, 1, 5};
    static const double numbers[] = {1, -0.5, -1, 0.5, 1, 1, -0.5};
    if (multiplies_alone(kernel))
        return factors[element % 5];
    return kernel->dtype == ROOF_INT8 ? counts[element % 5] : numbers[element % 7];
}

static double y_value(int element) {
    static const double numbers[] = {2, 1, -1};
    return numbers[element % 3];
}

static double start_value(int index, int lane) {
    return 2 * (1 + (index + lane) % 8);
}

void compute_prepare(const compute_kernel *kernel, compute_state *state) {
    int count = operand_count(kernel), lanes = compute_lanes(kernel), bytes = vector_bytes(kernel);
    unsigned char *x = is_tile(kernel) ? state->tiles : state->x;
    unsigned char *y = is_tile(kernel) ? state->tiles + TILE_BYTES : state->y;
    memset(state, 0, sizeof *state);
    for (int element = 0; element < count; element++) {
        number_put(x, kernel->dtype, element, x_value(kernel, element));
        number_put(y, kernel->dtype, element, y_value(element));
    }
    for (int index = 0; index < kernel->accumulators; index++)
        for (int lane = 0; lane < lanes; lane++)
            number_put(state->accumulators + index * bytes, kernel->result, lane, start_value(index, lane));
}

static double power(double base, uint64_t exponent) {
    double result = 1;
    for (; exponent != 0; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

static double dot_of(const compute_kernel *kernel, const compute_state *state, int lane) {
    double sum = 0;
    for (int term = 0; term < kernel->terms; term++) {
        int x, y;
        operands_of(kernel, lane, term, &x, &y);
        sum += number_get(x_of(kernel, state), kernel->dtype, x) * number_get(y_of(kernel, state), kernel->dtype, y);
    }
    return sum;
}

double compute_expected(const compute_kernel *kernel, const compute_state *before, int index, int lane,
                        uint64_t iterations) {
    double start = number_get(before->accumulators + index * vector_bytes(kernel), kernel->result, lane);
    roof_pattern pattern = pattern_of(kernel, index);
    uint64_t updates = iterations * (uint64_t)times_of(kernel, pattern);
    switch (pattern) {
    case ROOF_PATTERN_MUL:
        return start * power(number_get(x_of(kernel, before), kernel->dtype, lane), updates);
    case ROOF_PATTERN_ADD:
        return start + (double)updates * number_get(x_of(kernel, before), kernel->dtype, lane);
    default:
        return start + (double)updates * dot_of(kernel, before, lane);
    }
}

/* ---- proofs ---- */

typedef struct guarded_state {
    unsigned char before[RED_ZONE];
    compute_state state;
    unsigned char after[RED_ZONE];
} guarded_state;

/* Multiplying by 1 and -1 tells an odd number of times from an even one; by 2 and -2 it tells every number. */
static void double_factors(const compute_kernel *kernel, compute_state *state) {
    for (int element = 0; element < operand_count(kernel); element++)
        number_put(state->x, kernel->dtype, element, 2 * number_get(state->x, kernel->dtype, element));
}

static int prove_after(const compute_kernel *kernel, uint64_t iterations) {
    guarded_state got, want;
    memset(&want, 0x5a, sizeof want);
    compute_prepare(kernel, &want.state);
    if (multiplies_alone(kernel) && iterations == 1)
        double_factors(kernel, &want.state);
    memcpy(&got, &want, sizeof got);
    for (int index = 0; index < kernel->accumulators; index++)
        for (int lane = 0; lane < compute_lanes(kernel); lane++) {
            double value = compute_expected(kernel, &want.state, index, lane, iterations);
            number_put(want.state.accumulators + index * vector_bytes(kernel), kernel->result, lane, value);
        }
    kernel->run(&got.state, iterations);
    return memcmp(&got, &want, sizeof got) == 0 ? 0 : -1; /* operands and red zones too */
}

int compute_prove(const compute_kernel *kernel) {
    static const uint64_t iterations[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++)
        if (prove_after(kernel, iterations[i]) != 0)
            return -1;
    return 0;
}

enum { STREAM_STEPS = 3, STREAM_BYTES = STREAM_STEPS * 2048, STREAM_WORDS = 32 };

typedef struct guarded_array {
    _Alignas(64) unsigned char before[RED_ZONE];
    unsigned char bytes[STREAM_BYTES];
    unsigned char after[RED_ZONE];
} guarded_array;

typedef struct stream_state {
    guarded_array a, b, c;
    stream_args args;
} stream_state;

/* Numbers of no regularity, small and exact: quarters below 4096. */
static void fill_array(guarded_array *array, uint64_t seed) {
    memset(array, 0xa5, sizeof *array);
    for (size_t i = 0; i < sizeof array->bytes / sizeof(double); i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = (double)(seed >> 50) / 4;
        memcpy(array->bytes + i * sizeof value, &value, sizeof value);
    }
}

/* A factor that is neither 1 nor -1 tells how many passes there were; three of 1.5 are exact. */
static double updated(const stream_state *want, size_t at) {
    double value;
    memcpy(&value, want->a.bytes + at, sizeof value);
    return value * power(want->args.s[0], want->args.passes);
}

/* The arrays after the kernel, by its pattern. */
static void expect_arrays(roof_pattern pattern, stream_state *want) {
    for (size_t at = 0; at < want->args.bytes; at += sizeof(double)) {
        double b, c, value = want->args.s[0];
        memcpy(&b, want->b.bytes + at, sizeof b);
        memcpy(&c, want->c.bytes + at, sizeof c);
        if (pattern == ROOF_PATTERN_COPY || pattern == ROOF_PATTERN_COPY_NT)
            value = b;
        else if (pattern == ROOF_PATTERN_TRIAD || pattern == ROOF_PATTERN_TRIAD_NT)
            value = b + value * c;
        else if (pattern == ROOF_PATTERN_UPDATE)
            value = updated(want, at);
        if (pattern != ROOF_PATTERN_LOAD)
            memcpy(want->a.bytes + at, &value, sizeof value);
    }
}

/* Every lane of `sum` holds the words of its place in the vector; all lanes together hold every word `passes` times. */
static int check_sums(const stream_state *got) {
    uint64_t sum = 0, all = 0, word;
    for (size_t at = 0; at < got->args.bytes; at += sizeof word) {
        memcpy(&word, got->a.bytes + at, sizeof word);
        all += word;
    }
    for (size_t lane = 0; lane < STREAM_WORDS; lane++) {
        memcpy(&word, &got->args.sum[lane], sizeof word);
        sum += word;
    }
    return sum == all * got->args.passes ? 0 : -1;
}

static bool is_in(const unsigned char *bytes, uint64_t size, uint64_t word) {
    uint64_t other;
    for (uint64_t at = 0; at < size; at += sizeof other) {
        memcpy(&other, bytes + at, sizeof other);
        if (other == word)
            return true;
    }
    return false;
}

/* A load that only keeps the last vectors: what it kept is of the last step. */
static int check_last(const stream_kernel *kernel, const stream_state *got) {
    int kept = 0;
    for (size_t lane = 0; lane < STREAM_WORDS; lane++) {
        uint64_t word;
        memcpy(&word, &got->args.sum[lane], sizeof word);
        if (word == 0)
            continue;
        if (!is_in(got->a.bytes + got->args.bytes - kernel->step, kernel->step, word))
            return -1;
        kept++;
    }
    return kept > 0 ? 0 : -1;
}

static int check_load(const stream_kernel *kernel, const stream_state *got) {
    if (kernel->pattern != ROOF_PATTERN_LOAD)
        return 0;
    return kernel->sums ? check_sums(got) : check_last(kernel, got);
}

static int prove_stream_of(const stream_kernel *kernel, uint64_t steps, uint64_t passes) {
    stream_state got, want;
    fill_array(&got.a, 1);
    fill_array(&got.b, 2);
    fill_array(&got.c, 3);
    memset(&got.args, 0, sizeof got.args);
    got.args.a = got.a.bytes;
    got.args.b = got.b.bytes;
    got.args.c = got.c.bytes;
    got.args.bytes = steps * kernel->step;
    got.args.passes = passes;
    for (size_t lane = 0; lane < sizeof got.args.s / sizeof *got.args.s; lane++)
        got.args.s[lane] = 1.5;
    memcpy(&want, &got, sizeof want);
    expect_arrays(kernel->pattern, &want);
    kernel->run(&got.args);
    bool same = memcmp(&got.a, &want.a, sizeof got.a) == 0 && memcmp(&got.b, &want.b, sizeof got.b) == 0 &&
                memcmp(&got.c, &want.c, sizeof got.c) == 0 &&
                memcmp(&got.args, &want.args, offsetof(stream_args, sum)) == 0;
    return same ? check_load(kernel, &got) : -1;
}

int stream_prove(const stream_kernel *kernel) {
    if (kernel->step == 0 || kernel->step * STREAM_STEPS > STREAM_BYTES)
        return -1;
    for (uint64_t steps = 1; steps <= STREAM_STEPS; steps++)
        for (uint64_t passes = 1; passes <= 3; passes += 2)
            if (prove_stream_of(kernel, steps, passes) != 0)
                return -1;
    return 0;
}
