/* A hash table of numbers from 1 on, with open addressing. The caller has what they stand for. */
#ifndef ASPGAMES_HASH_INDEX_H
#define ASPGAMES_HASH_INDEX_H

#include "aspgames.h"
#include "memory.h"

/* The first slot in which a number with this hash may be; the last one is empty. */
static inline struct hash_slot *index_first(const struct hash_index *index, uint32_t hash) {
    return index->slots + (hash & (index->room - 1));
}

static inline struct hash_slot *index_next(const struct hash_index *index, struct hash_slot *slot) {
    return slot + 1 < index->slots + index->room ? slot + 1 : index->slots;
}

/* Keep the table half empty, before each search. False when memory runs out. */
static inline bool index_has_room(struct hash_index *index) {
    if (2 * index->count < index->room) return true;
    struct hash_index more = {NULL, index->room ? 4 * index->room : 64, index->count};
    more.slots = zeroed(more.room, sizeof *more.slots);
    if (!more.slots) return false;
    for (int64_t i = 0; i < index->room; i++) {
        if (!index->slots[i].number) continue;
        struct hash_slot *slot = index_first(&more, index->slots[i].hash);
        while (slot->number) slot = index_next(&more, slot);
        *slot = index->slots[i];
    }
    free(index->slots);
    *index = more;
    return true;
}

/* Add a number, in the empty slot at which a search has ended. Returns it. */
static inline int32_t index_add(
    struct hash_index *index, struct hash_slot *slot, uint32_t hash, int32_t number
) {
    *slot = (struct hash_slot){hash, number};
    index->count++;
    return number;
}

#endif
