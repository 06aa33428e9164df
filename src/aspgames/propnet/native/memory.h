/* Arrays that grow. */

#ifndef ASPGAMES_MEMORY_H
#define ASPGAMES_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

/* The array with room for at least `needed` items, or NULL, which leaves it unchanged. */
static inline void *with_room(void *array, int64_t *room, int64_t needed, size_t item) {
    if (needed <= *room) return array;
    int64_t more = *room < 8 ? 16 : *room + *room / 2;
    if (more < needed) more = needed;
    void *grown = realloc(array, (size_t)more * item);
    if (grown) *room = more;
    return grown;
}

/* Zeroed memory for `count` items; `count` may be 0. */
static inline void *zeroed(int64_t count, size_t item) { return calloc((size_t)count + 1, item); }

#endif
