/* text.h - numbers as text: the shortest decimal that reads back as the same double, and a strict reader; names of
 * files.
 *
 * Neither direction looks at the locale, so a program that set a decimal comma still writes frames others can read. */
#ifndef WS_TEXT_H
#define WS_TEXT_H

#include <stddef.h>

enum { WS_NUMBER_BYTES = 32 }; /* room for any number with its NUL */

/* Writes the shortest decimal that ws_text_to_double (and any correct strtod) turns back into the same bits: "0.1",
 * "-0", "1e+300", "Inf", "-Inf", and "NA" for every NaN. Returns the length. */
size_t ws_text_from_double(double value, char text[WS_NUMBER_BYTES]);

/* Reads text[0..length) as one decimal number, blanks around it allowed; an empty text, NA and NaN give NaN, Inf and
 * Infinity with or without a sign the infinities. WS_EINPUT, without a message, for anything else: other text,
 * hexadecimal, or a magnitude beyond what a double holds. */
int ws_text_to_double(const char *text, size_t length, double *value);

/* Reads "12 kW" or "12kW": the number, and *unit is where "kW" stands, at the text's end when there is none. WS_EINPUT,
 * without a message, when it does not begin with a number. */
int ws_text_to_quantity(const char *text, double *number, const char **unit);

/* Reads a whole number 0..max from a NUL-terminated text (an option's argument). WS_EINPUT, without a message. */
int ws_text_to_size(const char *text, size_t max, size_t *value);

/* For people: three digits and a prefix of 1000s, "512 B", "1.23 MB"; without a unit "512", "1.23 M". */
void ws_text_count(char *text, size_t size, double value, const char *unit);

/* The name of a file without its folders and its ending: "a/MM.wst" is "MM". The caller frees it; NULL when memory is
 * short, without a message. */
char *ws_text_stem(const char *path);

#endif
