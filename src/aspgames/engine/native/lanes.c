/* States in bit lanes. Compiled once for each instruction set: see NAME in export.h. */
#include "export.h"

EXPORT int NAME(aspgames_lane_bits)(void);

/* How many states one register holds. */
int NAME(aspgames_lane_bits)(void)
{
#if defined(__AVX512F__)
    return 512;
#elif defined(__AVX2__)
    return 256;
#else
    return 64;
#endif
}
