/* What the library was built from, and by what: hatch_build.py says it with -D. */
#include "aspgames.h"

#if defined(__clang__)
#define BUILT_WITH ASPGAMES_COMPILER ": clang " __clang_version__
#elif defined(__GNUC__)
#define BUILT_WITH ASPGAMES_COMPILER ": gcc " __VERSION__
#else
#define BUILT_WITH ASPGAMES_COMPILER
#endif

/* The digest of the sources (native_sources.py), which Python compares with that of its own. */
const char *aspgames_sources(void)
{
    return ASPGAMES_SOURCES;
}

const char *aspgames_compiler(void)
{
    return BUILT_WITH;
}
