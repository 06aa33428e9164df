/* Values of states with chance, by sweeps over all states until nothing changes.
 *
 * A value is a whole number of some words, the lowest first. It is the least or the greatest of the
 * values of the successors, or their mean where a role rolls. Values only grow. States are valued
 * component by component of the graph, successors first (topological value iteration: Dai and
 * Goldsmith 2007).
 */
#include "aspgames.h"
#include "memory.h"

#include <string.h>

enum { ENDED = 255, MOST_WORDS = ASPGAMES_MOST_WORDS };

static int is_less(const uint64_t *a, const uint64_t *b, int32_t words) {
    for (int32_t w = words - 1; w >= 0; w--)
        if (a[w] != b[w]) return a[w] < b[w];
    return 0;
}

/* The mean of the values of the successors, rounded down, or up. */
static void mean_of(
    const struct roll_graph *g, int64_t first, int64_t end, int32_t words, int32_t up,
    const uint64_t *values, uint64_t *mean
) {
    uint64_t sum[MOST_WORDS + 1], total = 0;
    for (int32_t w = 0; w <= words; w++) sum[w] = 0;
    for (int64_t e = first; e < end; e++) {
        const uint64_t *value = values + (int64_t)g->edges[e] * words;
        uint64_t weight = g->weights ? g->weights[e] : 1;
        unsigned __int128 carry = 0;
        total += weight;
        for (int32_t w = 0; w < words; w++) {
            carry += (unsigned __int128)value[w] * weight + sum[w];
            sum[w] = (uint64_t)carry;
            carry >>= 64;
        }
        sum[words] += (uint64_t)carry;
    }
    unsigned __int128 rest = sum[words];
    for (int32_t w = words - 1; w >= 0; w--) {
        rest = rest << 64 | sum[w];
        mean[w] = rest >> 64 ? (uint64_t)(rest / total) : (uint64_t)rest / total;
        rest -= (unsigned __int128)mean[w] * total;
    }
    for (int32_t w = 0; rest && up && w < words && !++mean[w]; w++) continue;
}

/* Raise the value of a state to that which follows from its successors; returns whether it changed.
 */
static int raise_value(
    const struct roll_graph *g, uint32_t state, const struct mean_rule *rule, uint64_t *values
) {
    int64_t first = g->firsts[state], end = g->firsts[state + 1];
    if (g->movers[state] == ENDED || first == end) return 0;
    int32_t words = rule->words;
    uint64_t mean[MOST_WORDS], *own = values + (int64_t)state * words;
    const uint64_t *found = values + (int64_t)g->edges[first] * words;
    if (g->movers[state] == g->roller) {
        mean_of(g, first, end, words, rule->up, values, mean);
        found = mean;
    }
    for (int64_t e = first + 1; found != mean && e < end; e++) {
        const uint64_t *other = values + (int64_t)g->edges[e] * words;
        int wants_more = g->movers[state] == rule->attacker;
        if (wants_more ? is_less(found, other, words) : is_less(other, found, words))
            found = other;
    }
    if (!is_less(own, found, words)) return 0;
    memmove(own, found, (size_t)words * sizeof *own);
    return 1;
}

int64_t aspgames_settle_means(
    const struct roll_graph *g, const struct mean_rule *rule, const uint32_t *starts, int64_t from,
    int64_t components, int64_t most, uint64_t *values
) {
    for (; from < components && most > 0; from++)
        for (int changed = 1; changed;) {
            if (most <= 0) return from;
            changed = 0;
            for (uint32_t state = starts[from]; state < starts[from + 1]; state++)
                changed |= raise_value(g, state, rule, values);
            most -= (int64_t)starts[from + 1] - starts[from];
        }
    return from;
}

void aspgames_count_rolls(const struct roll_graph *g, uint32_t *rolls) {
    for (int64_t state = 0; state < g->states; state++) {
        uint32_t most = 0;
        for (int64_t e = g->firsts[state]; e < g->firsts[state + 1]; e++)
            if (rolls[g->edges[e]] > most) most = rolls[g->edges[e]];
        rolls[state] = most + (g->movers[state] == g->roller);
    }
}

/* Tarjan 1972, *Depth-first search and linear graph algorithms*; the stack of calls is an array. */
int64_t aspgames_find_components(
    const struct roll_graph *g, uint32_t *order, uint32_t *starts
) {
    enum { NEW = 0 }; /* else the place in the search plus 1; DONE: its component is complete */
    const uint32_t DONE = UINT32_MAX;
    size_t count = (size_t)g->states;
    uint32_t *seen = calloc(count, sizeof *seen), *least = malloc(count * sizeof *least),
             *open = malloc(count * sizeof *open), *calls = malloc(count * sizeof *calls);
    int64_t *next = malloc(count * sizeof *next), components = 0;
    if (!seen || !least || !open || !calls || !next) components = ASPGAMES_NO_MEMORY;
    uint32_t met = 0, opened = 0, listed = 0;
    for (int64_t root = 0; components >= 0 && root < g->states; root++) {
        if (seen[root] != NEW) continue;
        int64_t depth = 0;
        calls[0] = (uint32_t)root;
        while (depth >= 0) {
            uint32_t state = calls[depth];
            if (seen[state] == NEW) {
                seen[state] = least[state] = ++met;
                next[state] = g->firsts[state];
                open[opened++] = state;
            }
            if (next[state] < g->firsts[state + 1]) {
                uint32_t child = g->edges[next[state]++];
                if (seen[child] == NEW)
                    calls[++depth] = child;
                else if (seen[child] != DONE && seen[child] < least[state])
                    least[state] = seen[child];
                continue;
            }
            if (least[state] == seen[state]) {
                starts[components++] = listed;
                uint32_t member;
                do {
                    member = open[--opened];
                    seen[member] = DONE;
                    order[listed++] = member;
                } while (member != state);
            }
            if (--depth >= 0 && least[state] < least[calls[depth]])
                least[calls[depth]] = least[state];
        }
    }
    if (components >= 0) starts[components] = listed;
    FREE_ALL(seen, least, open, calls, next);
    return components;
}
