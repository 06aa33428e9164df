/* Reads the names of the shown atoms from clingo, each term once. */

#include "hash_index.h"

#define MOST_ARGUMENTS 2 /* of the predicates that are shown */
#define MOST_PREDICATES 16

void aspgames_names_free(struct atom_names *names) {
    if (!names) return;
    FREE_ALL(names->texts, names->rows, names->terms, names->known.slots, names);
}

static char *room_for_text(struct atom_names *names, size_t size) {
    bool fine = MAKE_ROOM(names->texts, names->text_room, names->length + (int64_t)size);
    return fine ? names->texts + names->length : NULL;
}

/* The place of a term's text, or -1 if there is no memory. */
static int32_t term(
    struct atom_names *names, const struct clingo_functions *clingo, uint64_t symbol
) {
    if (!index_has_room(&names->known)) return -1;
    uint32_t hash = (uint32_t)((symbol ^ symbol >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
    struct hash_slot *slot = index_first(&names->known, hash);
    for (; slot->number; slot = index_next(&names->known, slot))
        if (names->terms[slot->number - 1] == symbol) return slot->number - 1;
    size_t size;
    if (!clingo->text_size(symbol, &size)) return -1;
    char *text = room_for_text(names, size);
    if (!text || !clingo->text(symbol, text, size)
        || !MAKE_ROOM(names->terms, names->term_room, names->text_count + (int64_t)1))
        return -1;
    names->length += (int64_t)size;
    names->terms[names->text_count++] = symbol;
    return index_add(&names->known, slot, hash, names->text_count) - 1;
}

/* The place of a predicate's name, or -1 without memory or with too many predicates. */
static int32_t predicate(struct atom_names *names, const char *name) {
    for (int32_t i = 0; i < names->predicate_count; i++)
        if (!strcmp(names->texts + names->predicate_starts[i], name)) return names->predicates[i];
    size_t size = strlen(name) + 1;
    char *text = room_for_text(names, size);
    if (!text || names->predicate_count == MOST_PREDICATES) return -1;
    memcpy(text, name, size);
    names->predicates[names->predicate_count] = names->text_count++;
    names->predicate_starts[names->predicate_count++] = names->length;
    names->length += (int64_t)size;
    return names->text_count - 1;
}

static bool fill(
    struct atom_names *names, const struct clingo_functions *clingo, uint64_t symbol, int32_t atom,
    struct atom_name *row
) {
    const char *name;
    const uint64_t *arguments;
    size_t count;
    if (!clingo->name(symbol, &name) || !clingo->arguments(symbol, &arguments, &count)
        || count > MOST_ARGUMENTS)
        return false;
    row->atom = atom;
    row->predicate = predicate(names, name);
    bool fine = row->predicate >= 0;
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        row->arguments[i] = i < count ? term(names, clingo, arguments[i]) : -1;
        fine = fine && (i >= count || row->arguments[i] >= 0);
    }
    return fine;
}

struct atom_names *aspgames_names_new(
    const struct ground_program *ground, const struct clingo_functions *clingo
) {
    struct atom_names *names = zeroed(1, sizeof *names);
    if (!names) return NULL;
    names->row_count = ground->shown_count;
    names->rows = zeroed(ground->shown_count, sizeof *names->rows);
    bool fine = names->rows;
    for (int64_t i = 0; fine && i < ground->shown_count; i++)
        fine = fill(names, clingo, ground->symbols[i], ground->shown[i], &names->rows[i]);
    if (!fine) {
        aspgames_names_free(names);
        return NULL;
    }
    return names;
}
