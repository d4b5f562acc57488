/* option.h - named numbers with unit, bounds, fallback and meaning: their tables, parsing, and values given by users.
 *
 * Fields of files (fields.h) and options of machines and their components use these tables. */
#ifndef WS_OPTION_H
#define WS_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* Row of a table. The table of a component ends with a row whose name is NULL; a NULL table has no rows. */
typedef struct ws_option {
    const char *name, *unit;      /* unit: "" for none */
    double fallback, least, most; /* least and most are inclusive; whole numbers are at most 2^53 */
    const char *meaning;
} ws_option;

/* Numbers that an option accepts, and the units in which they may be written. */
typedef enum ws_option_form {
    WS_OPTION_FORM_REAL,  /* the option's unit, or one that units.def lists for it */
    WS_OPTION_FORM_WHOLE, /* units as REAL, only whole numbers, as all forms below */
    WS_OPTION_FORM_POWER, /* a power of two, or 0 */
    WS_OPTION_FORM_COUNT, /* a unit with only one spelling may be omitted */
    WS_OPTION_FORM_PLAIN  /* the option's unit, or none */
} ws_option_form;

/* Returns how many of `unit` one `written` is, as metres in a millimetre, or 0 if it is not a spelling of `unit`. */
double ws_unit_factor(const char *unit, const char *written);

enum { WS_OPTION_WHY = 400 };

/* Reads a value such as "12 kW". On failure returns WS_EINPUT, writes the expected form to why[] and leaves *value
 * unchanged; no message is recorded. */
int ws_option_read(const ws_option *option, ws_option_form form, const char *text, double *value,
                   char why[WS_OPTION_WHY]);

/* Checks and converts a number with its unit, "" for none, as ws_option_read. */
int ws_option_fit(const ws_option *option, ws_option_form form, double number, const char *unit, double *value,
                  char why[WS_OPTION_WHY]);

/* Returns the row with that name, or NULL. The table ends with a row without a name. */
const ws_option *ws_option_find(const ws_option *options, const char *name);

/* Returns the number of rows before the terminating one. */
size_t ws_option_count(const ws_option *options);

/* Number given by the user. `where` is "FILE:LINE:COLUMN", the prefix of messages about the number, or NULL. */
typedef struct ws_given {
    const char *name;
    uint64_t value;
    const char *where;
} ws_given;

/* Returns the last entry with that name, or NULL. */
const ws_given *ws_given_find(const ws_given *given, size_t count, const char *name);

/* Sets values[i] for row i of the table of the component `owner`: the given number, or the fallback. Names listed in
 * `also` are skipped. Returns WS_EINPUT for an unknown name, a name given twice, or a value out of bounds. */
int ws_option_resolve(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given,
                      size_t count, uint64_t *values);

/* Sets the values from a list that was already checked; options that are not in the table are ignored. */
void ws_option_choose(const ws_option *options, const ws_given *given, size_t count, uint64_t *values);

/* Returns one value from a checked list: the given number, or the fallback of the row, or `otherwise` if the table has
 * no such row. */
uint64_t ws_option_value(const ws_option *options, const char *name, const ws_given *given, size_t count,
                         uint64_t otherwise);

#endif
