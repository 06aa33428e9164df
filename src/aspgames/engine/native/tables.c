/* From a circuit to tables: which gates each question needs, in runs of one shape.
 *
 * A run is walked without a branch that depends on the gate, so few long runs are what counts. Of the
 * gates whose operands are there, those of the shape that most of them have come next; a gate that gets
 * ready meanwhile joins the run if it has the same shape.
 */
#include <stdlib.h>
#include <string.h>

#include "circuit.h"
#include "export.h"
#include "tables.h"

enum { NO_SLOT = -1 };
enum { OUT_OF_MEMORY = -1, DOES_ASKED = -2 };
enum { FOR_ASK = 1, FOR_JUDGE = 2, FOR_NEXT = 4 };

/* What a phase is made from: a circuit, and literals (a node, negative for its complement) of the one that it was
 * simplified from; `became` says what became of each node of that one. */
struct request {
    const struct circuit *circuit;
    const int32_t *became;
    const int32_t *fluents; /* the inputs of the fluents */
    const int32_t *does;    /* ... and of the moves */
    const int32_t *legal;   /* for each move */
    const int32_t *marks;   /* for each move */
    const int32_t *next;    /* for each fluent of the next state */
    const int32_t *goals;   /* triples of role, value and literal */
    const int32_t *to_move; /* for each role */
    const int32_t *bounds;  /* for each role, its first move and the one after its last */
    int32_t goal_count;
    int32_t terminal;
};

struct numbers {
    int32_t *at;
    int32_t count, room;
};

struct writer {
    struct numbers block;
    int failed; /* memory ran out, or the block would be too large */
};

static void *allocate(struct writer *w, int64_t count, size_t size) {
    void *found = w->failed ? NULL : calloc((size_t)(count > 0 ? count : 1), size);
    if (!found) w->failed = 1;
    return found;
}

static int32_t push(struct writer *w, struct numbers *numbers, int32_t number) {
    if (w->failed) return 0;
    if (numbers->count == numbers->room) {
        int64_t room = numbers->room ? 2 * (int64_t)numbers->room : 1024;
        if (room > INT32_MAX) room = INT32_MAX;
        int32_t *grown = room > numbers->count ? realloc(numbers->at, (size_t)room * sizeof *grown) : NULL;
        if (!grown) {
            w->failed = 1;
            return 0;
        }
        numbers->at = grown;
        numbers->room = (int32_t)room;
    }
    numbers->at[numbers->count] = number;
    return numbers->count++;
}

static int32_t reserve(struct writer *w, int64_t count) {
    int32_t place = w->block.count;
    for (int64_t i = 0; i < count && !w->failed; i++) push(w, &w->block, 0);
    return place;
}

/* What is known while one phase is written. */
struct phase_writer {
    struct writer *w;
    const struct request *from;
    int32_t moves;
    uint8_t *needed;      /* for each node, which questions need it */
    int32_t *move_of;     /* for each node, the move whose input it is, or -1 */
    int32_t *loop_of;     /* for each node, the loop whose variable it is, or -1 */
    int32_t *slots;       /* for each node, its slot in the program that is being written */
    int32_t *pending;     /* for each node, how many of its operands are still to come */
    int32_t *unmade_slot; /* for each node, the slot of the effect that its denied moves have, or NO_SLOT */
    int32_t *made_slot;   /* for each move, the slot of the effect that it alone has, or NO_SLOT */
    int32_t *chain;       /* for each node, the next one in a list of gates of one shape */
    struct numbers effect_moves; /* for each effect, how many moves have it, and these */
    int32_t effect_first, effect_count;
    int32_t *group_table; /* effects by a hash of their moves: places in effect_moves, + 1 */
    int32_t *group_slots;
    int32_t group_room;
};

static int32_t gate_size(const struct circuit *circuit, int32_t node) {
    return (int32_t)(circuit->starts[node + 1] - circuit->starts[node]);
}

static const int32_t *gate_of(const struct circuit *circuit, int32_t node) {
    return circuit->literals + circuit->starts[node];
}

static int is_move(const struct phase_writer *p, int32_t node) {
    return p->move_of[node] >= 0;
}

/* Mark all that some literals depend on; a loop is needed as a whole. */
static void mark(struct phase_writer *p, const int32_t *roots, int32_t count, int32_t step, uint8_t bit) {
    const struct circuit *circuit = p->from->circuit;
    struct numbers work = {0};
    for (int32_t i = 0; i < count; i++) push(p->w, &work, abs(roots[(int64_t)i * step]));
    while (work.count && !p->w->failed) {
        int32_t node = work.at[--work.count];
        if (p->needed[node] & bit) continue;
        p->needed[node] |= bit;
        const int32_t *gate = gate_of(circuit, node);
        for (int32_t i = 0; i < gate_size(circuit, node); i++)
            if (!(p->needed[abs(gate[i])] & bit)) push(p->w, &work, abs(gate[i]));
        if (p->loop_of[node] >= 0) {
            const struct loop *loop = circuit->loops + p->loop_of[node];
            for (int32_t v = 0; v < loop->count; v++) {
                push(p->w, &work, loop->variables[v]);
                push(p->w, &work, abs(loop->definitions[v]));
            }
        }
    }
    free(work.at);
}

/* The slot of what some moves bring about, given the moves' nodes as negative literals. */
static int32_t effect_of(struct phase_writer *p, const int32_t *denied, int32_t count) {
    struct numbers *all = &p->effect_moves;
    uint64_t hash = 1469598103934665603u;
    for (int32_t i = 0; i < count; i++) hash = (hash ^ (uint32_t)p->move_of[-denied[i]]) * 1099511628211u;
    if (2 * (p->effect_count + 1) > p->group_room) {
        int32_t room = p->group_room ? 2 * p->group_room : 1024;
        int32_t *table = allocate(p->w, room, sizeof *table), *slots = allocate(p->w, room, sizeof *slots);
        if (p->w->failed) {
            free(table);
            free(slots);
            return 0;
        }
        for (int32_t old = 0; old < p->group_room; old++) {
            if (!p->group_table[old]) continue;
            const int32_t *group = all->at + p->group_table[old] - 1;
            uint64_t again = 1469598103934665603u;
            for (int32_t i = 0; i < group[0]; i++) again = (again ^ (uint32_t)group[1 + i]) * 1099511628211u;
            uint32_t place = (uint32_t)(again >> 20) & (uint32_t)(room - 1);
            while (table[place]) place = (place + 1) & (uint32_t)(room - 1);
            table[place] = p->group_table[old];
            slots[place] = p->group_slots[old];
        }
        free(p->group_table);
        free(p->group_slots);
        p->group_table = table;
        p->group_slots = slots;
        p->group_room = room;
    }
    uint32_t place = (uint32_t)(hash >> 20) & (uint32_t)(p->group_room - 1);
    for (; p->group_table[place]; place = (place + 1) & (uint32_t)(p->group_room - 1)) {
        const int32_t *group = all->at + p->group_table[place] - 1;
        int32_t same = group[0] == count;
        for (int32_t i = 0; same && i < count; i++) same = group[1 + i] == p->move_of[-denied[i]];
        if (same) return p->group_slots[place];
    }
    p->group_table[place] = push(p->w, all, count) + 1;
    for (int32_t i = 0; i < count; i++) push(p->w, all, p->move_of[-denied[i]]);
    return p->group_slots[place] = p->effect_first + p->effect_count++;
}

static void need_effect_of_move(struct phase_writer *p, int32_t node) {
    int32_t move = p->move_of[node], denied = -node;
    if (p->made_slot[move] == NO_SLOT) p->made_slot[move] = effect_of(p, &denied, 1);
}

/* Find the effects that the gates for the next state ask for. */
static void find_effects(struct phase_writer *p) {
    const struct circuit *circuit = p->from->circuit;
    struct numbers denied = {0};
    for (int32_t node = 2; node <= circuit->size && !p->w->failed; node++) {
        p->unmade_slot[node] = NO_SLOT;
        if (!(p->needed[node] & FOR_NEXT)) continue;
        const int32_t *gate = gate_of(circuit, node);
        denied.count = 0;
        for (int32_t i = 0; i < gate_size(circuit, node); i++) {
            if (!is_move(p, abs(gate[i]))) continue;
            if (gate[i] > 0) need_effect_of_move(p, gate[i]);
            else push(p->w, &denied, gate[i]);
        }
        if (denied.count) p->unmade_slot[node] = effect_of(p, denied.at, denied.count);
    }
    free(denied.at);
}

static int32_t literal_of(struct phase_writer *p, int32_t literal) {
    int32_t node = abs(literal);
    if (is_move(p, node)) need_effect_of_move(p, node);
    int32_t slot = is_move(p, node) ? p->made_slot[p->move_of[node]] : p->slots[node];
    return 2 * slot + (literal < 0);
}

/* The operands of a gate, first those that stand as they are, then the denied ones. */
static void shape_of(const struct phase_writer *p, int32_t node, int32_t shape[2]) {
    const int32_t *gate = gate_of(p->from->circuit, node);
    shape[0] = 0;
    shape[1] = p->unmade_slot[node] != NO_SLOT;
    for (int32_t i = 0; i < gate_size(p->from->circuit, node); i++)
        if (gate[i] > 0) shape[0]++;
        else if (!is_move(p, -gate[i])) shape[1]++;
}

static void write_operands(struct phase_writer *p, int32_t node) {
    const int32_t *gate = gate_of(p->from->circuit, node);
    struct numbers *block = &p->w->block;
    for (int32_t i = 0; i < gate_size(p->from->circuit, node); i++)
        if (gate[i] > 0) push(p->w, block, literal_of(p, gate[i]) / 2);
    if (p->unmade_slot[node] != NO_SLOT) push(p->w, block, p->unmade_slot[node]);
    for (int32_t i = 0; i < gate_size(p->from->circuit, node); i++)
        if (gate[i] < 0 && !is_move(p, -gate[i])) push(p->w, block, literal_of(p, gate[i]) / 2);
}

struct shapes {
    struct numbers list; /* for each shape: positive, negative, the head of its list of gates, how many */
    int32_t *table;
    uint32_t room;
};

static int32_t find_shape(struct writer *w, struct shapes *shapes, const int32_t shape[2]) {
    if (4 * (uint32_t)(shapes->list.count / 4 + 1) > shapes->room) {
        uint32_t room = shapes->room ? 2 * shapes->room : 256;
        int32_t *table = allocate(w, room, sizeof *table);
        if (w->failed) return 0;
        for (int32_t i = 0; i < shapes->list.count; i += 4) {
            uint32_t place = ((uint32_t)shapes->list.at[i] * 31u + (uint32_t)shapes->list.at[i + 1]) & (room - 1);
            while (table[place]) place = (place + 1) & (room - 1);
            table[place] = i + 1;
        }
        free(shapes->table);
        shapes->table = table;
        shapes->room = room;
    }
    uint32_t place = ((uint32_t)shape[0] * 31u + (uint32_t)shape[1]) & (shapes->room - 1);
    for (; shapes->table[place]; place = (place + 1) & (shapes->room - 1)) {
        const int32_t *known = shapes->list.at + shapes->table[place] - 1;
        if (known[0] == shape[0] && known[1] == shape[1]) return shapes->table[place] - 1;
    }
    int32_t found = push(w, &shapes->list, shape[0]);
    push(w, &shapes->list, shape[1]);
    push(w, &shapes->list, 0);
    push(w, &shapes->list, 0);
    shapes->table[place] = found + 1;
    return found;
}

static void get_ready(struct phase_writer *p, struct shapes *shapes, int32_t node) {
    int32_t shape[2];
    shape_of(p, node, shape);
    int32_t found = find_shape(p->w, shapes, shape);
    if (p->w->failed) return;
    p->chain[node] = shapes->list.at[found + 2];
    shapes->list.at[found + 2] = node;
    shapes->list.at[found + 3]++;
}

/* Write some gates, in runs; each gets the next slot. Returns the slot after the last. */
static int32_t write_runs(struct phase_writer *p, const int32_t *gates, int32_t count, int32_t slot) {
    const struct circuit *circuit = p->from->circuit;
    struct shapes shapes = {0};
    int64_t uses = 0;
    for (int32_t i = 0; i < count; i++) p->pending[gates[i]] = 0;
    for (int32_t i = 0; i < count; i++) uses += gate_size(circuit, gates[i]);
    /* The users of each gate of these: lists through `links`, heads in `heads`. */
    int32_t *links = allocate(p->w, uses + 1, sizeof *links), *users = allocate(p->w, uses + 1, sizeof *users);
    int32_t *heads = allocate(p->w, count, sizeof *heads);
    if (!p->w->failed) {
        int32_t link = 0;
        for (int32_t i = 0; i < count; i++) p->pending[gates[i]] = -1 - i; /* for now: its place */
        for (int32_t i = 0; i < count; i++) {
            const int32_t *gate = gate_of(circuit, gates[i]);
            for (int32_t k = 0; k < gate_size(circuit, gates[i]); k++) {
                int32_t used = abs(gate[k]), place;
                if (p->slots[used] != NO_SLOT || is_move(p, used)) continue;
                place = -1 - p->pending[used];
                link++;
                users[link] = i;
                links[link] = heads[place];
                heads[place] = link;
            }
        }
        int32_t *waits = allocate(p->w, count, sizeof *waits);
        for (int32_t i = 0; waits && i < count; i++)
            for (int32_t l = heads[i]; l; l = links[l]) waits[users[l]]++;
        for (int32_t i = count - 1; waits && i >= 0; i--)
            if (!waits[i]) get_ready(p, &shapes, gates[i]);
        for (;;) {
            int32_t best = -1;
            for (int32_t s = 0; s < shapes.list.count && !p->w->failed; s += 4)
                if (shapes.list.at[s + 3] && (best < 0 || shapes.list.at[s + 3] > shapes.list.at[best + 3]))
                    best = s;
            if (best < 0) break;
            int32_t header = push(p->w, &p->w->block, shapes.list.at[best]);
            push(p->w, &p->w->block, shapes.list.at[best + 1]);
            push(p->w, &p->w->block, 0);
            push(p->w, &p->w->block, slot);
            int32_t first = slot;
            while (!p->w->failed && shapes.list.at[best + 3]) {
                int32_t node = shapes.list.at[best + 2], place = -1 - p->pending[node];
                shapes.list.at[best + 2] = p->chain[node];
                shapes.list.at[best + 3]--;
                write_operands(p, node);
                p->slots[node] = slot++;
                for (int32_t l = heads[place]; l; l = links[l])
                    if (!--waits[users[l]]) get_ready(p, &shapes, gates[users[l]]);
            }
            if (p->w->failed) break;
            p->w->block.at[header + 2] = slot - first;
        }
        free(waits);
    }
    free(links);
    free(users);
    free(heads);
    free(shapes.list.at);
    free(shapes.table);
    return slot;
}

/* Write the gates that some question needs and no other one before it has. */
static struct program write_program(struct phase_writer *p, uint8_t bit, uint8_t without, int32_t *slot) {
    const struct circuit *circuit = p->from->circuit;
    struct numbers gates = {0}, segments = {0};
    int32_t start = 2;
    for (int32_t l = 0; l <= circuit->loop_count && !p->w->failed; l++) {
        const struct loop *loop = circuit->loops + l;
        int whole = 1; /* once for what comes before the loop, and once for the loop */
        if (l < circuit->loop_count) {
            uint8_t needed = p->needed[loop->variables[0]];
            if (!(needed & bit) || needed & without) continue;
            whole = 2;
        }
        for (int part = 0; part < whole && !p->w->failed; part++) {
            int32_t end = l == circuit->loop_count ? circuit->size + 1 : part ? loop->end : loop->first;
            struct segment segment = {0, 0, 0, 0};
            if (part) {
                segment.variable_count = loop->count;
                for (int32_t v = 0; v < loop->count; v++) p->slots[loop->variables[v]] = (*slot)++;
            }
            gates.count = 0;
            for (int32_t node = start; node < end; node++)
                if (p->needed[node] & bit && !(p->needed[node] & without) && gate_size(circuit, node)
                    && p->slots[node] == NO_SLOT)
                    push(p->w, &gates, node);
            segment.runs = p->w->block.count;
            *slot = write_runs(p, gates.at, gates.count, *slot);
            segment.end = p->w->block.count;
            segment.variables = p->w->block.count;
            if (part)
                for (int32_t v = 0; v < loop->count; v++) {
                    push(p->w, &p->w->block, p->slots[loop->variables[v]]);
                    push(p->w, &p->w->block, literal_of(p, loop->definitions[v]));
                }
            push(p->w, &segments, segment.runs);
            push(p->w, &segments, segment.end);
            push(p->w, &segments, segment.variables);
            push(p->w, &segments, segment.variable_count);
            start = end;
        }
    }
    struct program program = {p->w->block.count, segments.count / 4};
    for (int32_t i = 0; i < segments.count; i++) push(p->w, &p->w->block, segments.at[i]);
    free(gates.at);
    free(segments.at);
    return program;
}

/* Forget the slots of gates and loops' variables, but not those of fluents. */
static void forget(struct phase_writer *p, uint8_t kept) {
    for (int32_t node = 2; node <= p->from->circuit->size; node++)
        if ((gate_size(p->from->circuit, node) || p->loop_of[node] >= 0) && !(p->needed[node] & kept))
            p->slots[node] = NO_SLOT;
}

static int32_t write_literals(struct phase_writer *p, const int32_t *literals, int32_t count) {
    int32_t place = p->w->block.count;
    for (int32_t i = 0; i < count; i++) push(p->w, &p->w->block, literal_of(p, literals[i]));
    return place;
}

static void write_choices(struct phase_writer *p, struct phase *phase, int32_t roles) {
    const struct request *from = p->from;
    struct numbers moves = {0};
    phase->choices = reserve(p->w, 2 * (int64_t)roles);
    for (int32_t role = 0; role < roles && !p->w->failed; role++) {
        p->w->block.at[phase->choices + 2 * role] = moves.count;
        for (int32_t m = from->bounds[2 * role]; m < from->bounds[2 * role + 1]; m++)
            if (from->legal[m] != CIRCUIT_FALSE) push(p->w, &moves, m);
        p->w->block.at[phase->choices + 2 * role + 1] = moves.count;
    }
    phase->choice_count = moves.count;
    phase->choice_literals = p->w->block.count;
    for (int32_t i = 0; i < moves.count; i++) push(p->w, &p->w->block, literal_of(p, from->legal[moves.at[i]]));
    phase->choice_moves = p->w->block.count;
    for (int32_t i = 0; i < moves.count; i++) push(p->w, &p->w->block, moves.at[i]);
    free(moves.at);
}

static void write_marks_and_goals(struct phase_writer *p, struct phase *phase, int32_t roles) {
    const struct request *from = p->from;
    phase->marks = p->w->block.count;
    for (int32_t i = 0; i < phase->choice_count && !p->w->failed; i++) {
        int32_t move = p->w->block.at[phase->choice_moves + i];
        push(p->w, &p->w->block, literal_of(p, from->marks[move]));
    }
    phase->goals = p->w->block.count;
    phase->goal_count = from->goal_count;
    for (int32_t i = 0; i < from->goal_count; i++) {
        push(p->w, &p->w->block, from->goals[3 * i]);
        push(p->w, &p->w->block, from->goals[3 * i + 1]);
        push(p->w, &p->w->block, literal_of(p, from->goals[3 * i + 2]));
    }
    phase->to_move = write_literals(p, from->to_move, roles);
}

static void write_effects(struct phase_writer *p, struct phase *phase) {
    int32_t *counts = allocate(p->w, p->moves + 1, sizeof *counts);
    const struct numbers *all = &p->effect_moves;
    for (int32_t at = 0; counts && at < all->count; at += 1 + all->at[at])
        for (int32_t i = 0; i < all->at[at]; i++) counts[all->at[at + 1 + i]]++;
    phase->effect_starts = p->w->block.count;
    int32_t place = phase->effect_starts + p->moves + 1;
    for (int32_t m = 0; counts && m < p->moves; m++) {
        push(p->w, &p->w->block, place);
        place += counts[m];
        counts[m] = place - counts[m];
    }
    push(p->w, &p->w->block, place);
    phase->effects = p->w->block.count;
    reserve(p->w, (int64_t)place - phase->effects);
    int32_t slot = p->effect_first;
    for (int32_t at = 0; !p->w->failed && at < all->count; at += 1 + all->at[at], slot++)
        for (int32_t i = 0; i < all->at[at]; i++) p->w->block.at[counts[all->at[at + 1 + i]]++] = slot;
    free(counts);
}

static int write_phase(struct phase_writer *p, struct phase *phase, const struct tables *shape) {
    const struct request *from = p->from;
    const struct circuit *circuit = from->circuit;
    for (int32_t node = 0; node <= circuit->size; node++) p->move_of[node] = p->loop_of[node] = p->slots[node] = NO_SLOT;
    p->slots[CIRCUIT_TRUE] = 0;
    for (int32_t f = 0; f < shape->fluents; f++)
        if (abs(from->fluents[f]) != CIRCUIT_TRUE) p->slots[abs(from->fluents[f])] = 1 + f;
    for (int32_t m = 0; m < shape->moves; m++) {
        p->made_slot[m] = NO_SLOT;
        if (abs(from->does[m]) != CIRCUIT_TRUE) p->move_of[abs(from->does[m])] = m;
    }
    for (int32_t l = 0; l < circuit->loop_count; l++)
        for (int32_t v = 0; v < circuit->loops[l].count; v++) p->loop_of[circuit->loops[l].variables[v]] = l;
    mark(p, &from->terminal, 1, 1, FOR_ASK);
    mark(p, from->legal, shape->moves, 1, FOR_ASK);
    mark(p, from->goals + 2, from->goal_count, 3, FOR_JUDGE);
    mark(p, from->to_move, shape->roles, 1, FOR_JUDGE);
    mark(p, from->marks, shape->moves, 1, FOR_JUDGE);
    mark(p, from->next, shape->after, 1, FOR_NEXT);
    p->effect_first = 1 + shape->fluents;
    find_effects(p);
    for (int32_t f = 0; f < shape->after; f++)
        if (is_move(p, abs(from->next[f]))) need_effect_of_move(p, abs(from->next[f]));
    for (int32_t l = 0; l < circuit->loop_count; l++)
        for (int32_t v = 0; v < circuit->loops[l].count; v++)
            if (is_move(p, abs(circuit->loops[l].definitions[v])))
                need_effect_of_move(p, abs(circuit->loops[l].definitions[v]));
    for (int32_t m = 0; m < shape->moves; m++)
        if (abs(from->does[m]) != CIRCUIT_TRUE && p->needed[abs(from->does[m])] & (FOR_ASK | FOR_JUDGE)) return DOES_ASKED;
    if (p->w->failed) return OUT_OF_MEMORY;
    write_effects(p, phase);
    phase->gates = p->effect_first + p->effect_count;
    int32_t slot = phase->gates;
    phase->ask = write_program(p, FOR_ASK, 0, &slot);
    phase->terminal = literal_of(p, from->terminal);
    write_choices(p, phase, shape->roles);
    phase->judge = write_program(p, FOR_JUDGE, FOR_ASK, &slot);
    write_marks_and_goals(p, phase, shape->roles);
    forget(p, FOR_ASK);
    phase->go_on = write_program(p, FOR_NEXT, FOR_ASK, &slot);
    phase->next = write_literals(p, from->next, shape->after);
    phase->slots = slot;
    forget(p, 0);
    slot = phase->gates;
    phase->advance = write_program(p, FOR_NEXT, 0, &slot);
    phase->next_alone = write_literals(p, from->next, shape->after);
    phase->advance_slots = slot;
    return p->w->failed ? OUT_OF_MEMORY : 0;
}

static const int32_t *mapped(struct writer *w, const struct request *from, const int32_t *literals, int32_t count, int32_t step) {
    int32_t *found = allocate(w, (int64_t)count * step, sizeof *found);
    for (int64_t i = 0; found && i < (int64_t)count * step; i++) {
        int32_t literal = literals[i];
        int is_literal = i % step == step - 1;
        found[i] = !is_literal ? literal : literal > 0 ? from->became[literal] : -from->became[-literal];
    }
    return found;
}

static void unmap(struct request *from) {
    free((void *)from->fluents);
    free((void *)from->does);
    free((void *)from->legal);
    free((void *)from->marks);
    free((void *)from->next);
    free((void *)from->goals);
    free((void *)from->to_move);
}

/* Begin the tables of a net; `turns` are the fluents that say whose turn it is. NULL: no memory. */
EXPORT struct writer *aspgames_tables_begin(
    int32_t fluents, int32_t after, int32_t moves, int32_t roles, int32_t turn_count, const int32_t *turns
) {
    struct writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    reserve(w, (int64_t)(sizeof(struct tables) / sizeof(int32_t)));
    struct tables head = {0};
    head.magic = TABLES_MAGIC;
    head.fluents = fluents;
    head.after = after;
    head.moves = moves;
    head.roles = roles;
    head.turn_count = turn_count;
    head.turns = w->block.count;
    for (int32_t i = 0; i < turn_count; i++) push(w, &w->block, turns[i]);
    head.phases = w->block.count; /* from now on the count of phases, until the end */
    reserve(w, (int64_t)turn_count + 1);
    if (!w->failed) memcpy(w->block.at, &head, sizeof head);
    return w;
}

/* Write the phase with this number. Returns 0; -1 when memory ran out; -2 where what is legal, the end or a
 * goal depends on the moves. */
EXPORT int aspgames_tables_phase(struct writer *w, int32_t number, const struct request *given) {
    if (w->failed) return OUT_OF_MEMORY;
    struct tables head;
    memcpy(&head, w->block.at, sizeof head);
    struct request request = *given, *from = &request;
    request.fluents = mapped(w, given, given->fluents, head.fluents, 1);
    request.does = mapped(w, given, given->does, head.moves, 1);
    request.legal = mapped(w, given, given->legal, head.moves, 1);
    request.marks = mapped(w, given, given->marks, head.moves, 1);
    request.next = mapped(w, given, given->next, head.after, 1);
    request.goals = mapped(w, given, given->goals, given->goal_count, 3);
    request.to_move = mapped(w, given, given->to_move, head.roles, 1);
    request.terminal = given->terminal > 0 ? given->became[given->terminal] : -given->became[-given->terminal];
    struct phase phase = {0};
    struct phase_writer p = {0};
    int64_t nodes = (int64_t)from->circuit->size + 2;
    p.w = w;
    p.from = from;
    p.moves = head.moves;
    p.needed = allocate(w, nodes, sizeof *p.needed);
    p.move_of = allocate(w, nodes, sizeof *p.move_of);
    p.loop_of = allocate(w, nodes, sizeof *p.loop_of);
    p.slots = allocate(w, nodes, sizeof *p.slots);
    p.pending = allocate(w, nodes, sizeof *p.pending);
    p.unmade_slot = allocate(w, nodes, sizeof *p.unmade_slot);
    p.made_slot = allocate(w, head.moves, sizeof *p.made_slot);
    p.chain = allocate(w, nodes, sizeof *p.chain);
    int32_t place = reserve(w, (int64_t)(sizeof phase / sizeof(int32_t)));
    int status = w->failed ? OUT_OF_MEMORY : write_phase(&p, &phase, &head);
    if (!status) {
        memcpy(w->block.at + place, &phase, sizeof phase);
        int32_t most = phase.slots > phase.advance_slots ? phase.slots : phase.advance_slots;
        if (most > head.slots) head.slots = most;
        if (phase.choice_count > head.most_choices) head.most_choices = phase.choice_count;
        memcpy(w->block.at, &head, sizeof head);
        w->block.at[head.phases + number] = place;
    }
    free(p.needed);
    free(p.move_of);
    free(p.loop_of);
    free(p.slots);
    free(p.pending);
    free(p.unmade_slot);
    free(p.made_slot);
    free(p.chain);
    free(p.effect_moves.at);
    free(p.group_table);
    free(p.group_slots);
    unmap(from);
    return status;
}

/* How many numbers the finished tables have; -1 when memory ran out. */
EXPORT int64_t aspgames_tables_size(struct writer *w) {
    return w->failed ? -1 : w->block.count;
}

/* Copy the finished tables, if there is somewhere to copy them to, and end the writer. */
EXPORT void aspgames_tables_end(struct writer *w, int32_t *into) {
    if (into && !w->failed) {
        w->block.at[1] = w->block.count;
        memcpy(into, w->block.at, (size_t)w->block.count * sizeof *into);
    }
    free(w->block.at);
    free(w);
}
