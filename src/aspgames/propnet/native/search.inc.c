/* The search that solves puzzles: can the attacker force the goal within so many more turns?
 * Compiled once for each instruction set.
 *
 * Two searches share a table: proof-number search and depth-first search. Each thread goes down
 * from the root to a leaf, expands it, and continues from the first node above it whose numbers are
 * within their limits. If play may be cyclic, breadth-first search replaces proof-number search.
 */
#include "answers.inc.c"
#include "clock.h"
#include "depth_first.h"
#include "outlook.inc.c"
#include "parts.h"
#include "proof_numbers.inc.c"
#include "settle.inc.c"
#include "sweep.inc.c"

enum {
    DEEPEST = 10000, /* the longest line, in plies */
    FIRST_TRY = 32,  /* expansions spent on a node before the first search for a plan */
    TRIES = 4,
    NARROWEST = 8, /* the width of the first beam */
    LOOKED = 1000, /* children looked at before an outlook must have settled one in SETTLED ... */
    SETTLED = 10,
    SELDOM = 32,        /* ... and their replies one in SELDOM */
    MOST_IDLE = 1000000, /* steps without an expansion */
    MOST_TOGETHER = 64,  /* nodes that are expanded at once ... */
    TRIED = 200,         /* ... unless fewer than half of so many were needed */
    MANY_SLOTS = 3000,   /* with fewer slots, evaluations take less time than the rest */
    FIRST_ROUND = 2000,  /* evaluations */
    EVEN_ROUND = 8000,   /* evaluations; in longer rounds depth-first search gets more: */
    FAVOUR = 3
};

/* A node on the path from the root to the current node of a thread. */
struct path_step {
    int32_t node;
    int32_t turns;
    struct limits limits;
    int64_t made; /* this thread's expansions before it arrived there */
};

struct worker {
    struct pool pool;
    struct expander x;
    struct partial p;
    struct beam b;
    struct answers a;
    uint64_t *row; /* of the nodes at hand, while other threads may move the table */
    int32_t together[MOST_TOGETHER]; /* the nodes that were expanded last, at once */
    int together_count;
    int64_t made;  /* expansions */
    enum aspgames_mode mode;
    struct path_step path[DEEPEST];
};

void NAME(aspgames_worker_free)(struct worker *w) {
    if (!w) return;
    expander_free(&w->x);
    beam_free(&w->b);
    expander_free(&w->a.y);
    struct pool pool = w->pool;
    pool_free(&pool);
}

struct worker *NAME(aspgames_worker_new)(const int32_t *block) {
    struct pool pool = {0};
    struct worker *w = pool_zeroed(&pool, 1, sizeof *w);
    if (!w) return NULL;
    expander_new(&w->x, &pool, block);
    partial_new(&w->p, &pool, block);
    beam_new(&w->b, &pool, block);
    answers_new(&w->a, &pool, block);
    int64_t length = row_words(tables_of(block)->fluents);
    w->row = pooled(&pool, MOST_TOGETHER * length, sizeof *w->row);
    w->pool = pool;
    if (!pool.failed) return w;
    pool_free(&pool);
    return NULL;
}

void NAME(aspgames_search_free)(struct search *s) {
    if (!s) return;
    FREE_ALL(s->rows, s->nodes, s->slots, s->ends, s->moves, s->history, s);
}

struct search *NAME(aspgames_search_new)(const int32_t *block, int64_t most_bytes) {
    struct search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->block = block;
    s->row_length = row_words(tables_of(block)->fluents);
    s->most_bytes = INT64_MAX;
    s->history = calloc((size_t)tables_of(block)->moves + 1, sizeof *s->history);
    s->node_room = s->edge_room = 1;
    if (!s->history || !make_room(s, FIRST_NODES, FIRST_EDGES)) {
        NAME(aspgames_search_free)(s);
        return NULL;
    }
    s->most_bytes = most_bytes;
    return s;
}

void NAME(aspgames_search_use)(struct search *s, const int32_t *block) { s->block = block; }

static int32_t within_reach(int32_t turns) { return turns < FURTHEST ? turns : FURTHEST; }

/* Make the edges and bounds of an expanded node, from some of the expander's children. `ahead`:
 * they have an outlook. */
static void link_children(
    struct search *s, struct worker *w, int32_t number, int32_t turns, int32_t first, int32_t end,
    int ahead
) {
    struct expander *x = &w->x;
    int32_t length = s->row_length;
    int last_reply = !turns && search_tables_of(s->block)->by_reply;
    int single = search_tables_of(s->block)->single, quiet = search_tables_of(s->block)->quiet;
    struct outlook_use *use = s->outlooks + turns, *replies = s->replies + turns;
    struct node *node = s->nodes + number;
    node->first = s->edge_count;
    node->edges = 0;
    for (int32_t c = first; c < end; c++) {
        int attacks = x->attacks[c], at_once = x->at_once[c];
        if (x->looks && !attacks && x->replies[c]) {
            replies->looked++;
            replies->settled += at_once || x->forced[c] || (last_reply && x->goes_on[c]);
        }
        if (x->reached[c] || (at_once && attacks)) {
            if (node->attacks && (x->reached[c] || !single)) {
                node->upper = 0;
                node->edges = 0;
                return;
            }
            if (x->reached[c]) continue;
            if (!node->attacks) {
                /* The attacker begins a turn there, and needs no more. */
                node->floor = more(node->floor, 1);
                node->lower = more(node->lower, 1);
                continue;
            }
        }
        int32_t to = number;
        if (!x->over[c] && (!at_once || attacks))
            to = node_of(s, x->rows + (int64_t)c * length, attacks, x->replies[c]);
        if (to == number) {
            /* Play ends, or goes on here: useless to the attacker, enough for the defender. */
            if (node->attacks) continue;
            node->lower = NEVER;
            node->edges = 0;
            return;
        }
        struct node *child = s->nodes + to;
        if (x->forced[c]) child->upper = 0;
        if (last_reply && !attacks && x->goes_on[c]) child->lower = more(child->lower, 1);
        if (at_once) child->upper = 0; /* one role: the turn of the move to it is enough */
        /* Neither the current turn nor the defender's moves reach the goal. */
        else if (single || (quiet && !(attacks && x->goes_on[c])))
            child->lower = more(child->lower, 1);
        if (ahead) {
            child->lower = more(child->lower, x->soonest[c]);
            use->looked++;
            use->settled += x->soonest[c] > left_after(s, node, child, turns);
        }
        s->ends[node->first + node->edges] = to;
        s->moves[node->first + node->edges++] = x->moves[c];
    }
    s->edge_count += node->edges;
    if (!node->edges) {
        if (node->attacks)
            node->lower = NEVER;
        else
            node->upper = node->floor;
    }
}

/* Expand the nodes of `together`: find their children, and the bounds that follow at once. The
 * first is expanded alone if the tables don't allow more. The thread holds the lock, except while
 * it evaluates states. If an outlook pays, test which children need more than `turns` turns. */
static int open_nodes(struct search *s, struct worker *w, int32_t turns) {
    struct expander *x = &w->x;
    turns = within_reach(turns);
    const struct outlook_use *use = s->outlooks + turns, *replies = s->replies + turns;
    int ahead = use->looked < LOOKED || use->settled * SETTLED >= use->looked;
    for (int i = 0; i < w->together_count; i++) {
        copy_row(s, w->row + (int64_t)i * s->row_length, row_of(s, w->together[i]));
        s->nodes[w->together[i]].busy = 1;
    }
    int64_t partial = w->p.evaluations;
    x->looks = replies->looked < LOOKED || replies->settled * SELDOM >= replies->looked;
    release(s);
    int several = w->together_count > 1;
    int status = several ? expand_together(x, w->row, w->together_count) : ASPGAMES_DONE;
    int alone = !several || status;
    if (alone) {
        status = expand(x, w->row);
        x->ends[0] = x->family.count;
    }
    if (!status && ahead) look_ahead(&w->p, x, turns);
    acquire(s);
    for (int i = 0; i < w->together_count; i++) s->nodes[w->together[i]].busy = 0;
    if (several && alone) s->alone = 1;
    if (alone) w->together_count = 1;
    if (status) return status;
    if (!make_room(s, x->family.count, x->family.count)) return ASPGAMES_FULL;
    s->evaluated += x->family.evaluated;
    s->left -= x->family.evaluations + 2 * (w->p.evaluations - partial);
    for (int i = 0; i < w->together_count; i++) {
        s->nodes[w->together[i]].ahead = i > 0;
        link_children(s, w, w->together[i], turns, i ? x->ends[i - 1] : 0, x->ends[i], ahead);
    }
    return ASPGAMES_DONE;
}

static int open_node(struct search *s, struct worker *w, int32_t number, int32_t turns) {
    w->together[0] = number;
    w->together_count = 1;
    return open_nodes(s, w, turns);
}

/* Update a node's bounds from its children's; returns the move that decides it, or -1. */
static int32_t look_at_children(struct search *s, int32_t number, int left) {
    struct node *node = s->nodes + number;
    int attacks = node->attacks, right = -1;
    int upper = attacks ? NEVER : node->floor, lower = attacks ? NEVER : node->lower;
    for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
        const struct node *child = s->nodes + s->ends[edge];
        int begins = begins_turn(s, node, child);
        int child_upper = with_turn(child->upper, begins),
            child_lower = with_turn(child->lower, begins);
        upper = attacks ? less(upper, child_upper) : more(upper, child_upper);
        lower = attacks ? less(lower, child_lower) : more(lower, child_lower);
        if (attacks ? child_upper <= left : child_lower > left) right = s->moves[edge];
    }
    node->upper = less(node->upper, upper);
    node->lower = more(node->lower, lower);
    return right;
}

/* Whether a node is an attacker's whose moves may be answered together. */
static int is_answerable(const struct search *s, int32_t number) {
    const struct node *node = s->nodes + number;
    return node->attacks && !node->answered && !node->busy && node->edges > 0
           && !is_decided(node, 1);
}

/* Add an attacker's node's undecided moves to those that are answered together. Returns how many
 * these are then; as many as before if they don't fit. */
static int add_moves_of(
    const struct search *s, struct worker *w, int32_t number, int32_t *children, int count
) {
    const struct node *node = s->nodes + number;
    int all = count;
    for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
        int32_t end = s->ends[edge];
        if (is_decided(s->nodes + end, 1)) continue;
        if (all == LANES || s->nodes[end].attacks) return count;
        copy_row(s, w->x.rows + (int64_t)all * s->row_length, row_of(s, end));
        w->a.parent[all] = number;
        children[all++] = end;
    }
    return all;
}

/* Settle the undecided moves of an attacker's node for one more turn, all together, and with them
 * those of the nodes that were expanded with it. The thread holds the lock, except while it
 * evaluates states. */
static void answer_moves(struct search *s, struct worker *w, int32_t number) {
    struct answers *a = &w->a;
    int32_t children[LANES];
    int count = add_moves_of(s, w, number, children, 0);
    s->nodes[number].answered = 1;
    if (!count) return;
    s->nodes[number].busy = 1;
    for (int i = 0; i < w->together_count; i++) {
        int32_t other = w->together[i], edges = s->nodes[other].edges;
        if (!is_answerable(s, other) || (count + edges) * edges > MOST_ANSWERS / 2) continue;
        look_at_children(s, other, 1);
        int all = is_decided(s->nodes + other, 1) ? count
                                                  : add_moves_of(s, w, other, children, count);
        s->nodes[other].answered = s->nodes[other].busy = all > count;
        count = all;
    }
    release(s);
    int found = find_answers(a, &w->x, count);
    acquire(s);
    s->evaluated += a->evaluated + a->y.family.evaluated;
    s->left -= a->evaluations + a->y.family.evaluations;
    for (int c = 0; c < count; c++) {
        struct node *child = s->nodes + children[c];
        s->nodes[a->parent[c]].busy = 0;
        if (found && a->settled[c] == 1) child->upper = less(child->upper, 1);
        if (found && a->settled[c] < 0) child->lower = more(child->lower, 2);
    }
}

/* Try to settle a node by a plan. The beam widens with the effort spent on the node. */
static void try_plans(struct search *s, struct worker *w, int32_t number, int32_t turns) {
    int width = NARROWEST << (2 * s->nodes[number].planned[w->mode]);
    if (width > LANES) width = LANES;
    s->nodes[number].planned[w->mode]++;
    copy_row(s, w->row, row_of(s, number));
    int64_t partial = w->p.evaluations;
    release(s);
    int holds = find_plan(&w->p, &w->b, w->row, DEFENDER, turns, width);
    int wins = !holds && find_plan(&w->p, &w->b, w->row, ATTACKER, turns, width);
    acquire(s);
    s->left -= 2 * (w->p.evaluations - partial);
    if (holds) s->nodes[number].lower = more(s->nodes[number].lower, turns + 1);
    if (wins) s->nodes[number].upper = less(s->nodes[number].upper, w->b.turns);
}

static int is_late(const struct search *s) { return s->until > 0 && clock_seconds() > s->until; }

/* Breadth-first search, for cyclic play, where the other searches go deeper and deeper without an
 * end: opens all nodes in the order of their numbers, and settles their bounds now and then. Once
 * all are open, all bounds are exact. Returns why the search ends. */
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
        if (s->left <= 0 || is_late(s)) {
            if (s->edge_count > s->settled + s->settled / 4) settle_all(s);
            return ASPGAMES_MORE;
        }
        int32_t number = (int32_t)s->opened++;
        s->opening++;
        int status = open_node(s, w, number, 0);
        s->opening--;
        if (status) {
            s->opened = s->opened < number ? s->opened : number;
            return status;
        }
    }
    return settle_all(s) ? ASPGAMES_DONE : ASPGAMES_NO_MEMORY;
}

/* Go up to a step of the path. */
static void go_up(struct search *s, struct worker *w, int *depth, int to) {
    for (; *depth > to; --*depth) {
        struct node *node = s->nodes + w->path[*depth].node;
        node->effort[w->mode] += (uint32_t)(w->made - w->path[*depth].made);
        node->threads--;
    }
}

static void go_down(
    struct search *s, struct worker *w, int *depth, int32_t node, int turns, struct limits limits
) {
    w->path[++*depth] = (struct path_step){node, turns, limits, w->made};
    s->nodes[node].threads++;
}

/* The first decided node on the path, since another thread may have decided one. */
static int first_decided(const struct search *s, const struct worker *w, int depth) {
    for (int d = 0; d < depth; d++)
        if (is_decided(s->nodes + w->path[d].node, w->path[d].turns)) return d;
    return depth;
}

/* Whether a step returns to a node of the path, with the same turns left. */
static int goes_round(
    const struct search *s, const struct worker *w, int depth, int32_t node, int left
) {
    if (!s->nodes[node].threads) return 0;
    for (int d = 0; d <= depth; d++)
        if (w->path[d].node == node && w->path[d].turns == left) return 1;
    return 0;
}

/* Whether a node can be expanded with those of `together`, which have so many moves. */
static int joins(
    const struct search *s, const struct worker *w, int32_t number, int32_t turns, int32_t moves
) {
    const struct node *node = s->nodes + number, *first = s->nodes + w->together[0];
    return w->together_count < MOST_TOGETHER && node->edges == NOT_EXPANDED && !node->busy
           && node->attacks == first->attacks && !is_decided(node, turns)
           && moves + node->moves <= LANES
           && phase_of_row(s->block, row_of(s, number))
                  == phase_of_row(s->block, row_of(s, w->together[0]));
}

/* The child of a node to search next; -1 if none. */
static int32_t next_child(
    struct search *s, const struct worker *w, int32_t number, int left, struct limits *limits
) {
    return w->mode == ASPGAMES_DEPTH_FIRST ? likeliest(s, number, left)
                                           : best_by_numbers(s, number, left, limits);
}

/* Choose the nodes to expand with the deepest one of the path, which the search will probably come
 * to: the other moves of the attacker, or the next replies to these. */
static void choose_together(struct search *s, struct worker *w, int depth) {
    const struct path_step *step = w->path + depth;
    int attacks = s->nodes[step->node].attacks, up = 1 + attacks;
    w->together[0] = step->node;
    w->together_count = 1;
    if (s->alone || tables_of(s->block)->slots < MANY_SLOTS || depth < up
        || !s->nodes[step[-up].node].attacks || (attacks && s->nodes[step[-1].node].attacks))
        return;
    struct outlook_use *use = s->cousins[w->mode] + within_reach(step[-up].turns);
    if (use->looked >= TRIED && use->settled * 2 < use->looked) return;
    int32_t moves = s->nodes[step->node].moves;
    const struct node *top = s->nodes + step[-up].node;
    s->nodes[step->node].busy = 1;
    for (int64_t edge = top->first; edge < top->first + top->edges; edge++) {
        int32_t number = s->ends[edge];
        int left = left_after(s, top, s->nodes + number, step[-up].turns);
        if (attacks) {
            const struct node *reply = s->nodes + number;
            struct limits limits = {UNPROVABLE, UNPROVABLE};
            if (reply->attacks || reply->busy || reply->edges <= 0 || is_decided(reply, left))
                continue;
            number = next_child(s, w, number, left, &limits);
            if (number < 0) continue;
            left = left_after(s, reply, s->nodes + number, left);
        }
        if (left != step->turns || !joins(s, w, number, left, moves)) continue;
        s->nodes[number].busy = 1; /* it joins once */
        moves += s->nodes[number].moves;
        w->together[w->together_count++] = number;
    }
    if (!attacks) use->looked += w->together_count - 1;
}

/* Search from the deepest step of the path until the root is decided, or another condition ends the
 * search. */
static int search_on(struct search *s, struct worker *w, int *depth) {
    int idle = 0, rounds = 0;
    while (*depth >= 0) {
        /* If a state is met with different turns left, its numbers for one overwrite those for the
         * other, and the search may alternate without progress. Then the other search takes over.
         */
        if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) return ASPGAMES_MORE;
        if (idle % 16 == 0 && is_late(s)) return ASPGAMES_MORE;
        if (++idle > MOST_IDLE) return rounds ? ASPGAMES_DEEP : ASPGAMES_MORE;
        struct path_step *step = w->path + *depth;
        struct node *node = s->nodes + step->node;
        int left = step->turns, right = -1, decided = is_decided(node, left);
        if (!decided) {
            /* Look for a plan when the effort spent on the node equals its cost. Look again with a
             * wider beam when the cost is small against the effort since. */
            int tries = node->planned[w->mode];
            if (tries < TRIES && node->effort[w->mode] >= (uint32_t)FIRST_TRY << (4 * tries)) {
                try_plans(s, w, step->node, left);
                go_up(s, w, depth, first_decided(s, w, *depth));
                continue;
            }
            if (node->busy) {
                release(s);
                acquire(s);
                continue;
            }
            if (node->edges == NOT_EXPANDED) {
                if (s->left <= 0) return ASPGAMES_MORE;
                w->made++;
                idle = 0;
                choose_together(s, w, *depth);
                int status = open_nodes(s, w, left);
                if (status) return status;
                go_up(s, w, depth, first_decided(s, w, *depth));
                continue;
            }
            if (node->ahead) {
                node->ahead = 0;
                w->made++;
                idle = 0;
                s->cousins[w->mode][within_reach(left)].settled += !node->attacks;
            }
            right = look_at_children(s, step->node, left);
            decided = is_decided(node, left);
            if (!decided && left == 1 && node->attacks && !node->answered
                && search_tables_of(s->block)->quiet) {
                answer_moves(s, w, step->node);
                continue;
            }
        }
        int32_t best = -1;
        struct limits limits = step->limits;
        if (decided && right >= 0 && w->mode == ASPGAMES_DEPTH_FIRST)
            s->history[right] += (int64_t)(left + 1) * (left + 1);
        else if (!decided)
            best = next_child(s, w, step->node, left, &limits);
        int then = best < 0 ? left : left_after(s, node, s->nodes + best, left);
        if (best >= 0 && goes_round(s, w, *depth, best, then)) {
            /* In proof-number search, only a single role is known to gain nothing by that. */
            if (search_tables_of(s->block)->single) return ASPGAMES_DEEP;
            if (w->mode == ASPGAMES_DEPTH_FIRST) best = leave_loop(s, step->node, left);
            rounds = 1;
            idle += *depth / 16;
        }
        if (best < 0) {
            go_up(s, w, depth, *depth - 1);
            continue;
        }
        if (*depth + 2 >= DEEPEST) return ASPGAMES_DEEP;
        go_down(s, w, depth, best, then, limits);
    }
    return ASPGAMES_DONE;
}

enum aspgames_status NAME(aspgames_search_run)(
    struct search *s, struct worker *w, int32_t root, int32_t turns, int32_t mode
) {
    int depth = -1, status;
    w->mode = (enum aspgames_mode)mode;
    w->together_count = 0; /* a sweep renames nodes */
    acquire(s);
    if (mode == ASPGAMES_BREADTH_FIRST) {
        status = open_all(s, w);
    } else {
        go_down(s, w, &depth, root, turns, (struct limits){UNPROVABLE, UNPROVABLE});
        status = search_on(s, w, &depth);
        go_up(s, w, &depth, -1);
    }
    if (status != ASPGAMES_MORE) __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
    release(s);
    return status;
}

/* If proof-number search does not soon avoid most of the tree, it seldom does later. So depth-first
 * search gets more from then on. */
int64_t NAME(aspgames_search_round)(int64_t spent, int32_t mode) {
    int64_t effort = spent / 4 > FIRST_ROUND ? spent / 4 : FIRST_ROUND;
    return mode == ASPGAMES_DEPTH_FIRST && effort >= EVEN_ROUND ? FAVOUR * effort : effort;
}

void NAME(aspgames_search_allow)(struct search *s, int64_t evaluations, double seconds) {
    s->left = evaluations;
    s->until = seconds > 0 ? clock_seconds() + seconds : 0;
    s->stop = 0;
}

enum aspgames_status NAME(aspgames_search_report)(
    struct search *s, const uint8_t *row, int32_t attacks, struct node_report *into
) {
    acquire(s);
    int roomy = make_room(s, 1, 0);
    if (roomy) {
        int32_t node = node_of(s, (const uint64_t *)row, attacks, 1);
        const struct node *found = s->nodes + node;
        *into = (struct node_report){
            node,         found->proof, found->disproof, found->lower,
            found->upper, s->evaluated, s->left,
        };
    }
    release(s);
    return roomy ? ASPGAMES_DONE : ASPGAMES_FULL;
}

int NAME(aspgames_worker_judge)(struct worker *w, const uint8_t *bytes) {
    struct expander *x = &w->x;
    const uint64_t *row = (const uint64_t *)bytes;
    const struct search_phase *phase = judge_alone(x->block, row, x->alone);
    if (!phase) return -1;
    static const int which[][2] = {
        {REACHED, ASPGAMES_REACHED},
        {OVER, ASPGAMES_OVER},
        {ATTACKS, ASPGAMES_ATTACKS},
        {SIMULTANEOUS, ASPGAMES_TOGETHER},
    };
    int found = 0;
    for (int i = 0; i < 4; i++)
        if (has_verdict(x->block, phase, which[i][0], x->alone)) found |= which[i][1];
    return found;
}

enum aspgames_status NAME(aspgames_worker_expand)(struct worker *w, const uint8_t *row) {
    w->x.looks = 1;
    return expand(&w->x, (const uint64_t *)row);
}

const struct family *NAME(aspgames_worker_family)(const struct worker *w) { return &w->x.family; }

const int32_t *NAME(aspgames_worker_plan)(
    struct worker *w, const uint8_t *row, int32_t side, int32_t turns, int32_t width,
    int32_t *length
) {
    if (!find_plan(&w->p, &w->b, (const uint64_t *)row, side, turns, width < LANES ? width : LANES))
        return NULL;
    length[0] = w->b.plies;
    length[1] = w->b.turns;
    return w->b.plan;
}
