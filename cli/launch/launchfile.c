/* launchfile.c - reads a launch file: one function a statement, over the tokens of launch_scan.c. */
#include "cli/launch/launch_scan_internal.h"

#include "base/input.h"
#include "base/status.h"
#include "cli/launch/launch_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

static const uint64_t max_elements = (uint64_t)1 << 40;

static const ws_launch_buffer *buffer_at(const reader *r, size_t i)
{
    return (const ws_launch_buffer *)r->buffers.items + i;
}

/* What a name means: the buffer, and the latest texture; -1 when there is none. */
typedef struct named {
    UT_hash_handle hh;
    ptrdiff_t buffer, texture;
} named;

static named *find_name(const reader *r, const token *t)
{
    named *n = NULL;
    if (t->kind == TOKEN_WORD)
        HASH_FIND(hh, r->names, t->text, t->length, n);
    return n;
}

/* Made when it is not there; NULL when memory is out. `name` has to stay. */
static named *make_name(reader *r, const token *t, const char *name)
{
    named *n = find_name(r, t);
    if (n || r->status)
        return n;
    n = scan_allocate(r, sizeof *n);
    if (n) {
        n->buffer = n->texture = -1;
        HASH_ADD_KEYPTR(hh, r->names, name, (unsigned)t->length, n);
    }
    if (!n || n->hh.tbl)
        return n;
    scan_no_memory(r);
    return NULL;
}

/* The buffer that the token names, or -1. */
static ptrdiff_t find_buffer(const reader *r, const token *t)
{
    const named *const n = find_name(r, t);
    return n ? n->buffer : -1;
}

static uint32_t buffer_name(reader *r)
{
    const ptrdiff_t found = find_buffer(r, &r->tok);
    if (found < 0) {
        scan_expected(r, "the name of a buffer");
        return 0;
    }
    scan_advance(r);
    return (uint32_t)found;
}

/* ------------------------------------------------------------------------------------------------ contents */

static void iota(reader *r, ws_type type, ws_content *c)
{
    c->kind = WS_CONTENT_IOTA;
    c->step = c->by = 1;
    if (ws_type_kind_of(type) == WS_KIND_FLOAT) {
        if (scan_is_value(r))
            c->start = scan_number(r, "a number to start with");
        if (scan_is_value(r))
            c->step = scan_number(r, "a step");
        return;
    }
    if (scan_is_value(r))
        c->first = scan_signed(r, "a whole number to start with");
    if (scan_is_value(r))
        c->by = scan_signed(r, "a whole step");
}

static void random_content(reader *r, ws_type type, ws_content *c)
{
    const token at = r->tok;
    c->kind = WS_CONTENT_RANDOM;
    if (ws_type_kind_of(type) == WS_KIND_FLOAT) {
        c->start = scan_number(r, "the least value");
        c->step = scan_number(r, "the greatest value");
        if (!(c->start <= c->step))
            scan_fail_at(r, at.line, at.column, "expected the least value first, then the greatest");
    } else {
        c->first = scan_signed(r, "the least value, a whole number");
        c->by = scan_signed(r, "the greatest value, a whole number");
        if (c->first > c->by)
            scan_fail_at(r, at.line, at.column, "expected the least value first, then the greatest");
    }
    if (scan_accept(r, "seed"))
        c->seed = scan_whole(r, "a seed, a whole number below 2^32", 0, UINT32_MAX);
}

/* = 1 2 3*10: values, the last one ten times; together as many as there are elements. */
static void values(reader *r, ws_type type, uint64_t count, ws_content *c)
{
    list runs = {0};
    uint64_t total = 0;
    c->kind = WS_CONTENT_VALUES;
    while (scan_is_value(r) && !r->status) {
        const token at = r->tok;
        ws_value_run one = {.bits = scan_value(r, type), .count = 1};
        if (scan_accept(r, "*"))
            one.count = scan_whole(r, "how often, 1 to 2^40", 1, max_elements);
        ws_value_run *const slot = scan_push(r, &runs, sizeof *slot);
        if (slot)
            *slot = one;
        total += one.count;
        if (total > count)
            scan_fail_at(r, at.line, at.column, "expected %llu value%s, found more", (unsigned long long)count,
                         count == 1 ? "" : "s");
    }
    if (total < count) {
        char what[96];
        snprintf(what, sizeof what, "%llu values (%llu are there)", (unsigned long long)count,
                 (unsigned long long)total);
        scan_expected(r, what);
    }
    c->runs = runs.count;
    c->run = scan_settle(r, &runs, sizeof *c->run);
}

/* How the elements look; false when the next word does not say. */
static bool content(reader *r, ws_type type, uint64_t count, ws_content *c)
{
    c->line = r->tok.line;
    c->column = r->tok.column;
    if (scan_accept(r, "zero")) {
        c->kind = WS_CONTENT_ZERO;
    } else if (scan_accept(r, "fill")) {
        c->kind = WS_CONTENT_FILL;
        c->bits = scan_value(r, type);
    } else if (scan_accept(r, "iota")) {
        iota(r, type, c);
    } else if (scan_accept(r, "random")) {
        random_content(r, type, c);
    } else if (scan_accept(r, "=")) {
        values(r, type, count, c);
    } else if (scan_accept(r, "file")) {
        c->kind = WS_CONTENT_FILE;
        c->path = scan_string(r, "the name of a file in quotes");
    } else if (scan_accept(r, "same")) {
        const token at = r->tok;
        c->kind = WS_CONTENT_SAME;
        c->buffer = buffer_name(r);
        if (!r->status && (buffer_at(r, c->buffer)->type != type || buffer_at(r, c->buffer)->count < count))
            scan_expected_at(r, &at, "a buffer of the same type that is as long");
    } else {
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ statements */

static ws_script_step *new_step(reader *r, ws_step_kind kind, const token *at)
{
    ws_script_step *const s = scan_push(r, &r->steps, sizeof *s);
    if (s)
        *s = (ws_script_step){.kind = kind, .line = at->line, .column = at->column};
    return s;
}

static ws_type type_word(reader *r)
{
    const ws_type type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
    if (!type)
        scan_expected(r, "a type such as u32 or f32");
    scan_advance(r);
    return type;
}

/* buffer NAME TYPE COUNT [CONTENT]; symbol NAME TYPE COUNT [CONTENT] */
static void buffer(reader *r, bool is_symbol)
{
    const token at = r->tok;
    ws_launch_buffer b = {.is_symbol = is_symbol, .line = at.line, .column = at.column};
    if (at.kind != TOKEN_WORD || scan_is_reserved(&at) || ws_value_type(at.text, at.length))
        scan_expected(r, is_symbol ? "the name of a variable of the module" : "a name for the buffer");
    if (find_buffer(r, &at) >= 0)
        scan_expected(r, "a new name");
    b.name = scan_copy(r, &at);
    scan_advance(r);
    b.type = type_word(r);
    b.count = scan_whole(r, "a number of elements, 1 to 2^40", 1, max_elements);
    ws_content c = {.kind = is_symbol ? WS_CONTENT_KEEP : WS_CONTENT_ZERO};
    if (!r->status)
        content(r, b.type, b.count, &c);
    ws_launch_buffer *const slot = r->status ? NULL : scan_push(r, &r->buffers, sizeof *slot);
    ws_script_step *const s = slot ? new_step(r, WS_STEP_SET, &at) : NULL;
    if (!s)
        return;
    *slot = b;
    s->buffer = (uint32_t)(r->buffers.count - 1);
    named *const n = make_name(r, &at, b.name);
    if (n)
        n->buffer = s->buffer;
    s->content = c;
}

/* The latest texture that has the token as its name, or -1. */
static ptrdiff_t find_texture(const reader *r, const token *t)
{
    const named *const n = find_name(r, t);
    return n ? n->texture : -1;
}

/* texture NAME of BUFFER [size X [Y [Z]]] ... */
static void texture(reader *r)
{
    const token at = r->tok;
    ws_launch_texture t = {.line = at.line, .column = at.column};
    if (at.kind != TOKEN_WORD || scan_is_reserved(&at) || ws_value_type(at.text, at.length) || find_buffer(r, &at) >= 0)
        scan_expected(r, "a name for the texture");
    t.name = scan_copy(r, &at);
    scan_advance(r);
    scan_require(r, "of");
    t.buffer = buffer_name(r);
    if (!r->status)
        scan_texture_form(r, buffer_at(r, t.buffer)->type, buffer_at(r, t.buffer)->count, &t.form, &t.surface);
    ws_launch_texture *const slot = r->status ? NULL : scan_push(r, &r->textures, sizeof *slot);
    ws_script_step *const s = slot ? new_step(r, WS_STEP_TEXTURE, &at) : NULL;
    if (!s)
        return;
    *slot = t;
    s->texture = (uint32_t)(r->textures.count - 1);
    named *const n = make_name(r, &at, t.name);
    if (n)
        n->texture = s->texture;
}

static void shape(reader *r, uint32_t size[3], const char *what)
{
    size[0] = size[1] = size[2] = 1;
    size[0] = (uint32_t)scan_whole(r, what, 1, UINT32_MAX);
    for (int i = 1; i < 3 && r->tok.kind == TOKEN_NUMBER; i++)
        size[i] = (uint32_t)scan_whole(r, what, 1, UINT32_MAX);
}

/* NAME, NAME+16: the address of a buffer. */
static void buffer_argument(reader *r, ws_argument *a)
{
    const char *const behind = r->next;
    a->kind = WS_ARGUMENT_BUFFER;
    a->buffer = buffer_name(r);
    if (r->tok.kind == TOKEN_NUMBER && r->tok.text == behind) /* no blank between */
        a->offset = scan_signed(r, "a number of bytes");
}

static void value_argument(reader *r, ws_argument *a)
{
    uint64_t bits;
    a->kind = WS_ARGUMENT_VALUE;
    const char *const wrong =
        a->type && scan_is_value(r) ? ws_value_parse(a->type, r->tok.text, r->tok.length, &bits) : NULL;
    if (!scan_is_value(r) || wrong)
        scan_expected(r, wrong ? wrong : "a value");
    a->text = scan_copy(r, &r->tok);
    scan_advance(r);
}

/* A field of { }: its type has to be said, because the parameter is only bytes. */
static void field_argument(reader *r, ws_argument *a)
{
    a->line = r->tok.line;
    a->column = r->tok.column;
    if (find_buffer(r, &r->tok) >= 0) {
        buffer_argument(r, a);
        return;
    }
    a->type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
    if (!a->type)
        scan_expected(r, "a type and a value, a buffer, or `}`");
    scan_advance(r);
    value_argument(r, a);
}

static void struct_argument(reader *r, ws_argument *a)
{
    list fields = {0};
    scan_advance(r);
    a->kind = WS_ARGUMENT_STRUCT;
    while (!scan_is_text(&r->tok, "}") && !r->status) {
        ws_argument *const field = scan_push(r, &fields, sizeof *field);
        if (field)
            field_argument(r, field);
    }
    scan_require(r, "}");
    a->fields = fields.count;
    a->field = scan_settle(r, &fields, sizeof *a->field);
}

static void one_argument(reader *r, ws_argument *a)
{
    a->line = r->tok.line;
    a->column = r->tok.column;
    if (find_buffer(r, &r->tok) >= 0) {
        buffer_argument(r, a);
    } else if (find_texture(r, &r->tok) >= 0) {
        a->kind = WS_ARGUMENT_TEXTURE;
        a->texture = (uint32_t)find_texture(r, &r->tok);
        scan_advance(r);
    } else if (scan_is_text(&r->tok, "{")) {
        struct_argument(r, a);
    } else {
        a->type = r->tok.kind == TOKEN_WORD ? ws_value_type(r->tok.text, r->tok.length) : WS_T_NONE;
        if (a->type)
            scan_advance(r);
        if (!scan_is_value(r))
            scan_expected(r, a->type ? "a value" : "an argument: a buffer, a value, or { }");
        else
            value_argument(r, a);
    }
}

static void arguments(reader *r, ws_script_step *s)
{
    list all = {0};
    while (r->tok.kind != TOKEN_END && !scan_is_reserved(&r->tok)) {
        ws_argument *const a = scan_push(r, &all, sizeof *a);
        if (a)
            one_argument(r, a);
    }
    s->arguments = all.count;
    s->argument = scan_settle(r, &all, sizeof *s->argument);
}

/* launch KERNEL grid X [Y [Z]] block X [Y [Z]] [cluster X [Y [Z]]] [shared N] [limit N] [cooperative] [args ...] */
static void launch(reader *r, const token *at)
{
    ws_script_step s = {
        .kind = WS_STEP_LAUNCH, .line = at->line, .column = at->column, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    if (r->tok.kind != TOKEN_WORD || scan_is_reserved(&r->tok))
        scan_expected(r, "the name of a kernel");
    s.kernel = scan_copy(r, &r->tok);
    scan_advance(r);
    while (!r->status) {
        if (scan_accept(r, "grid"))
            shape(r, s.grid, "a number of blocks, 1 to 2^32 - 1");
        else if (scan_accept(r, "block"))
            shape(r, s.block, "a number of threads, 1 to 2^32 - 1");
        else if (scan_accept(r, "cluster"))
            shape(r, s.cluster, "a number of blocks of a cluster, 1 to 2^32 - 1");
        else if (scan_accept(r, "shared"))
            s.shared_bytes = (uint32_t)scan_whole(r, "a number of bytes of dynamic shared memory", 0, UINT32_MAX);
        else if (scan_accept(r, "limit"))
            s.limit = scan_whole(r, "a number of warp instructions above 0", 1, UINT64_MAX);
        else if (scan_accept(r, "cooperative"))
            s.cooperative = true;
        else if (scan_is_text(&r->tok, "args") && !s.argument)
            scan_advance(r), arguments(r, &s);
        else
            break;
    }
    ws_script_step *const slot = r->status ? NULL : new_step(r, WS_STEP_LAUNCH, at);
    if (slot) {
        *slot = s;
        r->last_launch = (ptrdiff_t)r->steps.count - 1;
    }
}

static ws_script_step *last_launch(reader *r, const token *at)
{
    if (r->last_launch < 0) {
        scan_fail_at(r, at->line, at->column, "expected a launch before what is expected of it");
        return NULL;
    }
    return (ws_script_step *)r->steps.items + r->last_launch;
}

/* [I], [I..J]; without it all elements. */
static void element_range(reader *r, ws_script_step *s)
{
    const uint64_t count = r->status ? 1 : buffer_at(r, s->buffer)->count;
    char what[96];
    s->count = count;
    if (!scan_accept(r, "["))
        return;
    snprintf(what, sizeof what, "an element from 0 to %llu", (unsigned long long)(count - 1));
    s->first = scan_whole(r, what, 0, count - 1);
    s->count = 1;
    if (scan_accept(r, "..")) {
        snprintf(what, sizeof what, "an element from %llu to %llu", (unsigned long long)s->first,
                 (unsigned long long)(count - 1));
        s->count = scan_whole(r, what, s->first, count - 1) - s->first + 1;
    }
    scan_require(r, "]");
}

static double tolerance(reader *r)
{
    const token at = r->tok;
    const double t = scan_number(r, "a tolerance");
    if (!r->status && !(t > 0))
        scan_expected_at(r, &at, "a tolerance above 0");
    return t;
}

/* expect NAME[I..J] CONTENT [within T] [relative T] */
static void expect_elements(reader *r, const token *at)
{
    ws_script_step s = {.kind = WS_STEP_EXPECT, .line = at->line, .column = at->column};
    s.buffer = buffer_name(r);
    element_range(r, &s);
    const ws_type type = r->status ? WS_T_u32 : buffer_at(r, s.buffer)->type;
    if (!r->status && !content(r, type, s.count, &s.content))
        scan_expected(r, "`=`, zero, fill, iota, random, file or same");
    for (;;) {
        if (scan_accept(r, "within"))
            s.within = tolerance(r);
        else if (scan_accept(r, "relative"))
            s.relative = tolerance(r);
        else
            break;
    }
    ws_script_step *const slot = r->status ? NULL : new_step(r, WS_STEP_EXPECT, at);
    if (slot)
        *slot = s;
}

/* Words that name no buffer when the one that was declared does not; a buffer of that name wins. */
static void expect(reader *r, const token *at)
{
    const bool is_buffer = find_buffer(r, &r->tok) >= 0;
    const bool warps = scan_is_text(&r->tok, "warp_instructions"),
               threads = scan_is_text(&r->tok, "thread_instructions");
    if (!is_buffer && scan_accept(r, "fault")) {
        ws_script_step *const s = last_launch(r, at);
        const char *const text = scan_string(r, "a part of the fault's message in quotes");
        if (s && s->text)
            scan_fail_at(r, at->line, at->column, "expected one fault of a launch, found a second");
        if (s)
            s->text = text;
    } else if (!is_buffer && scan_accept(r, "printed")) {
        last_launch(r, at);
        const char *const text = scan_string(r, "what the launch prints, in quotes");
        ws_script_step *const s = r->status ? NULL : new_step(r, WS_STEP_PRINTED, at);
        if (s)
            s->text = text;
    } else if (!is_buffer && (warps || threads)) {
        last_launch(r, at);
        scan_advance(r);
        const uint64_t n = scan_whole(r, "a number of instructions", 0, UINT64_MAX);
        ws_script_step *const s = r->status ? NULL : new_step(r, WS_STEP_INSTRUCTIONS, at);
        if (s) {
            s->instructions = n;
            s->per_thread = threads;
        }
    } else if (!is_buffer) {
        scan_expected(r, "the name of a buffer, fault, printed, warp_instructions or thread_instructions");
    } else {
        expect_elements(r, at);
    }
}

/* print NAME[I..J] */
static void print(reader *r, const token *at)
{
    ws_script_step s = {.kind = WS_STEP_PRINT, .line = at->line, .column = at->column};
    s.buffer = buffer_name(r);
    element_range(r, &s);
    ws_script_step *const slot = r->status ? NULL : new_step(r, WS_STEP_PRINT, at);
    if (slot)
        *slot = s;
}

static void statement(reader *r)
{
    const token at = r->tok;
    if (scan_accept(r, "buffer"))
        buffer(r, false);
    else if (scan_accept(r, "symbol"))
        buffer(r, true);
    else if (scan_accept(r, "texture"))
        texture(r);
    else if (scan_accept(r, "launch"))
        launch(r, &at);
    else if (scan_accept(r, "expect"))
        expect(r, &at);
    else if (scan_accept(r, "print"))
        print(r, &at);
    else
        scan_expected(r, "buffer, symbol, texture, launch, expect or print");
}

static ws_script *finish(reader *r)
{
    ws_script *const s = scan_allocate(r, sizeof *s);
    const char *const slash = strrchr(r->file, '/');
    const token folder = {.text = r->file, .length = slash ? (size_t)(slash - r->file) + 1 : 0};
    const token file = {.text = r->file, .length = strlen(r->file)};
    if (!s)
        return NULL;
    *s = (ws_script){.file = scan_copy(r, &file),
                     .folder = scan_copy(r, &folder),
                     .buffers = r->buffers.count,
                     .textures = r->textures.count,
                     .steps = r->steps.count,
                     .arena = r->arena};
    s->buffer = scan_settle(r, &r->buffers, sizeof *s->buffer);
    s->texture = scan_settle(r, &r->textures, sizeof *s->texture);
    s->step = scan_settle(r, &r->steps, sizeof *s->step);
    return s;
}

int ws_launchfile_parse(const char *file, const char *text, size_t length, ws_script **out)
{
    *out = NULL;
    ws_arena *const arena = ws_arena_create();
    if (!arena)
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    reader r = {.file = file,
                .next = text,
                .end = text + length,
                .line_start = text,
                .line = 1,
                .arena = arena,
                .last_launch = -1};
    scan_advance(&r);
    while (r.tok.kind != TOKEN_END)
        statement(&r);
    if (!r.status && r.last_launch < 0)
        scan_expected(&r, "a launch");
    ws_script *const script = r.status ? NULL : finish(&r);
    HASH_CLEAR(hh, r.names);
    free(r.buffers.items);
    free(r.textures.items);
    free(r.steps.items);
    if (r.status)
        ws_arena_destroy(arena);
    else
        *out = script;
    return r.status;
}

int ws_launchfile_load(const char *path, ws_script **out)
{
    *out = NULL;
    static const ws_input launches = {
        .what = "a launch file", .most_bytes = 256 << 20, .source = WS_INPUT_PIPES, .is_found = true};
    char *text;
    size_t length;
    int status = ws_input_read(path, &launches, &text, &length);
    if (!status)
        status = ws_launchfile_parse(path, text, length, out);
    free(text);
    return status;
}

void ws_script_destroy(ws_script *script)
{
    if (script)
        ws_arena_destroy(script->arena);
}
