/* A clock for limits on time. It runs on evenly when somebody sets the time of day. */

#ifndef ASPGAMES_CLOCK_H
#define ASPGAMES_CLOCK_H

#if defined(_WIN32)
#include <windows.h>
#else
#include <time.h>
#endif

/* Seconds since some fixed moment. */
static inline double clock_seconds(void) {
#if defined(_WIN32)
    LARGE_INTEGER ticks, each_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&each_second);
    return (double)ticks.QuadPart / (double)each_second.QuadPart;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

#endif
