/* Breadth-first search, where there is one role: all states that can be come to, those met first first, and then how
 * far each is from the goal.
 *
 * It is for play that may go round in circles. There the other searches can go deeper and deeper, but can't see that a
 * state leads nowhere new: a goal is out of reach when all states are known that can be come to.
 */

/* The distances of all states, when there is none left to open: to the goal it is one turn more than from the nearest
 * child, so they are lowered until that holds (Bellman 1958; Ford 1956). */
static void settle_all(struct search *s) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t n = s->node_count - 1; n >= 0; n--) {
            struct node *node = s->nodes + n;
            int before = node->upper;
            for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
                const struct node *child = s->nodes + s->ends[edge];
                node->upper = less(node->upper, with_turn(child->upper, begins_turn(s, node, child)));
            }
            changed |= node->upper < before;
        }
    }
    for (int64_t n = 0; n < s->node_count; n++) s->nodes[n].lower = s->nodes[n].upper;
}

/* Open all nodes in the order in which they were met, until none is left or something else ends the search. */
static int open_all(struct search *s, struct worker *w) {
    for (;;) {
        if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) return ASPGAMES_MORE;
        if (s->opened == s->node_count) {
            if (!s->opening) break;
            release(s); /* another thread may find more */
            acquire(s);
            continue;
        }
        const struct node *node = s->nodes + s->opened;
        if (node->edges != NOT_EXPANDED || node->lower >= node->upper) {
            s->opened++;
            continue;
        }
        if (s->left <= 0) return ASPGAMES_MORE;
        int32_t number = (int32_t)s->opened++;
        s->opening++;
        int status = open_node(s, w, number, 0);
        s->opening--;
        if (status) {
            s->opened = s->opened < number ? s->opened : number;
            return status;
        }
    }
    settle_all(s);
    return ASPGAMES_DONE;
}
