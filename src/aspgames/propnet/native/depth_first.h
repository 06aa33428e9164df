/* Depth-first search: chooses the next child to search.
 *
 * It tries the likeliest move first, and stays with a state until it is decided. It does so for one
 * number of turns after the other (iterative deepening; Korf 1985). It orders moves by the results
 * for fewer turns, and by how often they were right elsewhere (the history heuristic; Schaeffer
 * 1983).
 */
#ifndef ASPGAMES_DEPTH_FIRST_H
#define ASPGAMES_DEPTH_FIRST_H

#include "nodes.inc.c"

/* The undecided child that was found most likely to decide a node. */
struct likeliest {
    int32_t child; /* -1: none */
    int64_t score;
};

/* Compare an undecided child with the likeliest so far. Prefers a child that no other thread
 * searches. */
static inline void compare_child(
    const struct search *s, const struct node *node, int64_t edge, struct likeliest *found
) {
    const struct node *child = s->nodes + s->ends[edge];
    const int64_t most_then = (int64_t)1 << 32, most_effort = 1 << 26;
    /* With fewer turns, the attacker's best move was the hardest to refute, and the defender's
     * held. */
    int64_t effort = child->effort[ASPGAMES_DEPTH_FIRST] < most_effort
                         ? child->effort[ASPGAMES_DEPTH_FIRST]
                         : most_effort;
    int64_t first = node->attacks ? effort : child->lower;
    int64_t then = 64 * s->history[s->moves[edge]] - child->moves;
    int64_t score = first * most_then + (then < most_then ? then : most_then)
                    - ((int64_t)(child->threads < 7 ? child->threads : 7) << 60);
    if (found->child < 0 || score > found->score)
        *found = (struct likeliest){s->ends[edge], score};
}

/* The undecided child that is most likely to decide a node. */
static int32_t likeliest(const struct search *s, int32_t number, int left) {
    const struct node *node = s->nodes + number;
    struct likeliest found = {-1, 0};
    for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
        const struct node *child = s->nodes + s->ends[edge];
        if (is_decided(child, left_after(s, node, child, left))) continue;
        compare_child(s, node, edge, &found);
    }
    return found.child;
}

/* Find the way out of a loop: play within a turn has come back to a node with the same turns left.
 *
 * A defender that can go round holds. An attacker gains nothing by going round, so what decides is
 * the children by which the nodes of the loop are left. Returns the likeliest of them that is
 * undecided; -1 if the node is now decided, or if memory runs out. */
static int32_t leave_loop(struct search *s, int32_t number, int left) {
    struct node *node = s->nodes + number;
    if (!node->attacks) {
        node->lower = NEVER;
        return -1;
    }
    int64_t count = 0;
    int32_t *loop = malloc((size_t)s->node_count * sizeof *loop);
    if (!loop) return -1;
    struct likeliest found = {-1, 0};
    int lower = NEVER, upper = NEVER;
    loop[count++] = number;
    node->seen = 1;
    for (int64_t i = 0; i < count; i++) {
        const struct node *member = s->nodes + loop[i];
        for (int64_t edge = member->first; edge < member->first + member->edges; edge++) {
            struct node *child = s->nodes + s->ends[edge];
            if (child->attacks && child->edges != NOT_EXPANDED && !is_decided(child, left)) {
                if (!child->seen) loop[count++] = s->ends[edge];
                child->seen = 1;
                continue;
            }
            lower = less(lower, child->lower);
            upper = less(upper, child->upper);
            if (!is_decided(child, left)) compare_child(s, member, edge, &found);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        s->nodes[loop[i]].seen = 0;
        s->nodes[loop[i]].lower = more(s->nodes[loop[i]].lower, lower);
    }
    node->upper = less(node->upper, upper);
    free(loop);
    return found.child;
}

#endif
