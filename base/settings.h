/* settings.h - files of named values: `name = value`, in sections, each value with its unit.
 *
 *     # a comment, or after a semicolon
 *     [timing]
 *     tCL = 24 cycles    ; source of the value
 *
 * Names consist of letters, digits and _ . : -; a value is the rest of the line without the comment and surrounding
 * blanks.
 *
 * Files of lists have fewer rules. A section may have several words, separated by single blanks. A name ends at a blank
 * or at the equals sign. The value, with the equals sign, may be omitted, which gives "". A comment starts a line or
 * follows a blank; a line that starts with a blank continues the previous value. Every [section] is also an entry of
 * the list, with the name "". */
#ifndef WS_SETTINGS_H
#define WS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_setting {
    const char *section; /* "" before the first [section] */
    const char *name, *value;
    int line, name_column, value_column; /* counted from 1 */
} ws_setting;

typedef struct ws_settings {
    const char *file; /* for messages */
    const ws_setting *list;
    size_t count;
    void *memory; /* owned by settings.c */
} ws_settings;

/* Parses text[0..length), the contents of `file`. The caller frees the result with ws_settings_destroy. Returns
 * WS_EINPUT with "FILE:LINE:COLUMN: ..." for a malformed line, a name given twice in a section, or an empty value. */
int ws_settings_parse(const char *file, const char *text, size_t length, ws_settings **out);

/* Parses a file on disk, as ws_settings_parse. Returns WS_EIO when it cannot be read. */
int ws_settings_read(const char *path, ws_settings **out);

/* Parses a file of lists, as ws_settings_parse. Returns WS_ELIMIT for more than WS_SETTINGS_LISTED_MOST names. */
enum { WS_SETTINGS_LISTED_MOST = 20000 };
int ws_settings_parse_lists(const char *file, const char *text, size_t length, ws_settings **out);
void ws_settings_destroy(ws_settings *settings); /* accepts NULL */

/* Passes the settings of text[0..length), or of the file if text is NULL, to `take`. Frees them and returns the status
 * of `take`. */
int ws_settings_take(const char *file, const char *text, size_t length, int (*take)(const ws_settings *, void *out),
                     void *out);

bool ws_settings_has(const ws_settings *settings, const char *section);

/* Returns the setting, or NULL if it is missing. */
const ws_setting *ws_settings_find(const ws_settings *settings, const char *section, const char *name);

/* Reads the value as a decimal number followed by a unit ("" for none). Returns WS_EINPUT with a message on failure. */
int ws_setting_number(const ws_settings *settings, const ws_setting *setting, double *number, const char **unit);

/* Records "FILE:LINE:COLUMN: NAME = VALUE: text" for an invalid value and returns WS_EINPUT. */
int ws_setting_fail(const ws_settings *settings, const ws_setting *setting, const char *text);

#endif
