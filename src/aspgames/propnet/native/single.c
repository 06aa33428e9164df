/* One state at a time: a value is a byte, so that a net's values fit into the cache.
 *
 * Successive questions are mostly about successive states of a game: two states with the same side
 * on move differ in a few fluents. So each phase keeps the values of its last state. For the next
 * state, only what has changed is followed, in the order of the slots. Each gate counts its
 * operands that don't hold: a changed operand adds or subtracts one, and the gate changes when its
 * count reaches or leaves zero. If much has changed, or the program has a loop, all gates are
 * computed.
 */
#include "aspgames.h"
#include "memory.h"
#include "narrow.h"
#include "tables.h"


/* The last state for one question of one phase, and its values. */
struct memory {
    const struct program *programs[2];
    int32_t slots;
    int ready;      /* 0: nothing kept yet, 1: kept; -1: there are loops, so nothing is kept */
    int is_counted; /* whether `missing` belongs to the values */
    single *values;
    int32_t *user_starts; /* for each slot, the first place of its users in `users`; they end where
                             the next slot's begin */
    int32_t *users;       /* twice the user's slot, plus one if it negates the value */
    int32_t *missing;     /* for each gate's slot, how many of its operands don't hold */
    uint64_t *changed;    /* a bit for each slot: whether its value is still to change */
    uint64_t *row;        /* the last state */
    int32_t *made;        /* and the effects of the moves made there */
    int32_t made_count;
    const int32_t *literals; /* the results: the choices, or the next state's fluents */
    int32_t literal_count;
    uint64_t *bits;          /* which of these are true */
    int32_t *literal_starts; /* for each slot, where its literals begin in `decided` */
    int32_t *decided;
};

struct single_state {
    struct pool pool;
    const int32_t *block;
    struct memory *asked, *advanced; /* for each phase */
    int32_t *out, *moves;
    uint64_t *row;
};

void aspgames_single_free(struct single_state *room) {
    if (!room) return;
    pool_free(&room->pool);
    free(room);
}

struct single_state *aspgames_single_new(const int32_t *block) {
    const struct tables *t = tables_of(block);
    struct single_state *room = calloc(1, sizeof *room);
    if (!room) return NULL;
    struct pool *pool = &room->pool;
    room->block = block;
    room->asked = pool_zeroed(pool, t->turn_count + 1, sizeof *room->asked);
    room->advanced = pool_zeroed(pool, t->turn_count + 1, sizeof *room->advanced);
    room->out = pool_zeroed(pool, 3 + 3 * t->roles + t->most_choices, sizeof *room->out);
    room->moves = pool_zeroed(pool, t->roles, sizeof *room->moves);
    room->row = pool_zeroed(pool, row_words(t->after), sizeof *room->row);
    if (!pool->failed) return room;
    aspgames_single_free(room);
    return NULL;
}

int32_t *aspgames_single_out(struct single_state *room) { return room->out; }

int32_t *aspgames_single_moves(struct single_state *room) { return room->moves; }

uint64_t *aspgames_single_row(struct single_state *room) { return room->row; }

static int is_true(const single *values, int32_t literal) {
    return (values[literal >> 1].part[0] & 1) != (literal & 1);
}

/* Visit the runs of a question's gates; returns 0 if there are loops. */
static int each_run(
    const int32_t *block, struct memory *m,
    void (*visit)(struct memory *, const int32_t *, int32_t)
) {
    for (int p = 0; p < 2 && m->programs[p]; p++) {
        const struct segment *segment = (const struct segment *)(block + m->programs[p]->segments);
        for (int32_t s = 0; s < m->programs[p]->count; s++, segment++) {
            if (segment->variable_count) return 0;
            for (int32_t at = segment->runs; at < segment->end;) {
                const struct run *run = (const struct run *)(block + at);
                visit(m, block, at);
                at += 4 + run->count * (run->positive + run->negative);
            }
        }
    }
    return 1;
}

static void count_users(struct memory *m, const int32_t *block, int32_t at) {
    const struct run *run = (const struct run *)(block + at);
    const int32_t *operands = block + at + 4;
    for (int32_t i = 0; i < run->count * (run->positive + run->negative); i++)
        m->user_starts[operands[i]]++;
}

static void list_users(struct memory *m, const int32_t *block, int32_t at) {
    const struct run *run = (const struct run *)(block + at);
    const int32_t *operands = block + at + 4;
    int32_t width = run->positive + run->negative;
    for (int32_t g = 0; g < run->count; g++)
        for (int32_t i = 0; i < width; i++)
            m->users[--m->user_starts[operands[(int64_t)g * width + i]]] =
                2 * (run->first + g) + (i >= run->positive);
}

/* The ends of lists, given the lengths. Lists are filled from their ends to their beginnings. */
static void add_up(int32_t *lengths, int64_t count) {
    for (int64_t i = 1; i <= count; i++) lengths[i] += lengths[i - 1];
}

/* Prepare a question; returns 0 when memory ran out. */
static int prepare(
    struct pool *pool, const int32_t *block, struct memory *m, const struct phase *phase, int is_ask
) {
    const struct tables *t = tables_of(block);
    int64_t slots = is_ask ? phase->slots : phase->advance_slots;
    int64_t literals = is_ask ? phase->choice_count : t->after;
    m->programs[0] = is_ask ? &phase->ask : &phase->advance;
    m->programs[1] = is_ask ? &phase->judge : NULL;
    m->slots = (int32_t)slots;
    m->literals = block + (is_ask ? phase->choice_literals : phase->next_alone);
    m->literal_count = (int32_t)literals;
    m->values = pool_zeroed(pool, slots, sizeof *m->values);
    m->user_starts = pool_zeroed(pool, slots + 1, sizeof *m->user_starts);
    m->missing = pool_zeroed(pool, slots, sizeof *m->missing);
    m->changed = pool_zeroed(pool, slots / 64 + 1, sizeof *m->changed);
    m->row = pool_zeroed(pool, row_words(t->fluents), sizeof *m->row);
    m->made = pooled(pool, (phase->gates - t->fluents) * (t->roles + (int64_t)1), sizeof *m->made);
    m->bits = pool_zeroed(pool, literals / 64 + 1, sizeof *m->bits);
    m->literal_starts = pool_zeroed(pool, slots + 1, sizeof *m->literal_starts);
    m->decided = pooled(pool, literals, sizeof *m->decided);
    if (!pool->failed && !each_run(block, m, count_users)) {
        m->ready = -1;
    } else if (!pool->failed) {
        add_up(m->user_starts, slots);
        m->users = pooled(pool, m->user_starts[slots], sizeof *m->users);
        if (m->users) each_run(block, m, list_users);
    }
    if (pool->failed) { /* the caller may ask again; what there is stays in the pool until then */
        pool->failed = false;
        memset(m, 0, sizeof *m);
        return 0;
    }
    for (int32_t i = 0; i < m->literal_count; i++) m->literal_starts[m->literals[i] >> 1]++;
    add_up(m->literal_starts, slots);
    for (int32_t i = 0; i < m->literal_count; i++)
        m->decided[--m->literal_starts[m->literals[i] >> 1]] = i;
    m->values[0].part[0] = 1;
    return 1;
}

static void set_bit(struct memory *m, int32_t literal) {
    uint64_t bit = (uint64_t)1 << (literal & 63);
    if (is_true(m->values, m->literals[literal]))
        m->bits[literal >> 6] |= bit;
    else
        m->bits[literal >> 6] &= ~bit;
}

static void compute_all(const int32_t *block, struct memory *m) {
    for (int p = 0; p < 2 && m->programs[p]; p++) single_evaluate(block, m->programs[p], m->values);
    for (int32_t i = 0; i < m->literal_count; i++) set_bit(m, i);
}

/* Count the operands that don't hold, and mark the gates whose values differ from their counts. */
static void count_missing(struct memory *m, const int32_t *block, int32_t at) {
    const struct run *run = (const struct run *)(block + at);
    const int32_t *operand = block + at + 4;
    for (int32_t slot = run->first; slot < run->first + run->count; slot++) {
        int32_t missing = run->positive;
        for (int32_t i = 0; i < run->positive; i++) missing -= m->values[*operand++].part[0] & 1;
        for (int32_t i = 0; i < run->negative; i++) missing += m->values[*operand++].part[0] & 1;
        m->missing[slot] = missing;
        if ((missing == 0) != (m->values[slot].part[0] & 1))
            m->changed[slot >> 6] |= (uint64_t)1 << (slot & 63);
    }
}

/* Tell the users of a slot that its value has changed. A gate's bit is turned over each time, so
 * that it is as before if the gate changes back. */
static void tell(struct memory *m, int32_t slot) {
    const int32_t *user = m->users + m->user_starts[slot];
    const int32_t *end = m->users + m->user_starts[slot + 1];
    int32_t *restrict missing = m->missing, now = m->values[slot].part[0] & 1;
    uint64_t *restrict changed = m->changed;
    for (; user < end; user++) {
        int32_t gate = *user >> 1, before = missing[gate];
        int32_t after = before + 1 - 2 * ((*user ^ now) & 1);
        missing[gate] = after;
        changed[gate >> 6] ^= (uint64_t)(!before | !after) << (gate & 63);
    }
}

static void tell_results(struct memory *m, int32_t slot) {
    for (int32_t i = m->literal_starts[slot]; i < m->literal_starts[slot + 1]; i++)
        m->bits[m->decided[i] >> 6] ^= (uint64_t)1 << (m->decided[i] & 63);
}

static void follow_changes(struct memory *m) {
    for (int32_t w = 0; w <= m->slots / 64; w++)
        while (m->changed[w]) {
            int32_t slot = 64 * w + __builtin_ctzll(m->changed[w]);
            m->changed[w] &= m->changed[w] - 1;
            m->values[slot].part[0] ^= 1;
            tell(m, slot);
            tell_results(m, slot);
        }
}

/* The inputs that changed since the last state. */
struct changes {
    struct memory *m;
    int64_t users; /* gates that use them */
    int follows;   /* whether these have been told; not if there are too many */
};

static void set_input(struct changes *changes, int32_t slot, int value) {
    struct memory *m = changes->m;
    if ((m->values[slot].part[0] & 1) == value) return;
    m->values[slot].part[0] ^= 1;
    changes->users += m->user_starts[slot + 1] - m->user_starts[slot];
    changes->follows &= changes->users <= m->slots;
    if (!changes->follows) return;
    if (m->is_counted) tell(m, slot);
    tell_results(m, slot);
}

static void set_row(struct changes *changes, int32_t fluents, const uint64_t *row) {
    changes->follows = changes->m->ready == 1;
    for (int32_t w = 0; 64 * w < fluents; w++) {
        uint64_t other = row[w] ^ changes->m->row[w];
        changes->m->row[w] = row[w];
        for (; other; other &= other - 1) {
            int bit = __builtin_ctzll(other);
            set_input(changes, 1 + 64 * w + bit, row[w] >> bit & 1);
        }
    }
}

static void compute(const int32_t *block, struct changes *changes) {
    struct memory *m = changes->m;
    if (changes->follows) {
        if (!m->is_counted) each_run(block, m, count_missing);
        m->is_counted = 1;
        follow_changes(m);
        return;
    }
    if (m->is_counted) memset(m->changed, 0, (size_t)(m->slots / 64 + 1) * sizeof *m->changed);
    m->is_counted = 0;
    compute_all(block, m);
    if (!m->ready) m->ready = 1;
}

int aspgames_single_ask(struct single_state *room, const uint8_t *bytes) {
    const uint64_t *row = (const uint64_t *)bytes;
    const int32_t *block = room->block;
    const struct tables *t = tables_of(block);
    int number = phase_of_row(block, row);
    const struct phase *phase = phase_at(block, number);
    struct memory *m = room->asked + number;
    if (!m->values && !prepare(&room->pool, block, m, phase, 1)) return ASPGAMES_NO_MEMORY;
    struct changes changes = {.m = m};
    set_row(&changes, t->fluents, row);
    compute(block, &changes);
    const single *values = m->values;
    int32_t *out = room->out;
    out[0] = is_true(values, phase->terminal);
    out[1] = 0;
    out[2] = -1;
    const int32_t *goal = block + phase->goals;
    int32_t before = -1;
    memset(out + 3, 0, 3 * (size_t)t->roles * sizeof *out);
    for (int32_t i = 0; i < phase->goal_count; i++, goal += 3)
        if (is_true(values, goal[2])) {
            int unsettled = goal[0] == before || goal[1] < 0;
            before = goal[0];
            out[3 + 3 * goal[0]] = !unsettled ? goal[1] : out[0] ? ASPGAMES_UNSETTLED : 0;
        }
    int32_t *to = out + 3 + 3 * t->roles;
    for (int32_t role = 0; role < t->roles; role++) {
        if (is_true(values, block[phase->to_move + role])) {
            out[1]++;
            out[2] = role;
        }
        const int32_t *bounds = block + phase->choices + 2 * role;
        out[4 + 3 * role] = (int32_t)(to - out);
        for (int32_t word = bounds[0] >> 6; 64 * word < bounds[1]; word++) {
            uint64_t bits = m->bits[word];
            if (64 * word < bounds[0]) bits &= ~(uint64_t)0 << (bounds[0] & 63);
            if (64 * word + 64 > bounds[1]) bits &= ((uint64_t)1 << (bounds[1] & 63)) - 1;
            for (; bits; bits &= bits - 1) {
                int32_t choice = 64 * word + __builtin_ctzll(bits);
                *to++ = 2 * block[phase->choice_moves + choice]
                        + is_true(values, block[phase->marks + choice]);
            }
        }
        out[5 + 3 * role] = (int32_t)(to - out);
    }
    return (int)(to - out);
}

enum aspgames_status aspgames_single_play(struct single_state *room, const uint8_t *bytes) {
    const uint64_t *row = (const uint64_t *)bytes;
    const int32_t *block = room->block;
    const struct tables *t = tables_of(block);
    int number = phase_of_row(block, row);
    const struct phase *phase = phase_at(block, number);
    struct memory *m = room->advanced + number;
    if (!m->values && !prepare(&room->pool, block, m, phase, 0)) return ASPGAMES_NO_MEMORY;
    for (int32_t role = 0; role < t->roles; role++) {
        const int32_t *bounds = block + phase->choices + 2 * role;
        if (room->moves[role] < 0 && bounds[1] == bounds[0] + 1
            && block[phase->choice_literals + bounds[0]] == 0)
            room->moves[role] = block[phase->choice_moves + bounds[0]];
        if (room->moves[role] < 0) return ASPGAMES_SEVERAL_CHOOSE;
    }
    struct changes changes = {.m = m};
    set_row(&changes, t->fluents, row);
    while (m->made_count) set_input(&changes, m->made[--m->made_count], 0);
    for (int32_t role = 0; role < t->roles; role++) {
        const int32_t *starts = block + phase->effect_starts + room->moves[role];
        for (int32_t e = starts[0]; e < starts[1]; e++) {
            set_input(&changes, block[e], 1);
            m->made[m->made_count++] = block[e];
        }
    }
    compute(block, &changes);
    memcpy(room->row, m->bits, (size_t)row_words(t->after) * sizeof *room->row);
    return 0;
}

enum aspgames_status aspgames_single_play_one(
    struct single_state *room, const uint8_t *row, int32_t role, int32_t move
) {
    for (int32_t r = 0; r < tables_of(room->block)->roles; r++) room->moves[r] = -1;
    room->moves[role] = move;
    return aspgames_single_play(room, row);
}
