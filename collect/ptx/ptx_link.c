/* ptx_link.c - several modules to one: which definition does a name mean, and which names stay apart?
 *
 * The modules belong to the linker, which nobody else has seen yet: it changes them in place. References to what
 * another module defines are turned over to it, then functions and variables get new indices. Only ws_ptx_link may do
 * so; the casts from const of this file lean on that. */
#include "base/status.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* What a name means in all modules: a definition, or a declaration that no definition answers. */
typedef struct symbol {
    UT_hash_handle hh;
    const char *name;
    ws_function *function; /* or */
    ws_variable *variable;
} symbol;

typedef struct linker {
    ws_module *const *module;
    uint32_t n;
    bool (*provided)(const char *name);
    symbol *symbols;
    ws_arena *arena;         /* of the result */
    ws_function ***function; /* [module][index]: who stands for it; itself when it stays */
    ws_variable ***variable;
} linker;

/* ------------------------------------------------------------------------------------------------ symbols */

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to link modules");
}

static symbol *find(linker *l, const char *name)
{
    symbol *s;
    HASH_FIND_STR(l->symbols, name, s);
    return s;
}

/* An entry for a name that has none. */
static symbol *add(linker *l, const char *name, ws_function *f, ws_variable *v)
{
    symbol *const s = ws_arena_alloc(l->arena, sizeof *s);
    if (!s)
        return NULL;
    s->name = name;
    s->function = f;
    s->variable = v;
    HASH_ADD_KEYPTR(hh, l->symbols, name, strlen(name), s);
    return s->hh.tbl ? s : NULL;
}

static ws_function *function_of(const ws_module *m, uint32_t i)
{
    return (ws_function *)m->function[i];
}

static ws_variable *variable_of(const ws_module *m, uint32_t i)
{
    return (ws_variable *)m->var[i];
}

static bool function_is_local(const ws_function *f)
{
    return f->has_body && !f->is_visible && !f->is_weak;
}

static bool variable_is_local(const ws_variable *v)
{
    return !v->is_extern && !v->is_visible && !v->is_weak && !v->is_common;
}

/* ------------------------------------------------------------------------------------------------ conflicts */

/* `b`, a function or a variable as `a`, says something else of the name. */
#define CONFLICT(a, b, what) \
    ws_fail(WS_EINPUT, "%s:%u:%u: expected `%s` as at %s:%u:%u, found %s", (b)->file, (b)->line, (b)->column, \
            (b)->name, (a)->file, (a)->line, (a)->column, what)

/* A function where a name meant a variable before, or the other way round. */
static int kinds_conflict(const char *name, const ws_function *f, const ws_variable *v, bool function_is_new)
{
    const char *const file[] = {f->file, v->file};
    const uint32_t line[] = {f->line, v->line}, column[] = {f->column, v->column};
    const unsigned here = !function_is_new, there = function_is_new;
    return ws_fail(WS_EINPUT, "%s:%u:%u: expected `%s` as at %s:%u:%u, found a %s of that name", file[here], line[here],
                   column[here], name, file[there], line[there], column[there],
                   function_is_new ? "function" : "variable");
}

static bool same_sizes(const ws_variable *a, uint32_t as, const ws_variable *b, uint32_t bs)
{
    for (uint32_t i = 0; as == bs && i < as; i++) {
        if (a[i].size != b[i].size)
            return false;
    }
    return as == bs;
}

static int check_functions(const ws_function *a, const ws_function *b)
{
    if (a->is_entry != b->is_entry)
        return CONFLICT(a, b, b->is_entry ? "a kernel" : "a function that is no kernel");
    if (!same_sizes(a->param, a->params, b->param, b->params))
        return CONFLICT(a, b, "other parameters");
    if (!same_sizes(a->ret, a->rets, b->ret, b->rets))
        return CONFLICT(a, b, "another return value");
    return WS_OK;
}

static const char *const spaces[] = {[WS_SPACE_GLOBAL] = ".global",
                                     [WS_SPACE_CONST] = ".const",
                                     [WS_SPACE_SHARED] = ".shared",
                                     [WS_SPACE_TEXTURE] = "texture"};

static const char *space_name(uint8_t space)
{
    return space < sizeof spaces / sizeof *spaces && spaces[space] ? spaces[space] : "another";
}

static int check_space(const ws_variable *a, const ws_variable *b)
{
    char what[64];
    if (a->space != b->space) {
        snprintf(what, sizeof what, "it in %s space", space_name(b->space));
        return CONFLICT(a, b, what);
    }
    if (ws_type_kind_of(a->type) != ws_type_kind_of(b->type) && a->space == WS_SPACE_TEXTURE)
        return CONFLICT(a, b, "another type");
    return WS_OK;
}

static int check_size(const ws_variable *a, const ws_variable *b)
{
    char what[64];
    if (a->size == b->size || a->unsized || b->unsized)
        return WS_OK;
    snprintf(what, sizeof what, "%llu bytes instead of %llu", (unsigned long long)b->size, (unsigned long long)a->size);
    return CONFLICT(a, b, what);
}

/* A declaration against its definition. */
static int check_declaration(const ws_variable *definition, const ws_variable *v)
{
    char what[64];
    int status = check_space(definition, v);
    if (status == WS_OK)
        status = check_size(definition, v);
    if (status == WS_OK && v->align > definition->align) {
        snprintf(what, sizeof what, "an alignment of %u bytes instead of %u", v->align, definition->align);
        status = CONFLICT(definition, v, what);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ definitions */

static int define_function(linker *l, ws_function *f)
{
    symbol *const s = find(l, f->name);
    if (!s)
        return add(l, f->name, f, NULL) ? WS_OK : no_memory();
    if (!s->function)
        return kinds_conflict(s->name, f, s->variable, true);
    if (!f->is_weak && !s->function->is_weak)
        return CONFLICT(s->function, f, "a second body");
    const int status = check_functions(s->function, f);
    if (!f->is_weak)
        s->function = f;
    return status;
}

/* .common: the largest one, which is the one with initial bytes if any has some. */
static int define_common(symbol *s, ws_variable *v)
{
    ws_variable *const old = s->variable;
    if (v->init && old->init)
        return CONFLICT(old, v, "a second initial value");
    ws_variable *const large = v->size > old->size || (v->size == old->size && v->init) ? v : old;
    ws_variable *const small = large == v ? old : v;
    if (small->init)
        return CONFLICT(old, v, "an initial value that is not for the largest of them");
    s->variable = large;
    return WS_OK;
}

static int strength(const ws_variable *v)
{
    return v->is_common ? 1 : v->is_weak ? 2 : 3;
}

static int define_variable(linker *l, ws_variable *v)
{
    symbol *const s = find(l, v->name);
    if (!s)
        return add(l, v->name, NULL, v) ? WS_OK : no_memory();
    if (!s->variable)
        return kinds_conflict(s->name, s->function, v, false);
    ws_variable *const old = s->variable;
    int status = check_space(old, v);
    if (status)
        return status;
    const uint32_t align = v->align > old->align ? v->align : old->align;
    if (v->is_common && old->is_common) {
        status = define_common(s, v);
    } else if (strength(v) == 3 && strength(old) == 3) {
        status = CONFLICT(old, v, "a second definition");
    } else {
        status = check_size(old, v);
        if (strength(v) > strength(old))
            s->variable = v;
    }
    s->variable->align = align;
    return status;
}

static int collect_definitions(linker *l)
{
    int status = WS_OK;
    for (uint32_t m = 0; m < l->n && !status; m++) {
        for (uint32_t i = 0; i < l->module[m]->functions && !status; i++) {
            ws_function *const f = function_of(l->module[m], i);
            if (f->has_body && !function_is_local(f))
                status = define_function(l, f);
        }
        for (uint32_t i = 0; i < l->module[m]->vars && !status; i++) {
            ws_variable *const v = variable_of(l->module[m], i);
            if (!v->is_extern && !variable_is_local(v))
                status = define_variable(l, v);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ who stands for whom
 */

/* A name without linkage is free, or gets a suffix that no PTX name can have. */
static int keep_apart(linker *l, uint32_t module, const char **name, ws_function *f, ws_variable *v)
{
    if (find(l, *name)) {
        const size_t room = strlen(*name) + 16;
        char *const fresh = ws_arena_alloc(l->arena, room);
        if (!fresh)
            return no_memory();
        snprintf(fresh, room, "%s.%u", *name, module + 1);
        *name = fresh;
    }
    return add(l, *name, f, v) ? WS_OK : no_memory();
}

/* The first declaration stands for all where there is no definition. */
static int settle_function(linker *l, uint32_t module, ws_function *f, ws_function **stands)
{
    *stands = f;
    if (function_is_local(f))
        return keep_apart(l, module, &f->name, f, NULL);
    symbol *const s = find(l, f->name);
    if (!s)
        return add(l, f->name, f, NULL) ? WS_OK : no_memory();
    if (!s->function)
        return kinds_conflict(s->name, f, s->variable, true);
    *stands = s->function;
    return f == s->function ? WS_OK : check_functions(s->function, f);
}

static int settle_variable(linker *l, uint32_t module, ws_variable *v, ws_variable **stands)
{
    *stands = v;
    if (variable_is_local(v))
        return keep_apart(l, module, &v->name, NULL, v);
    symbol *const s = find(l, v->name);
    if (!s)
        return add(l, v->name, NULL, v) ? WS_OK : no_memory();
    if (!s->variable)
        return kinds_conflict(s->name, s->function, v, false);
    *stands = s->variable;
    if (!v->is_extern)
        return WS_OK; /* checked among the definitions */
    if (!s->variable->is_extern)
        return check_declaration(s->variable, v);
    if (v->align > s->variable->align)
        s->variable->align = v->align;
    return check_space(s->variable, v);
}

/* Names with linkage before those without, so that the former keep theirs. */
static int settle_all(linker *l, bool local)
{
    int status = WS_OK;
    for (uint32_t m = 0; m < l->n && !status; m++) {
        const ws_module *const from = l->module[m];
        for (uint32_t i = 0; i < from->functions && !status; i++) {
            if (function_is_local(from->function[i]) == local)
                status = settle_function(l, m, function_of(from, i), &l->function[m][i]);
        }
        for (uint32_t i = 0; i < from->vars && !status; i++) {
            if (variable_is_local(from->var[i]) == local)
                status = settle_variable(l, m, variable_of(from, i), &l->variable[m][i]);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ references */

/* A use of something that nobody defines, at a line of a file. */
static int check_defined(const linker *l, const ws_function *f, const ws_variable *v, const char *file, uint32_t line,
                         uint32_t column)
{
    if (v && v->is_extern && !(v->space == WS_SPACE_SHARED && v->unsized))
        return ws_fail(WS_EINPUT, "%s:%u:%u: variable `%s` is .extern, and no module defines it", file, line, column,
                       v->name);
    if (f && !f->has_body && l->provided && !l->provided(f->name))
        return ws_fail(WS_EINPUT, "%s:%u:%u: function `%s` is declared, and no module defines it", file, line, column,
                       f->name);
    return WS_OK;
}

static const ws_function *stands_for_function(const linker *l, uint32_t m, const ws_function *f)
{
    return f && f->index < l->module[m]->functions && l->module[m]->function[f->index] == f ? l->function[m][f->index]
                                                                                            : f;
}

static const ws_variable *stands_for_variable(const linker *l, uint32_t m, const ws_variable *v)
{
    return v && !v->owner && v->index < l->module[m]->vars && l->module[m]->var[v->index] == v
               ? l->variable[m][v->index]
               : v;
}

static int turn_operand(const linker *l, uint32_t m, const ws_function *in, const ws_insn *insn, ws_operand *o)
{
    o->function = stands_for_function(l, m, o->function);
    o->variable = stands_for_variable(l, m, o->variable);
    int status = o->kind == WS_OPND_SYMBOL
                     ? check_defined(l, o->function, o->variable, in->file, insn->line, insn->column)
                     : WS_OK;
    for (uint32_t i = 0; i < o->elems && !status; i++)
        status = turn_operand(l, m, in, insn, &o->elem[i]);
    return status;
}

static int turn_function(const linker *l, uint32_t m, const ws_function *f)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < f->insns && !status; i++) {
        ws_insn *const insn = (ws_insn *)&f->insn[i];
        for (unsigned k = 0; k < insn->operands && !status; k++)
            status = turn_operand(l, m, f, insn, &insn->operand[k]);
    }
    for (uint32_t i = 0; i < f->lists && !status; i++) {
        const ws_list *const list = &f->list[i];
        for (uint32_t k = 0; list->function && k < list->n && !status; k++) {
            const ws_function **const slot = (const ws_function **)&list->function[k];
            *slot = stands_for_function(l, m, *slot);
            status = check_defined(l, *slot, NULL, f->file, f->line, f->column);
        }
    }
    return status;
}

/* Initialised data names its symbols: they may have another name now. */
static int turn_data(const linker *l, uint32_t m, const ws_variable *v)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < v->relocs && !status; i++) {
        ws_reloc *const r = (ws_reloc *)&v->reloc[i];
        const ws_function *f = NULL;
        const ws_variable *to = NULL;
        for (uint32_t k = 0; k < l->module[m]->functions && !f; k++) {
            /* by the name before: a suffix begins with a point, which ends the comparison */
            const char *const name = l->module[m]->function[k]->name;
            const size_t length = strcspn(name, ".");
            if (!strncmp(name, r->name, length) && !r->name[length])
                f = l->function[m][k];
        }
        for (uint32_t k = 0; k < l->module[m]->vars && !f && !to; k++) {
            const char *const name = l->module[m]->var[k]->name;
            const size_t length = strcspn(name, ".");
            if (!strncmp(name, r->name, length) && !r->name[length])
                to = l->variable[m][k];
        }
        status = check_defined(l, f, to, v->file, v->line, v->column);
        if (f || to)
            r->name = f ? f->name : to->name;
    }
    return status;
}

static int turn_references(const linker *l)
{
    int status = WS_OK;
    for (uint32_t m = 0; m < l->n && !status; m++) {
        const ws_module *const from = l->module[m];
        for (uint32_t i = 0; i < from->functions && !status; i++) {
            if (l->function[m][i] == from->function[i])
                status = turn_function(l, m, from->function[i]);
        }
        for (uint32_t i = 0; i < from->vars && !status; i++) {
            if (l->variable[m][i] == from->var[i])
                status = turn_data(l, m, from->var[i]);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the result */

static int check_modules(const linker *l)
{
    for (uint32_t m = 1; m < l->n; m++) {
        const ws_module *const a = l->module[0], *const b = l->module[m];
        if (a->address_bits != b->address_bits)
            return ws_fail(WS_EINPUT, "%s: expected .address_size %u as in %s, found %u", b->file, a->address_bits,
                           a->file, b->address_bits);
    }
    return WS_OK;
}

static int prepare(linker *l)
{
    l->function = ws_arena_alloc(l->arena, l->n * sizeof *l->function);
    l->variable = ws_arena_alloc(l->arena, l->n * sizeof *l->variable);
    for (uint32_t m = 0; l->function && l->variable && m < l->n; m++) {
        l->function[m] = ws_arena_alloc(l->arena, (l->module[m]->functions + 1) * sizeof **l->function);
        l->variable[m] = ws_arena_alloc(l->arena, (l->module[m]->vars + 1) * sizeof **l->variable);
        if (!l->function[m] || !l->variable[m])
            return no_memory();
    }
    return l->function && l->variable ? WS_OK : no_memory();
}

/* Lists of what stays, in the order of the modules, with new indices. */
static int gather(const linker *l, ws_module *to)
{
    uint32_t functions = 0, vars = 0;
    for (uint32_t m = 0; m < l->n; m++) {
        functions += l->module[m]->functions;
        vars += l->module[m]->vars;
    }
    const ws_function **const function = ws_arena_alloc(l->arena, (functions + 1) * sizeof *function);
    const ws_variable **const var = ws_arena_alloc(l->arena, (vars + 1) * sizeof *var);
    if (!function || !var)
        return no_memory();
    for (uint32_t m = 0; m < l->n; m++) {
        const ws_module *const from = l->module[m];
        for (uint32_t i = 0; i < from->functions; i++) {
            if (l->function[m][i] == from->function[i])
                function[to->functions++] = from->function[i];
        }
        for (uint32_t i = 0; i < from->vars; i++) {
            if (l->variable[m][i] == from->var[i])
                var[to->vars++] = from->var[i];
        }
        const uint32_t old = to->version_major * 1000 + to->version_minor;
        if (from->version_major * 1000 + from->version_minor > old) {
            to->version_major = from->version_major;
            to->version_minor = from->version_minor;
        }
    }
    for (uint32_t i = 0; i < to->functions; i++)
        ((ws_function *)function[i])->index = i;
    for (uint32_t i = 0; i < to->vars; i++)
        ((ws_variable *)var[i])->index = i;
    to->function = function;
    to->var = var;
    return ws_module_sort_names(to) ? WS_OK : no_memory();
}

static int join(linker *l, const char *name, ws_module **out)
{
    ws_module *const to = ws_arena_alloc(l->arena, sizeof *to);
    const char *const own_name = ws_arena_strndup(l->arena, name, strlen(name));
    if (!to || !own_name)
        return no_memory();
    *to = (ws_module){.file = own_name,
                      .target = l->module[0]->target,
                      .address_bits = l->module[0]->address_bits,
                      .arena = l->arena};
    int status = check_modules(l);
    if (!status)
        status = prepare(l);
    if (!status)
        status = collect_definitions(l);
    if (!status)
        status = settle_all(l, false);
    if (!status)
        status = settle_all(l, true);
    if (!status)
        status = turn_references(l);
    if (!status)
        status = gather(l, to);
    if (!status)
        *out = to;
    return status;
}

int ws_ptx_link(const char *name, ws_module *const *module, uint32_t n, bool (*provided)(const char *name),
                ws_module **out)
{
    *out = NULL;
    linker l = {.module = module, .n = n, .provided = provided, .arena = ws_arena_create()};
    const int status = l.arena ? join(&l, name, out) : no_memory();
    HASH_CLEAR(hh, l.symbols);
    for (uint32_t m = 0; m < n; m++) {
        if (status)
            ws_module_destroy(module[m]);
        else
            ws_arena_adopt(l.arena, module[m]->arena);
    }
    if (status)
        ws_arena_destroy(l.arena);
    return status;
}
