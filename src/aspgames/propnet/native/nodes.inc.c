/* The transposition table: each state that a search has met, with its bounds and its edges to other
 * states. A node is a number.
 *
 * Turns are the turns that the attacker may still begin after a state. Bounds are on the fewest
 * turns that suffice: fewer than `lower` do not suffice, `upper` turns do.
 *
 * Several threads share a table. A thread holds its lock to read or write it, and releases the lock
 * to evaluate states.
 */
#ifndef ASPGAMES_NODES_INC_C
#define ASPGAMES_NODES_INC_C

#include "plan.inc.c"

#if defined(_WIN32)
#include <windows.h>
#else
#include <sched.h>
#endif

enum {
    UNBOUNDED = ASPGAMES_UNBOUNDED,
    NEVER = UNBOUNDED + 1, /* more than that: the bound of a state where no number suffices or is known to
                      suffice */
    FURTHEST = 12, /* the most turns to look ahead */
    NOT_EXPANDED = -1,
    FIRST_NODES = 1 << 10, /* room for these at first */
    FIRST_EDGES = 1 << 13
};

/* The proof number of an unprovable state. */
static const uint32_t UNPROVABLE = 100000000;

struct node {
    int64_t first;      /* the first of its edges */
    int32_t edges;      /* how many, or NOT_EXPANDED */
    uint32_t effort[2]; /* expansions spent below it by each search */
    uint32_t proof;     /* proof and disproof number ... */
    uint32_t disproof;
    int16_t turns; /* ... which hold for so many turns */
    int16_t lower;
    int16_t upper;
    int16_t floor; /* the most turns that the omitted replies need, which the attacker answers at
                      once */
    uint16_t moves;
    uint8_t attacks;    /* whether the attacker is on move */
    uint8_t planned[2]; /* how often each search looked for a plan */
    uint16_t threads;   /* how many threads search below it */
    uint8_t busy;       /* a thread is expanding it */
    uint8_t answered;   /* its moves were looked at together */
    uint8_t seen;       /* the walk through a loop has been there */
    uint8_t ahead;      /* it was expanded with another node, before the search came to it */
};

struct outlook_use {
    int64_t looked, settled; /* children */
};

struct search {
    const int32_t *block;
    int32_t row_length;
    int64_t most_bytes;
    uint64_t *rows; /* of the nodes' states */
    struct node *nodes;
    int32_t *slots; /* hash table of nodes, half full at most; -1 marks an empty slot */
    int64_t node_count, node_room;
    int32_t *ends, *moves; /* of the edges */
    int64_t edge_count, edge_room;
    int64_t *history; /* for each move, how often it was the right one; counts more higher up in the
                         tree */
    struct outlook_use outlooks[FURTHEST + 1], replies[FURTHEST + 1]; /* by turns */
    struct outlook_use cousins[2][FURTHEST + 1]; /* for each search, by turns: nodes expanded ahead,
                                                    and those that it came to */
    int32_t alone; /* the tables don't allow expanding several nodes at once */
    int64_t evaluated; /* states */
    int64_t left;    /* evaluations that may be made, of up to 512 states ... */
    double until;    /* ... and when to return [s]; 0: no limit */
    int64_t opened;  /* breadth-first search: the nodes before this one are open ... */
    int32_t opening; /* ... and so many threads are opening one */
    int64_t settled; /* the edges when all bounds were last settled */
    int32_t stop;    /* tells all threads to return */
    char lock;
};

static void acquire(struct search *s) {
    for (int spins = 0; __atomic_test_and_set(&s->lock, __ATOMIC_ACQUIRE);)
        if (++spins > 64) {
#if defined(_WIN32)
            SwitchToThread();
#else
            sched_yield();
#endif
        }
}

static void release(struct search *s) { __atomic_clear(&s->lock, __ATOMIC_RELEASE); }

static int64_t bytes_for(const struct search *s, int64_t nodes, int64_t edges) {
    return nodes * (8 * (int64_t)s->row_length + (int64_t)sizeof(struct node) + 8) + 8 * edges;
}

static uint64_t *row_of(const struct search *s, int64_t node) {
    return s->rows + node * s->row_length;
}

static void copy_row(const struct search *s, uint64_t *into, const uint64_t *row) {
    memcpy(into, row, (size_t)s->row_length * sizeof *row);
}

static void place_in_slots(struct search *s, int32_t node) {
    uint64_t mask = 2 * (uint64_t)s->node_room - 1;
    uint64_t slot = hash_of(row_of(s, node), s->row_length) & mask;
    while (s->slots[slot] >= 0) slot = (slot + 1) & mask;
    s->slots[slot] = node;
}

/* Make room for more. Returns 0 at the memory limit, or when memory runs out. */
static int make_room(struct search *s, int64_t nodes, int64_t edges) {
    int64_t node_room = s->node_room, edge_room = s->edge_room;
    while (node_room < s->node_count + nodes) node_room *= 2;
    while (edge_room < s->edge_count + edges) edge_room *= 2;
    if (node_room == s->node_room && edge_room == s->edge_room) return 1;
    if (node_room > INT32_MAX / 2 || bytes_for(s, node_room, edge_room) > s->most_bytes) return 0;
    if (edge_room > s->edge_room) {
        int32_t *ends = realloc(s->ends, (size_t)edge_room * sizeof *ends);
        if (ends) s->ends = ends;
        int32_t *moves = realloc(s->moves, (size_t)edge_room * sizeof *moves);
        if (moves) s->moves = moves;
        if (!ends || !moves) return 0;
        s->edge_room = edge_room;
    }
    if (node_room > s->node_room) {
        uint64_t *rows =
            realloc(s->rows, ((size_t)node_room * (size_t)s->row_length + 1) * sizeof *rows);
        if (rows) s->rows = rows;
        struct node *found = realloc(s->nodes, (size_t)node_room * sizeof *found);
        if (found) s->nodes = found;
        int32_t *slots = realloc(s->slots, 2 * (size_t)node_room * sizeof *slots);
        if (slots) s->slots = slots;
        if (!rows || !found || !slots) return 0;
        s->node_room = node_room;
        memset(slots, 0xFF, 2 * (size_t)node_room * sizeof *slots);
        for (int64_t node = 0; node < s->node_count; node++) place_in_slots(s, (int32_t)node);
    }
    return 1;
}

/* The node of a state; makes one for a new state, for which there must be room. */
static int32_t node_of(struct search *s, const uint64_t *row, int attacks, int32_t moves) {
    uint64_t mask = 2 * (uint64_t)s->node_room - 1;
    uint64_t slot = hash_of(row, s->row_length) & mask;
    for (; s->slots[slot] >= 0; slot = (slot + 1) & mask)
        if (!memcmp(row_of(s, s->slots[slot]), row, (size_t)s->row_length * sizeof *row))
            return s->slots[slot];
    int32_t node = s->slots[slot] = (int32_t)s->node_count++;
    copy_row(s, row_of(s, node), row);
    s->nodes[node] = (struct node){
        .edges = NOT_EXPANDED,
        .turns = -1,
        .upper = NEVER,
        .moves = (uint16_t)(moves < 65535 ? moves : 65535),
        .attacks = (uint8_t)attacks,
    };
    return node;
}

static inline int16_t more(int a, int b) { return (int16_t)(a > b ? a : b); }

static inline int16_t less(int a, int b) { return (int16_t)(a < b ? a : b); }

/* A bound on turns, plus one if a turn begins. */
static inline int with_turn(int bound, int begins) {
    return bound < UNBOUNDED ? bound + begins : bound;
}

static inline int is_decided(const struct node *node, int turns) {
    return node->upper <= turns || node->lower > turns;
}

/* Whether a move begins a turn of the attacker. */
static inline int begins_turn(
    const struct search *s, const struct node *node, const struct node *child
) {
    return child->attacks && (!node->attacks || search_tables_of(s->block)->single);
}

/* The turns left after a move. */
static inline int left_after(
    const struct search *s, const struct node *node, const struct node *child, int left
) {
    return begins_turn(s, node, child) && left < UNBOUNDED ? left - 1 : left;
}

#endif
