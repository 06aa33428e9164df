/* 512 states at once: a value is 512 bits, and each lane (bit) of it belongs to one state.
 *
 * Vectors have the width of the machine's registers; wider ones would go through memory.
 */
#ifndef ASPGAMES_LANES_H
#define ASPGAMES_LANES_H

#include "aspgames.h"
#include "memory.h"
#include "narrow.h"
#include "tables.h"

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

enum { WORDS = 8, LANES = 64 * WORDS };

typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));

#define VALUE lanes
#define VECTOR vector
#define PARTS (8 * WORDS / VECTOR_BYTES)
#define OF(name) lanes_##name
#include "gates.inc.c"

typedef uint64_t __attribute__((may_alias)) word;

static inline word *words(lanes *value) { return (word *)value; }

static inline const word *const_words(const lanes *value) { return (const word *)value; }

static inline lanes *lanes_new(struct pool *pool, int64_t count) {
    return pooled(pool, count, sizeof(lanes));
}

static inline lanes lanes_none(void) { return (lanes){0}; }

static inline lanes lanes_and(lanes a, lanes b) {
    EACH_PART
        a.part[k] &= b.part[k];
    return a;
}

static inline lanes lanes_without(lanes a, lanes b) {
    EACH_PART
        a.part[k] &= ~b.part[k];
    return a;
}

static inline lanes lanes_or(lanes a, lanes b) {
    EACH_PART
        a.part[k] |= b.part[k];
    return a;
}

static inline lanes lanes_flip(lanes a, lanes b) {
    EACH_PART
        a.part[k] ^= b.part[k];
    return a;
}

static inline int lanes_any(const lanes *a) {
    const word *w = const_words(a);
    return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0;
}

static inline int lanes_count(const lanes *a) {
    int found = 0;
    for (int i = 0; i < WORDS; i++) found += __builtin_popcountll(const_words(a)[i]);
    return found;
}

/* The first `count` lanes. */
static inline lanes lanes_first(int count) {
    lanes found = lanes_none();
    for (int i = 0; i < WORDS; i++) {
        int here = count - 64 * i;
        words(&found)[i] = here >= 64 ? ~(uint64_t)0 : here > 0 ? ((uint64_t)1 << here) - 1 : 0;
    }
    return found;
}

static inline int lane_of(const lanes *a, int lane) {
    return const_words(a)[lane >> 6] >> (lane & 63) & 1;
}

static inline void set_lane(lanes *a, int lane) {
    words(a)[lane >> 6] |= (uint64_t)1 << (lane & 63);
}

#define EACH_LANE(among, lane)                                                                     \
    for (int word_ = 0; word_ < WORDS; word_++)                                                    \
        for (uint64_t bits_ = const_words(&(among))[word_], lane = 0;                              \
             bits_ && (lane = (uint64_t)(64 * word_ + __builtin_ctzll(bits_)), 1);                 \
             bits_ &= bits_ - 1)

/* The lanes from `first` to `end` - 1. */
static inline lanes lanes_between(int first, int end) {
    return lanes_without(lanes_first(end), lanes_first(first));
}

/* Read the values of some literals into an array. A slot may be overwritten only after its last
 * read. */
static inline void read_literals(
    const int32_t *literals, int32_t count, const lanes *values, lanes *into
) {
    for (int32_t i = 0; i < count; i++) into[i] = lanes_read(values, literals[i]);
}

/* Load a state into all lanes. */
static inline void load_everywhere(const int32_t *block, const uint64_t *row, lanes *values) {
    for (int32_t f = 0; f < tables_of(block)->fluents; f++)
        memset(values + 1 + f, bit_of_row(row, f) ? 0xFF : 0, sizeof *values);
}

/* The common phase of the states in some lanes. */
static inline int phase_of(const int32_t *block, const lanes *values, const lanes *among) {
    const struct tables *t = tables_of(block);
    int found = t->turn_count;
    for (int i = 0; i < t->turn_count; i++) {
        lanes here = lanes_and(values[1 + block[t->turns + i]], *among);
        if (!lanes_any(&here)) continue;
        if (found != t->turn_count || lanes_differ(&here, among)) return t->turn_count;
        found = i;
    }
    return found;
}

static inline void clear_effects(const int32_t *block, const struct phase *phase, lanes *values) {
    int32_t first = 1 + tables_of(block)->fluents;
    memset(values + first, 0, (size_t)(phase->gates - first) * sizeof(lanes));
}

static inline void make_move(
    const int32_t *block, const struct phase *phase, int32_t move, int lane, lanes *values
) {
    const int32_t *starts = block + phase->effect_starts + move;
    for (int32_t e = starts[0]; e < starts[1]; e++) set_lane(values + block[e], lane);
}

static inline void make_move_in(
    const int32_t *block, const struct phase *phase, int32_t move, const lanes *among, lanes *values
) {
    const int32_t *starts = block + phase->effect_starts + move;
    for (int32_t e = starts[0]; e < starts[1]; e++)
        values[block[e]] = lanes_or(values[block[e]], *among);
}

#endif
