/* claims_file.h - files of sections with text entries.
 *
 *     # a comment; it begins a line
 *     [claim hits]
 *     ours = a text with # and ;
 *            that continues on lines beginning with blanks
 *
 * A key is the text before the first equals sign. Keys may repeat. */
#ifndef WS_CLAIMS_FILE_H
#define WS_CLAIMS_FILE_H

#include "base/arena.h"
#include "base/cube/expression.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_claims_entry {
    const char *key, *value; /* lines of a value are separated by line feeds */
    ws_place at_key, place;
    bool is_used;
} ws_claims_entry;

typedef struct ws_claims_section {
    const char *kind, *name; /* such as "claim", "hits"; name "" if absent */
    ws_place place;
    ws_claims_entry *entry; /* [entries] */
    size_t entries, room;
} ws_claims_section;

typedef struct ws_claims_file {
    const char *path;
    ws_claims_section *section; /* [sections] */
    size_t sections, room;
    ws_arena *arena;
} ws_claims_file;

/* Parses text[0..length); `path` is used in messages. WS_EINPUT with FILE:LINE:COLUMN for a malformed line or a
 * duplicate section. The caller frees it with fini, also after a failure. */
int ws_claims_file_parse(const char *path, const char *text, size_t length, ws_claims_file *out);
int ws_claims_file_read(const char *path, ws_claims_file *out);
void ws_claims_file_fini(ws_claims_file *file);

/* Returns the only entry of that key, or NULL; WS_EINPUT for several entries. */
int ws_claims_find(const ws_claims_section *section, const char *key, ws_claims_entry **out);
/* The same for a mandatory key. */
int ws_claims_need(const ws_claims_section *section, const char *key, ws_claims_entry **out);

/* WS_EINPUT for an unused entry; `keys` lists the valid keys in the message. */
int ws_claims_check_used(const ws_claims_section *section, const char *keys);

/* Records "FILE:LINE:COLUMN: text" and returns WS_EINPUT. */
int ws_claims_fail(const ws_place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Splits a value at bars and trims blanks; WS_EINPUT for more than `most` parts. */
int ws_claims_split(ws_claims_file *file, const ws_claims_entry *entry, size_t most, ws_claims_entry *part, size_t *n);

/* Skips blanks and returns the length of the following word, 0 at the end. */
size_t ws_claims_word(const char **at);

/* Returns whether `words`, separated by blanks, contain the word. */
bool ws_claims_has_word(const char *words, const char *word);

#endif
