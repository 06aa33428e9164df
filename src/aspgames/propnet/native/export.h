/* What a file of the library needs to offer functions to Python, or, compiled more than once, to
   the rest of the library. */
#ifndef ASPGAMES_EXPORT_H
#define ASPGAMES_EXPORT_H

/* A function that Python calls; all others stay inside the library (-fvisibility=hidden). */
#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* In lanes.c and search.c, which are compiled once for each instruction set: NAME(count) is count_base,
   count_avx2 or count_avx512, as -DVARIANT=… says. */
#ifdef VARIANT
#define ASPGAMES_JOIN(name, variant) name##_##variant
#define ASPGAMES_EXPAND(name, variant) ASPGAMES_JOIN(name, variant)
#define NAME(name) ASPGAMES_EXPAND(name, VARIANT)
#endif

#endif
