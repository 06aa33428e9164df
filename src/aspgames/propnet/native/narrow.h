/* Few states at once: one, whose values are bytes, or 64, whose values are words. So the values of a
 * large net fit into the cache, where those of 512 states don't. */
#ifndef ASPGAMES_NARROW_H
#define ASPGAMES_NARROW_H

#include "memory.h"
#include "tables.h"

enum { FEW = 64, LARGE_NET = 1 << 13 /* slots: half a megabyte for 512 states */ };

#define PARTS 1
#define VALUE single
#define VECTOR uint8_t
#define OF(name) single_##name
#include "gates.inc.c"
#undef VALUE
#undef VECTOR
#undef OF
#define VALUE few
#define VECTOR uint64_t
#define OF(name) few_##name
#include "gates.inc.c"
#undef VALUE
#undef VECTOR
#undef OF
#undef PARTS

/* Room for the slots of 64 states; NULL for a small net, where they would gain nothing. */
static inline few *few_new(struct pool *pool, int64_t slots) {
    return slots < LARGE_NET ? NULL : few_slots_new(pool, slots, 1);
}

static inline int single_holds(const single *values, int32_t literal) {
    return single_read(values, literal).part[0] & 1;
}

#endif
