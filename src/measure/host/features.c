/* What this CPU can do and the operating system lets us use. */
#include "measure/host/host.h"

#if defined __x86_64__
#include <sys/syscall.h>
#include <unistd.h>

#include "measure/host/cpuid.h"

enum {
    STATE_AVX = 0x6,
    STATE_ZMM = 0xe6,
    STATE_TILES = 0x60000
};                                                /* XCR0: SSE + YMM; + opmask, ZMM; tile config, data */
enum { REQ_XCOMP_PERM = 0x1023, XTILEDATA = 18 }; /* arch_prctl(2): linux/arch/x86 asm/prctl.h */

typedef enum word { LEAF1_ECX, LEAF7_EBX, LEAF7_ECX, LEAF7_EDX, LEAF7_1_EAX, WORD_COUNT } word;

static const struct {
    feature feature;
    word word;
    uint32_t mask, state;
} table[] = {
    {FEATURE_AVX, LEAF1_ECX, 1u << 28, STATE_AVX},
    {FEATURE_FMA, LEAF1_ECX, 1u << 12 | 1u << 28, STATE_AVX}, /* FMA, AVX */
    {FEATURE_AVX2, LEAF7_EBX, 1u << 5, STATE_AVX},
    {FEATURE_AVX512, LEAF7_EBX, 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31, STATE_ZMM}, /* F, DQ, BW, VL */
    {FEATURE_AVX512_FP16, LEAF7_EDX, 1u << 23, STATE_ZMM},
    {FEATURE_AVX512_BF16, LEAF7_1_EAX, 1u << 5, STATE_ZMM},
    {FEATURE_AVX512_VNNI, LEAF7_ECX, 1u << 11, STATE_ZMM},
    {FEATURE_AVX_VNNI, LEAF7_1_EAX, 1u << 4, STATE_AVX},
    {FEATURE_AMX_BF16, LEAF7_EDX, 1u << 22 | 1u << 24, STATE_TILES}, /* AMX-BF16, AMX-TILE */
    {FEATURE_AMX_INT8, LEAF7_EDX, 1u << 25 | 1u << 24, STATE_TILES},
};

static uint32_t enabled_state(uint32_t leaf1_ecx) {
    uint32_t low = 0, high = 0;
    if (leaf1_ecx >> 27 & 1) /* OSXSAVE: the system has set XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

feature_set host_features(void) {
    cpuid_read read = cpuid_of_this_cpu();
    cpuid_answer leaf7 = read(7, 0);
    uint32_t words[WORD_COUNT] = {
        [LEAF1_ECX] = read(1, 0).ecx,
        [LEAF7_EBX] = leaf7.ebx,
        [LEAF7_ECX] = leaf7.ecx,
        [LEAF7_EDX] = leaf7.edx,
        [LEAF7_1_EAX] = leaf7.eax >= 1 ? read(7, 1).eax : 0,
    };
    uint32_t state = enabled_state(words[LEAF1_ECX]);
    feature_set set = FEATURE(BASE);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((words[table[i].word] & table[i].mask) == table[i].mask && (state & table[i].state) == table[i].state)
            set |= (feature_set)1 << table[i].feature;
    if (!(set & FEATURE(AVX512))) /* its extensions use the same registers and need its base */
        set &= ~(FEATURE(AVX512_FP16) | FEATURE(AVX512_BF16) | FEATURE(AVX512_VNNI));
    if (!(set & FEATURE(AVX2)))
        set &= ~FEATURE(AVX_VNNI);
    feature_set amx = FEATURE(AMX_BF16) | FEATURE(AMX_INT8);
    if ((set & amx) && syscall(SYS_arch_prctl, REQ_XCOMP_PERM, XTILEDATA) != 0)
        set &= ~amx;
    return set;
}

#elif defined __aarch64__
#include <sys/auxv.h>

enum { CAP = AT_HWCAP, CAP2 = AT_HWCAP2 };

/* Bits of linux/arch/arm64 uapi/asm/hwcap.h, by number: older headers lack the newer names. */
static const struct {
    feature feature;
    unsigned long where;
    int bit;
} table[] = {
    {FEATURE_FP16, CAP, 10}, {FEATURE_DOTPROD, CAP, 20},   {FEATURE_BF16, CAP2, 14},    {FEATURE_I8MM, CAP2, 13},
    {FEATURE_SVE, CAP, 22},  {FEATURE_SVE_BF16, CAP2, 12}, {FEATURE_SVE_I8MM, CAP2, 9},
};

feature_set host_features(void) {
    feature_set set = FEATURE(BASE);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (getauxval(table[i].where) >> table[i].bit & 1)
            set |= (feature_set)1 << table[i].feature;
    if (!(set & FEATURE(SVE)))
        set &= ~(FEATURE(SVE_BF16) | FEATURE(SVE_I8MM));
    return set;
}

#else
feature_set host_features(void) {
    return FEATURE(BASE);
}
#endif
