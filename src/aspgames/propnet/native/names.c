/* The names of the atoms that clingo shows, as texts: each term once. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "ground.h"
#include "memory.h"

/* The functions of clingo's C API that are needed. */
struct clingo {
    bool (*name)(uint64_t symbol, const char **name);
    bool (*arguments)(uint64_t symbol, const uint64_t **arguments, size_t *count);
    bool (*text_size)(uint64_t symbol, size_t *size); /* with the NUL at its end */
    bool (*text)(uint64_t symbol, char *text, size_t size);
};

#define MOST_ARGUMENTS 2 /* of the predicates that are shown */
#define MOST_PREDICATES 16

/* A shown atom: the places of its predicate's name and of its arguments among the texts (-1 where
   there is none), and its number. */
struct row {
    int32_t predicate, arguments[MOST_ARGUMENTS], atom;
};

struct names {
    int64_t length;
    char *texts; /* one after the other, each with a NUL at its end */
    int64_t row_count;
    struct row *rows;
    int32_t text_count;
    int64_t text_room;
    int32_t predicate_count, predicates[MOST_PREDICATES]; /* their places among the texts */
    int64_t predicate_starts[MOST_PREDICATES];            /* and where these begin */
    uint64_t *terms; /* hash table with open addressing ... */
    int32_t *places; /* ... and the place of each term's text, plus 1; 0 where it is free */
    int64_t term_room;
};

EXPORT struct names *names_of(const struct ground *ground, const struct clingo *clingo);
EXPORT void names_free(struct names *names);

void names_free(struct names *names)
{
    if (!names)
        return;
    free(names->texts);
    free(names->rows);
    free(names->terms);
    free(names->places);
    free(names);
}

static char *room_for_text(struct names *names, size_t size)
{
    char *texts = with_room(names->texts, &names->text_room, names->length + (int64_t)size, 1);
    if (!texts)
        return NULL;
    names->texts = texts;
    return texts + names->length;
}

static int64_t place_of(const struct names *names, uint64_t term)
{
    uint64_t mixed = (term ^ term >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    int64_t place = (int64_t)(mixed >> 20) & (names->term_room - 1);
    while (names->places[place] && names->terms[place] != term)
        place = (place + 1) & (names->term_room - 1);
    return place;
}

/* Keep the hash table half empty. */
static bool room_in_table(struct names *names)
{
    if (2 * (int64_t)names->text_count < names->term_room)
        return true;
    struct names more = *names;
    more.term_room = names->term_room ? 4 * names->term_room : 1024;
    more.terms = zeroed(more.term_room, sizeof *more.terms);
    more.places = zeroed(more.term_room, sizeof *more.places);
    if (!more.terms || !more.places) {
        free(more.terms);
        free(more.places);
        return false;
    }
    for (int64_t i = 0; i < names->term_room; i++)
        if (names->places[i]) {
            int64_t place = place_of(&more, names->terms[i]);
            more.terms[place] = names->terms[i];
            more.places[place] = names->places[i];
        }
    free(names->terms);
    free(names->places);
    *names = more;
    return true;
}

/* The place of a term's text, or -1 if there is no memory. */
static int32_t term(struct names *names, const struct clingo *clingo, uint64_t symbol)
{
    if (!room_in_table(names))
        return -1;
    int64_t place = place_of(names, symbol);
    if (!names->places[place]) {
        size_t size;
        if (!clingo->text_size(symbol, &size))
            return -1;
        char *text = room_for_text(names, size);
        if (!text || !clingo->text(symbol, text, size))
            return -1;
        names->length += (int64_t)size;
        names->terms[place] = symbol;
        names->places[place] = ++names->text_count;
    }
    return names->places[place] - 1;
}

/* The place of a predicate's name, or -1 if there is no memory, or there are too many. */
static int32_t predicate(struct names *names, const char *name)
{
    for (int32_t i = 0; i < names->predicate_count; i++)
        if (!strcmp(names->texts + names->predicate_starts[i], name))
            return names->predicates[i];
    size_t size = strlen(name) + 1;
    char *text = room_for_text(names, size);
    if (!text || names->predicate_count == MOST_PREDICATES)
        return -1;
    memcpy(text, name, size);
    names->predicates[names->predicate_count] = names->text_count++;
    names->predicate_starts[names->predicate_count++] = names->length;
    names->length += (int64_t)size;
    return names->text_count - 1;
}

static bool fill(struct names *names, const struct clingo *clingo, uint64_t symbol, int32_t atom,
                 struct row *row)
{
    const char *name;
    const uint64_t *arguments;
    size_t count;
    if (!clingo->name(symbol, &name) || !clingo->arguments(symbol, &arguments, &count) ||
        count > MOST_ARGUMENTS)
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

struct names *names_of(const struct ground *ground, const struct clingo *clingo)
{
    struct names *names = zeroed(1, sizeof *names);
    if (!names)
        return NULL;
    names->row_count = ground->shown_count;
    names->rows = zeroed(ground->shown_count, sizeof *names->rows);
    bool fine = names->rows;
    for (int64_t i = 0; fine && i < ground->shown_count; i++)
        fine = fill(names, clingo, ground->symbols[i], ground->shown[i], &names->rows[i]);
    if (!fine) {
        names_free(names);
        return NULL;
    }
    return names;
}
