/* What hatch_build.py passes with -D: the sources' digest, the compiler, the instruction sets. */
#include "aspgames.h"

#if defined(__clang__)
#define BUILT_WITH ASPGAMES_COMPILER ": clang " __clang_version__
#elif defined(__GNUC__)
#define BUILT_WITH ASPGAMES_COMPILER ": gcc " __VERSION__
#else
#define BUILT_WITH ASPGAMES_COMPILER
#endif

const char *aspgames_sources(void) { return ASPGAMES_SOURCES; }

const char *aspgames_compiler(void) { return BUILT_WITH; }

const char *aspgames_variants(void) { return ASPGAMES_VARIANTS; }
