/* Walks the tables, for values of any width. A value is PARTS vectors of type VECTOR, an integer or
 * a vector of integers. Each bit of a value belongs to one state. Before including this file,
 * define VALUE (the type's name), VECTOR, PARTS, and OF(name), which makes names for this width.
 *
 * In three-valued logic (Kleene's strong logic) a slot has two values: first the states in which it
 * is certainly true, then those in which it is possibly true.
 */

typedef struct {
    VECTOR part[PARTS];
} VALUE;

/* Room for the slots of tables, with the constant true in slot 0; a slot has `stride` values. */
static inline VALUE *OF(slots_new)(struct pool *pool, int64_t slots, int stride) {
    VALUE *found = pooled(pool, slots * stride, sizeof *found);
    return found ? memset(found, 0xFF, (size_t)stride * sizeof *found) : NULL;
}

#define EACH_PART _Pragma("GCC unroll 8") for (int k = 0; k < PARTS; k++)

static inline __attribute__((always_inline)) void OF(conjunction)(
    const VALUE *values, int stride, int denied_at, const int32_t *operands, int positive,
    int negative, VALUE *out
) {
    VECTOR all[PARTS], any[PARTS];
    EACH_PART
        all[k] = (VECTOR)(~(VECTOR){0});
    for (int i = 0; i < positive; i++) {
        const VALUE *operand = values + (int64_t)stride * operands[i];
        EACH_PART
            all[k] &= operand->part[k];
    }
    if (negative) {
        const VALUE *operand = values + (int64_t)stride * operands[positive] + denied_at;
        EACH_PART
            any[k] = operand->part[k];
        for (int i = 1; i < negative; i++) {
            operand = values + (int64_t)stride * operands[positive + i] + denied_at;
            EACH_PART
                any[k] |= operand->part[k];
        }
        EACH_PART
            all[k] &= ~any[k];
    }
    EACH_PART
        out->part[k] = all[k];
}

static inline __attribute__((always_inline)) void OF(gates)(
    VALUE *values, const int32_t *operands, int positive, int negative, int count, int32_t slot
) {
    for (int g = 0; g < count; g++, operands += positive + negative)
        OF(conjunction)(values, 1, 0, operands, positive, negative, values + slot + g);
}

/* Compute the gates of one run. The usual shapes have code without loops over operands. */
static inline void OF(walk_run)(VALUE *values, const struct run *run) {
    const int32_t *operands = (const int32_t *)(run + 1);
#define SHAPE(p, n)                                                                                \
    case 8 * (p) + (n):                                                                            \
        OF(gates)(values, operands, p, n, run->count, run->first);                                 \
        return;
    if (run->positive < 4 && run->negative < 8) switch (8 * run->positive + run->negative) {
            SHAPE(0, 1)
            SHAPE(0, 2)
            SHAPE(0, 3) SHAPE(0, 4) SHAPE(0, 5) SHAPE(0, 6) SHAPE(0, 7) SHAPE(1, 0) SHAPE(1, 1)
                SHAPE(1, 2) SHAPE(1, 3) SHAPE(1, 4) SHAPE(2, 0) SHAPE(2, 1) SHAPE(2, 2) SHAPE(2, 3)
                    SHAPE(3, 0) SHAPE(3, 1) SHAPE(3, 2)
        }
#undef SHAPE
    OF(gates)(values, operands, run->positive, run->negative, run->count, run->first);
}

static inline VALUE OF(read)(const VALUE *values, int32_t literal) {
    VALUE found = values[literal >> 1];
    if (literal & 1)
        EACH_PART
            found.part[k] = ~found.part[k];
    return found;
}

static inline int OF(differ)(const VALUE *a, const VALUE *b) {
    return memcmp(a, b, sizeof *a) != 0;
}

static inline VALUE OF(read_open)(const VALUE *values, int32_t literal, int possible) {
    int denied = literal & 1;
    VALUE found = values[2 * (int64_t)(literal >> 1) + (possible ^ denied)];
    if (denied)
        EACH_PART
            found.part[k] = ~found.part[k];
    return found;
}

/* Compute the gates of one run in three-valued logic. */
static inline void OF(walk_run_open)(VALUE *values, const struct run *run) {
    const int32_t *operands = (const int32_t *)(run + 1);
    VALUE *out = values + 2 * (int64_t)run->first;
    for (int32_t g = 0; g < run->count; g++, operands += run->positive + run->negative, out += 2) {
        OF(conjunction)(values, 2, 1, operands, run->positive, run->negative, out);
        OF(conjunction)(values + 1, 2, -1, operands, run->positive, run->negative, out + 1);
    }
}

/* Compute a program's gates from the slots before them; a slot has `stride` values. */
static inline __attribute__((always_inline)) void OF(walk)(
    const int32_t *block, const struct program *program, VALUE *values, int stride
) {
    const struct segment *segment = (const struct segment *)(block + program->segments);
    for (int32_t s = 0; s < program->count; s++, segment++) {
        const int32_t *pairs = block + segment->variables;
        for (int32_t v = 0; v < segment->variable_count; v++)
            memset(values + stride * (int64_t)pairs[2 * v], 0, (size_t)stride * sizeof *values);
        for (int again = 1; again;) {
            for (int32_t at = segment->runs; at < segment->end;) {
                const struct run *run = (const struct run *)(block + at);
                (stride == 1 ? OF(walk_run) : OF(walk_run_open))(values, run);
                at += 4 + run->count * (run->positive + run->negative);
            }
            again = 0;
            for (int32_t v = 0; v < segment->variable_count; v++)
                for (int which = 0; which < stride; which++) {
                    VALUE now = stride == 1 ? OF(read)(values, pairs[2 * v + 1])
                                            : OF(read_open)(values, pairs[2 * v + 1], which);
                    VALUE *variable = values + stride * (int64_t)pairs[2 * v] + which;
                    again |= OF(differ)(&now, variable);
                    *variable = now;
                }
        }
    }
}

static inline void OF(evaluate)(
    const int32_t *block, const struct program *program, VALUE *values
) {
    OF(walk)(block, program, values, 1);
}

static inline void OF(evaluate_open)(
    const int32_t *block, const struct program *program, VALUE *values
) {
    OF(walk)(block, program, values, 2);
}
