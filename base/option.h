/* option.h - named numbers with unit, bounds, fallback and meaning: a table of what there is, how a text becomes one,
 * and what a user gave. Fields of files (fields.h), options of machines and of their components are these. */
#ifndef WS_OPTION_H
#define WS_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* A table of a component ends with a row whose name is NULL; a table may be NULL, which is one without rows. */
typedef struct ws_option {
    const char *name, *unit;      /* unit: "" for none */
    double fallback, least, most; /* both ends are allowed; whole numbers are at most 2^53 */
    const char *meaning;
} ws_option;

/* Numbers that an option takes, and which units they are written in. */
typedef enum ws_option_form {
    WS_OPTION_FORM_REAL,  /* the option's unit, or one that units.def lists for it */
    WS_OPTION_FORM_WHOLE, /* the same of whole numbers, as of those below */
    WS_OPTION_FORM_POWER, /* a power of two, or 0 */
    WS_OPTION_FORM_COUNT, /* a unit that can be written in one way alone may be left out */
    WS_OPTION_FORM_PLAIN  /* the option's unit, or none */
} ws_option_form;

/* How many of `unit` are one of `written`, as metres in a millimetre; 0 when that is no way to write it. */
double ws_unit_factor(const char *unit, const char *written);

enum { WS_OPTION_WHY = 400 };

/* Reads "12 kW". Else WS_EINPUT with, in why[], what was expected, and *value stays; no message is recorded. */
int ws_option_read(const ws_option *option, ws_option_form form, const char *text, double *value,
                   char why[WS_OPTION_WHY]);

/* The same of a number and its unit, "" for none. */
int ws_option_fit(const ws_option *option, ws_option_form form, double number, const char *unit, double *value,
                  char why[WS_OPTION_WHY]);

/* The row of that name of a table that ends with a row without name; NULL when there is none. */
const ws_option *ws_option_find(const ws_option *options, const char *name);

/* Number of rows in front of the last one. */
size_t ws_option_count(const ws_option *options);

/* A number that the user gave. `where` is "FILE:LINE:COLUMN" or NULL; it opens the message when the number is bad. */
typedef struct ws_given {
    const char *name;
    uint64_t value;
    const char *where;
} ws_given;

/* The last one of that name, NULL when there is none. */
const ws_given *ws_given_find(const ws_given *given, size_t count, const char *name);

/* Fills values[i] for row i of the table of the component `owner`: what was given, else the fallback. Names that stand
 * in `also` are skipped. WS_EINPUT for an unknown name, a name given twice, a value out of its bounds. */
int ws_option_resolve(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given,
                      size_t count, uint64_t *values);

/* The same for a list that was checked and has options of others among its own: those are left out. */
void ws_option_choose(const ws_option *options, const ws_given *given, size_t count, uint64_t *values);

/* One of such a list: what was given, else the fallback of the table's row, else (no such row) `otherwise`. */
uint64_t ws_option_value(const ws_option *options, const char *name, const ws_given *given, size_t count,
                         uint64_t otherwise);

#endif
