/* Plans: moves of one side that reach its aim, whatever the other side plays in between.
 *
 * The rules are evaluated in three-valued logic. When the other side is on move, each possibly
 * legal move may happen. A move of the planning side must be certainly legal. The attacker's plan
 * reaches the goal. The defender's plan prevents the goal for as many turns as the attacker has. A
 * plan settles a node without a tree of replies: for example, a runner that can't be caught.
 *
 * A beam search extends the most promising beginnings by one move at a time (a generation).
 * Promising beginnings leave many certainly legal moves. The search may miss a plan.
 */
#ifndef ASPGAMES_PLAN_INC_C
#define ASPGAMES_PLAN_INC_C

#include "partial.inc.c"

enum { LONGEST_PLAN = 100 }; /* plies */

struct beam {
    uint64_t *certain[2];  /* for two generations: the certain fluents after each beginning ... */
    uint64_t *possible[2]; /* ... and the possible fluents */
    uint64_t *row;         /* scratch memory for two rows */
    uint64_t hashes[2][LANES];
    int32_t scores[2][LANES];
    int32_t parents[LONGEST_PLAN][LANES]; /* the beginning that each one extends ... */
    int32_t moves[LONGEST_PLAN][LANES];   /* ... by this move */
    int32_t gaps[LONGEST_PLAN];           /* plies of the other side before each generation */
    int32_t kept;                         /* beginnings in the generation */
    int32_t begun;                        /* the attacker's turns begun so far */
    int attacked;                         /* whether the attacker is in the middle of a turn */
    int32_t starts[LANES + 1], counts[LANES];
    int32_t *pairs; /* own moves, by beginning: the beginning and the move ... */
    int32_t *found; /* ... and in the order of finding */
    int64_t room[2]; /* of these two */
    lanes *waiting; /* for each move of the other side: the lanes where it is certainly legal, and
                       possibly */
    int32_t plan[LONGEST_PLAN]; /* the plan: moves, -1 for a ply of the other side */
    int32_t plies, turns;       /* its length, and how many of the attacker's turns it takes */
};

static void beam_free(struct beam *b) {
    free(b->pairs);
    free(b->found);
}

static void beam_new(struct beam *b, struct pool *pool, const int32_t *block) {
    int64_t length = row_words(tables_of(block)->fluents);
    b->row = pooled(pool, 2 * length, sizeof *b->row);
    b->waiting = lanes_new(pool, 2 * (int64_t)tables_of(block)->most_choices);
    for (int half = 0; half < 2; half++) {
        b->certain[half] = pooled(pool, length * LANES, sizeof *b->row);
        b->possible[half] = pooled(pool, length * LANES, sizeof *b->row);
    }
}

static int first_lane(const lanes *among) {
    for (int i = 0; i < WORDS; i++)
        if (const_words(among)[i]) return 64 * i + __builtin_ctzll(const_words(among)[i]);
    return -1;
}

/* Load a beginning of the last generation into some empty lanes. */
static void load_beginning(
    const struct beam *b, int generation, int place, int32_t length, const lanes *among, lanes *into
) {
    int half = (generation - 1) & 1;
    for (int32_t i = 0; i < length; i++)
        for (uint64_t bits = b->possible[half][(int64_t)place * length + i]; bits;
             bits &= bits - 1) {
            int bit = __builtin_ctzll(bits);
            lanes *value = into + 2 * (1 + 64 * (int64_t)i + bit);
            value[1] = lanes_or(value[1], *among);
            if (b->certain[half][(int64_t)place * length + i] >> bit & 1)
                value[0] = lanes_or(value[0], *among);
        }
}

static void count_plies(struct partial *p, const struct beam *b, int side, int generation) {
    p->plies[side] = generation - 1;
    p->plies[1 - side] = 0;
    for (int step = 0; step < generation; step++) p->plies[1 - side] += b->gaps[step];
}

/* List the certainly legal moves after each beginning, in order. Returns how many; also 0 without
 * memory or if the phase is uncertain. */
static int64_t own_moves(
    struct partial *p, struct beam *b, int side, int generation, const struct search_phase **phase
) {
    const int32_t *block = p->block;
    int32_t length = row_words(tables_of(block)->fluents);
    count_plies(p, b, side, generation);
    clear_after(p);
    p->alive = lanes_first(b->kept);
    for (int place = 0; place < b->kept; place++) {
        lanes here = lanes_none();
        set_lane(&here, place);
        load_beginning(b, generation, place, length, &here, p->after);
    }
    const struct search_phase *found = *phase = partial_phase(p);
    if (!found) return 0;
    partial_judge(p, found);
    partial_ask(p, found);
    memset(b->counts, 0, sizeof b->counts);
    int64_t pairs = 0;
    const int32_t *own = choices_of(block, found, side),
                  *other = choices_of(block, found, 1 - side);
    for (int32_t c = own[0]; c < own[1]; c++) {
        lanes legal =
            lanes_and(certainly(p->after, block[found->phase.choice_literals + c]), p->alive);
        if (!make_room_for_pairs(&b->found, &b->pairs, 2, b->room, pairs + LANES)) return 0;
        EACH_LANE (legal, place) {
            b->found[2 * pairs] = (int32_t)place;
            b->found[2 * pairs++ + 1] = block[found->phase.choice_moves + c];
            b->counts[place]++;
        }
    }
    for (int32_t c = other[0]; c < other[1]; c++) {
        b->waiting[2 * (c - other[0])] =
            certainly(p->after, block[found->phase.choice_literals + c]);
        b->waiting[2 * (c - other[0]) + 1] =
            possibly(p->after, block[found->phase.choice_literals + c]);
    }
    int32_t end = 0;
    for (int place = 0; place < b->kept; place++) {
        b->starts[place] = end;
        end += b->counts[place];
    }
    for (int64_t pair = 0; pair < pairs; pair++) {
        int32_t place = b->found[2 * pair], at = b->starts[place]++;
        b->pairs[2 * at] = place;
        b->pairs[2 * at + 1] = b->found[2 * pair + 1];
    }
    return pairs;
}

/* Fill the lanes with beginnings, each with one own move and the waiting moves of the other side.
 */
static void make_own_moves(
    struct partial *p, struct beam *b, const struct search_phase *phase, int side, int64_t first,
    int count, int generation
) {
    const int32_t *block = p->block, *other = choices_of(block, phase, 1 - side);
    int32_t length = row_words(tables_of(block)->fluents);
    count_plies(p, b, side, generation);
    memset(p->before + 2, 0, 2 * (size_t)(phase->phase.gates - 1) * sizeof(lanes));
    p->alive = lanes_first(count);
    for (int lane = 0; lane < count;) {
        int place = b->pairs[2 * (first + lane)];
        int stop = b->starts[place] - first < count ? (int)(b->starts[place] - first) : count;
        lanes here = lanes_between(lane, stop), none = lanes_none();
        load_beginning(b, generation, place, length, &here, p->before);
        for (int32_t c = other[0]; c < other[1]; c++) {
            const lanes *waits = b->waiting + 2 * (int64_t)(c - other[0]);
            if (!lane_of(waits + 1, place)) continue;
            const lanes *certain = lane_of(waits, place) ? &here : &none;
            partial_make(p, phase, block[phase->phase.choice_moves + c], certain, &here);
        }
        lane = stop;
    }
    for (int lane = 0; lane < count; lane++) {
        lanes here = lanes_none();
        set_lane(&here, lane);
        partial_make(p, phase, b->pairs[2 * (first + lane) + 1], &here, &here);
    }
}

/* The result of waiting until the own side is on move or the aim is reached. */
struct waited {
    int32_t begun; /* the attacker's turns */
    int attacked;
    int32_t gap; /* plies of the other side */
    int done;    /* whether the aim is reached; then only the states that reach it are alive */
};

/* Let the other side move until the own side is on move. */
static struct waited wait_for_own_move(
    struct partial *p, int side, int32_t turns, int32_t begun, int attacked
) {
    struct waited w = {begun, attacked, 0, 0};
    int single = search_tables_of(p->block)->single;
    for (;; w.gap++) {
        const struct search_phase *phase = partial_phase(p);
        if (!phase || w.gap >= LONGEST_PLAN) {
            p->alive = lanes_none();
            return w;
        }
        partial_judge(p, phase);
        int bad = side == ATTACKER ? OVER : REACHED, end = side == ATTACKER ? REACHED : OVER;
        p->alive = lanes_without(p->alive, possible_verdict(p, phase, bad));
        lanes ended = lanes_and(certain_verdict(p, phase, end), p->alive);
        if (lanes_any(&ended)) {
            p->alive = ended;
            w.done = 1;
            return w;
        }
        /* The side on move must be certain, and the same in all states. */
        lanes attack = lanes_and(certain_verdict(p, phase, ATTACKS), p->alive);
        lanes defend = lanes_and(certain_verdict(p, phase, DEFENDS), p->alive);
        int attackers = lanes_any(&attack);
        p->alive = attackers ? attack : defend;
        if (!lanes_any(&p->alive)) return w;
        if (attackers && !w.attacked) {
            if (w.begun == turns) {
                if (side == ATTACKER) p->alive = lanes_none();
                w.attacked = 1;
                w.done = side == DEFENDER;
                return w;
            }
            w.begun++;
        }
        w.attacked = attackers;
        partial_ask(p, phase);
        if (attackers == (side == ATTACKER)) return w;
        do_anything(p, phase, 1 - side);
        w.attacked = attackers && !single;
    }
}

/* Keep the best states alive for the next generation. The candidates are in `pairs` from `first`
 * on. */
static void keep_best(
    struct partial *p, struct beam *b, int side, int width, int generation, int64_t first
) {
    const int32_t *block = p->block;
    int32_t fluents = tables_of(block)->fluents, length = row_words(fluents);
    const struct search_phase *phase = partial_phase(p);
    const int32_t *own = choices_of(block, phase, side);
    int half = generation & 1;
    uint64_t *sure = b->row, *maybe = b->row + length;
    memset(b->counts, 0, sizeof b->counts);
    for (int32_t c = own[0]; c < own[1]; c++) {
        lanes legal =
            lanes_and(certainly(p->after, block[phase->phase.choice_literals + c]), p->alive);
        EACH_LANE (legal, lane) b->counts[lane]++;
    }
    EACH_LANE (p->alive, lane) {
        int32_t score = b->counts[lane];
        int place = b->kept;
        if (b->kept == width) {
            place = 0;
            for (int other = 0; other < b->kept; other++)
                if (b->scores[half][other] < b->scores[half][place]) place = other;
        }
        if (!score || (b->kept == width && score <= b->scores[half][place])) continue;
        memset(b->row, 0, 2 * (size_t)length * sizeof *b->row);
        for (int32_t f = 0; f < fluents; f++) {
            const lanes *value = p->after + 2 * (1 + (int64_t)f);
            sure[f >> 6] |= (uint64_t)lane_of(value, (int)lane) << (f & 63);
            maybe[f >> 6] |= (uint64_t)lane_of(value + 1, (int)lane) << (f & 63);
        }
        uint64_t hashed = hash_of(sure, length) ^ (hash_of(maybe, length) * 3);
        int known = 0;
        for (int other = 0; other < b->kept; other++) known |= b->hashes[half][other] == hashed;
        if (known) continue;
        memcpy(b->certain[half] + (int64_t)place * length, sure, (size_t)length * sizeof *sure);
        memcpy(b->possible[half] + (int64_t)place * length, maybe, (size_t)length * sizeof *maybe);
        b->hashes[half][place] = hashed;
        b->scores[half][place] = score;
        b->parents[generation][place] = generation ? b->pairs[2 * (first + (int64_t)lane)] : 0;
        b->moves[generation][place] = generation ? b->pairs[2 * (first + (int64_t)lane) + 1] : -1;
        if (place == b->kept) b->kept++;
    }
}

/* Write the plan that leads to the first beginning of a generation. */
static int write_plan(struct beam *b, int generation, int32_t begun) {
    int32_t plies = b->gaps[0];
    for (int step = 1; step <= generation; step++) plies += 1 + b->gaps[step];
    if (plies > LONGEST_PLAN) return 0;
    b->plies = plies;
    b->turns = begun;
    for (int32_t ply = 0; ply < plies; ply++) b->plan[ply] = -1;
    int place = 0;
    for (; generation > 0; generation--) {
        plies -= 1 + b->gaps[generation];
        b->plan[plies] = b->moves[generation][place];
        place = b->parents[generation][place];
    }
    return 1;
}

/* Extend each beginning by each own move, and then by all possible moves of the other side.
 * Generation 0 has no own move. Returns whether there is a plan. */
static int next_generation(
    struct partial *p, struct beam *b, int side, int32_t turns, int width, int generation
) {
    const struct search_phase *phase = NULL;
    int64_t pairs = 1;
    if (generation) pairs = own_moves(p, b, side, generation, &phase);
    int32_t begun = b->begun;
    int attacked = b->attacked;
    b->kept = 0;
    for (int64_t first = 0; first < pairs; first += LANES) {
        if (generation) {
            int count = pairs - first < LANES ? (int)(pairs - first) : LANES;
            make_own_moves(p, b, phase, side, first, count, generation);
            partial_advance(p, phase, side);
        }
        struct waited w = wait_for_own_move(p, side, turns, begun, attacked);
        int lane = first_lane(&p->alive);
        if (lane < 0) continue;
        if (w.done) {
            b->gaps[generation] = w.gap;
            b->parents[generation][0] = generation ? b->pairs[2 * (first + lane)] : 0;
            b->moves[generation][0] = generation ? b->pairs[2 * (first + lane) + 1] : -1;
            b->kept = 0;
            return write_plan(b, generation, w.begun);
        }
        if (!b->kept) {
            b->gaps[generation] = w.gap;
            b->begun = w.begun;
            b->attacked = w.attacked && !search_tables_of(p->block)->single;
        } else if (b->gaps[generation] != w.gap || b->begun != w.begun) {
            continue;
        }
        keep_best(p, b, side, width, generation, first);
    }
    return 0;
}

/* Look for a plan of a side; returns whether there is one. It is then in `plan`, `plies` and
 * `turns`. The argument `turns` is the number that the attacker may still begin; `width` is that of
 * the beam. */
static int find_plan(
    struct partial *p, struct beam *b, const uint64_t *row, int side, int32_t turns, int width
) {
    clear_after(p);
    p->alive = lanes_first(1);
    load_certain(p, row, &p->alive, p->after);
    begin_counting(p);
    const struct search_phase *phase = partial_phase(p);
    if (!phase) return 0;
    partial_judge(p, phase);
    lanes attacks = certain_verdict(p, phase, ATTACKS);
    b->kept = 1;
    b->begun = 0;
    b->attacked = lane_of(&attacks, 0);
    for (int generation = 0; generation < LONGEST_PLAN && b->kept; generation++)
        if (next_generation(p, b, side, turns, width, generation)) return 1;
    return 0;
}

#endif
