/* text.h - conversion of numbers to and from text, and base names of files.
 *
 * Numbers are written as the shortest decimal that reads back as the same double, and read strictly. Both directions
 * ignore the locale, so frames stay portable when a program has set a decimal comma. */
#ifndef WS_TEXT_H
#define WS_TEXT_H

#include <stddef.h>

enum { WS_NUMBER_BYTES = 32 }; /* room for any number with its NUL */

/* Writes the shortest decimal that ws_text_to_double (and any correct strtod) converts back to the same bits: "0.1",
 * "-0", "1e+300", "Inf", "-Inf", and "NA" for every NaN. Returns the length. */
size_t ws_text_from_double(double value, char text[WS_NUMBER_BYTES]);

/* Reads text[0..length) as one decimal number; surrounding blanks are allowed. An empty text, NA and NaN give NaN; Inf
 * and Infinity with or without a sign give the infinities. Returns WS_EINPUT, without a message, for any other text,
 * hexadecimal, or a magnitude beyond the range of double. */
int ws_text_to_double(const char *text, size_t length, double *value);

/* Reads "12 kW" or "12kW": the number, and *unit points to "kW", or to the end of the text if it has no unit. Returns
 * WS_EINPUT, without a message, when the text does not begin with a number. */
int ws_text_to_quantity(const char *text, double *number, const char **unit);

/* Reads a whole number 0..max from a NUL-terminated text (an option's argument). Returns WS_EINPUT, without a message,
 * for any other text. */
int ws_text_to_size(const char *text, size_t max, size_t *value);

/* Formats a count for people, with three digits and a prefix of 1000s: "512 B", "1.23 MB"; without unit "512", "1.23
 * M". */
void ws_text_count(char *text, size_t size, double value, const char *unit);

/* Returns the name of a file without its folders and extension: "a/MM.wst" gives "MM". The caller frees it; NULL,
 * without a message, when memory is short. */
char *ws_text_stem(const char *path);

#endif
