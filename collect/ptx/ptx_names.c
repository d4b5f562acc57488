/* ptx_names.c - what does a name mean here? Names are interned once; each carries the stack of its meanings.
 *
 * Entering and leaving a scope costs as much as the scope declares, so nested call sequences stay linear. Registers
 * declared as a range (%r<1000>) are made when they are first used: a module pays for what it uses. */
#include "base/grow.h"
#include "collect/ptx/ptx_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void *ptx_alloc(parser *p, size_t size)
{
    void *const memory = ws_arena_alloc(p->arena, size);
    if (!memory)
        ptx_no_memory(p);
    return memory;
}

char *ptx_copy(parser *p, const char *text, size_t length)
{
    char *const copy = ws_arena_strndup(p->arena, text, length);
    if (!copy)
        ptx_no_memory(p);
    return copy;
}

void *ptx_push(parser *p, vector *v, size_t item_bytes)
{
    size_t room = v->capacity;
    if (v->count == v->capacity && ws_grow(&v->items, &room, v->count, 1, item_bytes, UINT32_MAX)) {
        ptx_no_memory(p);
        return NULL;
    }
    v->capacity = (uint32_t)room;
    void *const item = (char *)v->items + v->count++ * item_bytes;
    return memset(item, 0, item_bytes);
}

void *ptx_keep(parser *p, const vector *v, size_t item_bytes)
{
    void *const copy = ptx_alloc(p, (v->count ? v->count : 1) * item_bytes);
    if (copy && v->count)
        memcpy(copy, v->items, v->count * item_bytes);
    return copy;
}

name *ptx_intern(parser *p, const char *text, size_t length)
{
    name *n;
    HASH_FIND(hh, p->names, text, length, n);
    if (n)
        return n;
    n = ptx_alloc(p, sizeof *n);
    if (!n || length > UINT_MAX)
        return NULL;
    n->text = ptx_copy(p, text, length);
    n->length = length;
    if (!n->text)
        return NULL;
    HASH_ADD_KEYPTR(hh, p->names, n->text, (unsigned)length, n);
    if (!n->hh.tbl) { /* how uthash says that it got no memory */
        ptx_no_memory(p);
        return NULL;
    }
    return n;
}

void ptx_names_free(parser *p)
{
    HASH_CLEAR(hh, p->names);
}

static scope *scope_at(const parser *p, uint32_t depth)
{
    return (scope *)p->scopes.items + depth - 1;
}

void ptx_enter(parser *p)
{
    if (p->scopes.count >= MAX_SCOPES) {
        ptx_fail_at(p, p->tok.line, p->tok.column, "blocks are nested deeper than %d", MAX_SCOPES);
        return;
    }
    scope *const s = ptx_push(p, &p->scopes, sizeof *s);
    if (s)
        s->uses = NO_INDEX;
}

static label_use *use_at(const parser *p, uint32_t index)
{
    return (label_use *)p->uses.items + index;
}

/* The labels a scope declares are complete when it ends: settle its uses, hand the rest to the scope around it. */
static void settle_labels(parser *p, uint32_t depth)
{
    uint32_t next;
    for (uint32_t i = scope_at(p, depth)->uses; i != NO_INDEX; i = next) {
        label_use *const u = use_at(p, i);
        next = u->next;
        const meaning *const m = u->label->top;
        const bool fits = m && m->depth == depth && m->kind == (u->is_list ? MEANS_LIST : MEANS_LABEL);
        if (fits) {
            u->result = m->index;
        } else if (depth > BODY_DEPTH) {
            u->next = scope_at(p, depth - 1)->uses;
            scope_at(p, depth - 1)->uses = i;
        } else {
            ptx_fail_at(p, u->line, u->column, "expected a %s of this function, found `%.200s`",
                        u->is_list ? ".branchtargets, .calltargets or .callprototype label" : "label", u->label->text);
        }
    }
}

void ptx_leave(parser *p)
{
    const uint32_t depth = p->scopes.count;
    if (depth >= BODY_DEPTH)
        settle_labels(p, depth);
    for (const meaning *m = scope_at(p, depth)->first; m; m = m->next) {
        m->owner->top = m->outer;
        if (m->kind == MEANS_RANGE && depth > BODY_DEPTH)
            p->nested_ranges--;
    }
    p->scopes.count--;
}

static meaning *add_meaning(parser *p, name *n, uint32_t depth)
{
    meaning *const m = ptx_alloc(p, sizeof *m);
    if (!m)
        return NULL;
    scope *const s = scope_at(p, depth);
    *m = (meaning){.outer = n->top, .next = s->first, .owner = n, .depth = depth, .vec = 1};
    n->top = m;
    s->first = m;
    return m;
}

meaning *ptx_declare(parser *p, const token *at, name *n, meaning_kind kind)
{
    if (!n)
        return NULL;
    const uint32_t depth = p->scopes.count;
    if (n->top && n->top->depth == depth) {
        ptx_fail_at(p, at->line, at->column, "expected a new name, found `%.200s`, which this scope has already",
                    n->text);
        return NULL;
    }
    meaning *const m = add_meaning(p, n, depth);
    if (m)
        m->kind = kind;
    if (m && kind == MEANS_RANGE && depth > BODY_DEPTH)
        p->nested_ranges++;
    return m;
}

static uint32_t new_register(parser *p, const char *text, uint8_t type)
{
    ws_reg *const r = ptx_push(p, &p->regs, sizeof *r);
    if (!r)
        return 0;
    *r = (ws_reg){.name = text, .type = type};
    return p->regs.count - 1;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The innermost range of this name. */
static const meaning *range_named(const parser *p, const char *text, size_t length)
{
    name *n;
    HASH_FIND(hh, p->names, text, length, n);
    const meaning *m = n ? n->top : NULL;
    while (m && m->kind != MEANS_RANGE)
        m = m->outer;
    return m;
}

/* %r12 may be number 12 of a range %r<n>, or number 2 of a range %r1<n>; returns the meaning of the innermost such
 * range. */
static const meaning *range_of(const parser *p, const token *t)
{
    const meaning *found = NULL;
    uint64_t number = 0, power = 1;
    for (size_t at = t->length; at > 1 && is_digit(t->text[at - 1]) && t->length - at < 18; power *= 10) {
        at--;
        number += power * (uint64_t)(t->text[at] - '0');
        if (t->text[at] == '0' && at + 1 < t->length)
            continue; /* numbers have no zeros in front */
        const meaning *const m = range_named(p, t->text, at);
        if (m && number < m->count && (!found || m->depth > found->depth))
            found = m;
    }
    return found;
}

uint32_t ptx_new_registers(parser *p, const name *n, uint8_t type, uint8_t vec)
{
    const uint32_t first = p->regs.count;
    for (unsigned i = 0; i < vec; i++) {
        char *text = (char *)n->text;
        if (vec > 1) {
            text = ptx_alloc(p, n->length + 3);
            if (!text)
                return first;
            memcpy(text, n->text, n->length);
            text[n->length] = '.';
            text[n->length + 1] = "xyzw"[i & 3];
        }
        new_register(p, text, type);
    }
    return first;
}

/* A register of its own for this function, under a meaning that a range or the module gave to the name. */
static meaning *spring_up(parser *p, name *n, const meaning *from)
{
    meaning *const m = add_meaning(p, n, from->depth > MODULE_DEPTH ? from->depth : PARAM_DEPTH);
    if (!m)
        return NULL;
    m->kind = MEANS_REG;
    m->type = from->type;
    m->vec = from->vec;
    m->index = ptx_new_registers(p, n, from->type, from->vec);
    return m;
}

meaning *ptx_lookup(parser *p, const token *t)
{
    name *n;
    HASH_FIND(hh, p->names, t->text, t->length, n);
    meaning *const found = n ? n->top : NULL;
    if (found && !p->nested_ranges && found->depth > MODULE_DEPTH && found->kind != MEANS_RANGE)
        return found;
    const meaning *const range = p->function ? range_of(p, t) : NULL;
    if (range && (!found || found->depth < range->depth)) {
        n = n ? n : ptx_intern(p, t->text, t->length);
        return n ? spring_up(p, n, range) : NULL;
    }
    if (!found || found->kind == MEANS_RANGE)
        return NULL;
    const bool of_module = found->kind == MEANS_REG && found->depth == MODULE_DEPTH;
    return of_module ? spring_up(p, n, found) : found;
}

uint32_t ptx_use_label(parser *p, const token *t, bool is_list)
{
    name *const n = ptx_intern(p, t->text, t->length);
    label_use *const u = n ? ptx_push(p, &p->uses, sizeof *u) : NULL;
    if (!u)
        return 0;
    scope *const s = scope_at(p, p->scopes.count);
    *u = (label_use){
        .label = n, .line = t->line, .column = t->column, .next = s->uses, .result = NO_INDEX, .is_list = is_list};
    s->uses = p->uses.count - 1;
    return s->uses;
}
