/* claims_file.h - files of sections of texts.
 *
 *     # a comment; it begins a line
 *     [claim hits]
 *     ours = a text with # and ;
 *         that goes on where a line begins with blanks
 *
 * A key is what stands before the first equals sign, and may be there several times. */
#ifndef WS_CLAIMS_FILE_H
#define WS_CLAIMS_FILE_H

#include "base/arena.h"
#include "base/cube/expression.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_claims_entry {
    const char *key, *value; /* lines of a value have a line feed between them */
    ws_place at_key, place;
    bool is_used;
} ws_claims_entry;

typedef struct ws_claims_section {
    const char *kind, *name; /* "claim", "hits"; "" without a name */
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

/* Parses text[0..length); `path` is for messages. WS_EINPUT with FILE:LINE:COLUMN for a line of another form, and a
 * section that is there twice. The caller frees it with fini, also after a failure. */
int ws_claims_file_parse(const char *path, const char *text, size_t length, ws_claims_file *out);
int ws_claims_file_read(const char *path, ws_claims_file *out);
void ws_claims_file_fini(ws_claims_file *file);

/* The only entry of that key, or NULL; WS_EINPUT where there are several. */
int ws_claims_find(const ws_claims_section *section, const char *key, ws_claims_entry **out);
/* The same for what has to be there. */
int ws_claims_need(const ws_claims_section *section, const char *key, ws_claims_entry **out);

/* WS_EINPUT for an entry that nothing has used; `keys` says which there are. */
int ws_claims_check_used(const ws_claims_section *section, const char *keys);

/* Records "FILE:LINE:COLUMN: text" and returns WS_EINPUT. */
int ws_claims_fail(const ws_place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Parts of a value between bars, without the blanks around them; at most `most` of them, else WS_EINPUT. */
int ws_claims_split(ws_claims_file *file, const ws_claims_entry *entry, size_t most, ws_claims_entry *part, size_t *n);

/* Skips blanks: the length of the word that follows, 0 at the end. */
size_t ws_claims_word(const char **at);

/* Is the word one of those between blanks? */
bool ws_claims_has_word(const char *words, const char *word);

#endif
