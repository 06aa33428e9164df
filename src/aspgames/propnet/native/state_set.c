/* A set of states (rows of bits). States are numbered in the order of insertion.
 *
 * A hash table with open addressing and linear probing. A slot contains the number of a state plus
 * 1; 0 marks an empty slot. Between two calls that make room, several threads may add states at the
 * same time.
 */
#include "aspgames.h"
#include "memory.h"
#include "tables.h"

enum { AHEAD = 12 }; /* how many states ahead the slots are prefetched */

struct state_set {
    int64_t count, room; /* states, and how many there is room for */
    uint64_t *rows;
    uint32_t *slots;
    int64_t slot_count; /* a power of two */
    int32_t words;      /* of a row */
};

static inline int same(const uint64_t *a, const uint64_t *b, int32_t words) {
    for (int32_t w = 0; w < words; w++)
        if (a[w] != b[w]) return 0;
    return 1;
}

static inline int64_t first_slot(const struct state_set *s, const uint64_t *row) {
    return (int64_t)(hash_of(row, s->words) & (uint64_t)(s->slot_count - 1));
}

void aspgames_states_free(struct state_set *s) {
    if (!s) return;
    FREE_ALL(s->rows, s->slots, s);
}

struct state_set *aspgames_states_new(int32_t words) {
    struct state_set *s = calloc(1, sizeof *s);
    if (s) s->words = words;
    return s;
}

void aspgames_states_clear(struct state_set *s) {
    FREE_ALL(s->rows, s->slots);
    *s = (struct state_set){.words = s->words};
}

int64_t aspgames_states_count(const struct state_set *s) { return s->count; }

const uint64_t *aspgames_states_rows(const struct state_set *s) { return s->rows; }

static int64_t slots_for(int64_t states) {
    int64_t slots = 1 << 12;
    while (3 * states > 2 * slots) slots *= 2;
    return slots;
}

int64_t aspgames_states_bytes(const struct state_set *s, int64_t more) {
    int64_t states = s->count + more, slots = slots_for(states);
    int64_t rows = states > s->room ? states + states / 4 : s->room;
    return 8 * s->words * rows + 4 * (slots > s->slot_count ? slots : s->slot_count);
}

enum aspgames_status aspgames_states_reserve(struct state_set *s, int64_t more) {
    int64_t states = s->count + more, slots = slots_for(states);
    if (states > s->room) {
        int64_t room = states + states / 4;
        uint64_t *rows = realloc(s->rows, (size_t)(room * s->words + 1) * sizeof *rows);
        if (!rows) return ASPGAMES_NO_MEMORY;
        s->rows = rows;
        s->room = room;
    }
    if (slots <= s->slot_count) return ASPGAMES_DONE;
    free(s->slots);
    s->slot_count = 0;
    s->slots = calloc((size_t)slots, sizeof *s->slots);
    if (!s->slots) return ASPGAMES_NO_MEMORY;
    s->slot_count = slots;
    for (int64_t i = 0; i < s->count; i++) {
        if (i + AHEAD < s->count)
            __builtin_prefetch(s->slots + first_slot(s, s->rows + (i + AHEAD) * s->words), 1);
        int64_t slot = first_slot(s, s->rows + i * s->words);
        while (s->slots[slot]) slot = (slot + 1) & (s->slot_count - 1);
        s->slots[slot] = (uint32_t)(i + 1);
    }
    return ASPGAMES_DONE;
}

/* Prefetch for states ahead: the slot of one, and for a nearer one the row that its slot refers to.
 */
static inline void look_ahead(
    const struct state_set *s, const uint64_t *rows, int64_t i, int64_t count
) {
    if (i + 2 * AHEAD < count)
        __builtin_prefetch(s->slots + first_slot(s, rows + (i + 2 * AHEAD) * s->words));
    if (i + AHEAD >= count) return;
    uint32_t found =
        __atomic_load_n(s->slots + first_slot(s, rows + (i + AHEAD) * s->words), __ATOMIC_RELAXED);
    if (found) __builtin_prefetch(s->rows + (int64_t)(found - 1) * s->words);
}

void aspgames_states_add(
    struct state_set *s, const uint64_t *rows, int64_t count, uint32_t *numbers, int64_t *spare
) {
    int32_t words = s->words;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *row = rows + i * words;
        look_ahead(s, rows, i, count);
        for (int64_t slot = first_slot(s, row);; slot = (slot + 1) & (s->slot_count - 1)) {
            uint32_t found = __atomic_load_n(s->slots + slot, __ATOMIC_ACQUIRE);
            if (!found) {
                if (*spare < 0) *spare = __atomic_fetch_add(&s->count, 1, __ATOMIC_RELAXED);
                memcpy(s->rows + *spare * words, row, (size_t)words * sizeof *row);
                uint32_t own = (uint32_t)(*spare + 1);
                if (__atomic_compare_exchange_n(
                        s->slots + slot, &found, own, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE
                    )) {
                    numbers[i] = (uint32_t)*spare;
                    *spare = -1;
                    break;
                }
            }
            if (same(s->rows + (int64_t)(found - 1) * words, row, words)) {
                numbers[i] = found - 1;
                break;
            }
        }
    }
}

void aspgames_states_find(
    const struct state_set *s, const uint64_t *rows, int64_t count, uint32_t *numbers
) {
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *row = rows + i * s->words;
        numbers[i] = UINT32_MAX;
        if (!s->slot_count) continue;
        look_ahead(s, rows, i, count);
        for (int64_t slot = first_slot(s, row); s->slots[slot];
             slot = (slot + 1) & (s->slot_count - 1)) {
            if (!same(s->rows + (int64_t)(s->slots[slot] - 1) * s->words, row, s->words)) continue;
            numbers[i] = s->slots[slot] - 1;
            break;
        }
    }
}

int64_t aspgames_states_give_back(struct state_set *s, int64_t number) {
    int64_t last = --s->count;
    if (last == number) return last;
    const uint64_t *row = s->rows + last * s->words;
    int64_t slot = first_slot(s, row);
    while (s->slots[slot] != (uint32_t)(last + 1)) slot = (slot + 1) & (s->slot_count - 1);
    s->slots[slot] = (uint32_t)(number + 1);
    memcpy(s->rows + number * s->words, row, (size_t)s->words * sizeof *row);
    return last;
}
