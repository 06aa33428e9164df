/* Arrays that grow. */

#ifndef ASPGAMES_MEMORY_H
#define ASPGAMES_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for at least `needed` items in an array, a pointer of any type. False when memory runs
 * out, which leaves the array unchanged. */
#define MAKE_ROOM(array, room, needed) make_room_at(&(array), &(room), (needed), sizeof *(array))

static inline bool make_room_at(void *place, int64_t *room, int64_t needed, size_t item) {
    if (needed <= *room) return true;
    int64_t more = *room < 8 ? 16 : *room + *room / 2;
    if (more < needed) more = needed;
    void *array;
    memcpy(&array, place, sizeof array);
    array = realloc(array, (size_t)more * item);
    if (!array) return false;
    memcpy(place, &array, sizeof array);
    *room = more;
    return true;
}

/* Free some pointers, which may be NULL. */
#define FREE_ALL(...)                                                                              \
    free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void free_all(void *const *pointers, size_t count) {
    for (size_t i = 0; i < count; i++) free(pointers[i]);
}

/* Zeroed memory for `count` items; `count` may be 0. */
static inline void *zeroed(int64_t count, size_t item) { return calloc((size_t)count + 1, item); }

/* The head of an allocation of a pool. What follows is aligned for the widest vectors. */
struct pool_block {
    _Alignas(64) struct pool_block *before;
};

/* Memory that is freed at once. */
struct pool {
    struct pool_block *last;
    bool failed; /* memory ran out */
};

/* Memory for `count` items, freed with the pool; `count` may be 0. NULL when memory runs out. */
static inline void *pooled(struct pool *pool, int64_t count, size_t item) {
    size_t bytes = sizeof(struct pool_block) + (size_t)count * item;
    void *found = NULL;
#if defined(_WIN32)
    found = _aligned_malloc(bytes, sizeof(struct pool_block));
#else
    if (posix_memalign(&found, sizeof(struct pool_block), bytes)) found = NULL;
#endif
    if (!found) {
        pool->failed = true;
        return NULL;
    }
    struct pool_block *block = found;
    block->before = pool->last;
    pool->last = block;
    return block + 1;
}

/* The same, zeroed. */
static inline void *pool_zeroed(struct pool *pool, int64_t count, size_t item) {
    void *found = pooled(pool, count, item);
    return found ? memset(found, 0, (size_t)count * item) : NULL;
}

static inline void pool_free(struct pool *pool) {
    for (struct pool_block *block = pool->last, *before; block; block = before) {
        before = block->before;
#if defined(_WIN32)
        _aligned_free(block);
#else
        free(block);
#endif
    }
    *pool = (struct pool){0};
}

#endif
