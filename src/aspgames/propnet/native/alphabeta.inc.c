/* Alpha-beta search with a learned value (valuation.inc.c). Compiled once for each instruction set.
 *
 * Fail-soft principal variation search with a transposition table, iterative deepening (by the
 * caller), history order and late move reductions. All children of a node are made and scored in
 * one evaluation, which also orders them. The last two plies share evaluations, too: the replies to
 * all moves stand in the same lanes.
 *
 * A won score is counted from its node: it loses a point for each ply.
 */

#include "clock.h"
#include "movers.inc.c"
#include "valuation.inc.c"

enum {
    WON = 30000,  /* the score of a won game */
    DEEPEST = 64, /* plies */
    BUCKET = 4,
    MOST_HISTORY = 1 << 16,
    FIRST_REDUCED = 3 /* moves that are searched to the full depth */
};

enum bound { UNUSED, AT_LEAST, AT_MOST, EXACT };

struct entry {
    uint64_t key;
    int32_t score, move;
    int16_t depth;
    uint8_t bound, age;
};

/* The children of a node. */
struct brood {
    int32_t count; /* 0: the game is over */
    int32_t result;
    int32_t sign; /* 1: the first role chooses, -1: the second one */
    int64_t room[6];
    uint64_t *rows;
    int32_t *moves, *scores, *keys, *order;
    uint8_t *over;
};

struct alphabeta {
    struct pool pool;
    struct valuation v;
    int32_t words;
    lanes *before, *after;
    struct movers movers; /* of a node's children */
    struct brood broods[DEEPEST + 1];
    int32_t *history; /* for each move */
    struct entry *entries;
    uint64_t mask; /* of the entries' places */
    /* the current question */
    struct search_question *question;
    int64_t made; /* evaluations */
    double began; /* [s] */
};

void NAME(aspgames_alphabeta_free)(struct alphabeta *e) {
    if (!e) return;
    for (int i = 0; i <= DEEPEST; i++) {
        struct brood *b = e->broods + i;
        FREE_ALL(b->rows, b->moves, b->scores, b->keys, b->order, b->over);
    }
    struct pool pool = e->pool;
    free(e->entries);
    pool_free(&pool);
}

struct alphabeta *NAME(aspgames_alphabeta_new)(
    const int32_t *block, const struct value_weights *weights, int64_t entries
) {
    const struct tables *t = tables_of(block);
    struct pool pool = {0};
    struct alphabeta *e = pool_zeroed(&pool, 1, sizeof *e);
    if (!e) return NULL;
    valuation_new(&e->v, &pool, block, weights);
    e->words = row_words(t->fluents);
    e->before = lanes_slots_new(&pool, t->slots, 1);
    e->after = lanes_slots_new(&pool, t->slots, 1);
    movers_new(&e->movers, &pool, block);
    e->history = pool_zeroed(&pool, t->moves, sizeof *e->history);
    int64_t size = BUCKET;
    while (2 * size <= entries) size *= 2;
    e->entries = calloc((size_t)size, sizeof *e->entries);
    e->mask = (uint64_t)(size - BUCKET);
    e->pool = pool;
    if (!pool.failed && e->entries) return e;
    NAME(aspgames_alphabeta_free)(e);
    return NULL;
}

/* --- the transposition table ------------------------------------------------------------------ */

static struct entry *find_entry(const struct alphabeta *e, uint64_t key) {
    struct entry *bucket = e->entries + (key & e->mask);
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].bound && bucket[i].key == key) return bucket + i;
    return NULL;
}

static void keep(
    struct alphabeta *e, uint64_t key, int depth, int bound, int32_t score, int32_t move
) {
    struct entry *place = find_entry(e, key), *bucket = e->entries + (key & e->mask);
    uint8_t age = (uint8_t)e->question->age;
    if (place && place->depth > depth && place->age == age && abs(score) < SURE) return;
    for (int i = 0; !place && i < BUCKET; i++)
        if (!bucket[i].bound) place = bucket + i;
    if (!place) {
        place = bucket;
        for (int i = 1; i < BUCKET; i++) {
            int is_older = bucket[i].age != age, other = place->age != age;
            if (is_older > other || (is_older == other && bucket[i].depth < place->depth))
                place = bucket + i;
        }
    }
    *place = (struct entry){key, score, move, (int16_t)depth, (uint8_t)bound, age};
}

/* Whether an entry answers a question: its score is good for the depth, and settles the window. */
static int answers(
    const struct alphabeta *e, const struct entry *entry, int depth, int32_t low, int32_t high
) {
    int is_deep = e->question->is_plain ? entry->depth == depth : entry->depth >= depth;
    if (!is_deep && (e->question->is_plain || abs(entry->score) < SURE)) return 0;
    switch (entry->bound) {
        case EXACT: return 1;
        case AT_LEAST: return entry->score >= high;
        default: return entry->score <= low;
    }
}

/* --- children --------------------------------------------------------------------------------- */

/* A child's score, seen from its parent; and the inverse. */
static int32_t seen_above(int32_t score) {
    return score > SURE ? score - 1 : score < -SURE ? score + 1 : score;
}

static int32_t seen_below(int32_t score) {
    return score > SURE ? score + 1 : score < -SURE ? score - 1 : score;
}

static int make_room(struct brood *b, int64_t count, int32_t words) {
    return MAKE_ROOM(b->rows, b->room[0], count * words + 1) && MAKE_ROOM(b->moves, b->room[1], count)
           && MAKE_ROOM(b->scores, b->room[2], count) && MAKE_ROOM(b->keys, b->room[3], count)
           && MAKE_ROOM(b->order, b->room[4], count) && MAKE_ROOM(b->over, b->room[5], count);
}

/* List the choices of a state that stands in all lanes of `after`. */
static int list_choices(struct alphabeta *e, const struct phase *phase, struct brood *b,
                        int32_t singles[SIDES]) {
    const int32_t *block = e->v.block;
    b->count = 0;
    b->sign = 1;
    for (int32_t role = 0; role < SIDES; role++) {
        singles[role] = -1;
        if (waiting_move(block, phase, role) >= 0) continue;
        const int32_t *bounds = block + phase->choices + 2 * role;
        int32_t total = 0, begun = b->count;
        if (!make_room(b, begun + bounds[1] - bounds[0] + LANES, e->words))
            return ASPGAMES_NO_MEMORY;
        for (int32_t c = bounds[0]; c < bounds[1]; c++) {
            int32_t literal = block[phase->choice_literals + c];
            if (lane_of(e->after + (literal >> 1), 0) != (literal & 1))
                b->moves[begun + total++] = block[phase->choice_moves + c];
        }
        if (total == 1) singles[role] = b->moves[begun];
        if (total < 2) continue;
        if (begun) return ASPGAMES_SEVERAL_CHOOSE;
        b->count = total;
        b->sign = role ? -1 : 1;
    }
    if (b->count) return ASPGAMES_DONE;
    if (!make_room(b, LANES, e->words)) return ASPGAMES_NO_MEMORY;
    b->count = 1;
    b->moves[0] = -1;
    return ASPGAMES_DONE;
}

static void begin_children(struct alphabeta *e, const struct phase *phase, const lanes *all) {
    clear_effects(e->v.block, phase, e->before);
    make_waiting_moves(e->v.block, phase, all, e->before);
}

/* Compute the next states of `before` in `after`. */
static void advance(struct alphabeta *e, const struct phase *phase) {
    lanes_evaluate(e->v.block, &phase->advance, e->before);
    read_literals(
        e->v.block + phase->next_alone, tables_of(e->v.block)->after, e->before, e->after + 1
    );
    e->made++;
}

/* Make the children of a state, and score them if `depth` needs it: their replies may fit into one
 * evaluation. `number` gets the phase of the last 512 of them, whose answers stay in `after`. */
static int expand(
    struct alphabeta *e, const uint64_t *row, int depth, struct brood *b, int *number
) {
    const int32_t *block = e->v.block;
    int32_t fluents = tables_of(block)->fluents, singles[SIDES], scores[LANES];
    lanes over;
    const struct phase *phase = phase_at(block, phase_of_row(block, row));
    load_everywhere(block, row, e->after);
    lanes_evaluate(block, &phase->ask, e->after);
    e->made++;
    over = lanes_or(
        lanes_read(e->after, phase->terminal), stuck_lanes(block, phase, e->after)
    );
    if (lane_of(&over, 0)) {
        over = lanes_first(1);
        b->count = 0;
        lanes_evaluate(block, &phase->judge, e->after);
        int status = score_results(&e->v, phase, e->after, &over, scores);
        b->result = scores[0];
        return status;
    }
    int status = list_choices(e, phase, b, singles);
    for (int32_t start = 0; !status && start < b->count; start += LANES) {
        int count = b->count - start < LANES ? b->count - start : LANES;
        lanes all = lanes_first(count);
        load_everywhere(block, row, e->before);
        begin_children(e, phase, &all);
        for (int role = 0; role < SIDES; role++)
            if (singles[role] >= 0) make_move_in(block, phase, singles[role], &all, e->before);
        for (int lane = 0; lane < count && b->moves[start] >= 0; lane++)
            make_move(block, phase, b->moves[start + lane], lane, e->before);
        advance(e, phase);
        uint64_t *into[LANES];
        for (int lane = 0; lane < count; lane++)
            into[lane] = b->rows + (int64_t)(start + lane) * e->words;
        store_rows(e->after + 1, fluents, count, into);
        int is_scored = depth != 2 || b->count * b->count > LANES;
        status = score_states(
            &e->v, e->after, count, is_scored ? row : NULL, scores, &over, number, NULL
        );
        for (int lane = 0; lane < count; lane++) {
            b->scores[start + lane] = scores[lane];
            b->over[start + lane] = (uint8_t)lane_of(&over, lane);
        }
        e->question->states += count;
    }
    return status;
}

/* The child with the highest key among those from a place on; moves it there. */
static int32_t next_best(struct brood *b, int32_t place) {
    int32_t best = place;
    for (int32_t i = place + 1; i < b->count; i++)
        if (b->keys[b->order[i]] > b->keys[b->order[best]]) best = i;
    int32_t found = b->order[best];
    b->order[best] = b->order[place];
    b->order[place] = found;
    return found;
}

static void begin_order(struct alphabeta *e, struct brood *b, int32_t hint) {
    for (int32_t i = 0; i < b->count; i++) {
        b->order[i] = i;
        b->keys[i] = b->sign * b->scores[i];
        if (b->moves[i] < 0) continue;
        b->keys[i] += e->history[b->moves[i]] / (MOST_HISTORY / 256);
        if (b->moves[i] == hint) b->keys[i] += 4 * WON;
    }
}

/* --- the last two plies ----------------------------------------------------------------------- */

/* The sign of a score for the role that chooses in a child. */
static int32_t sign_of(const struct alphabeta *e, int32_t child) {
    return e->movers.role[child] > 0 ? -1 : 1;
}

/* Score the replies, and note the best one of each child in `best`. */
static int score_replies(
    struct alphabeta *e, struct joint_moves *r, const uint64_t *row, int32_t *best
) {
    int32_t scores[LANES];
    lanes over;
    int number;
    if (!r->count) return ASPGAMES_DONE;
    make_moves(&e->movers, r, e->before);
    advance(e, e->movers.phase);
    int status = score_states(&e->v, e->after, r->count, row, scores, &over, &number, NULL);
    for (int lane = 0; lane < r->count; lane++) {
        int32_t child = r->parent[lane], score = sign_of(e, child) * seen_above(scores[lane]);
        if (score > best[child]) best[child] = score;
    }
    e->question->states += r->count;
    r->count = 0;
    return status;
}

/* The replies to up to 512 children of a node, right after `expand`: replaces the children's scores
 * by those of their best replies. Stops when the first `done` children in order reach `high`. */
static int look_at_replies(
    struct alphabeta *e, struct brood *b, int number, const uint64_t *row, int32_t high,
    int32_t *done
) {
    struct joint_moves r = {0};
    int32_t best[LANES];
    lanes going = lanes_none();
    for (int child = 0; child < b->count; child++) {
        best[child] = INT32_MIN;
        if (!b->over[child]) set_lane(&going, child);
    }
    int status = find_movers(&e->movers, phase_at(e->v.block, number), e->after, &going);
    if (status) return status;
    int32_t settled = 0, next = 0; /* the children whose replies are all scored; the next to look at */
    *done = 0;
    while (!status && next < b->count) {
        int32_t child = b->order[next];
        int32_t count = b->over[child] ? 0 : moves_of(&e->movers, child);
        for (int32_t i = 0; !status && i < count; i++) {
            r.from[r.count] = b->rows + (int64_t)child * e->words;
            r.parent[r.count] = child;
            r.move[r.count++] = e->movers.moves[i];
            if (r.count < LANES) continue;
            status = score_replies(e, &r, row, best);
            settled = next;
        }
        next++;
        if (!r.count) settled = next;
        int32_t reached = INT32_MIN;
        for (int32_t i = *done; i < settled; i++) {
            int32_t known = b->order[i];
            if (!b->over[known]) b->scores[known] = sign_of(e, known) * best[known];
            int32_t value = b->sign * seen_above(b->scores[known]);
            if (value > reached) reached = value;
        }
        *done = settled;
        if (reached >= high) return status;
    }
    if (!status) status = score_replies(e, &r, row, best);
    if (status) return status;
    for (int32_t i = *done; i < b->count; i++) {
        int32_t known = b->order[i];
        if (!b->over[known]) b->scores[known] = sign_of(e, known) * best[known];
    }
    *done = b->count;
    return ASPGAMES_DONE;
}

/* --- the search ------------------------------------------------------------------------------- */

static int look(
    struct alphabeta *e, const uint64_t *row, int depth, int32_t low, int32_t high, int ply,
    int32_t *score
);

/* Whether the question's evaluations or its time are spent. */
static int is_spent(const struct alphabeta *e) {
    const struct search_question *q = e->question;
    return e->made >= q->most || (q->seconds > 0 && clock_seconds() > e->began + q->seconds);
}

static int log_of(int32_t number) { return 31 - __builtin_clz((unsigned)number); }

/* Search a child in a window that is its parent's mover's; `value` is seen from there. */
static int look_below(
    struct alphabeta *e, struct brood *b, int32_t child, int depth, int32_t low, int32_t high,
    int ply, int32_t *value
) {
    int32_t score, from = seen_below(b->sign > 0 ? low : -high),
                   to = seen_below(b->sign > 0 ? high : -low);
    *value = b->sign * seen_above(b->scores[child]);
    if (depth <= 0) return ASPGAMES_DONE;
    int status = look(
        e, b->rows + (int64_t)child * e->words, depth, from, to, ply + 1, &score
    );
    if (!status) *value = b->sign * seen_above(score);
    return status;
}

/* Search the children of a node one after the other. */
static int look_at_children(
    struct alphabeta *e, struct brood *b, int depth, int32_t low, int32_t high, int ply,
    int32_t *best, int32_t *best_child
) {
    for (int32_t i = 0; i < b->count; i++) {
        int32_t child = next_best(b, i), value = b->sign * seen_above(b->scores[child]);
        if (!b->over[child]) {
            int32_t least = *best > low ? *best : low;
            int less = 0, status = ASPGAMES_DONE;
            if (!e->question->is_plain && i >= FIRST_REDUCED)
                less = 3 * log_of(i) * log_of(depth) / 4;
            if (i == 0) {
                status = look_below(e, b, child, depth - 1, low, high, ply, &value);
            } else {
                status = look_below(e, b, child, depth - 1 - less, least, least + 1, ply, &value);
                if (!status && less && value > least)
                    status = look_below(e, b, child, depth - 1, least, least + 1, ply, &value);
                if (!status && value > least && value < high)
                    status = look_below(e, b, child, depth - 1, least, high, ply, &value);
            }
            if (status) return status;
        }
        if (value > *best) {
            *best = value;
            *best_child = child;
        }
        if (*best >= high) return ASPGAMES_DONE;
    }
    return ASPGAMES_DONE;
}

static void praise(struct alphabeta *e, int32_t move, int depth) {
    if (move < 0) return;
    e->history[move] += depth * depth;
    if (e->history[move] < MOST_HISTORY) return;
    for (int32_t m = 0; m < tables_of(e->v.block)->moves; m++) e->history[m] /= 2;
}

static int look(
    struct alphabeta *e, const uint64_t *row, int depth, int32_t low, int32_t high, int ply,
    int32_t *score
) {
    uint64_t key = hash_of(row, e->words);
    const struct entry *known = find_entry(e, key);
    int32_t hint = known ? known->move : -1;
    if (known && (ply || hint >= 0) && answers(e, known, depth, low, high)) {
        *score = known->score;
        /* The line of a kept answer ends with the game, or it is cut off at the entry's depth. */
        if (ply + known->depth > e->question->deepest)
            e->question->deepest = ply + known->depth;
        if (!ply) e->question->move = hint;
        return ASPGAMES_DONE;
    }
    if (is_spent(e)) return ASPGAMES_MORE;
    if (ply + 2 > e->question->deepest) e->question->deepest = ply + (depth > 1 ? 2 : 1);
    struct brood *b = e->broods + ply;
    int number = 0, status = expand(e, row, depth, b, &number);
    if (status) return status;
    if (!b->count) {
        *score = b->result;
        return ASPGAMES_DONE;
    }
    begin_order(e, b, hint);
    /* From here on, values are seen by the side that chooses. */
    int32_t from = b->sign > 0 ? low : -high, to = b->sign > 0 ? high : -low;
    int32_t best = INT32_MIN, best_child = 0, done = b->count;
    if (depth == 2 && b->count <= LANES) {
        for (int32_t i = 0; i < b->count; i++) next_best(b, i);
        status = look_at_replies(e, b, number, row, to, &done);
    }
    if (status) return status;
    if (depth <= 1 || (depth == 2 && b->count <= LANES) || ply == DEEPEST) {
        for (int32_t i = 0; i < done; i++) {
            int32_t child = b->order[i], value = b->sign * seen_above(b->scores[child]);
            if (value <= best) continue;
            best = value;
            best_child = child;
        }
    } else {
        status = look_at_children(e, b, depth, from, to, ply, &best, &best_child);
    }
    if (status) return status;
    if (best >= to) praise(e, b->moves[best_child], depth);
    int bound = best >= to ? AT_LEAST : best <= from ? AT_MOST : EXACT;
    if (b->sign < 0 && bound != EXACT) bound = bound == AT_LEAST ? AT_MOST : AT_LEAST;
    *score = b->sign * best;
    keep(e, key, depth, bound, *score, b->moves[best_child]);
    if (!ply) e->question->move = b->moves[best_child];
    return ASPGAMES_DONE;
}

enum aspgames_status NAME(aspgames_alphabeta_run)(
    struct alphabeta *e, const uint64_t *row, struct search_question *question
) {
    e->question = question;
    e->made = 0;
    e->began = question->seconds > 0 ? clock_seconds() : 0;
    question->move = -1;
    question->states = 0;
    question->deepest = 0;
    return look(
        e, row, question->depth, question->low, question->high, 0, &question->score
    );
}

enum aspgames_status NAME(aspgames_alphabeta_scores)(
    struct alphabeta *e, const uint64_t *rows, int64_t count, int32_t *scores, int32_t *mobility
) {
    int status = ASPGAMES_DONE;
    int64_t here;
    for (int64_t first = 0; !status && first < count; first += here) {
        here = count - first < LANES ? count - first : LANES;
        const uint64_t *from[LANES];
        int32_t found[LANES];
        for (int lane = 0; lane < here; lane++) from[lane] = rows + (first + lane) * e->words;
        load_rows(from, (int)here, tables_of(e->v.block)->fluents, e->after + 1);
        lanes over;
        int number;
        status = score_states(
            &e->v, e->after, (int)here, from[0], found, &over, &number,
            mobility ? mobility + SIDES * first : NULL
        );
        memcpy(scores + first, found, (size_t)here * sizeof *scores);
    }
    return status;
}

int32_t NAME(aspgames_alphabeta_known)(const struct alphabeta *e, const uint64_t *row) {
    const struct entry *found = find_entry(e, hash_of(row, e->words));
    return found ? found->move : -1;
}
