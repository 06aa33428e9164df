/* States as arrays of numbers, the input of neural networks. Each fluent has places in the array,
 * and one number for all of them. */
#include "aspgames.h"

#include <stdint.h>
#include <string.h>

void aspgames_observe(
    const struct observation_layout *l, const uint64_t *rows, int64_t count, float *out
) {
    for (int64_t state = 0; state < count; state++, rows += l->words, out += l->width) {
        memcpy(out, l->background, (size_t)l->width * sizeof *out);
        for (int32_t word = 0; word < l->words; word++) {
            for (uint64_t bits = rows[word]; bits; bits &= bits - 1) {
                int32_t fluent = 64 * word + __builtin_ctzll(bits);
                for (int32_t n = l->starts[fluent]; n < l->starts[fluent + 1]; n++)
                    if (out[l->places[n]] < l->values[n]) out[l->places[n]] = l->values[n];
            }
        }
    }
}
