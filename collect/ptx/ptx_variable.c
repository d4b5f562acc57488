/* ptx_variable.c - declarations of variables: their shape, place and initial bytes. */
#include "collect/ptx/ptx_internal.h"

#include "base/bits.h"
#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 8, MAX_ALIGN = 65536 };

static const uint64_t max_variable_bytes = (uint64_t)1 << 40;
static const uint64_t max_init_bytes = (uint64_t)256 << 20; /* of a module; keeps a short text from taking all memory */

/* What stands between the space and the names. */
typedef struct shape {
    uint8_t space, type, vec, pointer_space;
    bool pointer, is_reg;
    uint32_t align;
} shape;

typedef struct dimensions {
    uint64_t extent[MAX_DIMENSIONS + 1]; /* one more for the elements of .v2 and .v4 */
    unsigned count;
    bool unsized; /* the first one is [] */
} dimensions;

typedef struct initialiser {
    parser *p;
    const ws_variable *variable;
    const dimensions *dims;
    uint64_t element_bytes;
    vector bytes;
    vector relocs; /* of ws_reloc */
    uint64_t used; /* elements that were given a place */
} initialiser;

/* (.managed), (.unified(1, 2)) */
void ptx_attribute(parser *p)
{
    ptx_require(p, '(');
    do {
        const bool is_unified = ptx_accept_dot(p, DIR_unified);
        if (!is_unified && !ptx_accept_dot(p, DIR_managed))
            ptx_expected(p, ".managed or .unified");
        if (is_unified && ptx_is(p, '('))
            ptx_skip_balanced(p);
    } while (ptx_accept(p, ','));
    ptx_require(p, ')');
}

bool ptx_space_declared(const parser *p, uint8_t *space)
{
    static const struct {
        directive word;
        uint8_t space;
    } spaces[] = {{DIR_global, WS_SPACE_GLOBAL},
                  {DIR_const, WS_SPACE_CONST},
                  {DIR_shared, WS_SPACE_SHARED},
                  {DIR_local, WS_SPACE_LOCAL},
                  {DIR_param, WS_SPACE_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_at(p, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static uint32_t alignment(parser *p)
{
    const token at = p->tok;
    const uint32_t n = ptx_number32(p, "an alignment");
    if (!p->status && (!n || n & (n - 1) || n > MAX_ALIGN))
        ptx_fail_at(p, at.line, at.column, "expected an alignment that is a power of two up to %d, found %u", MAX_ALIGN,
                    n);
    return n ? n : 1;
}

/* .ptr .global .align 4: says where a pointer parameter points. */
static void pointer(parser *p, shape *s)
{
    s->pointer = true;
    s->pointer_space = WS_SPACE_GENERIC;
    if (ptx_space_declared(p, &s->pointer_space))
        ptx_advance(p);
    if (ptx_accept_dot(p, DIR_align))
        alignment(p);
}

/* Reads the words in front of the names; false when the next one is none of them. */
static bool shape_word(parser *p, shape *s)
{
    const token t = p->tok;
    const uint8_t type = t.kind == TOK_DOT ? ptx_type_declared(t.text, t.length) : WS_T_NONE;
    if (type) {
        if (s->type)
            ptx_expected(p, "the name that is declared");
        s->type = type;
        ptx_advance(p);
    } else if (ptx_accept_dot(p, DIR_align)) {
        s->align = alignment(p);
    } else if (ptx_accept_dot(p, DIR_ptr)) {
        pointer(p, s);
    } else if (ptx_accept_dot(p, DIR_attribute)) {
        ptx_attribute(p);
    } else if (ptx_accept_dot(p, DIR_v2)) {
        s->vec = 2;
    } else if (ptx_accept_dot(p, DIR_v4)) {
        s->vec = 4;
    } else if (ptx_accept_dot(p, DIR_v8)) {
        s->vec = 8;
    } else {
        return false;
    }
    return true;
}

static void read_shape(parser *p, shape *s)
{
    s->vec = 1;
    while (shape_word(p, s) && !p->status)
        ;
    if (!p->status && !s->type)
        ptx_expected(p, "a type such as .b32");
}

static void read_dimensions(parser *p, dimensions *d)
{
    while (ptx_is(p, '[') && !p->status) {
        if (d->count == MAX_DIMENSIONS) {
            ptx_fail_at(p, p->tok.line, p->tok.column, "expected at most %d dimensions", MAX_DIMENSIONS);
            return;
        }
        ptx_advance(p);
        if (ptx_is(p, ']') && d->count == 0)
            d->unsized = true;
        else
            d->extent[d->count] = ptx_integer(p, "the size of an array");
        d->count++;
        ptx_require(p, ']');
    }
}

/* Elements behind one step of dimension `level`. */
static uint64_t stride(const dimensions *d, unsigned level)
{
    uint64_t n = 1;
    for (unsigned i = level + 1; i < d->count; i++)
        n *= d->extent[i];
    return n;
}

static uint64_t type_bytes(uint8_t type)
{
    return (ws_type_bits(type) + 7) / 8;
}

/* Bytes of the array, the unsized dimension counted as one; fails when they are too many to be meant. */
static uint64_t total_bytes(parser *p, const token *at, const shape *s, const dimensions *d)
{
    uint64_t n = type_bytes(s->type) * s->vec;
    for (unsigned i = 0; i < d->count; i++) {
        const uint64_t extent = i == 0 && d->unsized ? 1 : d->extent[i];
        if (extent && n > max_variable_bytes / extent) {
            ptx_fail_at(p, at->line, at->column, "`%.*s` is larger than 2^40 bytes",
                        (int)(at->length < 200 ? at->length : 200), at->text);
            return 0;
        }
        n *= extent;
    }
    return n;
}

static bool reserve(initialiser *init, uint64_t bytes)
{
    parser *const p = init->p;
    if (bytes <= init->bytes.capacity)
        return true;
    if (bytes > max_init_bytes - p->init_bytes) {
        ptx_fail_at(p, p->tok.line, p->tok.column, "the module initialises more than %llu bytes",
                    (unsigned long long)max_init_bytes);
        return false;
    }
    const uint32_t before = init->bytes.capacity;
    char *items = init->bytes.items;
    if (WS_GROW(items, init->bytes.capacity, before, bytes - before)) {
        ptx_no_memory(p);
        return false;
    }
    memset(items + before, 0, init->bytes.capacity - before);
    init->bytes.items = items;
    return true;
}

static void store_bytes(initialiser *init, uint64_t element, uint64_t bits)
{
    const uint64_t at = element * init->element_bytes;
    if (!reserve(init, at + init->element_bytes))
        return;
    const uint64_t n = init->element_bytes < 8 ? init->element_bytes : 8;
    memcpy((char *)init->bytes.items + at, &bits, n); /* device memory is little-endian, and so are our hosts */
}

/* The bits that a constant has in an element of this type. */
static uint64_t element_bits(parser *p, const token *at, uint8_t type, const constant *c)
{
    const unsigned bits = ws_type_bits(type);
    const bool is_float = ws_type_kind_of(type) == WS_KIND_FLOAT;
    if (!is_float && !c->is_float)
        return c->bits;
    if (bits == 32 && (type == WS_T_f32 || !is_float)) {
        if (c->is_float == 1)
            return c->bits;
        return ws_f32_bits((float)ptx_constant_double(c));
    }
    if (bits == 64)
        return ws_f64_bits(ptx_constant_double(c));
    if (c->is_float)
        ptx_fail_at(p, at->line, at->column, "expected an integer for an element of type .%s", ws_type_name(type));
    return c->bits;
}

static bool is_mask(const parser *p)
{
    const char *q = p->next;
    while (q < p->end && (*q == ' ' || *q == '\t'))
        q++;
    return p->tok.kind == TOK_INTEGER && q < p->end && *q == '(';
}

/* name, name + 4, generic(name) + 4: what is added to a reloc at `offset`. */
static void symbol_value(initialiser *init, ws_reloc *r)
{
    parser *const p = init->p;
    const bool generic = ptx_is_text(&p->tok, TOK_WORD, "generic");
    if (generic) {
        ptx_advance(p);
        ptx_require(p, '(');
    }
    r->generic = generic;
    if (p->tok.kind != TOK_WORD) {
        ptx_expected(p, "the name of a variable or function");
        return;
    }
    const meaning *const m = ptx_lookup(p, &p->tok);
    r->name = m && m->variable ? m->variable->name : ptx_copy(p, p->tok.text, p->tok.length);
    ptx_advance(p);
    if (ptx_is(p, '+') || ptx_is(p, '-'))
        r->addend = (int64_t)ptx_integer(p, "an integer offset");
    if (generic) {
        ptx_require(p, ')');
        if (ptx_is(p, '+') || ptx_is(p, '-'))
            r->addend += (int64_t)ptx_integer(p, "an integer offset");
    }
}

static void relocated(initialiser *init, uint64_t element)
{
    parser *const p = init->p;
    const token at = p->tok;
    uint64_t mask = 0;
    if (at.kind == TOK_INTEGER) { /* 0xFF00(name): one byte of an address */
        mask = at.value;
        ptx_advance(p);
        ptx_require(p, '(');
    }
    ws_reloc r = {.offset = element * init->element_bytes, .bytes = (uint8_t)init->element_bytes};
    symbol_value(init, &r);
    if (at.kind == TOK_INTEGER) {
        ptx_require(p, ')');
        r.shift = (uint8_t)(mask ? __builtin_ctzll(mask) : 0);
        if (mask >> r.shift != 0xff || r.shift % 8)
            ptx_fail_at(p, at.line, at.column, "expected a mask of one byte such as 0xFF00, found %.*s", (int)at.length,
                        at.text);
    } else if (init->element_bytes != 4 && init->element_bytes != 8) {
        ptx_fail_at(p, at.line, at.column, "expected elements of 4 or 8 bytes to hold an address");
    }
    store_bytes(init, element, 0);
    ws_reloc *const kept = ptx_push(p, &init->relocs, sizeof r);
    if (kept)
        *kept = r;
}

static void scalar_value(initialiser *init, uint64_t element)
{
    parser *const p = init->p;
    const token at = p->tok;
    if ((at.kind == TOK_WORD && !ptx_is_text(&at, TOK_WORD, "WARP_SZ")) || is_mask(p)) {
        relocated(init, element);
        return;
    }
    const constant c = ptx_expression(p);
    store_bytes(init, element, element_bits(p, &at, init->variable->type, &c));
}

static uint64_t room_of(const initialiser *init, unsigned level)
{
    const dimensions *const d = init->dims;
    const uint64_t step = stride(d, level);
    if (level == 0 && d->unsized)
        return step ? max_init_bytes / step * step : 0;
    return d->extent[level] * step;
}

static void aggregate(initialiser *init, unsigned level, uint64_t base)
{
    parser *const p = init->p;
    const uint64_t room = room_of(init, level), step = stride(init->dims, level);
    uint64_t n = 0;
    ptx_require(p, '{');
    while (!ptx_is(p, '}') && !p->status) {
        if (n >= room) {
            ptx_fail_at(p, p->tok.line, p->tok.column, "expected at most %llu values", (unsigned long long)room);
            return;
        }
        if (ptx_is(p, '{')) {
            if (level + 1 >= init->dims->count || n % step)
                ptx_expected(p, "a value");
            else
                aggregate(init, level + 1, base + n);
            n += step;
        } else {
            scalar_value(init, base + n++);
        }
        if (!ptx_accept(p, ','))
            break;
    }
    ptx_require(p, '}');
    if (base + n > init->used)
        init->used = base + n;
}

/* One of the words; their number. */
static uint8_t one_of(parser *p, const char *const *words, uint8_t n, const char *what)
{
    for (uint8_t i = 0; i < n; i++)
        if (ptx_is_text(&p->tok, TOK_WORD, words[i])) {
            ptx_advance(p);
            return i;
        }
    ptx_expected(p, what);
    return 0;
}

/* { addr_mode_0 = wrap, filter_mode = linear, force_unnormalized_coords = 1 } */
static void sampler_initialiser(parser *p, ws_variable *v)
{
    static const char *const keys[] = {"addr_mode_0", "addr_mode_1", "addr_mode_2", "filter_mode",
                                       "force_unnormalized_coords"};
    static const char *const edges[] = {"wrap", "clamp_to_edge", "mirror", "clamp_to_border", "clamp_ogl"};
    static const char *const filters[] = {"nearest", "linear"};
    ws_sampler_init *const out = ptx_alloc(p, sizeof *out);
    ptx_require(p, '{');
    while (out && !p->status) {
        const uint8_t key = one_of(p, keys, sizeof keys / sizeof *keys, "a property of samplers");
        ptx_require(p, '=');
        if (key < 3)
            out->edge[key] = one_of(p, edges, sizeof edges / sizeof *edges, "an addressing mode");
        else if (key == 3)
            out->linear = one_of(p, filters, sizeof filters / sizeof *filters, "nearest or linear");
        else
            out->unnormalized = ptx_number32(p, "0 or 1") != 0;
        if (!ptx_accept(p, ','))
            break;
    }
    ptx_require(p, '}');
    v->sampler = out;
}

/* What is bound to textures and surfaces is the host's business: their initialisers are not for us. */
static void opaque_initialiser(parser *p, ws_variable *v)
{
    if (v->type == WS_T_samplerref)
        sampler_initialiser(p, v);
    else if (ptx_is(p, '{'))
        ptx_skip_balanced(p);
    else
        ptx_expected(p, "`{`");
}

static void keep_initialiser(initialiser *init, ws_variable *v)
{
    parser *const p = init->p;
    uint8_t *const bytes = ptx_alloc(p, v->size ? v->size : 1);
    ws_reloc *const relocs = ptx_alloc(p, (init->relocs.count + 1) * sizeof *relocs);
    if (!bytes || !relocs)
        return;
    if (init->bytes.items)
        memcpy(bytes, init->bytes.items, init->bytes.capacity < v->size ? init->bytes.capacity : v->size);
    if (init->relocs.count)
        memcpy(relocs, init->relocs.items, init->relocs.count * sizeof *relocs);
    v->init = bytes;
    v->reloc = relocs;
    v->relocs = init->relocs.count;
    p->init_bytes += v->size;
}

static void read_initialiser(parser *p, ws_variable *v, dimensions *d)
{
    if (ws_type_kind_of(v->type) == WS_KIND_OPAQUE) {
        opaque_initialiser(p, v);
        return;
    }
    if (v->vec > 1)
        d->extent[d->count++] = v->vec;
    initialiser init = {.p = p, .variable = v, .dims = d, .element_bytes = type_bytes(v->type)};
    const dimensions single = {.extent = {1}, .count = 1};
    const token at = p->tok;
    if (!d->count)
        init.dims = &single;
    if (ptx_is(p, '{'))
        aggregate(&init, 0, 0);
    else if (d->count)
        ptx_expected(p, "`{`");
    else
        scalar_value(&init, 0);
    if (d->unsized) {
        const uint64_t step = stride(d, 0);
        v->size = (step ? (init.used + step - 1) / step * step : 0) * init.element_bytes;
        v->unsized = false;
    }
    if (!p->status && v->size > max_init_bytes - p->init_bytes)
        ptx_fail_at(p, at.line, at.column, "the module initialises more than %llu bytes",
                    (unsigned long long)max_init_bytes);
    if (!p->status)
        keep_initialiser(&init, v);
    free(init.bytes.items);
    free(init.relocs.items);
}

/* Name and array bounds of one declarator, behind its shape. Parameters of prototypes need no name. */
static void declarator(parser *p, const shape *s, bool may_be_nameless, ws_variable *v, dimensions *d, token *at)
{
    static const char nameless[] = "_";
    *at = p->tok;
    if (may_be_nameless && (ptx_is(p, ',') || ptx_is(p, ')'))) {
        at->text = nameless;
        at->length = 1;
    } else if (p->tok.kind != TOK_WORD) {
        ptx_expected(p, "the name of a variable");
        return;
    } else {
        ptx_advance(p);
    }
    read_dimensions(p, d);
    *v = (ws_variable){.space = s->space,
                       .type = s->type,
                       .vec = s->vec,
                       .unsized = d->unsized,
                       .pointer = s->pointer,
                       .pointer_space = s->pointer_space,
                       .line = at->line,
                       .column = at->column};
    v->size = d->unsized ? (total_bytes(p, at, s, d), 0) : total_bytes(p, at, s, d);
    v->align = s->align ? s->align : (uint32_t)(type_bytes(s->type) * s->vec);
    if (s->type == WS_T_pred && !s->is_reg)
        ptx_fail_at(p, at->line, at->column, "expected a type that memory can hold, found .pred");
}

/* A name of its own for a variable of the function: the second `temp` becomes `temp.1`; for one of device memory, which
 * is one of the module, `kernel:temp` and `kernel:temp:1`, which no other module's can be. */
static const char *unique_name(parser *p, name *n, bool of_module)
{
    if (n->copies_in != p->function_number) {
        n->copies_in = p->function_number;
        n->copies = 0;
    }
    char suffix[16] = "";
    if (n->copies++)
        snprintf(suffix, sizeof suffix, "%c%u", of_module ? ':' : '.', n->copies - 1);
    else if (!of_module)
        return n->text;
    const char *const owner = of_module ? p->function->name : "";
    const size_t room = strlen(owner) + n->length + sizeof suffix + 2;
    char *const text = ptx_alloc(p, room);
    if (text)
        snprintf(text, room, "%s%s%s%s", owner, of_module ? ":" : "", n->text, suffix);
    return text;
}

/* Where the variable goes: a new one, or the declaration that it completes. NULL when it changes nothing. */
static ws_variable *settle(parser *p, const token *at, const ws_variable *v)
{
    name *const n = ptx_intern(p, at->text, at->length);
    meaning *const old = n && n->top && n->top->depth == p->scopes.count ? n->top : NULL;
    if (old && old->kind == MEANS_VARIABLE &&
        (old->variable->is_extern || v->is_extern || (old->variable->is_weak && v->is_weak) ||
         (old->variable->is_common && v->is_common))) {
        ws_variable *const known = old->variable;
        const ws_variable before = *known;
        if (!before.is_extern)
            return NULL;
        *known = *v;
        known->name = before.name;
        known->index = before.index;
        known->owner = before.owner;
        return known;
    }
    meaning *const m = n ? ptx_declare(p, at, n, MEANS_VARIABLE) : NULL;
    ws_variable *const fresh = m ? ptx_alloc(p, sizeof *fresh) : NULL;
    const bool of_module = (v->space == WS_SPACE_GLOBAL || v->space == WS_SPACE_CONST) && !v->is_extern;
    vector *const list = p->function && !of_module ? &p->locals : &p->variables;
    ws_variable **const slot = fresh ? ptx_push(p, list, sizeof *slot) : NULL;
    if (!slot)
        return NULL;
    *slot = fresh;
    *fresh = *v;
    fresh->index = list->count - 1;
    fresh->owner = of_module ? NULL : p->function;
    fresh->name = p->function ? unique_name(p, n, of_module) : n->text;
    m->variable = fresh;
    return fresh;
}

static void one_variable(parser *p, const linkage *link, const shape *s)
{
    ws_variable v;
    dimensions d = {.count = 0};
    token at;
    declarator(p, s, false, &v, &d, &at);
    if (p->status)
        return;
    v.is_extern = link->is_extern;
    v.is_visible = link->is_visible;
    v.is_weak = link->is_weak;
    v.is_common = link->is_common;
    if (v.unsized && !v.is_extern && !ptx_is(p, '=')) {
        ptx_fail_at(p, at.line, at.column, "expected a size in [ ] of `%.*s`, which is not .extern",
                    (int)(at.length < 200 ? at.length : 200), at.text);
        return;
    }
    ws_variable ignored;
    ws_variable *const kept = settle(p, &at, &v);
    if (ptx_is(p, '=') && (v.space == WS_SPACE_SHARED || v.space == WS_SPACE_LOCAL || v.space == WS_SPACE_PARAM))
        ptx_fail_at(p, p->tok.line, p->tok.column,
                    "expected no initial value of `%.*s`: only variables in .global and .const have one",
                    (int)(at.length < 200 ? at.length : 200), at.text);
    if (ptx_accept(p, '='))
        read_initialiser(p, kept ? kept : (ignored = v, &ignored), &d);
}

/* Old PTX numbers its constant banks: .const[2] */
static void skip_bank(parser *p)
{
    if (ptx_accept(p, '[')) {
        ptx_number32(p, "the number of a constant bank");
        ptx_require(p, ']');
    }
}

void ptx_variables(parser *p, const linkage *link)
{
    shape s = {.space = WS_SPACE_TEXTURE};
    if (!ptx_at(p, DIR_tex))
        ptx_space_declared(p, &s.space);
    ptx_advance(p);
    if (s.space == WS_SPACE_CONST)
        skip_bank(p);
    read_shape(p, &s);
    if (ws_type_kind_of(s.type) == WS_KIND_OPAQUE)
        s.space = WS_SPACE_TEXTURE;
    if (s.space == WS_SPACE_TEXTURE && p->function)
        ptx_expected(p, "textures, samplers and surfaces outside of functions");
    do {
        one_variable(p, link, &s);
    } while (ptx_accept(p, ','));
    ptx_require(p, ';');
}

static void one_parameter(parser *p, vector *list)
{
    shape s = {.space = WS_SPACE_PARAM};
    dimensions d = {.count = 0};
    ws_variable v;
    token at;
    s.is_reg = ptx_accept_dot(p, DIR_reg);
    if (s.is_reg)
        s.space = WS_SPACE_NONE;
    else if (!ptx_accept_dot(p, DIR_param))
        ptx_expected(p, ".param or .reg");
    read_shape(p, &s);
    if (!p->status)
        declarator(p, &s, true, &v, &d, &at);
    ws_variable *const slot = p->status ? NULL : ptx_push(p, list, sizeof *slot);
    if (!slot)
        return;
    *slot = v;
    slot->index = list->count - 1;
    slot->name = ptx_copy(p, at.text, at.length);
}

ws_variable *ptx_parameters(parser *p, uint32_t *count, uint32_t *bytes)
{
    vector list = {0};
    ptx_require(p, '(');
    while (!ptx_is(p, ')') && !p->status) {
        one_parameter(p, &list);
        if (!ptx_accept(p, ','))
            break;
    }
    ptx_require(p, ')');
    ws_variable *const array = ptx_alloc(p, (list.count + 1) * sizeof *array);
    uint64_t at = 0;
    for (uint32_t i = 0; array && i < list.count; i++) {
        array[i] = ((const ws_variable *)list.items)[i];
        at = (at + array[i].align - 1) / array[i].align * array[i].align;
        array[i].offset = at;
        at += array[i].size;
        if (at > INT32_MAX) {
            ptx_fail_at(p, array[i].line, array[i].column, "the parameters are larger than 2^31 bytes");
            break;
        }
    }
    *count = list.count;
    *bytes = (uint32_t)at;
    free(list.items);
    return array;
}
