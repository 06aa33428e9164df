/* A lower bound on the turns to the goal: hopeless children need no search.
 *
 * In three-valued logic, both sides make all their possible moves at once. As long as the goal is
 * not even possible, the attacker needs more turns. In planning this is a delete relaxation: a
 * fluent that may hold once may hold for ever (the heuristic h_max of Bonet and Geffner 2001).
 */
#ifndef ASPGAMES_OUTLOOK_INC_C
#define ASPGAMES_OUTLOOK_INC_C

#include "partial.inc.c"

enum { LONGEST_OUTLOOK = 40 }; /* plies */

/* Load children into the lanes. The undecided ones are alive. */
static void load_children(struct partial *p, const struct expander *x, int32_t start) {
    int32_t length = row_words(tables_of(p->block)->fluents);
    clear_after(p);
    p->alive = lanes_none();
    for (int32_t lane = 0; lane < LANES && start + lane < x->family.count; lane++) {
        int32_t child = start + lane;
        lanes here = lanes_none();
        set_lane(&here, lane);
        x->soonest[child] = 0;
        if (!x->reached[child] && !x->over[child] && !x->at_once[child]) set_lane(&p->alive, lane);
        load_certain(p, x->rows + (int64_t)child * length, &here, p->after);
    }
    begin_counting(p);
}

/* Play a ply. Returns the side on move; -1 at the end, or if the side is uncertain. */
static int outlook_ply(struct partial *p, struct expander *x, int32_t start, int32_t begun) {
    const struct search_phase *phase = partial_phase(p);
    if (!phase) return -1;
    partial_judge(p, phase);
    lanes hit = lanes_and(possible_verdict(p, phase, REACHED), p->alive);
    EACH_LANE (hit, lane) x->soonest[start + (int32_t)lane] = begun;
    p->alive = lanes_without(p->alive, hit);
    if (!lanes_any(&p->alive)) return -1;
    lanes not_attacking = lanes_without(p->alive, certain_verdict(p, phase, ATTACKS));
    lanes not_defending = lanes_without(p->alive, certain_verdict(p, phase, DEFENDS));
    if (lanes_any(&not_attacking) && lanes_any(&not_defending)) return -1;
    int side = lanes_any(&not_attacking) ? DEFENDER : ATTACKER;
    partial_ask(p, phase);
    do_anything(p, phase, side);
    return side;
}

/* Set the lower bound on the turns that force each child: turns that the attacker begins, at most
 * `turns` + 1. */
static void look_ahead(struct partial *p, struct expander *x, int32_t turns) {
    int single = search_tables_of(p->block)->single;
    for (int32_t start = 0; start < x->family.count; start += LANES) {
        load_children(p, x, start);
        int32_t begun = 0;
        int attacked = 1; /* the current turn does not count */
        for (int ply = 0; ply < LONGEST_OUTLOOK; ply++) {
            int side = outlook_ply(p, x, start, begun);
            if (side < 0 || begun > turns) break;
            begun += side == ATTACKER && !attacked;
            attacked = side == ATTACKER && !single;
        }
        EACH_LANE (p->alive, lane) x->soonest[start + (int32_t)lane] = begun;
    }
}

#endif
