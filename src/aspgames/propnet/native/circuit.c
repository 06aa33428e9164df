/* Circuits: equal gates are one gate, constants are folded. See aspgames.h. */

#include "hash_index.h"

/* A sum that needs more partial bounds than this gets no gates. */
#define MOST_BOUNDS (1 << 22)

static int32_t node_of(int32_t literal) { return literal < 0 ? -literal : literal; }

/* --- nodes ----------------------------------------------------------------------------------- */

static bool room_for(struct circuit *circuit, int64_t literals) {
    return MAKE_ROOM(circuit->starts, circuit->node_room, circuit->size + (int64_t)3)
           && MAKE_ROOM(
               circuit->literals, circuit->literal_room,
               circuit->starts[circuit->size + 1] + literals
           )
           && circuit->size < INT32_MAX - 2;
}

/* A new node. Its literals already stand after those of the last node. */
static int32_t new_node(struct circuit *circuit, int64_t literals) {
    int32_t node = ++circuit->size;
    circuit->starts[node + 1] = circuit->starts[node] + literals;
    return node;
}

struct circuit *aspgames_circuit_new(void) {
    struct circuit *circuit = zeroed(1, sizeof *circuit);
    if (!circuit) return NULL;
    circuit->starts = zeroed(3, sizeof *circuit->starts);
    circuit->node_room = 3;
    if (!circuit->starts || !room_for(circuit, 1)) {
        aspgames_circuit_free(circuit);
        return NULL;
    }
    circuit->size = ASPGAMES_TRUE;
    return circuit;
}

void aspgames_circuit_free(struct circuit *circuit) {
    if (!circuit) return;
    for (int32_t i = 0; i < circuit->loop_count; i++)
        FREE_ALL(circuit->loops[i].variables, circuit->loops[i].definitions);
    FREE_ALL(circuit->loops, circuit->starts, circuit->literals, circuit->known.slots, circuit);
}

int32_t aspgames_circuit_input(struct circuit *circuit) {
    return room_for(circuit, 0) ? new_node(circuit, 0) : 0;
}

bool aspgames_circuit_loop(
    struct circuit *circuit, const int32_t *variables, const int32_t *definitions, int32_t count,
    int32_t first, int32_t end
) {
    if (!MAKE_ROOM(circuit->loops, circuit->loop_room, circuit->loop_count + (int64_t)1))
        return false;
    struct loop loop = {
        count, first, end, zeroed(count, sizeof(int32_t)), zeroed(count, sizeof(int32_t))
    };
    if (!loop.variables || !loop.definitions) {
        FREE_ALL(loop.variables, loop.definitions);
        return false;
    }
    memcpy(loop.variables, variables, (size_t)count * sizeof *variables);
    memcpy(loop.definitions, definitions, (size_t)count * sizeof *definitions);
    circuit->loops[circuit->loop_count++] = loop;
    return true;
}

/* --- conjunctions ----------------------------------------------------------------------------- */

static int by_node(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    int32_t difference = node_of(a) - node_of(b);
    return difference ? difference : (a > b) - (a < b);
}

static void sort(int32_t *literals, int64_t count) {
    if (count > 24) {
        qsort(literals, (size_t)count, sizeof *literals, by_node);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        int32_t literal = literals[i];
        int64_t to = i;
        for (; to > 0 && by_node(&literals[to - 1], &literal) > 0; to--)
            literals[to] = literals[to - 1];
        literals[to] = literal;
    }
}

/* Sort; remove true and repeated literals. Returns how many are left, or -1 for a false
 * conjunction. */
static int64_t normalize(int32_t *literals, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        if (literals[i] == ASPGAMES_FALSE) return -1;
        if (literals[i] != ASPGAMES_TRUE) literals[kept++] = literals[i];
    }
    sort(literals, kept);
    count = kept;
    kept = 0;
    for (int64_t i = 0; i < count; i++) {
        if (kept && literals[kept - 1] == -literals[i]) return -1;
        if (!kept || literals[kept - 1] != literals[i]) literals[kept++] = literals[i];
    }
    return kept;
}

static uint32_t hash(const int32_t *literals, int64_t count) {
    uint64_t value = (uint64_t)count;
    for (int64_t i = 0; i < count; i++) {
        value = (value ^ (uint32_t)literals[i]) * UINT64_C(0x9E3779B97F4A7C15);
        value ^= value >> 29;
    }
    return (uint32_t)value;
}

/* Whether a gate has these literals. */
static bool is_gate(
    const struct circuit *circuit, int32_t node, const int32_t *literals, int64_t count
) {
    const int64_t *start = &circuit->starts[node];
    return start[1] - start[0] == count
           && !memcmp(circuit->literals + start[0], literals, (size_t)count * sizeof *literals);
}

int32_t aspgames_circuit_conjunction(
    struct circuit *circuit, const int32_t *literals, int64_t count
) {
    if (!room_for(circuit, count) || !index_has_room(&circuit->known)) return 0;
    int32_t *gate = circuit->literals + circuit->starts[circuit->size + 1];
    if (count) memcpy(gate, literals, (size_t)count * sizeof *literals);
    count = normalize(gate, count);
    if (count <= 1) return count < 0 ? ASPGAMES_FALSE : count ? gate[0] : ASPGAMES_TRUE;
    uint32_t hashed = hash(gate, count);
    struct hash_slot *slot = index_first(&circuit->known, hashed);
    for (; slot->number; slot = index_next(&circuit->known, slot))
        if (slot->hash == hashed && is_gate(circuit, slot->number, gate, count))
            return slot->number;
    return index_add(&circuit->known, slot, hashed, new_node(circuit, count));
}

static int32_t both(struct circuit *circuit, int32_t left, int32_t right) {
    int32_t literals[] = {left, right};
    return left && right ? aspgames_circuit_conjunction(circuit, literals, 2) : 0;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The sums still to be reached before each weight. Those before weight i are bounds[starts[i]] ..
 * bounds[starts[i + 1] - 1], descending. */
struct bounds {
    int64_t *bounds, *starts, room;
};

/* The bounds after a weight: each bound before it, with and without the weight, if the rest can
 * reach it. */
static bool add_bounds(struct bounds *all, int64_t i, int64_t weight, int64_t rest) {
    int64_t first = all->starts[i], end = all->starts[i + 1], to = end;
    if (!MAKE_ROOM(all->bounds, all->room, end + 2 * (end - first))) return false;
    int64_t *bounds = all->bounds;
    for (int64_t without = first, with = first; with < end;) {
        bool skip = without < end && bounds[without] >= bounds[with] - weight;
        int64_t bound = skip ? bounds[without++] : bounds[with++] - weight;
        if (bound > 0 && bound <= rest && (to == end || bounds[to - 1] != bound))
            bounds[to++] = bound;
    }
    all->starts[i + 2] = to;
    return to <= MOST_BOUNDS;
}

/* The literal for a bound before weight i, given the literals of later bounds. */
static int32_t reached(
    const struct bounds *all, const int32_t *literals, int64_t i, int64_t bound
) {
    if (bound <= 0) return ASPGAMES_TRUE;
    int64_t low = all->starts[i], end = all->starts[i + 1], high = end;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (all->bounds[middle] > bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && all->bounds[low] == bound ? literals[low] : ASPGAMES_FALSE;
}

/* The literal for a bound; works from the last weight back to the first. */
static int32_t sum_up(
    struct circuit *circuit, const struct bounds *all, const int32_t *literals,
    const int32_t *weights, int64_t count
) {
    int32_t *made = zeroed(all->starts[count], sizeof *made);
    bool fine = made;
    for (int64_t i = count - 1; fine && i >= 0; i--)
        for (int64_t b = all->starts[i]; fine && b < all->starts[i + 1]; b++) {
            int64_t weight = weights[i], bound = all->bounds[b];
            int32_t literal = weight < 0 ? -literals[i] : literals[i];
            int64_t size = weight < 0 ? -weight : weight;
            int32_t without = reached(all, made, i + 1, bound);
            int32_t with = both(circuit, literal, reached(all, made, i + 1, bound - size));
            made[b] = with ? -both(circuit, -without, -with) : 0;
            fine = made[b];
        }
    int32_t found = fine ? made[0] : 0;
    free(made);
    return found;
}

int32_t aspgames_circuit_at_least(
    struct circuit *circuit, int64_t bound, const int32_t *literals, const int32_t *weights,
    int64_t count
) {
    /* A negative weight on a literal is a positive one on its complement, and a higher bound. */
    int64_t rest = 0;
    for (int64_t i = 0; i < count; i++) {
        rest += weights[i] < 0 ? -(int64_t)weights[i] : weights[i];
        bound -= weights[i] < 0 ? weights[i] : 0;
    }
    if (bound <= 0 || bound > rest) return bound <= 0 ? ASPGAMES_TRUE : ASPGAMES_FALSE;
    struct bounds all = {zeroed(1, sizeof(int64_t)), zeroed(count + 1, sizeof(int64_t)), 1};
    bool fine = all.bounds && all.starts;
    if (fine) {
        all.bounds[0] = bound;
        all.starts[1] = 1;
    }
    for (int64_t i = 0; fine && i < count; i++) {
        int64_t weight = weights[i] < 0 ? -(int64_t)weights[i] : weights[i];
        rest -= weight;
        fine = add_bounds(&all, i, weight, rest);
    }
    int32_t found = fine ? sum_up(circuit, &all, literals, weights, count) : 0;
    FREE_ALL(all.bounds, all.starts);
    return found;
}

/* --- with nodes held -------------------------------------------------------------------------- */

static int32_t now(const int32_t *became, int32_t literal) {
    return literal < 0 ? -became[-literal] : became[literal];
}

static bool copy_gates(
    const struct circuit *circuit, struct circuit *found, int32_t *became, int32_t *places,
    int32_t *gate
) {
    for (int32_t node = ASPGAMES_TRUE + 1; node <= circuit->size; node++) {
        places[node] = found->size + 1;
        if (became[node]) continue;
        int64_t start = circuit->starts[node], count = circuit->starts[node + 1] - start;
        for (int64_t i = 0; i < count; i++) gate[i] = now(became, circuit->literals[start + i]);
        became[node] = count ? aspgames_circuit_conjunction(found, gate, count)
                             : aspgames_circuit_input(found);
        if (!became[node]) return false;
    }
    places[circuit->size + 1] = found->size + 1;
    return true;
}

static bool copy_loops(
    const struct circuit *circuit, struct circuit *found, const int32_t *became,
    const int32_t *places
) {
    for (int32_t i = 0; i < circuit->loop_count; i++) {
        const struct loop *loop = &circuit->loops[i];
        if (!aspgames_circuit_loop(
                found, loop->variables, loop->definitions, loop->count, places[loop->first],
                places[loop->end]
            ))
            return false;
        struct loop *copy = &found->loops[i];
        for (int32_t j = 0; j < loop->count; j++) {
            copy->variables[j] = now(became, loop->variables[j]);
            copy->definitions[j] = now(became, loop->definitions[j]);
        }
    }
    return true;
}

struct circuit *aspgames_circuit_assuming(const struct circuit *circuit, int32_t *became) {
    int64_t widest = 0;
    for (int32_t node = 1; node <= circuit->size; node++)
        if (circuit->starts[node + 1] - circuit->starts[node] > widest)
            widest = circuit->starts[node + 1] - circuit->starts[node];
    struct pool pool = {0};
    struct circuit *found = aspgames_circuit_new();
    int32_t *places = pooled(&pool, circuit->size + (int64_t)2, sizeof *places);
    int32_t *gate = pooled(&pool, widest, sizeof *gate);
    became[ASPGAMES_TRUE] = ASPGAMES_TRUE;
    if (!found || !places || !gate || !copy_gates(circuit, found, became, places, gate)
        || !copy_loops(circuit, found, became, places)) {
        aspgames_circuit_free(found);
        found = NULL;
    }
    pool_free(&pool);
    return found;
}

/* --- what never changes ----------------------------------------------------------------------- */

/* Each literal is true, false or open (0). */
struct values {
    int32_t size;
    int8_t *value;    /* of each node */
    int32_t *refuted; /* how many of a gate's literals are false; 0 for an input */
    bool *waits;      /* whether a node waits to be opened */
    int32_t *work;    /* the nodes that wait */
    int64_t work_count;
    int64_t *starts; /* the users of literal l begin at users[starts[l + size]] */
    int32_t *users;  /* gates that use a literal, and inputs that follow it */
};

static int8_t value_of(const struct values *all, int32_t literal) {
    return literal < 0 ? (int8_t)-all->value[-literal] : all->value[literal];
}

static void decide_gates(struct values *all, const struct circuit *circuit) {
    for (int32_t node = ASPGAMES_TRUE + 1; node <= circuit->size; node++) {
        bool is_open = false;
        int64_t start = circuit->starts[node], end = circuit->starts[node + 1];
        for (int64_t i = start; i < end; i++) {
            int8_t value = value_of(all, circuit->literals[i]);
            all->refuted[node] += value < 0;
            is_open |= !value;
        }
        if (start < end) all->value[node] = all->refuted[node] ? -1 : is_open ? 0 : 1;
    }
}

/* For each literal, find the gates that use it and the inputs that follow it. */
static void find_users(
    struct values *all, const struct circuit *circuit, const int32_t *inputs,
    const int32_t *follows, int64_t count
) {
    int64_t all_literals = circuit->starts[circuit->size + 1], size = all->size;
    int64_t *ends = all->starts + size; /* first the end of literal l's users; filled backwards */
    for (int64_t i = 0; i < all_literals; i++) ends[circuit->literals[i]]++;
    for (int64_t i = 0; i < count; i++) ends[follows[i]]++;
    for (int64_t literal = 1 - size; literal <= size + 1; literal++)
        ends[literal] += ends[literal - 1];
    for (int64_t i = 0; i < count; i++) all->users[--ends[follows[i]]] = inputs[i];
    for (int32_t node = 1; node <= circuit->size; node++)
        for (int64_t i = circuit->starts[node]; i < circuit->starts[node + 1]; i++)
            all->users[--ends[circuit->literals[i]]] = node;
}

/* Queue a node for opening, if it is not open and no literal decides it any longer. */
static void reconsider(struct values *all, int32_t node) {
    if (all->value[node] && !all->waits[node] && !all->refuted[node]) {
        all->waits[node] = true;
        all->work[all->work_count++] = node;
    }
}

static void open_what_follows(struct values *all) {
    const int64_t *starts = all->starts + all->size;
    while (all->work_count) {
        int32_t opened = all->work[--all->work_count];
        int32_t false_one = all->value[opened] < 0 ? opened : -opened;
        all->value[opened] = 0;
        for (int64_t i = starts[false_one]; i < starts[false_one + 1]; i++)
            if (all->refuted[all->users[i]]) /* not an input */
                all->refuted[all->users[i]]--;
        for (int64_t i = starts[opened]; i < starts[opened + 1]; i++)
            reconsider(all, all->users[i]);
        for (int64_t i = starts[-opened]; i < starts[-opened + 1]; i++)
            reconsider(all, all->users[i]);
    }
}

bool aspgames_circuit_unchanging(
    const struct circuit *circuit, const int32_t *inputs, const int32_t *follows, int8_t *values,
    int64_t count
) {
    struct values all = {.size = circuit->size};
    struct pool pool = {0};
    int64_t nodes = circuit->size + (int64_t)1;
    all.value = pool_zeroed(&pool, nodes, sizeof *all.value);
    all.refuted = pool_zeroed(&pool, nodes, sizeof *all.refuted);
    all.waits = pool_zeroed(&pool, nodes, sizeof *all.waits);
    all.work = pooled(&pool, nodes, sizeof *all.work);
    all.starts = pool_zeroed(&pool, 2 * nodes + 1, sizeof *all.starts);
    all.users = pooled(&pool, circuit->starts[nodes] + count, sizeof *all.users);
    bool fine = !pool.failed;
    if (fine) {
        find_users(&all, circuit, inputs, follows, count);
        all.value[ASPGAMES_TRUE] = 1;
        for (int64_t i = 0; i < count; i++) all.value[inputs[i]] = values[i];
        decide_gates(&all, circuit);
        for (int64_t i = 0; i < count; i++)
            if (value_of(&all, follows[i]) != all.value[inputs[i]]) reconsider(&all, inputs[i]);
        open_what_follows(&all);
        for (int64_t i = 0; i < count; i++) values[i] = all.value[inputs[i]];
    }
    pool_free(&pool);
    return fine;
}
