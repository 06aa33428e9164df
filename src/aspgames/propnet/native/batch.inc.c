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
    b->values = slots_new(&b->pool, t->slots, 1);
    b->after = lanes_new(&b->pool, t->after);
    b->turns = lanes_new(&b->pool, t->roles);
    choices_new(&b->choices, &b->pool, t->most_choices);
    if (b->pool.failed) {
        NAME(aspgames_batch_free)(b);
        return NULL;
    }
    memset(b->phase_of, t->turn_count, sizeof b->phase_of);
    for (int turn = 0; turn < t->turn_count; turn++) b->phase_of[1 << turn] = (uint8_t)turn;
    return b;
}

void sort_by_phase(
    struct batch *b, const uint64_t *rows, int64_t first, int64_t count, const uint8_t *where
) {
    const struct tables *t = tables_of(b->block);
    const int32_t *turns = b->block + t->turns;
    int32_t length = row_words(t->fluents), phases = t->turn_count + 1;
    memset(b->starts, 0, sizeof b->starts);
    for (int64_t i = 0; i < count; i++) {
        if (where && !where[first + i]) continue;
        const uint64_t *row = rows + (first + i) * length;
        unsigned held = 0;
        for (int turn = 0; turn < t->turn_count; turn++)
            held |= (unsigned)(row[turns[turn] >> 6] >> (turns[turn] & 63) & 1) << turn;
        b->phases[i] = b->phase_of[held];
        b->starts[b->phases[i] + 2]++;
    }
    for (int32_t p = 0; p <= phases; p++) b->starts[p + 1] += b->starts[p];
    for (int64_t i = 0; i < count; i++)
        if (!where || where[first + i]) b->sorted[b->starts[b->phases[i] + 1]++] = first + i;
}

int take_states(struct batch *b, int phase, int64_t first, const uint64_t *rows) {
    int64_t left = b->starts[phase + 1] - first;
    int count = left < LANES ? (int)left : LANES;
    int32_t fluents = tables_of(b->block)->fluents, length = row_words(fluents);
    const uint64_t *taken[LANES];
    for (int lane = 0; lane < count; lane++) taken[lane] = rows + b->sorted[first + lane] * length;
    load_rows(taken, count, fluents, b->values + 1);
    return count;
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

static void forget_answers(
    const struct batch *b, int64_t first, int64_t count, const struct batch_answers *a
) {
    const struct tables *t = tables_of(b->block);
    int64_t roles = t->roles;
    if (a->mover) memset(a->mover + first, 0xFF, (size_t)count * sizeof *a->mover);
    if (a->picks) memset(a->picks + first, 0xFF, (size_t)count * sizeof *a->picks);
    if (a->choices)
        memset(a->choices + first * roles, 0xFF, (size_t)(count * roles) * sizeof *a->choices);
    if (a->counts)
        memset(a->counts + first * roles, 0, (size_t)(count * roles) * sizeof *a->counts);
    if (a->goals) memset(a->goals + first * roles, 0, (size_t)(count * roles) * sizeof *a->goals);
}

enum aspgames_status NAME(aspgames_batch_ask)(
    struct batch *b, const uint64_t *rows, int64_t count, const struct batch_answers *a
) {
    int status = 0, phases = tables_of(b->block)->turn_count + 1;
    int turns = a->mover || a->picks || a->scope == ASPGAMES_OF_THE_MOVER;
    int moves = a->legal || a->bits || a->choices;
    for (int64_t done = 0; done < count; done += SORTED) {
        int64_t here = count - done < SORTED ? count - done : SORTED;
        forget_answers(b, done, here, a);
        sort_by_phase(b, rows, done, here, NULL);
        for (int number = 0; number < phases; number++) {
            const struct phase *phase = phase_at(b->block, number);
            int taken = 0;
            for (int64_t first = b->starts[number]; first < b->starts[number + 1]; first += taken) {
                taken = take_states(b, number, first, rows);
                const int64_t *states = b->sorted + first;
                lanes all = lanes_first(taken), playing = all;
                lanes_evaluate(b->block, &phase->ask, b->values);
                lanes terminal = lanes_read(b->values, phase->terminal);
                for (int lane = 0; a->terminal && lane < taken; lane++)
                    a->terminal[states[lane]] = (uint8_t)lane_of(&terminal, lane);
                if (a->scope != ASPGAMES_AS_THE_RULES_SAY) playing = lanes_without(all, terminal);
                if (a->goals || (turns && !turn_is_certain(b, phase)))
                    lanes_evaluate(b->block, &phase->judge, b->values);
                if ((a->goals || turns)
                    && judge_states(b, phase, states, &all, &terminal, &playing, a))
                    status = ASPGAMES_UNSETTLED_GOALS;
                if (moves) list_moves(b, phase, states, taken, &playing, a);
            }
        }
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
    int phases = tables_of(b->block)->turn_count + 1;
    int32_t length = row_words(tables_of(b->block)->fluents);
    for (int64_t done = 0; done < count; done += SORTED) {
        int64_t here = count - done < SORTED ? count - done : SORTED;
        sort_by_phase(b, rows, done, here, s->where);
        for (int64_t state = done; s->where && state < done + here; state++)
            if (!s->where[state])
                memcpy(
                    s->into + state * length, rows + state * length, (size_t)length * sizeof *rows
                );
        for (int number = 0; number < phases; number++) {
            const struct phase *phase = phase_at(b->block, number);
            int taken = 0;
            for (int64_t first = b->starts[number]; first < b->starts[number + 1]; first += taken) {
                taken = take_states(b, number, first, rows);
                int64_t wrong = step_states(b, phase, rows, b->sorted + first, taken, s);
                if (wrong >= 0 && (found < 0 || wrong < found)) found = wrong;
            }
        }
        if (found >= 0) return found;
    }
    return -1;
}

void NAME(aspgames_evaluate)(
    const int32_t *block, int32_t phase, int32_t question, int32_t open, void *values
) {
    const struct program *program = (const struct program *)phase_at(block, phase) + question;
    if (open)
        lanes_evaluate_open(block, program, values);
    else
        lanes_evaluate(block, program, values);
}
