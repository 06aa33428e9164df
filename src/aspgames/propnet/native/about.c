/* The digest of the sources and the compiler, which hatch_build.py passes with -D. */
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
