/* Writes the tables of a puzzle (search_tables.h), phase by phase. `aspgames_tables_size` and
 * `aspgames_tables_end` finish them. */
#include "search_tables.h"

#include "aspgames.h"
#include "writer.h"

struct table_writer *aspgames_search_begin(
    int32_t fluents, int32_t moves, int32_t turn_count, const int32_t *turns, int32_t single,
    int32_t quiet, int32_t by_reply, int32_t counted, const int32_t *counts, const int32_t *ends,
    const int32_t *drops
) {
    struct search_tables head = {
        .tables =
            {.fluents = fluents,
             .after = fluents,
             .moves = moves,
             .roles = 2,
             .turn_count = turn_count},
        .single = single,
        .quiet = quiet,
        .by_reply = by_reply,
        .counted_count = counted,
    };
    struct table_writer *w = begin_tables(&head.tables, sizeof head, turns);
    if (!w) return NULL;
    int32_t first = write_numbers(w, counts, counted ? ends[counted - 1] : 0);
    head.counted = reserve(w, 2 * (int64_t)counted);
    for (int32_t i = 0; i < counted && !w->failed; i++) {
        w->block.at[head.counted + 2 * i] = first + (i ? ends[i - 1] : 0);
        w->block.at[head.counted + 2 * i + 1] = first + ends[i];
    }
    head.drops = write_numbers(w, drops, 2 * counted);
    if (!w->failed) memcpy(w->block.at, &head, sizeof head);
    return w;
}

/* Mark the counted gates that are gates in this circuit. */
static void mark_counted(struct phase_writer *p, const int32_t *counted, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (counted[i] > ASPGAMES_TRUE) mark(p, counted + i, 1, 1, FOR_COUNTED);
}

static int32_t write_counted(struct phase_writer *p, const int32_t *counted, int32_t count) {
    int32_t place = p->w->block.count;
    for (int32_t i = 0; i < count; i++)
        push(p->w, &p->w->block, counted[i] > ASPGAMES_TRUE ? p->slots[counted[i]] : 0);
    return place;
}

/* Write the effects that all moves of a side in a phase share. */
static int32_t write_sure(
    struct phase_writer *p, const int32_t *legal, int32_t first, int32_t end
) {
    const struct numbers *all = &p->effect_moves;
    int32_t own = 0, found = 0, slot = p->effect_first;
    for (int32_t m = first; m < end; m++) own += legal[m] != ASPGAMES_FALSE;
    for (int32_t at = 0; own && at < all->count; at += 1 + all->at[at], slot++) {
        int32_t have = 0;
        for (int32_t i = 1; i <= all->at[at]; i++) {
            int32_t move = all->at[at + i];
            have += move >= first && move < end && legal[move] != ASPGAMES_FALSE;
        }
        if (have < own) continue;
        push(p->w, &p->w->block, slot);
        found++;
    }
    return found;
}

static int write_search_phase(
    struct phase_writer *state, struct phase_writer *successor,
    const struct search_phase_request *from, struct search_phase *into,
    const struct search_tables *head
) {
    struct phase *phase = &into->phase;
    const struct tables *shape = &head->tables;
    mark(state, from->verdicts, VERDICTS, 1, FOR_JUDGE);
    mark(state, from->legal, shape->moves, 1, FOR_ASK);
    mark_counted(state, from->counted, head->counted_count);
    mark(successor, from->next, shape->fluents, 1, FOR_NEXT);
    if (asks_for_moves(state, FOR_ASK | FOR_JUDGE)) return ASPGAMES_DEPENDS_ON_MOVES;
    write_moves(successor, phase, from->next, shape->fluents);
    int32_t slot = phase->gates;
    phase->advance = write_program(successor, FOR_NEXT, 0, &slot);
    phase->next_alone = write_literals(successor, from->next, shape->fluents);
    phase->advance_slots = slot;
    into->sure = state->w->block.count;
    for (int side = DEFENDER; side <= ATTACKER; side++)
        into->sure_count[side] =
            write_sure(successor, from->legal, from->bounds[2 * side], from->bounds[2 * side + 1]);
    slot = phase->gates;
    into->count = write_program(state, FOR_COUNTED, 0, &slot);
    into->counted = write_counted(state, from->counted, head->counted_count);
    phase->judge = write_program(state, FOR_JUDGE, FOR_COUNTED, &slot);
    into->verdicts = write_literals(state, from->verdicts, VERDICTS);
    phase->ask = write_program(state, FOR_ASK, FOR_JUDGE | FOR_COUNTED, &slot);
    write_choices(state, phase, from->legal, from->bounds, 2);
    phase->slots = slot;
    return state->w->failed ? ASPGAMES_NO_MEMORY : 0;
}

enum aspgames_status aspgames_search_phase(
    struct table_writer *w, int32_t number, const struct search_phase_request *from
) {
    if (w->failed) return ASPGAMES_NO_MEMORY;
    const struct search_tables head = *(const struct search_tables *)w->block.at;
    struct search_phase phase = {0};
    struct phase_writer state, successor = {0};
    int status = ASPGAMES_NO_MEMORY;
    if (begin_writing(&state, w, from->state, NULL, from->fluents, from->does)
        && begin_writing(
            &successor, w, from->successor, NULL, from->successor_fluents, from->successor_does
        ))
        status = write_search_phase(&state, &successor, from, &phase, &head);
    end_writing(&state);
    end_writing(&successor);
    return status ? status : finish_phase(w, number, &phase.phase, sizeof phase);
}
