/* ptx_origin.c - which line of the source does an instruction come from? .file, .loc, the names in .debug_str, and
 * statements as written.
 *
 * Files and names may stand behind the functions that use them: what a function's places lack is settled when the
 * module is complete. A .loc that is `inlined_at` a point means the latest place of its function with that point, so
 * that calls within calls stay a chain. */
#include "collect/ptx/ptx_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1 << 20, LINE_SHIFT = 32, FILE_SHIFT = 12 };

/* A place of the function that is read; its file and function are not known yet. */
typedef struct located {
    ws_place place;
    uint32_t file;
    const name *label; /* in .debug_str; NULL: the section's begin, or no function */
    uint64_t offset;   /* from the label */
    bool is_inlined;
} located;

typedef struct late_place {
    ws_place *place;
    located said;
} late_place;

/* ------------------------------------------------------------------------------------------------ .file */

/* A string without its escapes, as LLVM writes them (MCAsmStreamer, PrintQuotedString): \\ \" \b \f \n \r \t, and other
 * bytes as three octal digits. Returns how many bytes it took of `out`, never more than the string has. */
static size_t put_string(const token *text, char *out)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++) {
        unsigned value = 0, digits = 0;
        if (text->text[i] != '\\' || i + 1 == text->length) {
            out[n++] = text->text[i];
            continue;
        }
        i++;
        while (digits < 3 && i + digits < text->length && text->text[i + digits] >= '0' &&
               text->text[i + digits] <= '7')
            value = 8 * value + (unsigned)(text->text[i + digits++] - '0');
        const char *const letter = memchr(letters, text->text[i], sizeof letters - 1);
        out[n++] = digits ? (char)value : letter ? meant[letter - letters] : text->text[i];
        i += digits ? digits - 1 : 0;
    }
    return n;
}

/* .file NUMBER {"directory"} "name" {, time, size} */
void ptx_source_file(parser *p)
{
    const token at = p->tok;
    const uint32_t number = ptx_number32(p, "the number of a file");
    token text = p->tok, folder = {0};
    if (number >= MAX_FILES)
        ptx_fail_at(p, at.line, at.column, "expected a file number below %d, found %u", MAX_FILES, number);
    if (text.kind != TOK_STRING)
        ptx_expected(p, "the name of a file in quotes");
    ptx_advance(p);
    if (p->tok.kind == TOK_STRING) {
        folder = text;
        text = p->tok;
        ptx_advance(p);
    }
    for (int i = 0; i < 2 && ptx_accept(p, ','); i++)
        ptx_integer(p, "a number");
    while (!p->status && p->source_files.count <= number)
        ptx_push(p, &p->source_files, sizeof(const char *));
    const bool joined = folder.length && text.length && *text.text != '/';
    char *const path = p->status ? NULL : ptx_alloc(p, folder.length + text.length + 2);
    if (!path)
        return;
    size_t n = 0;
    if (joined) {
        n = put_string(&folder, path);
        path[n++] = '/';
    }
    n += put_string(&text, path + n);
    path[n] = '\0';
    ((const char **)p->source_files.items)[number] = path;
}

/* ------------------------------------------------------------------------------------------------ .loc */

static uint64_t point_key(uint32_t file, uint32_t line, uint32_t column)
{
    return ((uint64_t)line << LINE_SHIFT | (uint64_t)file << FILE_SHIFT) ^ column;
}

static bool same_place(const located *a, const located *b)
{
    return a->file == b->file && a->place.line == b->place.line && a->place.column == b->place.column &&
           a->place.inlined_at == b->place.inlined_at && a->label == b->label && a->offset == b->offset &&
           a->is_inlined == b->is_inlined;
}

/* The number of the place in its function: a new one, unless the latest at that point is the same. 0 after an error. */
static uint32_t place_number(parser *p, const located *said)
{
    uint32_t *const latest = ws_table_put(&p->points, point_key(said->file, said->place.line, said->place.column));
    located *slot;
    if (!latest) {
        ptx_no_memory(p);
        return 0;
    }
    if (*latest && same_place((located *)p->places.items + *latest, said))
        return *latest;
    if (!p->places.count)
        ptx_push(p, &p->places, sizeof *slot); /* the one that is not known */
    slot = ptx_push(p, &p->places, sizeof *slot);
    if (!slot)
        return 0;
    *slot = *said;
    return *latest = p->places.count - 1;
}

/* The place of a call: the latest with that point, whoever was inlined there. */
static uint32_t call_number(parser *p, uint32_t file, uint32_t line, uint32_t column)
{
    const uint32_t *const latest = ws_table_find(&p->points, point_key(file, line, column));
    const located *const there = latest ? (const located *)p->places.items + *latest : NULL;
    if (there && there->file == file && there->place.line == line && there->place.column == column)
        return *latest;
    return place_number(p, &(located){.file = file, .place = {.line = line, .column = column}});
}

/* function_name LABEL {+ N}; the label may be the section's own name. */
static void function_name(parser *p, located *said)
{
    if (p->tok.kind == TOK_WORD)
        said->label = ptx_intern(p, p->tok.text, p->tok.length);
    else if (!ptx_is_text(&p->tok, TOK_DOT, "debug_str"))
        ptx_expected(p, "a label");
    ptx_advance(p);
    said->is_inlined = true;
    if (ptx_accept(p, '+'))
        said->offset = ptx_integer(p, "an integer offset");
}

static void point(parser *p, uint32_t *file, uint32_t *line, uint32_t *column)
{
    *file = ptx_number32(p, "the number of a file");
    *line = ptx_number32(p, "a line number");
    *column = ptx_number32(p, "a column number");
}

/* .loc FILE LINE COLUMN {, function_name LABEL {+ N}, inlined_at FILE LINE COLUMN} has no semicolon. */
void ptx_location(parser *p)
{
    located said = {0};
    point(p, &said.file, &said.place.line, &said.place.column);
    while (ptx_accept(p, ',')) {
        if (ptx_is_text(&p->tok, TOK_WORD, "function_name")) {
            ptx_advance(p);
            function_name(p, &said);
        } else if (ptx_is_text(&p->tok, TOK_WORD, "inlined_at")) {
            uint32_t file, line, column;
            ptx_advance(p);
            point(p, &file, &line, &column);
            said.place.inlined_at = p->function && !p->status ? call_number(p, file, line, column) : 0;
        } else {
            ptx_expected(p, "function_name or inlined_at");
        }
    }
    if (p->function && !p->status) /* line 0: what no line asked for */
        p->place = said.place.line ? place_number(p, &said) : 0;
}

void ptx_places_begin(parser *p)
{
    p->places.count = p->place = 0;
    ws_table_clear(&p->points);
}

void ptx_places_end(parser *p, ws_function *f)
{
    ws_place *const place = p->places.count ? ptx_alloc(p, p->places.count * sizeof *place) : NULL;
    const located *const said = p->places.items;
    if (!place)
        return;
    place[0] = (ws_place){0};
    for (uint32_t i = 1; i < p->places.count; i++) {
        place[i] = said[i].place;
        late_place *const late = ptx_push(p, &p->late_places, sizeof *late);
        if (late)
            *late = (late_place){.place = &place[i], .said = said[i]};
    }
    f->place = place;
    f->places = p->places.count;
}

/* ------------------------------------------------------------------------------------------------ names */

/* The bytes of .debug_str, and where its labels are: { label: .b8 95,90,0 ... }. What else stands there is left alone.
 */
void ptx_debug_strings(parser *p)
{
    const token open = p->tok;
    uint64_t depth = 0;
    do {
        const token t = p->tok;
        if (t.kind == TOK_END) {
            ptx_fail_at(p, open.line, open.column, "expected the partner of `{`, found the end of the file");
            return;
        }
        depth += ptx_is(p, '{');
        depth -= ptx_is(p, '}');
        ptx_advance(p);
        if (t.kind == TOK_INTEGER) {
            char *const byte = ptx_push(p, &p->strings, 1);
            if (byte)
                *byte = (char)t.value;
        } else if (t.kind == TOK_WORD && ptx_is(p, ':')) {
            uint64_t *const at = ws_table_put(&p->string_labels, (uintptr_t)ptx_intern(p, t.text, t.length));
            if (at)
                *at = p->strings.count;
            else
                ptx_no_memory(p);
        }
    } while (depth && !p->status);
}

static const char *function_of(parser *p, const located *said)
{
    const uint64_t *const label = said->label ? ws_table_find(&p->string_labels, (uintptr_t)said->label) : NULL;
    const uint64_t at = (label ? *label : 0) + said->offset;
    const char *const all = p->strings.items;
    if (!said->is_inlined || (said->label && !label) || said->offset > p->strings.count || at >= p->strings.count)
        return NULL;
    const size_t length = strnlen(all + at, p->strings.count - at);
    return length && length < p->strings.count - at ? ptx_copy(p, all + at, length) : NULL;
}

void ptx_settle_places(parser *p)
{
    const char *const *const file = p->source_files.items;
    for (uint32_t i = 0; i < p->late_places.count && !p->status; i++) {
        const late_place *const late = (const late_place *)p->late_places.items + i;
        late->place->file = late->said.file < p->source_files.count ? file[late->said.file] : NULL;
        late->place->function = function_of(p, &late->said);
    }
}

/* ------------------------------------------------------------------------------------------------ statements */

static bool at_comment(const char *c, const char *end, char second)
{
    return end - c >= 2 && c[0] == '/' && c[1] == second;
}

static const char *behind_comment(const char *c, const char *end)
{
    if (at_comment(c, end, '/')) {
        while (c < end && *c != '\n')
            c++;
        return c;
    }
    for (c += 2; end - c >= 2 && (c[0] != '*' || c[1] != '/'); c++)
        ;
    return end - c >= 2 ? c + 2 : end;
}

const char *ptx_statement(parser *p, const char *from, const char *end)
{
    char *const text = ptx_alloc(p, (size_t)(end - from) + 1);
    size_t n = 0;
    for (const char *c = from; text && c < end;) {
        const bool comment = at_comment(c, end, '/') || at_comment(c, end, '*');
        if (comment || isspace((unsigned char)*c)) {
            c = comment ? behind_comment(c, end) : c + 1;
            if (n && text[n - 1] != ' ')
                text[n++] = ' ';
        } else {
            text[n++] = *c++;
        }
    }
    if (text)
        text[n && text[n - 1] == ' ' ? n - 1 : n] = '\0';
    return text;
}

/* ------------------------------------------------------------------------------------------------ of a launch */

int ws_ptx_origin(const ws_function *const *function, size_t functions, ws_arena *arena, ws_origin **out)
{
    size_t instrs = 0, places = 1;
    for (size_t i = 0; i < functions; i++) {
        instrs += function[i]->insns;
        places += function[i]->places;
    }
    ws_origin *const origin = ws_arena_alloc(arena, sizeof *origin);
    ws_place *const place = ws_arena_alloc(arena, places * sizeof *place);
    uint32_t *const of = ws_arena_alloc(arena, (instrs + 1) * sizeof *of);
    const char **const text = ws_arena_alloc(arena, (instrs + 1) * sizeof *text);
    if (!origin || !place || !of || !text)
        return ws_fail(WS_EMEM, "no memory for the lines of a kernel");
    *origin = (ws_origin){.place = place, .places = places, .instrs = instrs, .of = of, .text = text};
    place[0] = (ws_place){0};
    uint32_t pc = 0, first = 1;
    for (size_t i = 0; i < functions; i++) {
        const ws_function *const fn = function[i];
        for (uint32_t k = 0; k < fn->places; k++) {
            place[first + k] = fn->place[k];
            if (fn->place[k].inlined_at)
                place[first + k].inlined_at += first;
        }
        for (uint32_t k = 0; k < fn->insns; k++, pc++) {
            const uint32_t at = fn->insn[k].place;
            of[pc] = at && fn->place[at].file ? first + at : 0;
            text[pc] = fn->insn[k].statement;
        }
        first += fn->places;
    }
    *out = origin;
    return WS_OK;
}
