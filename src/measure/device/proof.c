/* What a device's kernels must compute, by plain arithmetic on small exact numbers. device.h says what each kernel
 * does. */
#include <math.h>
#include <string.h>

#include "measure/device/device.h"

static roof_dtype held(const device_kernel *kernel) {
    return kernel->held ? kernel->held : kernel->dtype;
}

/* Small whole numbers as they lie in memory. */
static uint16_t half_bits(double value, int exponent_bits, int fraction_bits) {
    int exponent;
    double fraction = frexp(fabs(value), &exponent); /* value = fraction 2^exponent, fraction in [0.5, 1) */
    if (fraction == 0)
        return 0;
    int biased = exponent - 1 + (1 << (exponent_bits - 1)) - 1;
    unsigned rest = (unsigned)ldexp(2 * fraction - 1, fraction_bits);
    return (uint16_t)((value < 0 ? 0x8000u : 0u) | (unsigned)biased << fraction_bits | rest);
}

static double half_value(uint16_t bits, int exponent_bits, int fraction_bits) {
    int biased = bits >> fraction_bits & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
    double fraction = ldexp((double)(bits & ((1 << fraction_bits) - 1)), -fraction_bits);
    double value = biased ? ldexp(1 + fraction, biased - bias) : ldexp(fraction, 1 - bias);
    return bits & 0x8000 ? -value : value;
}

static void put_number(roof_dtype dtype, void *array, size_t index, double value) {
    float single = (float)value;
    int32_t whole = (int32_t)value;
    uint16_t eighth = half_bits(value, 4, 3); /* e4m3: its sign is bit 7 */
    int8_t byte = dtype == ROOF_FP8 ? (int8_t)((eighth & 0x7f) | (value < 0 ? 0x80 : 0)) : (int8_t)value;
    uint16_t half = dtype == ROOF_BF16 ? half_bits(value, 8, 7) : half_bits(value, 5, 10);
    size_t size = (size_t)roof_dtype_bytes(dtype);
    if (dtype == ROOF_TF32)
        size = 4;
    const void *from = dtype == ROOF_F64     ? (const void *)&value
                       : size == 1           ? (const void *)&byte
                       : size == 2           ? (const void *)&half
                       : dtype == ROOF_INT32 ? (const void *)&whole
                                             : (const void *)&single;
    memcpy((char *)array + index * size, from, size);
}

static double get_number(roof_dtype dtype, const void *array, size_t index) {
    double value;
    float single;
    int32_t whole;
    uint16_t half;
    size_t size = (size_t)roof_dtype_bytes(dtype);
    const char *at = (const char *)array + index * size;
    if (dtype == ROOF_F64)
        return memcpy(&value, at, size), value;
    if (dtype == ROOF_INT32)
        return memcpy(&whole, at, size), (double)whole;
    if (dtype == ROOF_F16)
        return memcpy(&half, at, size), half_value(half, 5, 10);
    return memcpy(&single, at, sizeof single), (double)single;
}

/* ---- compute kernels ---- */

uint64_t proof_iterations(int set) {
    return set == 0 ? 3 : set == 1 ? 1 : 2;
}

static double proof_x(int set, int lane) {
    static const double numbers[] = {1, -1, 0};
    return numbers[(lane + set) % 3];
}

static double proof_y(int lane) {
    return 1 + (lane & 1);
}

/* Operands of a tile product: every element of A, of B. */
static double tile_x(int set) {
    static const double numbers[] = {1, -1, 2};
    return numbers[set];
}

static uint32_t dot_x(int set) {
    static const uint32_t numbers[] = {0x01ff0201u, 0xfe0103ffu, 0x017f80feu};
    return numbers[set];
}

static uint32_t box_word(size_t index) {
    return (uint32_t)index * 2654435761u;
}

/* Operands of a tile product come as words filled with one element: x, then y; F64 as they are. */
static void fill_tiles(const device_kernel *kernel, int set, void *b) {
    size_t width = kernel->dtype == ROOF_F64 ? 8 : 4;
    size_t size = kernel->dtype == ROOF_TF32 ? 4 : (size_t)roof_dtype_bytes(kernel->dtype);
    for (size_t i = 0; i < 2 * width / size; i++)
        put_number(kernel->dtype, b, i, i < width / size ? tile_x(set) : 1);
}

void proof_fill(const device_kernel *kernel, int set, void *b) {
    memset(b, 0, PROOF_BYTES);
    uint32_t word = dot_x(set);
    if (kernel->pattern == ROOF_PATTERN_LOAD) {
        for (size_t i = 0; i < PROOF_BYTES / sizeof word; i++) {
            word = box_word(i);
            memcpy((char *)b + i * sizeof word, &word, sizeof word);
        }
    } else if (kernel->unit == ROOF_MATRIX) {
        fill_tiles(kernel, set, b);
    } else if (kernel->pattern == ROOF_PATTERN_DOT) {
        memcpy(b, &word, sizeof word);
    } else {
        for (int lane = 0; lane < kernel->lanes; lane++) {
            put_number(kernel->dtype, b, (size_t)lane, proof_x(set, lane));
            put_number(kernel->dtype, b, (size_t)(kernel->lanes + lane), proof_y(lane));
        }
    }
}

size_t proof_item_bytes(const device_kernel *kernel) {
    if (!roof_pattern_is_compute(kernel->pattern))
        return DEVICE_ELEMENT;
    return (size_t)kernel->lanes * (size_t)roof_dtype_bytes(held(kernel));
}

static uint32_t dot_step(uint32_t acc, uint32_t x) {
    int32_t sum = 0;
    for (int byte = 0; byte < 4; byte++)
        sum += (int8_t)(acc >> 8 * byte & 255) * (int8_t)(x >> 8 * byte & 255);
    return acc + (uint32_t)sum;
}

/* One lane of the sum that work item `item` leaves. */
static double expected_sum(const device_kernel *kernel, int set, uint64_t n, size_t item, int lane) {
    uint64_t updates = n * (uint64_t)kernel->steps;
    double sum = 0;
    uint32_t wrapped = 0;
    for (int k = 0; k < kernel->chains; k++) {
        double start = (double)(item & 3) + k, acc = start;
        uint32_t word = (uint32_t)start;
        if (kernel->unit == ROOF_MATRIX)
            acc = k + (double)updates * kernel->terms * tile_x(set);
        else
            for (uint64_t i = 0; i < updates; i++) {
                acc = acc * proof_x(set, lane) + proof_y(lane);
                word = dot_step(word, dot_x(set));
            }
        sum += acc;
        wrapped += word;
    }
    if (kernel->pattern == ROOF_PATTERN_DOT && kernel->unit == ROOF_VECTOR)
        return (double)(int32_t)wrapped;
    return sum;
}

static bool sums_hold(const device_kernel *kernel, int set, uint64_t n, const void *a, size_t items) {
    double expected[4][32];
    for (size_t item = 0; item < 4; item++)
        for (int lane = 0; lane < kernel->lanes; lane++)
            expected[item][lane] = expected_sum(kernel, set, n, item, lane);
    size_t lanes = (size_t)kernel->lanes;
    for (size_t i = 0; i < items * lanes; i++)
        if (get_number(held(kernel), a, i) != expected[i / lanes & 3][i % lanes])
            return false;
    return true;
}

/* Local memory: item l of its group reads elements l, l + 16, ... l + 240 in each iteration. */
static bool box_holds(uint64_t n, size_t group, const void *a, size_t items) {
    for (size_t i = 0; i < items; i++)
        for (size_t word = 0; word < 4; word++) {
            uint32_t sum = 0, got;
            for (size_t s = 0; s < 256; s += 16)
                sum += box_word((i % group + s) * 4 + word);
            memcpy(&got, (const char *)a + i * DEVICE_ELEMENT + word * sizeof got, sizeof got);
            if (got != sum * (uint32_t)n)
                return false;
        }
    return true;
}

bool proof_holds(const device_kernel *kernel, int set, uint64_t n, size_t group, const void *a, size_t items) {
    if (kernel->pattern == ROOF_PATTERN_LOAD)
        return box_holds(n, group, a, items);
    return sums_hold(kernel, set, n, a, items);
}

/* ---- memory kernels ---- */

static float memory_number(char array, size_t index) {
    return array == 'a' ? -1.0f : array == 'b' ? (float)(index * 7 % 65521) : (float)(index * 5 % 32749);
}

void memory_fill(char array, void *chunk) {
    float *numbers = chunk;
    for (size_t i = 0; i < DEVICE_CHUNK / sizeof *numbers; i++)
        numbers[i] = memory_number(array, i);
}

void memory_expect(roof_pattern pattern, void *chunk) {
    float *numbers = chunk, factor = pattern == ROOF_PATTERN_TRIAD ? 3.0f : 0.0f;
    for (size_t i = 0; i < DEVICE_CHUNK / sizeof *numbers; i++)
        numbers[i] = memory_number('b', i) + factor * memory_number('c', i);
}

bool memory_sum_holds(const void *a, size_t items, size_t chunks) {
    uint32_t expected[4] = {0}, got[4] = {0};
    for (size_t i = 0; i < DEVICE_CHUNK / sizeof(float); i++) {
        float number = memory_number('b', i);
        uint32_t word;
        memcpy(&word, &number, sizeof word);
        expected[i % 4] += word;
    }
    for (size_t i = 0; i < 4 * items; i++) {
        uint32_t word;
        memcpy(&word, (const char *)a + i * sizeof word, sizeof word);
        got[i % 4] += word;
    }
    for (int i = 0; i < 4; i++)
        if (got[i] != expected[i] * (uint32_t)chunks)
            return false;
    return true;
}
