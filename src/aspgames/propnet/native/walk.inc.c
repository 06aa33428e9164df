/* Perft: walks every path from some states, depth first, 512 states at a time. Depth bounds the
 * memory. */
#include "choices.h"

/* A role that has a choice. */
struct chooser {
    int32_t first, count; /* its choices in the phase */
    struct choices *choices;
    int32_t block; /* the block of its current choice ... */
    uint64_t rest; /* ... and the choices of that block that are left, with the current one */
};

struct walk_level {
    const int32_t *block;
    uint64_t *rows; /* the states */
    int count, phase;
    int chooser_count;
    struct chooser *choosers;
    struct choices *choices; /* for each role */
    int place;               /* the state whose children are being made */
};

struct walk {
    struct pool pool;       /* of the levels ... */
    struct pool slots_pool; /* ... and of the values */
    int depth;   /* how many plies to walk */
    int collect; /* whether to collect the states at that depth instead of counting paths */
    int top;     /* the current level, or -1 */
    int roller;  /* the role of chance, or -1 */
    int stuck;   /* the level of a state in which that role has no move, or -1 */
    int failed;
    struct walk_level *levels;
    const uint64_t *start;
    int64_t start_count, start_next;
    lanes *before, *values;
    int32_t slots;
    uint64_t *child_rows;
    int32_t *made;
    int64_t child_room, made_room; /* the sizes of these two */
    uint64_t paths, states;
    uint64_t *collected;
    int64_t collected_count, collected_room;
};

void NAME(aspgames_walk_free)(struct walk *w) {
    if (!w) return;
    pool_free(&w->pool);
    pool_free(&w->slots_pool);
    FREE_ALL(w->child_rows, w->made, w->collected, w);
}

static void new_level(struct walk *w, struct walk_level *level, int with_choices) {
    const struct tables *t = tables_of(level->block);
    level->rows = pooled(&w->pool, row_words(t->fluents) * LANES, sizeof *level->rows);
    level->choosers = pooled(&w->pool, t->roles, sizeof *level->choosers);
    level->choices = pooled(&w->pool, t->roles, sizeof *level->choices);
    for (int32_t r = 0; !w->pool.failed && with_choices && r < t->roles; r++) {
        int32_t most = 0;
        for (int32_t p = 0; p <= t->turn_count; p++) {
            const struct phase *phase = phase_at(level->block, p);
            const int32_t *bounds = level->block + phase->choices + 2 * r;
            if (bounds[1] - bounds[0] > most) most = bounds[1] - bounds[0];
        }
        choices_new(level->choices + r, &w->pool, most);
    }
}

struct walk *NAME(aspgames_walk_new)(
    int32_t depth, const uint64_t *start, int64_t count, int32_t collect
) {
    struct walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->depth = depth;
    w->collect = collect;
    w->top = w->roller = w->stuck = -1;
    w->start = start;
    w->start_count = count;
    w->levels = pool_zeroed(&w->pool, depth + (int64_t)1, sizeof *w->levels);
    if (w->levels) return w;
    free(w);
    return NULL;
}

enum aspgames_status NAME(aspgames_walk_net)(struct walk *w, int32_t number, const int32_t *block) {
    const struct tables *t = tables_of(block);
    w->levels[number].block = block;
    new_level(w, w->levels + number, number < w->depth);
    if (t->slots > w->slots) {
        pool_free(&w->slots_pool);
        w->before = lanes_slots_new(&w->slots_pool, t->slots, 1);
        w->values = lanes_slots_new(&w->slots_pool, t->slots, 1);
        w->slots = t->slots;
    }
    if (!MAKE_ROOM(w->child_rows, w->child_room, (row_words(t->fluents) + 1) * (int64_t)LANES)
        || !MAKE_ROOM(w->made, w->made_room, (t->roles + 1) * (int64_t)LANES))
        w->failed = 1;
    w->failed |= w->pool.failed | w->slots_pool.failed;
    return w->failed ? ASPGAMES_NO_MEMORY : ASPGAMES_MORE;
}

static void rows_of(uint64_t *rows, int32_t row_length, uint64_t *found[LANES]) {
    for (int lane = 0; lane < LANES; lane++) found[lane] = rows + (int64_t)lane * row_length;
}

/* Count the joint moves of the states that are not over. */
static uint64_t count_paths(
    struct walk *w, struct walk_level *level, const struct phase *phase, const lanes *going
) {
    uint64_t found = 0;
    if (level->chooser_count == 0) return (uint64_t)lanes_count(going);
    if (level->chooser_count == 1) {
        const int32_t *literals = level->block + phase->choice_literals + level->choosers[0].first;
        for (int32_t i = 0; i < level->choosers[0].count; i++) {
            lanes legal = lanes_and(lanes_read(w->values, literals[i]), *going);
            found += (uint64_t)lanes_count(&legal);
        }
        return found;
    }
    uint64_t products[LANES];
    uint32_t totals[LANES];
    for (int place = 0; place < LANES; place++)
        products[place] = (uint64_t)lane_of(going, lane_at(place));
    for (int c = 0; c < level->chooser_count; c++) {
        count_choices(level->choosers[c].choices, block_count(level->choosers[c].count), totals);
        for (int place = 0; place < LANES; place++) products[place] *= totals[place];
    }
    for (int place = 0; place < LANES; place++) found += products[place];
    return found;
}

/* Advance to a chooser's next choice, from a block on; 0 after the last. */
static int find_choice(const struct walk_level *level, struct chooser *chooser, int32_t block) {
    for (; block < block_count(chooser->count); block++) {
        uint64_t bits = choice_bits(chooser->choices, block, level->place);
        if (!bits) continue;
        chooser->block = block;
        chooser->rest = bits;
        return 1;
    }
    return 0;
}

/* Go to the first joint move of the level's current state; 0 if it has none. */
static int first_joint(struct walk_level *level) {
    for (int c = 0; c < level->chooser_count; c++)
        if (!find_choice(level, level->choosers + c, 0)) return 0;
    return 1;
}

static int next_joint(struct walk_level *level) {
    for (int c = level->chooser_count - 1; c >= 0; c--) {
        struct chooser *chooser = level->choosers + c;
        chooser->rest &= chooser->rest - 1;
        if (chooser->rest || find_choice(level, chooser, chooser->block + 1)) return 1;
        find_choice(level, chooser, 0);
    }
    return 0;
}

/* Go to the first state with a joint move, from the level's place on; 0 if there is none. */
static int find_state(struct walk_level *level) {
    for (; level->place < LANES; level->place++)
        if (lane_at(level->place) < level->count && first_joint(level)) return 1;
    return 0;
}

static int collect_rows(struct walk *w, struct walk_level *level) {
    int32_t length = row_words(tables_of(level->block)->fluents);
    int64_t words = (w->collected_count + LANES) * length + 1;
    if (!MAKE_ROOM(w->collected, w->collected_room, words)) return 0;
    uint64_t *rows[LANES];
    rows_of(w->collected + w->collected_count * length, length, rows);
    store_rows(w->values + 1, tables_of(level->block)->fluents, level->count, rows);
    w->collected_count += level->count;
    return 1;
}

/* Whether chance has no move in a state that isn't over: then that state alone is collected. */
static int find_stuck(
    struct walk *w, int number, const struct chooser *chooser, const int32_t *literals, lanes stuck
) {
    for (int32_t i = 0; i < chooser->count; i++)
        stuck = lanes_without(stuck, lanes_read(w->values, literals[i]));
    if (!lanes_any(&stuck)) return 0;
    int lane = 0;
    while (!lane_of(&stuck, lane)) lane++;
    w->collected_count = 0;
    if (collect_rows(w, w->levels + number)) {
        int32_t length = row_words(tables_of(w->levels[number].block)->fluents);
        const uint64_t *row = w->collected + (int64_t)lane * length;
        memmove(w->collected, row, (size_t)length * sizeof *row);
        w->collected_count = 1;
        w->stuck = number;
    } else {
        w->failed = 1;
    }
    return 1;
}

/* Evaluate the states in `values`: count or collect them, or prepare to make their children. */
static void enter_level(struct walk *w, int number, int count) {
    struct walk_level *level = w->levels + number;
    level->count = count;
    if (number == w->depth) {
        if (!collect_rows(w, level)) w->failed = 1;
        return;
    }
    const struct tables *t = tables_of(level->block);
    lanes states = lanes_first(count);
    level->phase = phase_of(level->block, w->values, &states);
    const struct phase *phase = phase_at(level->block, level->phase);
    lanes_evaluate(level->block, &phase->ask, w->values);
    w->states += (uint64_t)count;
    lanes going = lanes_without(states, lanes_read(w->values, phase->terminal));
    level->chooser_count = 0;
    for (int32_t role = 0; role < t->roles; role++) {
        if (waiting_move(level->block, phase, role) >= 0) continue;
        struct chooser *chooser = level->choosers + level->chooser_count++;
        const int32_t *bounds = level->block + phase->choices + 2 * role;
        chooser->first = bounds[0];
        chooser->count = bounds[1] - bounds[0];
        chooser->choices = level->choices + role;
        const int32_t *literals = level->block + phase->choice_literals + chooser->first;
        if (role == w->roller && find_stuck(w, number, chooser, literals, going)) return;
    }
    int last = number == w->depth - 1 && !w->collect;
    for (int c = 0; c < level->chooser_count && !(last && level->chooser_count == 1); c++) {
        const struct chooser *chooser = level->choosers + c;
        const int32_t *literals = level->block + phase->choice_literals + chooser->first;
        gather_choices(literals, chooser->count, w->values, &going, chooser->choices);
    }
    if (last) {
        w->paths += count_paths(w, level, phase, &going);
        return;
    }
    uint64_t *rows[LANES];
    rows_of(level->rows, row_words(t->fluents), rows);
    store_rows(w->values + 1, t->fluents, count, rows);
    level->place = 0;
    if (level->chooser_count == 0) {
        /* Each state has one joint move unless it is over. Remove the states that are over. */
        int kept = 0;
        for (int lane = 0; lane < count; lane++)
            if (lane_of(&going, lane))
                memmove(rows[kept++], rows[lane], (size_t)row_words(t->fluents) * sizeof **rows);
        level->count = kept;
    }
    if (find_state(level)) w->top = number;
}

/* Make the next children of the top level, and evaluate them. */
static void descend(struct walk *w) {
    struct walk_level *level = w->levels + w->top;
    const struct tables *t = tables_of(level->block);
    const struct phase *phase = phase_at(level->block, level->phase);
    int32_t length = row_words(t->fluents);
    int count = 0, number = w->top;
    while (count < LANES) {
        const uint64_t *row = level->rows + (int64_t)lane_at(level->place) * length;
        memcpy(w->child_rows + (int64_t)count * length, row, (size_t)length * sizeof *row);
        for (int c = 0; c < level->chooser_count; c++) {
            const struct chooser *chooser = level->choosers + c;
            int32_t choice = chooser->first + 64 * chooser->block + __builtin_ctzll(chooser->rest);
            w->made[count * t->roles + c] = level->block[phase->choice_moves + choice];
        }
        count++;
        if (next_joint(level)) continue;
        level->place++;
        if (!find_state(level)) {
            /* This level is done; remove it and the finished levels above it. */
            while (w->top >= 0 && w->levels[w->top].place == LANES) w->top--;
            break;
        }
    }
    uint64_t *rows[LANES];
    lanes children = lanes_first(count);
    rows_of(w->child_rows, length, rows);
    load_rows((const uint64_t *const *)rows, count, t->fluents, w->before + 1);
    clear_effects(level->block, phase, w->before);
    make_waiting_moves(level->block, phase, &children, w->before);
    for (int lane = 0; lane < count; lane++)
        for (int c = 0; c < level->chooser_count; c++)
            make_move(level->block, phase, w->made[lane * t->roles + c], lane, w->before);
    lanes_evaluate(level->block, &phase->advance, w->before);
    read_literals(level->block + phase->next_alone, t->after, w->before, w->values + 1);
    enter_level(w, number + 1, count);
}

enum aspgames_status NAME(aspgames_walk_run)(struct walk *w, int32_t batches) {
    for (int32_t b = 0; b < batches; b++) {
        if (w->failed) return ASPGAMES_NO_MEMORY;
        if (w->stuck >= 0) return ASPGAMES_DONE;
        int needed = w->top + 1 < w->depth + w->collect ? w->top + 1 : 0;
        if (!w->levels[needed].block) return ASPGAMES_WANTS_NET;
        if (w->top >= 0) {
            descend(w);
        } else if (w->start_next < w->start_count) {
            int64_t left = w->start_count - w->start_next;
            int count = left < LANES ? (int)left : LANES;
            int32_t fluents = tables_of(w->levels->block)->fluents, length = row_words(fluents);
            const uint64_t *rows[LANES];
            for (int lane = 0; lane < count; lane++)
                rows[lane] = w->start + (w->start_next + lane) * length;
            load_rows(rows, count, fluents, w->values + 1);
            w->start_next += count;
            enter_level(w, 0, count);
        } else {
            return ASPGAMES_DONE;
        }
    }
    if (w->failed) return ASPGAMES_NO_MEMORY;
    return w->top >= 0 || w->start_next < w->start_count ? ASPGAMES_MORE : ASPGAMES_DONE;
}

void NAME(aspgames_walk_watch)(struct walk *w, int32_t role) { w->roller = role; }

int32_t NAME(aspgames_walk_stuck)(const struct walk *w) { return w->stuck; }

uint64_t NAME(aspgames_walk_paths)(const struct walk *w) { return w->paths; }

uint64_t NAME(aspgames_walk_states)(const struct walk *w) { return w->states; }

int64_t NAME(aspgames_walk_collected)(const struct walk *w, const uint64_t **rows) {
    *rows = w->collected;
    return w->collected_count;
}
