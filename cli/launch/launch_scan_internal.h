/* launch_scan_internal.h - scanner of launch files: tokens, single values, and messages with their positions.
 *
 * Errors are sticky: after the first one every token is TOKEN_END, so that loops end without checking a status. */
#ifndef WS_LAUNCH_SCAN_INTERNAL_H
#define WS_LAUNCH_SCAN_INTERNAL_H

#include "cli/launch/launchfile.h"

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* strings: with quotes and escapes */
    size_t length;
    uint32_t line, column;
} token;

/* A growing array of items of one size. */
typedef struct list {
    void *items;
    size_t count, capacity;
} list;

typedef struct reader {
    const char *file, *next, *end, *line_start;
    uint32_t line;
    token tok;
    int status;
    ws_arena *arena;
    list buffers, textures, steps; /* ws_launch_buffer, ws_launch_texture, ws_script_step */
    struct named *names;           /* names of buffers and textures */
    ptrdiff_t last_launch;         /* step of the last launch, or -1 */
} reader;

void scan_fail_at(reader *r, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void scan_no_memory(reader *r);
void scan_expected_at(reader *r, const token *t, const char *what);
void scan_expected(reader *r, const char *what); /* at the current token */

void scan_advance(reader *r);
bool scan_is_text(const token *t, const char *text);
bool scan_is_reserved(const token *t);         /* a word that starts a statement or a clause */
bool scan_accept(reader *r, const char *text); /* skips the word if present */
void scan_require(reader *r, const char *text);

void *scan_allocate(reader *r, size_t size);
void *scan_push(reader *r, list *l, size_t item_bytes);   /* returns a zeroed new item */
void *scan_settle(reader *r, list *l, size_t item_bytes); /* moves the items to the arena and frees the list */
const char *scan_copy(reader *r, const token *t);

/* Each consumes one token, or fails with the expected form. */
bool scan_is_value(const reader *r);
uint64_t scan_whole(reader *r, const char *what, uint64_t least, uint64_t most);
uint64_t scan_value(reader *r, ws_type type);
double scan_number(reader *r, const char *what);
int64_t scan_signed(reader *r, const char *what);
/* Parses the words behind `texture NAME of BUFFER`, for a buffer of `count` elements; in launch_texture.c. */
void scan_texture_form(reader *r, ws_type type, uint64_t count, ws_texture *t, bool *surface);

const char *scan_string(reader *r, const char *what); /* replaces
                                                       *  \t \\ \" and \xHH; NULL after an error */

#endif
