/* Many single states, each as a row of bits: evaluates the rules in them and makes moves. */
#include "batch.h"

void NAME(aspgames_batch_free)(struct batch *b) {
    if (!b) return;
    pool_free(&b->pool);
    free(b);
}

struct batch *NAME(aspgames_batch_new)(const int32_t *block) {
    const struct tables *t = tables_of(block);
    struct batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->block = block;
    b->values = lanes_slots_new(&b->pool, t->slots, 1);
    b->after = lanes_new(&b->pool, t->after);
    b->turns = lanes_new(&b->pool, t->roles);
    choices_new(&b->choices, &b->pool, t->most_choices);
    if (b->pool.failed) {
        NAME(aspgames_batch_free)(b);
        return NULL;
    }
    return b;
}

/* Sort the next states by their phases. */
static void sort_by_phase(struct batch *b, struct batch_parts *p) {
    const struct tables *t = tables_of(b->block);
    int32_t length = row_words(t->fluents), phases = t->turn_count + 1;
    int64_t first = p->done, count = p->total - first < SORTED ? p->total - first : SORTED;
    memset(b->starts, 0, sizeof b->starts);
    for (int64_t i = 0; i < count; i++) {
        if (p->where && !p->where[first + i]) continue;
        b->phases[i] = (uint8_t)phase_of_row(b->block, p->rows + (first + i) * length);
        b->starts[b->phases[i] + 2]++;
    }
    for (int32_t n = 0; n <= phases; n++) b->starts[n + 1] += b->starts[n];
    for (int64_t i = 0; i < count; i++)
        if (!p->where || p->where[first + i]) b->sorted[b->starts[b->phases[i] + 1]++] = first + i;
    p->done += count;
    p->number = 0;
    p->next = 0;
}

struct batch_parts begin_parts(
    struct batch *b, const uint64_t *rows, int64_t count, const uint8_t *where
) {
    memset(b->starts, 0, sizeof b->starts);
    return (struct batch_parts){
        .rows = rows, .total = count, .where = where, .number = tables_of(b->block)->turn_count
    };
}

int take_part(struct batch *b, struct batch_parts *p) {
    const struct tables *t = tables_of(b->block);
    int32_t length = row_words(t->fluents);
    const uint64_t *taken[LANES];
    while (p->next == b->starts[p->number + 1]) {
        if (p->number < t->turn_count)
            p->number++;
        else if (p->done < p->total)
            sort_by_phase(b, p);
        else
            return 0;
    }
    int64_t left = b->starts[p->number + 1] - p->next;
    p->phase = phase_at(b->block, p->number);
    p->states = b->sorted + p->next;
    p->count = left < LANES ? (int)left : LANES;
    p->next += p->count;
    for (int lane = 0; lane < p->count; lane++) taken[lane] = p->rows + p->states[lane] * length;
    load_rows(taken, p->count, t->fluents, b->values + 1);
    return 1;
}

/* The lanes in which a role has a move that isn't `noop`, or none at all. */
static lanes not_waiting(
    struct batch *b, const struct phase *phase, int32_t role, const int32_t *noops
) {
    const int32_t *bounds = b->block + phase->choices + 2 * role;
    lanes other = lanes_none(), noop = lanes_none();
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        lanes *kind = noops && b->block[phase->choice_moves + c] == noops[role] ? &noop : &other;
        *kind = lanes_or(*kind, lanes_read(b->values, b->block[phase->choice_literals + c]));
    }
    return lanes_or(other, lanes_without(lanes_first(LANES), noop));
}

/* The lanes in which a role has exactly one move. */
static lanes with_one_move(struct batch *b, const struct phase *phase, int32_t role) {
    const int32_t *bounds = b->block + phase->choices + 2 * role;
    lanes any = lanes_none(), several = lanes_none();
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        lanes legal = lanes_read(b->values, b->block[phase->choice_literals + c]);
        several = lanes_or(several, lanes_and(any, legal));
        any = lanes_or(any, legal);
    }
    return lanes_without(any, several);
}

/* Find the role on move in some lanes, after `judge`. The rules name it; where they name none, it
 * is the role with a move other than `noop`; if there are several, the one of them that does not
 * have exactly one move. */
static void find_turns(
    struct batch *b, const struct phase *phase, const lanes *among, const int32_t *noops
) {
    int32_t roles = tables_of(b->block)->roles;
    lanes any = lanes_none(), several = lanes_none();
    for (int32_t role = 0; role < roles; role++) {
        lanes here = lanes_and(lanes_read(b->values, b->block[phase->to_move + role]), *among);
        several = lanes_or(several, lanes_and(any, here));
        any = lanes_or(any, here);
        b->turns[role] = here;
    }
    lanes open = lanes_without(*among, any), found = lanes_none(), contested = lanes_none();
    for (int32_t role = 0; lanes_any(&open) && role < roles; role++) {
        lanes here = lanes_and(not_waiting(b, phase, role, noops), open);
        contested = lanes_or(contested, lanes_and(found, here));
        found = lanes_or(found, here);
        b->turns[role] = lanes_or(b->turns[role], here);
    }
    any = lanes_none();
    for (int32_t role = 0; lanes_any(&contested) && role < roles; role++) {
        lanes waits = lanes_and(with_one_move(b, phase, role), contested);
        b->turns[role] = lanes_without(b->turns[role], waits);
        lanes here = lanes_and(b->turns[role], contested);
        several = lanes_or(several, lanes_and(any, here));
        any = lanes_or(any, here);
    }
    for (int32_t role = 0; role < roles; role++)
        b->turns[role] = lanes_without(b->turns[role], several);
}

/* Whether the role on move in a phase is known without an evaluation. */
static int turn_is_certain(const struct batch *b, const struct phase *phase) {
    for (int32_t role = 0; role < tables_of(b->block)->roles; role++)
        if (b->block[phase->to_move + role] > 1) return 0;
    return 1;
}

enum aspgames_status judge_states(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *all,
    const lanes *terminal, const lanes *playing, const struct batch_answers *a
) {
    const struct tables *t = tables_of(b->block);
    int status = 0;
    const int32_t *goal = b->block + phase->goals;
    lanes seen = lanes_none();
    for (int32_t i = 0; a->goals && i < phase->goal_count; i++, goal += 3) {
        lanes has = lanes_and(lanes_read(b->values, goal[2]), *all);
        if (i == 0 || goal[0] != goal[-3]) seen = lanes_none();
        lanes unsettled = goal[1] < 0 ? has : lanes_and(has, seen),
              wrong = lanes_and(unsettled, *terminal);
        if (lanes_any(&wrong)) status = ASPGAMES_UNSETTLED_GOALS;
        seen = lanes_or(seen, has);
        EACH_LANE (has, lane) a->goals[states[lane] * t->roles + goal[0]] = goal[1];
        EACH_LANE (unsettled, lane)
            a->goals[states[lane] * t->roles + goal[0]] = lane_of(&wrong, (int)lane) ? ASPGAMES_UNSETTLED : 0;
    }
    if (!a->mover && !a->picks && a->scope != ASPGAMES_OF_THE_MOVER) return status;
    find_turns(b, phase, playing, a->noops);
    for (int32_t role = 0; a->mover && role < t->roles; role++)
        EACH_LANE (b->turns[role], lane) a->mover[states[lane]] = role;
    return status;
}

/* Draw one of a role's choices, in the lanes where it has any. Returns the lanes where it does not
 * have exactly one. */
static lanes draw_choices(
    struct batch *b, const struct phase *phase, int32_t role, const int64_t *states,
    const lanes *among, const struct batch_answers *a
) {
    const int32_t *bounds = b->block + phase->choices + 2 * role,
                  *moves = b->block + phase->choice_moves + bounds[0];
    const int32_t *literals = b->block + phase->choice_literals + bounds[0];
    int32_t roles = tables_of(b->block)->roles;
    uint32_t totals[LANES], ranks[LANES];
    int32_t chosen[LANES];
    lanes others = lanes_none();
    uint64_t number = a->draw * (uint64_t)roles + (uint64_t)role;
    tally_choices(literals, bounds[1] - bounds[0], b->values, among, &b->choices, totals);
    for (int place = 0; place < LANES; place++)
        ranks[place] =
            totals[place] ? below(draw(a->keys[states[lane_at(place)]], number), totals[place]) : 0;
    select_choices(literals, bounds[1] - bounds[0], b->values, &b->choices, ranks, totals, chosen);
    EACH_LANE (*among, lane) {
        int place = place_of((int)lane);
        if (totals[place]) a->choices[states[lane] * roles + role] = moves[chosen[place]];
        if (a->counts) a->counts[states[lane] * roles + role] = (int32_t)totals[place];
        if (totals[place] != 1) set_lane(&others, (int)lane);
    }
    return others;
}

/* Mark the legal moves of a role in some lanes. With `first_of_all`, clear all marks first. */
static void mark_choices(
    struct batch *b, const struct phase *phase, int32_t role, int32_t blocks, const int64_t *states,
    int count, const lanes *shown, int first_of_all, const struct batch_answers *a
) {
    const int32_t *moves = b->block + phase->choice_moves + b->block[phase->choices + 2 * role];
    int64_t width = tables_of(b->block)->moves, bytes = (width + 7) / 8;
    /* In the order of places: the bits of eight states share cache lines. */
    for (int place = 0; place < LANES; place++) {
        int lane = lane_at(place);
        if (lane >= count) continue;
        uint8_t *legal = a->legal ? a->legal + states[lane] * width : NULL;
        uint8_t *packed = a->bits ? a->bits + states[lane] * bytes : NULL;
        if (first_of_all && legal) memset(legal, 0, (size_t)width);
        if (first_of_all && packed) memset(packed, 0, (size_t)bytes);
        if (!lane_of(shown, lane)) continue;
        for (int32_t block = 0; block < blocks; block++)
            for (uint64_t bits = choice_bits(&b->choices, block, place); bits; bits &= bits - 1) {
                int32_t move = moves[64 * block + __builtin_ctzll(bits)];
                if (legal) legal[move] = 1;
                if (packed) packed[move >> 3] |= (uint8_t)(1 << (move & 7));
            }
    }
}

/* Write the moves of the roles: the legal ones, and a random one of each role. */
static void list_moves(
    struct batch *b, const struct phase *phase, const int64_t *states, int count,
    const lanes *playing, const struct batch_answers *a
) {
    const struct tables *t = tables_of(b->block);
    lanes no_turn = *playing, crowded = lanes_none();
    int none_marked = a->legal || a->bits;
    for (int32_t role = 0; a->scope == ASPGAMES_OF_THE_MOVER && role < t->roles; role++)
        no_turn = lanes_without(no_turn, b->turns[role]);
    for (int32_t role = 0; role < t->roles; role++) {
        const int32_t *bounds = b->block + phase->choices + 2 * role;
        int32_t blocks = block_count(bounds[1] - bounds[0]),
                waiting = waiting_move(b->block, phase, role);
        lanes shown =
            a->scope == ASPGAMES_OF_THE_MOVER ? lanes_or(b->turns[role], no_turn) : *playing;
        int marked =
            (a->legal || a->bits) && (lanes_any(&shown) || (none_marked && role == t->roles - 1));
        if (a->choices && waiting >= 0 && !marked) {
            EACH_LANE (*playing, lane) {
                a->choices[states[lane] * t->roles + role] = waiting;
                if (a->counts) a->counts[states[lane] * t->roles + role] = 1;
            }
            continue;
        }
        if (a->choices) {
            lanes others = draw_choices(b, phase, role, states, playing, a);
            if (a->picks) crowded = lanes_or(crowded, lanes_without(others, b->turns[role]));
        }
        if (!marked) continue;
        gather_choices(
            b->block + phase->choice_literals + bounds[0], bounds[1] - bounds[0], b->values,
            playing, &b->choices
        );
        mark_choices(b, phase, role, blocks, states, count, &shown, none_marked, a);
        none_marked = 0;
    }
    for (int32_t role = 0; a->picks && role < t->roles; role++) {
        lanes its = lanes_without(b->turns[role], crowded);
        EACH_LANE (its, lane) a->picks[states[lane]] = a->choices[states[lane] * t->roles + role];
    }
}

static void forget_answers(const struct batch *b, int64_t count, const struct batch_answers *a) {
    int64_t roles = tables_of(b->block)->roles;
    if (a->mover) memset(a->mover, 0xFF, (size_t)count * sizeof *a->mover);
    if (a->picks) memset(a->picks, 0xFF, (size_t)count * sizeof *a->picks);
    if (a->choices) memset(a->choices, 0xFF, (size_t)(count * roles) * sizeof *a->choices);
    if (a->counts) memset(a->counts, 0, (size_t)(count * roles) * sizeof *a->counts);
    if (a->goals) memset(a->goals, 0, (size_t)(count * roles) * sizeof *a->goals);
}

enum aspgames_status NAME(aspgames_batch_ask)(
    struct batch *b, const uint64_t *rows, int64_t count, const struct batch_answers *a
) {
    int status = 0;
    int turns = a->mover || a->picks || a->scope == ASPGAMES_OF_THE_MOVER;
    int moves = a->legal || a->bits || a->choices;
    forget_answers(b, count, a);
    for (struct batch_parts p = begin_parts(b, rows, count, NULL); take_part(b, &p);) {
        lanes all = lanes_first(p.count), playing = all;
        lanes_evaluate(b->block, &p.phase->ask, b->values);
        lanes terminal = lanes_read(b->values, p.phase->terminal);
        for (int lane = 0; a->terminal && lane < p.count; lane++)
            a->terminal[p.states[lane]] = (uint8_t)lane_of(&terminal, lane);
        if (a->scope != ASPGAMES_AS_THE_RULES_SAY) playing = lanes_without(all, terminal);
        if (a->goals || (turns && !turn_is_certain(b, p.phase)))
            lanes_evaluate(b->block, &p.phase->judge, b->values);
        if ((a->goals || turns)
            && judge_states(b, p.phase, p.states, &all, &terminal, &playing, a))
            status = ASPGAMES_UNSETTLED_GOALS;
        if (moves) list_moves(b, p.phase, p.states, p.count, &playing, a);
    }
    return status;
}

/* Whether a move of a role is legal in a lane, after `ask`. */
static int is_legal(
    const struct batch *b, const struct phase *phase, int32_t role, int32_t move, int lane
) {
    const int32_t *bounds = b->block + phase->choices + 2 * role,
                  *moves = b->block + phase->choice_moves;
    int32_t low = bounds[0], high = bounds[1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (moves[middle] < move)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == bounds[1] || moves[low] != move) return 0;
    int32_t literal = b->block[phase->choice_literals + low];
    return lane_of(b->values + (literal >> 1), lane) != (literal & 1);
}

/* The only legal move of a role in a lane, after `ask`; -1 if it has no move, or several. */
static int32_t only_move(const struct batch *b, const struct phase *phase, int32_t role, int lane) {
    const int32_t *bounds = b->block + phase->choices + 2 * role;
    int32_t found = -1;
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        int32_t literal = b->block[phase->choice_literals + c];
        if (lane_of(b->values + (literal >> 1), lane) == (literal & 1)) continue;
        if (found >= 0) return -1;
        found = b->block[phase->choice_moves + c];
    }
    return found;
}

static int64_t first_of(int64_t a, int64_t b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

/* Whether some states play the moves that were chosen for them. Those need no check. */
static int as_chosen(
    const struct batch *b, const int64_t *states, int count, const struct batch_step *s
) {
    int32_t roles = tables_of(b->block)->roles;
    if (!s->choices || (s->width != roles && s->width != 1)) return 0;
    for (int lane = 0; lane < count; lane++) {
        int64_t state = states[lane];
        if (s->width == roles) {
            size_t size = (size_t)roles * sizeof *s->moves;
            if (memcmp(s->moves + state * roles, s->choices + state * roles, size)) return 0;
        } else if (s->moves[state] != s->picks[state] || (s->picks[state] < 0 && !s->over[state])) {
            return 0;
        }
    }
    return 1;
}

/* Make the chosen moves in some lanes. Returns the first state without a chosen move, or -1. */
static int64_t make_choices(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *going,
    const struct batch_step *s
) {
    int32_t roles = tables_of(b->block)->roles;
    int64_t wrong = -1;
    make_waiting_moves(b->block, phase, going, b->values);
    for (int32_t role = 0; role < roles; role++) {
        if (waiting_move(b->block, phase, role) >= 0) continue;
        EACH_LANE (*going, lane) {
            int32_t move = s->choices[states[lane] * roles + role];
            if (move >= 0)
                make_move(b->block, phase, move, (int)lane, b->values);
            else
                wrong = first_of(wrong, states[lane]);
        }
    }
    return wrong;
}

/* Make the given moves in some lanes, after `ask`. Returns the first state with an illegal move, or
 * -1. */
static int64_t make_given(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *going,
    const struct batch_step *s
) {
    int32_t roles = tables_of(b->block)->roles;
    int of_mover = s->width == 1 && roles > 1;
    int64_t wrong = -1;
    lanes no_turn = *going;
    if (of_mover) {
        if (!turn_is_certain(b, phase)) lanes_evaluate(b->block, &phase->judge, b->values);
        find_turns(b, phase, going, s->noops);
        for (int32_t role = 0; role < roles; role++)
            no_turn = lanes_without(no_turn, b->turns[role]);
        EACH_LANE (no_turn, lane)
            if (s->moves[states[lane]] != -1) wrong = first_of(wrong, states[lane]);
    }
    for (int32_t role = 0; role < roles; role++) {
        int32_t waiting = waiting_move(b->block, phase, role);
        EACH_LANE (*going, lane) {
            int32_t move = -1;
            if (of_mover && lane_of(b->turns + role, (int)lane)) move = s->moves[states[lane]];
            if (!of_mover && role < s->width) move = s->moves[states[lane] * s->width + role];
            if (move == -1)
                move = waiting >= 0 ? waiting : only_move(b, phase, role, (int)lane);
            else if (!is_legal(b, phase, role, move, (int)lane))
                move = -1;
            if (move >= 0)
                make_move(b->block, phase, move, (int)lane, b->values);
            else
                wrong = first_of(wrong, states[lane]);
        }
    }
    return wrong;
}

/* Write the states after the moves of at most 512 states of a phase. Returns the first state with
 * an illegal move, or -1. */
static int64_t step_states(
    struct batch *b, const struct phase *phase, const uint64_t *rows, const int64_t *states,
    int count, const struct batch_step *s
) {
    const struct tables *t = tables_of(b->block);
    int32_t length = row_words(t->fluents);
    int chosen = as_chosen(b, states, count, s);
    lanes over = lanes_none(), all = lanes_first(count);
    clear_effects(b->block, phase, b->values);
    if (chosen) {
        for (int lane = 0; s->over && lane < count; lane++)
            if (s->over[states[lane]]) set_lane(&over, lane);
    } else {
        lanes_evaluate(b->block, &phase->ask, b->values);
        over = lanes_and(lanes_read(b->values, phase->terminal), all);
    }
    lanes going = lanes_without(all, over);
    int64_t wrong = (chosen ? make_choices : make_given)(b, phase, states, &going, s);
    if (wrong >= 0) return wrong;
    lanes_evaluate(b->block, chosen ? &phase->advance : &phase->go_on, b->values);
    read_literals(
        b->block + (chosen ? phase->next_alone : phase->next), t->after, b->values, b->after
    );
    uint64_t *out[LANES];
    for (int lane = 0; lane < count; lane++) out[lane] = s->into + states[lane] * length;
    store_rows(b->after, t->fluents, count, out);
    EACH_LANE (over, lane) {
        const uint64_t *row =
            s->anew ? s->anew + states[lane] * s->anew_length : rows + states[lane] * length;
        memcpy(out[lane], row, (size_t)length * sizeof *row);
    }
    return -1;
}

int64_t NAME(aspgames_batch_step)(
    struct batch *b, const uint64_t *rows, int64_t count, const struct batch_step *s
) {
    int64_t found = -1;
    int32_t length = row_words(tables_of(b->block)->fluents);
    for (int64_t state = 0; s->where && state < count; state++)
        if (!s->where[state])
            memcpy(
                s->into + state * length, rows + state * length, (size_t)length * sizeof *rows
            );
    for (struct batch_parts p = begin_parts(b, rows, count, s->where); take_part(b, &p);)
        found = first_of(found, step_states(b, p.phase, rows, p.states, p.count, s));
    return found;
}

void NAME(aspgames_evaluate)(
    const int32_t *block, int32_t phase, int32_t question, void *values
) {
    lanes_evaluate_open(block, (const struct program *)phase_at(block, phase) + question, values);
}
