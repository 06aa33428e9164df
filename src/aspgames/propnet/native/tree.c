/* The tree of Monte-Carlo tree search: selects leaves, backs up the results of playouts, and
 * settles nodes.
 *
 * Upper confidence bounds for trees (UCT; Kocsis and Szepesvari 2006) with settled nodes
 * (MCTS-Solver; Winands, Bjornsson and Saito 2008), each role maximising its own goal (max^n).
 * Python owns the arrays. The children of a node have consecutive numbers, higher than the node's.
 */
#include <math.h>
#include <stdint.h>

#include "aspgames.h"

enum { TOP = 100 }; /* the highest goal value */

/* The upper confidence bound of a child for a role. Pending games make it less uncertain, but
 * neither better nor worse (Liu et al. 2020). An unvisited child counts as good as its parent. */
static double bound(
    const struct game_tree *t, int32_t child, int role, double prior, double log_games
) {
    double goal = t->goals[(int64_t)child * t->roles + role];
    if (t->settled[child]) return goal / TOP;
    double mean = (goal / TOP + prior) / (t->games[child] + 1);
    return mean + t->exploration * sqrt(log_games / (t->games[child] + t->pending[child] + 1));
}

/* The child to visit next. Skips settled children if `settles` is set, since playouts add nothing
 * there. */
static int32_t most_wanted(const struct game_tree *t, int32_t node) {
    int32_t first = t->firsts[node], best = first;
    if (t->degrees[node] == 1) return first;
    int role = t->movers[node];
    double prior =
        t->games[node] ? t->goals[(int64_t)node * t->roles + role] / TOP / t->games[node] : 0.5;
    double log_games = log(1.0 + t->games[node] + t->pending[node]), highest = -1;
    for (int32_t child = first; child < first + t->degrees[node]; child++) {
        if (t->settles && t->settled[child]) continue;
        double here = bound(t, child, role, prior, log_games);
        if (here > highest) {
            highest = here;
            best = child;
        }
    }
    return best;
}

void aspgames_tree_select(const struct game_tree *t, int64_t count, int32_t each, int32_t *leaves) {
    for (int64_t i = 0; i < count; i++) {
        int32_t node = 0;
        while (t->firsts[node] >= 0 && (!t->settled[node] || node == 0)) {
            t->pending[node] += each;
            node = most_wanted(t, node);
        }
        t->pending[node] += each;
        leaves[i] = node;
    }
}

/* Whether the role on move prefers the node's best settled child to another child, by the mean
 * goal. If so, the node gets the settled child's value, although the search visits other children,
 * too. */
static int prefers_surest(const struct game_tree *t, int32_t node, int32_t child) {
    int32_t surest = t->surest[node];
    if (surest < 0 || t->degrees[node] == 1) return 0;
    int64_t role = t->movers[node];
    double sure = t->goals[surest * (int64_t)t->roles + role],
           other = t->goals[child * (int64_t)t->roles + role];
    return t->settled[child] ? sure > other : sure * t->games[child] > other;
}

void aspgames_tree_update(
    const struct game_tree *t, const int32_t *leaves, int64_t count, int32_t each,
    const int32_t *goals, double *sums
) {
    int32_t roles = t->roles;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *of_games = goals + i * each * roles;
        int32_t peak = 0, known = t->settled[leaves[i]] ? leaves[i] : -1;
        for (int32_t role = 0; role < roles; role++) sums[role] = 0;
        for (int32_t game = 0; game < each; game++)
            for (int32_t role = 0; role < roles; role++) {
                sums[role] += of_games[game * roles + role];
                if (of_games[game * roles + role] > peak) peak = of_games[game * roles + role];
            }
        for (int32_t node = leaves[i], before = -1; node >= 0;
             before = node, node = t->parents[node]) {
            if (before >= 0 && prefers_surest(t, node, before)) known = t->surest[node];
            for (int32_t role = 0; known >= 0 && role < roles; role++)
                sums[role] = each * t->goals[(int64_t)known * roles + role];
            known = -1;
            for (int32_t role = 0; !t->settled[node] && role < roles; role++)
                t->goals[(int64_t)node * roles + role] += sums[role];
            if (t->peaks && t->peaks[node] < peak) t->peaks[node] = (uint8_t)peak;
            t->games[node] += each;
            t->pending[node] -= each;
        }
    }
}

/* Whether the role on move prefers one settled child to another. It maximises its own goal, then
 * minimises the others', then prefers fewer plies to the best goal, or more plies to any other. */
static int is_better(const struct game_tree *t, int role, int32_t child, int32_t than) {
    const double *here = t->goals + (int64_t)child * t->roles,
                 *there = t->goals + (int64_t)than * t->roles;
    if (here[role] != there[role]) return here[role] > there[role];
    double balance = 0;
    for (int32_t other = 0; other < t->roles; other++)
        if (other != role) balance += there[other] - here[other];
    if (balance != 0) return balance > 0;
    return here[role] >= TOP ? t->plies[child] < t->plies[than] : t->plies[child] > t->plies[than];
}

/* Settle a node if its children settle it: one of them has the best possible goal, or all are
 * settled. */
static int settle(const struct game_tree *t, int32_t node) {
    int role = t->degrees[node] == 1 ? 0 : t->movers[node], open = 0;
    int32_t first = t->firsts[node], best = -1;
    for (int32_t child = first; child < first + t->degrees[node]; child++) {
        if (!t->settled[child])
            open = 1;
        else if (best < 0 || is_better(t, role, child, best))
            best = child;
    }
    t->surest[node] = best;
    if (best < 0 || (open && t->goals[(int64_t)best * t->roles + role] < TOP)) return 0;
    for (int32_t r = 0; r < t->roles; r++)
        t->goals[(int64_t)node * t->roles + r] = t->goals[(int64_t)best * t->roles + r];
    t->plies[node] = t->plies[best] + 1;
    t->settled[node] = 1;
    return 1;
}

void aspgames_tree_settle(const struct game_tree *t, const int32_t *nodes, int64_t count) {
    for (int64_t i = 0; t->settles && i < count; i++) {
        int32_t node = t->parents[nodes[i]];
        while (node >= 0 && !t->settled[node] && settle(t, node)) node = t->parents[node];
    }
}
