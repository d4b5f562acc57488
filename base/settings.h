/* settings.h - files of named values: `name = value`, in sections, each value with its unit.
 *
 *     # a comment, or behind a semicolon
 *     [timing]
 *     tCL = 24 cycles    ; where this is from
 *
 * Names are letters, digits and _ . : -; a value is the rest of the line without comment and blanks around it.
 *
 * Files of lists are the same with fewer rules: a section may have several words, with one blank between them; a name
 * is what stands before a blank or the equals sign; its value, with the equals sign, may be left out, which is ""; a
 * comment begins a line or stands behind a blank; a line that begins with a blank continues the value above it. Every
 * [section] is an entry of the list also, with the name "". */
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
    void *memory; /* of settings.c */
} ws_settings;

/* Reads text[0..length), which came from `file`. The caller frees it with ws_settings_destroy. WS_EINPUT with
 * "FILE:LINE:COLUMN: ..." for a line of another form, a name given twice in a section, an empty value. */
int ws_settings_parse(const char *file, const char *text, size_t length, ws_settings **out);

/* The same for a file on disk; WS_EIO when it cannot be read. */
int ws_settings_read(const char *path, ws_settings **out);

/* The same of a file of lists. WS_ELIMIT for one of more than WS_SETTINGS_LISTED_MOST names. */
enum { WS_SETTINGS_LISTED_MOST = 20000 };
int ws_settings_parse_lists(const char *file, const char *text, size_t length, ws_settings **out);
void ws_settings_destroy(ws_settings *settings); /* accepts NULL */

/* Hands the settings of text[0..length) (or, when that is NULL, of the file) to `take`, frees them and returns its
 * status. */
int ws_settings_take(const char *file, const char *text, size_t length, int (*take)(const ws_settings *, void *out),
                     void *out);

bool ws_settings_has(const ws_settings *settings, const char *section);

/* NULL when there is none. */
const ws_setting *ws_settings_find(const ws_settings *settings, const char *section, const char *name);

/* The value as a decimal number and the unit behind it ("" for none). WS_EINPUT with a message. */
int ws_setting_number(const ws_settings *settings, const ws_setting *setting, double *number, const char **unit);

/* Records "FILE:LINE:COLUMN: NAME = VALUE: text" for a value that does not suit and returns WS_EINPUT. */
int ws_setting_fail(const ws_settings *settings, const ws_setting *setting, const char *text);

#endif
