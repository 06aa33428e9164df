/* Depth-first search: chooses the next child to search.
 *
 * It tries the likeliest move first, and stays with a state until it is decided. It does so for one
 * number of turns after the other (iterative deepening; Korf 1985). It orders moves by the results
 * for fewer turns, and by how often they were right elsewhere (the history heuristic; Schaeffer
 * 1983).
 */
#ifndef ASPGAMES_DEPTH_FIRST_H
#define ASPGAMES_DEPTH_FIRST_H

#include "nodes.h"

/* The undecided child that is most likely to decide a node. Prefers a child that no other thread
 * searches. */
static int32_t likeliest(const struct search *s, int32_t number, int left) {
    const struct node *node = s->nodes + number;
    const int64_t most_then = (int64_t)1 << 32, most_effort = 1 << 26;
    int32_t best = -1;
    int64_t best_score = 0;
    for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
        const struct node *child = s->nodes + s->ends[edge];
        if (is_decided(child, left_after(s, node, child, left))) continue;
        /* With fewer turns, the attacker's best move was the hardest to refute, and the defender's
         * held. */
        int64_t effort = child->effort[ASPGAMES_DEPTH_FIRST] < most_effort
                             ? child->effort[ASPGAMES_DEPTH_FIRST]
                             : most_effort;
        int64_t first = node->attacks ? effort : child->lower;
        int64_t then = 64 * s->history[s->moves[edge]] - child->moves;
        int64_t score = first * most_then + (then < most_then ? then : most_then)
                        - ((int64_t)(child->threads < 7 ? child->threads : 7) << 60);
        if (best >= 0 && score <= best_score) continue;
        best = s->ends[edge];
        best_score = score;
    }
    return best;
}

#endif
