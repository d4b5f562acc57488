/* machine_internal.h - shared parts of the files that make a ws_machine: rows of options, and the origin of each value.
 */
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

/* Sections with options of components, in addition to those of machine.def. */
enum {
#define LIST(section) WS_LIST_##section,
#include "model/machine/kinds.def"
    WS_LISTS
};

/* Value of a list as written; its unit is checked once its option is known. */
typedef struct ws_machine_passed {
    const char *unit, *where;
} ws_machine_passed;

typedef struct ws_machine_storage {
    ws_arena *arena;
    const char *file; /* for messages */
    bool given[WS_MACHINE_ROWS];
    const char *unknown[WS_MACHINE_ROWS]; /* given for a kind but not one of its words; NULL: it has a value */
    const char *where[WS_MACHINE_ROWS];   /* "FILE:LINE:COLUMN"; NULL: a default, or the command line */
    ws_machine_passed *passed[WS_LISTS];  /* one for each option of the list */
    size_t room[WS_LISTS];
} ws_machine_storage;

/* Returns the option of that name of a section's selected components, or NULL. */
const ws_option *ws_machine_find_option(const ws_machine *machine, const char *section, const char *name);
/* Returns the first kind of the section that has the option if its word is `*owner`; NULL: no row of any kind has it.
 */
const ws_kind *ws_machine_could_have(const char *section, const char *name, const char **owner);

ws_machine_options *ws_machine_list(ws_machine *machine, int list);
size_t ws_machine_row(const char *section, const char *name); /* WS_MACHINE_ROWS: unknown */

/* Sets a kind (a row of machine.def) to a word. Returns false for an unknown word, and keeps the value. */
bool ws_machine_take(ws_machine *machine, size_t row, const char *word);

/* Sets an option. `where` lives as long as the machine; NULL: the command line. */
int ws_machine_put(ws_machine *machine, const char *section, const char *name, const char *value, const char *where);

/* Returns a printf-style text that lives as long as the machine; NULL: out of memory. */
const char *ws_machine_text(ws_machine *machine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Derives ws_machine.shape from consistent options; the last part of ws_machine_check. WS_EINPUT for impossible
 * networks or memory, otherwise as of reading the part. */
int ws_machine_settle(ws_machine *machine);

/* Reads the memory part: that of the file, or a file of machine.folder (a path if memory_part contains a slash). A
 * nonzero memory_clock replaces its clock. */
int ws_machine_part(const ws_machine *machine, ws_dram_part *part);

/* Reads the text of a file: "-option value" lines. The interconnect's own file is searched next to `file`. */
int ws_machine_read_gpgpusim(ws_machine *machine, const char *file, const char *text, size_t length);
int ws_machine_set_gpgpusim(ws_machine *machine, const char *option, const char *value);

#endif
