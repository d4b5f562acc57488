/* kinds.h - the kinds of components that a machine is made of, with the rows of each: kinds.def. */
#ifndef WS_KINDS_H
#define WS_KINDS_H

#include "base/option.h"

#include <stddef.h>
#include <stdint.h>

struct ws_machine;

typedef struct ws_kind {
    const char *section, *word;        /* the option of a machine that names one: "sm", "scheduler" */
    size_t row;                        /* of machine.def: that option */
    const char *(*name)(size_t index); /* NULL behind the last */
    const char *(*named)(const struct ws_machine *machine); /* the word of what the machine has */
    void (*take)(struct ws_machine *machine, size_t index); /* gives it what the word `index` names */
    const char *(*summary)(const char *name);               /* NULL: its rows are plain words */
    const ws_option *(*options)(const char *name);          /* of that row; may be NULL, and give NULL */
    const ws_option *common;                                /* options of all rows; NULL: none */
    const char *list;                                       /* the section with these options; "": there are none */
} ws_kind;

/* Row `index` of kinds.def, NULL behind the last. */
const ws_kind *ws_kind_at(size_t index);

/* The option of that name that the row `word` of the kind has, or NULL. */
const ws_option *ws_kind_option(const ws_kind *kind, const char *word, const char *name);

#endif
