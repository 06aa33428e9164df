/* Partially known states: some fluents are certain, others only possible (three-valued logic). 512
 * at a time; a slot has two values. If a side may do anything, each of its possibly legal moves is
 * possibly made. */
#ifndef ASPGAMES_PARTIAL_INC_C
#define ASPGAMES_PARTIAL_INC_C

#include "expand.inc.c"

struct partial {
    const int32_t *block;
    lanes *before, *after; /* the states before a ply, with its moves, and after it */
    lanes alive;           /* the lanes that count */
    int32_t *held;     /* for each counted gate and lane: how many fluents held at the start ... */
    int32_t *extremes; /* ... and the minimum and maximum over the lanes alive */
    int32_t plies[2];  /* of each side, since the start */
    int64_t evaluations; /* made so far; each costs as much as two in two-valued logic */
};

static void partial_new(struct partial *p, struct pool *pool, const int32_t *block) {
    int32_t slots = tables_of(block)->slots, counted = search_tables_of(block)->counted_count;
    p->block = block;
    p->before = lanes_slots_new(pool, slots, 2);
    p->after = lanes_slots_new(pool, slots, 2);
    p->held = pooled(pool, counted * (int64_t)LANES, sizeof *p->held);
    p->extremes = pooled(pool, 2 * (int64_t)counted, sizeof *p->extremes);
}

static inline lanes certainly(const lanes *values, int32_t literal) {
    return lanes_read_open(values, literal, 0);
}

static inline lanes possibly(const lanes *values, int32_t literal) {
    return lanes_read_open(values, literal, 1);
}

static inline lanes certain_verdict(
    const struct partial *p, const struct search_phase *phase, int which
) {
    return certainly(p->after, p->block[phase->verdicts + which]);
}

static inline lanes possible_verdict(
    const struct partial *p, const struct search_phase *phase, int which
) {
    return possibly(p->after, p->block[phase->verdicts + which]);
}

/* Clear all fluents of the states after. */
static void clear_after(struct partial *p) {
    memset(p->after + 2, 0, 2 * (size_t)tables_of(p->block)->fluents * sizeof(lanes));
}

/* Load a state into some cleared lanes. */
static void load_certain(struct partial *p, const uint64_t *row, const lanes *among, lanes *into) {
    int32_t fluents = tables_of(p->block)->fluents;
    for (int32_t word_of_row = 0; 64 * word_of_row < fluents; word_of_row++)
        for (uint64_t bits = row[word_of_row]; bits; bits &= bits - 1) {
            lanes *value = into + 2 * (int64_t)(1 + 64 * word_of_row + __builtin_ctzll(bits));
            value[0] = lanes_or(value[0], *among);
            value[1] = lanes_or(value[1], *among);
        }
}

/* Take the states after as the start, and count the fluents of the counted gates. These states are
 * fully known. */
static void begin_counting(struct partial *p) {
    const struct search_tables *t = search_tables_of(p->block);
    for (int32_t gate = 0; gate < t->counted_count; gate++) {
        int32_t *held = p->held + (int64_t)gate * LANES;
        const int32_t *range = p->block + t->counted + 2 * gate;
        memset(held, 0, LANES * sizeof *held);
        for (int32_t at = range[0]; at < range[1]; at++) {
            lanes value = p->after[2 * (1 + (int64_t)p->block[at])];
            EACH_LANE (value, lane) held[lane]++;
        }
        int32_t fewest = range[1] - range[0], most = 0;
        EACH_LANE (p->alive, lane) {
            if (held[lane] < fewest) fewest = held[lane];
            if (held[lane] > most) most = held[lane];
        }
        p->extremes[2 * gate] = fewest;
        p->extremes[2 * gate + 1] = most;
    }
    p->plies[DEFENDER] = p->plies[ATTACKER] = 0;
}

/* Compute the counted gates. Such a gate is possibly true only if so few of its fluents held at the
 * start that all of them can be gone. */
static void evaluate_counted(struct partial *p, const struct search_phase *phase) {
    const struct search_tables *t = search_tables_of(p->block);
    lanes_evaluate_open(p->block, &phase->count, p->after);
    for (int32_t gate = 0; gate < t->counted_count; gate++) {
        int32_t slot = p->block[phase->counted + gate];
        if (!slot) continue;
        const int32_t *drops = p->block + t->drops + 2 * gate,
                      *held = p->held + (int64_t)gate * LANES;
        int32_t lost = p->plies[DEFENDER] * drops[DEFENDER] + p->plies[ATTACKER] * drops[ATTACKER];
        if (lost >= p->extremes[2 * gate + 1]) continue;
        lanes *value = p->after + 2 * (int64_t)slot, limit = lanes_none();
        if (lost >= p->extremes[2 * gate])
            for (int lane = 0; lane < LANES; lane++)
                if (held[lane] <= lost) set_lane(&limit, lane);
        for (int possible = 0; possible < 2; possible++)
            value[possible] = lanes_and(value[possible], limit);
    }
}

/* The common phase of all states alive; NULL if it is uncertain or left out. */
static const struct search_phase *partial_phase(const struct partial *p) {
    const struct tables *t = tables_of(p->block);
    int found = t->turn_count;
    for (int i = 0; i < t->turn_count; i++) {
        const lanes *value = p->after + 2 * (1 + (int64_t)p->block[t->turns + i]);
        lanes certain = lanes_and(value[0], p->alive), possible = lanes_and(value[1], p->alive);
        if (!lanes_any(&possible)) continue;
        if (lanes_differ(&certain, &p->alive) || found != t->turn_count)
            return search_phase_at(p->block, t->turn_count);
        found = i;
    }
    return search_phase_at(p->block, found);
}

/* Evaluate the verdicts of the states after, then their legal moves. */
static void partial_judge(struct partial *p, const struct search_phase *phase) {
    evaluate_counted(p, phase);
    lanes_evaluate_open(p->block, &phase->phase.judge, p->after);
}

static void partial_ask(struct partial *p, const struct search_phase *phase) {
    lanes_evaluate_open(p->block, &phase->phase.ask, p->after);
}

/* The states after become the states before, without a move. */
static void begin_ply(struct partial *p, const struct search_phase *phase, const lanes *from) {
    int64_t first = 1 + tables_of(p->block)->fluents;
    memcpy(p->before + 2, from + 2, 2 * (size_t)(first - 1) * sizeof(lanes));
    memset(p->before + 2 * first, 0, 2 * (size_t)(phase->phase.gates - first) * sizeof(lanes));
}

/* Make a move certainly in some lanes, possibly in others. */
static void partial_make(
    struct partial *p, const struct search_phase *phase, int32_t move, const lanes *certain,
    const lanes *possible
) {
    const int32_t *starts = p->block + phase->phase.effect_starts + move;
    for (int32_t e = starts[0]; e < starts[1]; e++) {
        lanes *value = p->before + 2 * (int64_t)p->block[e];
        if (certain) value[0] = lanes_or(value[0], *certain);
        value[1] = lanes_or(value[1], *possible);
    }
}

/* Make each legal move of the waiting side. */
static void make_waiting(struct partial *p, const struct search_phase *phase, int side) {
    const int32_t *bounds = choices_of(p->block, phase, side);
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        int32_t literal = p->block[phase->phase.choice_literals + c];
        lanes certain = certainly(p->after, literal), possible = possibly(p->after, literal);
        partial_make(p, phase, p->block[phase->phase.choice_moves + c], &certain, &possible);
    }
}

/* Compute the states after a ply of a side, from the states before and their moves. */
static void partial_advance(struct partial *p, const struct search_phase *phase, int side) {
    lanes_evaluate_open(p->block, &phase->phase.advance, p->before);
    p->plies[side]++;
    p->evaluations++;
    for (int32_t f = 0; f < tables_of(p->block)->fluents; f++) {
        int32_t literal = p->block[phase->phase.next_alone + f];
        p->after[2 * (1 + (int64_t)f)] = certainly(p->before, literal);
        p->after[2 * (1 + (int64_t)f) + 1] = possibly(p->before, literal);
    }
}

/* Play a ply in which a side may do anything. Its legal moves are known. */
static void do_anything(struct partial *p, const struct search_phase *phase, int side) {
    const int32_t *block = p->block, *bounds = choices_of(block, phase, side);
    begin_ply(p, phase, p->after);
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        lanes possible = possibly(p->after, block[phase->phase.choice_literals + c]);
        if (lanes_any(&possible))
            partial_make(p, phase, block[phase->phase.choice_moves + c], NULL, &possible);
    }
    /* One of them is made, so the effects that all of them share are certain. */
    const int32_t *sure =
        block + phase->sure + (side == ATTACKER ? phase->sure_count[DEFENDER] : 0);
    for (int32_t i = 0; i < phase->sure_count[side]; i++)
        memset(p->before + 2 * (int64_t)sure[i], 0xFF, 2 * sizeof(lanes));
    make_waiting(p, phase, 1 - side);
    partial_advance(p, phase, side);
}

#endif
