/* machine_internal.h - what the files that make a ws_machine share: rows of options, and where each value came from. */
#ifndef WS_MACHINE_INTERNAL_H
#define WS_MACHINE_INTERNAL_H

#include "base/arena.h"
#include "model/machine/kinds.h"
#include "model/machine/machine.h"

enum {
#define NUMBER(section, name, unit, fallback, least, most, meaning) WS_MACHINE_ROW_##section##_##name,
#define WORD(section, name, fallback, meaning)                      WS_MACHINE_ROW_##section##_##name,
#define KIND(section, name, fallback, meaning)                      WS_MACHINE_ROW_##section##_##name,
#include "model/machine/machine.def"
#undef NUMBER
#undef WORD
#undef KIND
    WS_MACHINE_ROWS
};

/* Sections with options of components besides those of machine.def. */
enum {
#define LIST(section) WS_LIST_##section,
#include "model/machine/kinds.def"
    WS_LISTS
};

/* A value of a list as it was written: the unit waits until it is known whose option it is. */
typedef struct ws_machine_passed {
    const char *unit, *where;
} ws_machine_passed;

typedef struct ws_machine_storage {
    ws_arena *arena;
    const char *file; /* for messages */
    bool given[WS_MACHINE_ROWS];
    const char *unknown[WS_MACHINE_ROWS]; /* what was given for a kind and is no word of it; NULL: it has a value */
    const char *where[WS_MACHINE_ROWS];   /* "FILE:LINE:COLUMN"; NULL: a default, or the command line */
    ws_machine_passed *passed[WS_LISTS];  /* one for each of the list */
    size_t room[WS_LISTS];
} ws_machine_storage;

/* The option of that name that the components of a section have as they are chosen, or NULL. */
const ws_option *ws_machine_find_option(const ws_machine *machine, const char *section, const char *name);
/* The first kind of the section that has it if its word names `*owner`; NULL: no row of any has it. */
const ws_kind *ws_machine_could_have(const char *section, const char *name, const char **owner);

ws_machine_options *ws_machine_list(ws_machine *machine, int list);
size_t ws_machine_row(const char *section, const char *name); /* WS_MACHINE_ROWS: there is none */

/* Gives a kind (a row of machine.def) the value of a word; false: it has no such word, and keeps the value. */
bool ws_machine_take(ws_machine *machine, size_t row, const char *word);

/* Gives an option a value. `where` lives as long as the machine; NULL: the command line. */
int ws_machine_put(ws_machine *machine, const char *section, const char *name, const char *value, const char *where);

/* A copy of a printf-style text that lives as long as the machine; NULL: memory is short. */
const char *ws_machine_text(ws_machine *machine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Derives ws_machine.shape from options that go together; the last part of ws_machine_check. WS_EINPUT for networks or
 * a memory that cannot be, else as of reading the part. */
int ws_machine_settle(ws_machine *machine);

/* The memory part: that of the file, or a file of machine.folder (a path when memory_part contains a slash), with
 * memory_clock in the place of its clock when that is not 0. */
int ws_machine_part(const ws_machine *machine, ws_dram_part *part);

/* Text of a file: "-option value" lines. The interconnect's own file is looked for beside `file`. */
int ws_machine_read_gpgpusim(ws_machine *machine, const char *file, const char *text, size_t length);
int ws_machine_set_gpgpusim(ws_machine *machine, const char *option, const char *value);

#endif
