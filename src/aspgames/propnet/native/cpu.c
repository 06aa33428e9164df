/* Finds the processor's best instruction set among those for which *.inc.c are compiled. */
#include "aspgames.h"

#if defined(__x86_64__)

/* Asks the processor itself. __builtin_cpu_supports of gcc and clang needs a library of theirs,
 * which `zig cc` does not have. */
#include <cpuid.h>

enum { BASE, AVX2, AVX512 };

/* The registers that the operating system saves when it switches threads. */
static unsigned saved_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static int all(unsigned flags, unsigned wanted) { return (flags & wanted) == wanted; }

int aspgames_cpu(void) {
    /* All features of x86-64-v3 and x86-64-v4, the sets that zig knows. The flags for gcc and clang
     * are a subset, but no known processor has the subset alone. */
    const unsigned leaf_1 = bit_FMA | bit_MOVBE | bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C;
    const unsigned leaf_extended = 1u << 5; /* LZCNT */
    const unsigned leaf_7 = bit_BMI | bit_AVX2 | bit_BMI2;
    const unsigned leaf_7_wide =
        bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
    const unsigned ymm = 0x6, zmm = 0xe6;
    unsigned a, b, c, d;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !all(c, leaf_1)) return BASE;
    const unsigned saved = saved_registers();
    if (!all(saved, ymm)) return BASE;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !all(c, leaf_extended)) return BASE;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !all(b, leaf_7)) return BASE;
    return all(saved, zmm) && all(b, leaf_7_wide) ? AVX512 : AVX2;
}

#else

int aspgames_cpu(void) { return 0; }

#endif
