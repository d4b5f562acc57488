/* kinds.h - kinds of components of a machine, and the rows of each: kinds.def. */
#ifndef WS_KINDS_H
#define WS_KINDS_H

#include "base/option.h"

#include <stddef.h>
#include <stdint.h>

struct ws_machine;

typedef struct ws_kind {
    const char *section, *word;        /* the option of a machine that selects one: "sm", "scheduler" */
    size_t row;                        /* row of that option in machine.def */
    const char *(*name)(size_t index); /* NULL past the last */
    const char *(*named)(const struct ws_machine *machine); /* the word of the machine's component */
    void (*take)(struct ws_machine *machine, size_t index); /* sets it to the component with word `index` */
    const char *(*summary)(const char *name);               /* NULL: its rows have no summary */
    const ws_option *(*options)(const char *name);          /* options of that row; may be NULL, and may return NULL */
    const ws_option *common;                                /* options of all rows; NULL: none */
    const char *list;                                       /* section with these options; "": none */
} ws_kind;

/* Returns row `index` of kinds.def, or NULL past the last. */
const ws_kind *ws_kind_at(size_t index);

/* Returns the option of that name of row `word` of the kind, or NULL. */
const ws_option *ws_kind_option(const ws_kind *kind, const char *word, const char *name);

#endif
