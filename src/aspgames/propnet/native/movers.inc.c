/* Many states in which one role at most has several moves, and their children. */
#ifndef ASPGAMES_MOVERS_INC_C
#define ASPGAMES_MOVERS_INC_C

#include "choices.h"

/* The legal moves of up to 512 states. */
struct movers {
    const int32_t *block;
    const struct phase *phase;
    struct choices *choices;   /* of each role */
    int32_t (*singles)[LANES]; /* for each role, its only move, or -1 */
    int32_t role[LANES];       /* the role with several moves, or -1 */
    uint32_t degree[LANES];    /* how many joint moves */
    int32_t *moves;            /* of `moves_of` */
};

/* Joint moves to be made: the rows and lanes of the states, and the moves of the roles with several
 * moves, or -1. */
struct joint_moves {
    int count;
    const uint64_t *from[LANES];
    int32_t parent[LANES], move[LANES];
};

static inline void movers_new(struct movers *m, struct pool *pool, const int32_t *block) {
    const struct tables *t = tables_of(block);
    m->block = block;
    m->choices = pooled(pool, t->roles, sizeof *m->choices);
    m->singles = pooled(pool, t->roles, sizeof *m->singles);
    m->moves = pooled(pool, t->most_choices + (int64_t)1, sizeof *m->moves);
    for (int32_t role = 0; m->choices && role < t->roles; role++)
        choices_new(m->choices + role, pool, t->most_choices);
}

/* Find the moves in some lanes, after `ask`. `going` loses the lanes in which a role has no move.
 * Returns DONE or SEVERAL_CHOOSE. */
static int find_movers(
    struct movers *m, const struct phase *phase, const lanes *values, lanes *going
) {
    m->phase = phase;
    for (int lane = 0; lane < LANES; lane++) {
        m->role[lane] = -1;
        m->degree[lane] = 1;
    }
    for (int32_t role = 0; role < tables_of(m->block)->roles; role++) {
        for (int lane = 0; lane < LANES; lane++) m->singles[role][lane] = -1;
        if (waiting_move(m->block, phase, role) >= 0) continue;
        const int32_t *bounds = m->block + phase->choices + 2 * role;
        int32_t count = bounds[1] - bounds[0];
        struct choices *choices = m->choices + role;
        uint32_t totals[LANES];
        lanes stuck = lanes_none();
        gather_choices(
            m->block + phase->choice_literals + bounds[0], count, values, going, choices
        );
        count_choices(choices, block_count(count), totals);
        EACH_LANE (*going, lane) {
            int place = place_of((int)lane);
            if (totals[place] > 1) {
                if (m->role[lane] >= 0) return ASPGAMES_SEVERAL_CHOOSE;
                m->role[lane] = role;
                m->degree[lane] = totals[place];
            } else if (totals[place]) {
                int32_t b = 0;
                while (!choice_bits(choices, b, place)) b++;
                int32_t choice = 64 * b + __builtin_ctzll(choice_bits(choices, b, place));
                m->singles[role][lane] = m->block[phase->choice_moves + bounds[0] + choice];
            } else {
                set_lane(&stuck, (int)lane);
            }
        }
        *going = lanes_without(*going, stuck);
    }
    return ASPGAMES_DONE;
}

/* List the moves of the role with several moves in a lane, or a single -1. Returns how many. */
static int32_t moves_of(struct movers *m, int lane) {
    int32_t role = m->role[lane], count = 0;
    m->moves[0] = -1;
    if (role < 0) return 1;
    const int32_t *bounds = m->block + m->phase->choices + 2 * role,
                  *moves = m->block + m->phase->choice_moves + bounds[0];
    for (int32_t b = 0; b < block_count(bounds[1] - bounds[0]); b++)
        for (uint64_t bits = choice_bits(m->choices + role, b, place_of(lane)); bits;
             bits &= bits - 1)
            m->moves[count++] = moves[64 * b + __builtin_ctzll(bits)];
    return count;
}

/* Load the states and make the moves, before `advance`. */
static void make_moves(const struct movers *m, const struct joint_moves *c, lanes *values) {
    const struct tables *t = tables_of(m->block);
    lanes all = lanes_first(c->count);
    load_rows(c->from, c->count, t->fluents, values + 1);
    clear_effects(m->block, m->phase, values);
    make_waiting_moves(m->block, m->phase, &all, values);
    for (int lane = 0; lane < c->count; lane++) {
        if (c->move[lane] >= 0) make_move(m->block, m->phase, c->move[lane], lane, values);
        for (int32_t role = 0; role < t->roles; role++) {
            int32_t move = m->singles[role][c->parent[lane]];
            if (move >= 0) make_move(m->block, m->phase, move, lane, values);
        }
    }
}

#endif
