/* ptx_module.c - the module: its header, the variables and functions at its top, and what ties them together. */
#include "base/input.h"
#include "collect/ptx/ptx_internal.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t known_targets[] = {
#define TARGET(architecture) architecture,
#include "collect/ptx/target.def"
#undef TARGET
};
enum { TARGETS = sizeof known_targets / sizeof *known_targets };

bool ws_ptx_is_known(uint32_t version_major, uint32_t architecture)
{
    for (unsigned i = 0; i < TARGETS; i++)
        if (known_targets[i] == architecture)
            return version_major && version_major <= WS_PTX_NEWEST_MAJOR;
    return false;
}

uint32_t ws_ptx_newest_target(void)
{
    return known_targets[TARGETS - 1];
}

/* A later minor version is taken: what it adds is refused where a kernel uses it. */
static void check_version(parser *p, const token *t)
{
    const uint32_t major = p->module->version_major;
    if (p->status || (major && major <= WS_PTX_NEWEST_MAJOR))
        return;
    ptx_fail_at(p, t->line, t->column,
                "expected a version of PTX from 1.0 to %d.x, found %.*s; build with a toolkit of CUDA 13 or older",
                WS_PTX_NEWEST_MAJOR, (int)t->length, t->text);
    p->status = WS_EVERSION;
}

static void version(parser *p)
{
    if (!ptx_accept_dot(p, DIR_version)) {
        ptx_expected(p, ".version");
        return;
    }
    const token t = p->tok;
    char text[16] = "";
    char extra;
    if (t.kind == TOK_FLOAT && t.length < sizeof text)
        memcpy(text, t.text, t.length);
    if (sscanf(text, "%u.%u%c", &p->module->version_major, &p->module->version_minor, &extra) != 2)
        ptx_expected(p, "a version such as 7.0");
    check_version(p, &t);
    ptx_advance(p);
}

/* The number of sm_75, compute_75, sm_90a; 0: the word names no architecture. */
static uint32_t architecture_of(const token *t)
{
    static const char *const prefixes[] = {"sm_", "compute_"};
    uint32_t architecture = 0;
    for (unsigned i = 0; i < 2; i++) {
        const size_t n = strlen(prefixes[i]);
        if (t->length <= n || memcmp(t->text, prefixes[i], n) != 0)
            continue;
        for (size_t k = n; k < t->length && t->text[k] >= '0' && t->text[k] <= '9' && architecture < 10000; k++)
            architecture = architecture * 10 + (uint32_t)(t->text[k] - '0');
        return architecture ? architecture : UINT32_MAX;
    }
    return 0;
}

static void check_option(parser *p)
{
    static const char *const options[] = {
#define DIRECTIVE(...)
#define OPTION(name, effect, what, text) #name,
#include "collect/ptx/directive.def"
#undef DIRECTIVE
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (ptx_is_text(&p->tok, TOK_WORD, options[i]))
            return;
    ptx_expected(p, "a target such as sm_70, or an option of .target such as debug");
}

static void target(parser *p)
{
    do {
        const token t = p->tok;
        const uint32_t architecture = t.kind == TOK_WORD ? architecture_of(&t) : 0;
        if (t.kind != TOK_WORD)
            ptx_expected(p, "a target such as sm_70");
        else if (!architecture)
            check_option(p);
        else if (!ws_ptx_is_known(WS_PTX_NEWEST_MAJOR, architecture))
            ptx_fail_at(
                p, t.line, t.column,
                "expected a target that is known, up to sm_%u, found `%.*s`; build for one, such as nvcc -gencode "
                "arch=compute_75,code=compute_75",
                ws_ptx_newest_target(), (int)(t.length < 64 ? t.length : 64), t.text);
        else if (!*p->module->target)
            p->module->target = ptx_copy(p, t.text, t.length);
        p->maps_doubles |= ptx_is_text(&t, TOK_WORD, "map_f64_to_f32");
        ptx_advance(p);
    } while (ptx_accept(p, ','));
}

static void address_size(parser *p)
{
    const token at = p->tok;
    const uint32_t bits = ptx_number32(p, "32 or 64");
    if (!p->status && bits != 32 && bits != 64)
        ptx_fail_at(p, at.line, at.column, "expected 32 or 64, found %u", bits);
    p->module->address_bits = bits;
}

static uint32_t up_to_three(parser *p, uint32_t value[3])
{
    uint32_t n = 0;
    value[0] = value[1] = value[2] = 1;
    do {
        value[n++] = ptx_number32(p, "a number");
    } while (n < 3 && ptx_accept(p, ','));
    return n;
}

/* Whether the engine runs what is asked for is decided when the kernel is. */
static void cluster(parser *p, ws_function *f)
{
    const token at = p->tok;
    if (ptx_accept_dot(p, DIR_reqnctapercluster)) {
        up_to_three(p, f->cluster);
        if (!p->status && (!f->cluster[0] || !f->cluster[1] || !f->cluster[2]))
            ptx_fail_at(p, at.line, at.column, "expected a cluster of at least one block, found (%u,%u,%u)",
                        f->cluster[0], f->cluster[1], f->cluster[2]);
    } else if (ptx_accept_dot(p, DIR_maxclusterrank)) {
        f->max_cluster = ptx_number32(p, "a number");
        if (!p->status && !f->max_cluster)
            ptx_fail_at(p, at.line, at.column, "expected a cluster of at least one block, found 0");
    } else if (ptx_accept_dot(p, DIR_explicitcluster)) {
        f->explicit_cluster = true;
    } else {
        ptx_advance(p);
        f->blocks_are_clusters = true;
    }
    if (f->cluster[0] && f->max_cluster)
        ptx_fail_at(p, at.line, at.column, "expected .reqnctapercluster or .maxclusterrank, found both");
}

static bool at_cluster(const parser *p)
{
    return ptx_at(p, DIR_reqnctapercluster) || ptx_at(p, DIR_maxclusterrank) || ptx_at(p, DIR_explicitcluster) ||
           ptx_at(p, DIR_blocksareclusters);
}

/* .maxntid and its kin, between the parameters and the body. */
static void performance_directives(parser *p, ws_function *f)
{
    while (p->tok.kind == TOK_DOT && !p->status) {
        if (ptx_accept_dot(p, DIR_maxntid))
            up_to_three(p, f->maxntid);
        else if (ptx_accept_dot(p, DIR_reqntid))
            up_to_three(p, f->reqntid);
        else if (ptx_accept_dot(p, DIR_minnctapersm) || ptx_accept_dot(p, DIR_maxnctapersm))
            f->minnctapersm = ptx_number32(p, "a number");
        else if (ptx_accept_dot(p, DIR_maxnreg))
            f->maxnreg = ptx_number32(p, "a number");
        else if (ptx_accept_dot(p, DIR_abi_preserve) || ptx_accept_dot(p, DIR_abi_preserve_control))
            ptx_number32(p, "a number");
        else if (ptx_accept_dot(p, DIR_attribute))
            ptx_attribute(p);
        else if (at_cluster(p))
            cluster(p, f);
        else if (ptx_at_debug(p))
            ptx_pragma_or_debug(p);
        else if (!ptx_accept_dot(p, DIR_noreturn))
            return;
    }
}

/* Compilers before PTX 3.0 ended forward declarations with the line, without a semicolon. */
static bool at_next_statement(const parser *p)
{
    static const directive words[] = {DIR_visible, DIR_extern, DIR_weak,   DIR_entry, DIR_func,
                                      DIR_global,  DIR_const,  DIR_shared, DIR_local, DIR_tex};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_at(p, words[i]))
            return p->module->version_major < 3;
    return false;
}

/* The entry of this name: the one a declaration made before, or a new one. */
static ws_function *function_named(parser *p, const token *at)
{
    name *const n = ptx_intern(p, at->text, at->length);
    if (n && n->top && n->top->kind == MEANS_FUNCTION)
        return n->top->function;
    meaning *const m = ptx_declare(p, at, n, MEANS_FUNCTION);
    ws_function *const f = m ? ptx_alloc(p, sizeof *f) : NULL;
    ws_function **const slot = f ? ptx_push(p, &p->functions, sizeof *slot) : NULL;
    if (!slot)
        return NULL;
    *slot = f;
    m->function = f;
    f->name = n->text;
    f->index = p->functions.count - 1;
    f->line = at->line;
    f->column = at->column;
    return f;
}

/* A definition replaces what declarations said. */
static void merge(parser *p, ws_function *f, const ws_function *seen, const token *at, const linkage *link,
                  bool has_body)
{
    if (has_body && f->has_body) {
        ptx_fail_at(p, at->line, at->column, "expected a new name, found `%.200s`, which has a body at line %u",
                    f->name, f->line);
        return;
    }
    f->is_visible |= link->is_visible;
    f->is_weak |= link->is_weak;
    if (f->has_body)
        return;
    ws_function fresh = *seen;
    fresh.name = f->name;
    fresh.index = f->index;
    fresh.is_visible = f->is_visible;
    fresh.is_weak = f->is_weak;
    fresh.is_extern = link->is_extern && !has_body;
    fresh.has_body = has_body;
    *f = fresh;
}

static void function(parser *p, const linkage *link, bool is_entry)
{
    ws_function seen = {.is_entry = is_entry};
    uint32_t bytes = 0;
    ptx_advance(p);
    performance_directives(p, &seen);
    if (!is_entry && ptx_is(p, '('))
        seen.ret = ptx_parameters(p, &seen.rets, &bytes);
    const token at = p->tok;
    if (at.kind != TOK_WORD) {
        ptx_expected(p, is_entry ? "the name of a kernel" : "the name of a function");
        return;
    }
    ptx_advance(p);
    if (ptx_is(p, '('))
        seen.param = ptx_parameters(p, &seen.params, &bytes);
    performance_directives(p, &seen);
    seen.param_bytes = is_entry ? bytes : 0;
    seen.line = at.line;
    seen.column = at.column;
    const bool has_body = ptx_is(p, '{');
    if (p->status || (!has_body && !ptx_is(p, ';') && !at_next_statement(p))) {
        ptx_expected(p, "`{` or `;`");
        return;
    }
    ws_function *const f = function_named(p, &at);
    if (f)
        merge(p, f, &seen, &at, link, has_body);
    if (p->status)
        return;
    if (has_body)
        ptx_body(p, f);
    else
        ptx_accept(p, ';');
}

/* .alias name, target; */
static void function_alias(parser *p)
{
    alias *const a = ptx_push(p, &p->aliases, sizeof *a);
    if (!a)
        return;
    a->at = p->tok;
    if (p->tok.kind != TOK_WORD)
        ptx_expected(p, "the name of a function");
    a->name = ptx_copy(p, p->tok.text, p->tok.length);
    ptx_advance(p);
    ptx_require(p, ',');
    if (p->tok.kind != TOK_WORD)
        ptx_expected(p, "the name of a function");
    a->target = ptx_copy(p, p->tok.text, p->tok.length);
    ptx_advance(p);
    ptx_require(p, ';');
}

static linkage read_linkage(parser *p)
{
    linkage link = {0};
    for (;;) {
        if (ptx_accept_dot(p, DIR_extern))
            link.is_extern = true;
        else if (ptx_accept_dot(p, DIR_visible))
            link.is_visible = true;
        else if (ptx_accept_dot(p, DIR_weak))
            link.is_weak = true;
        else if (ptx_accept_dot(p, DIR_common))
            link.is_common = true;
        else
            return link;
    }
}

static void top_statement(parser *p)
{
    uint8_t space;
    if (ptx_at_debug(p)) {
        ptx_pragma_or_debug(p);
        return;
    }
    if (ptx_accept_dot(p, DIR_target)) {
        target(p);
        return;
    }
    if (ptx_accept_dot(p, DIR_address_size)) {
        address_size(p);
        return;
    }
    if (ptx_accept_dot(p, DIR_alias)) {
        function_alias(p);
        return;
    }
    if (ptx_at(p, DIR_reg)) {
        ptx_registers(p);
        return;
    }
    const linkage link = read_linkage(p);
    const bool is_entry = ptx_at(p, DIR_entry);
    if (is_entry || ptx_at(p, DIR_func))
        function(p, &link, is_entry);
    else if (ptx_at(p, DIR_tex) || (ptx_space_declared(p, &space) && space != WS_SPACE_PARAM))
        ptx_variables(p, &link);
    else
        ptx_expected(p, "a directive such as .entry, .func or .global");
}

static const meaning *module_meaning(parser *p, const char *text)
{
    name *n;
    HASH_FIND(hh, p->names, text, strlen(text), n);
    return n ? n->top : NULL;
}

static void resolve_late(parser *p)
{
    const late_symbol *const symbols = p->late_symbols.items;
    for (uint32_t i = 0; i < p->late_symbols.count; i++) {
        ws_operand *const o = symbols[i].operand;
        const meaning *const m = module_meaning(p, o->name);
        o->variable = m ? m->variable : NULL;
        o->function = m ? m->function : NULL;
        if (!m)
            ptx_mark(p, symbols[i].insn, "undeclared name %.100s", o->name);
    }
    const late_target *const targets = p->late_targets.items;
    for (uint32_t i = 0; i < p->late_targets.count; i++) {
        const meaning *const m = module_meaning(p, targets[i].name);
        *targets[i].slot = m ? m->function : NULL;
    }
}

/* An alias has the body of its target under another name. */
static void resolve_aliases(parser *p)
{
    const alias *const aliases = p->aliases.items;
    for (uint32_t i = 0; i < p->aliases.count && !p->status; i++) {
        const meaning *const to = module_meaning(p, aliases[i].target);
        if (!to || !to->function || !to->function->has_body) {
            ptx_fail_at(p, aliases[i].at.line, aliases[i].at.column,
                        "expected a function with a body behind `%.200s`, found `%.200s`", aliases[i].name,
                        aliases[i].target);
            return;
        }
        ws_function *const f = function_named(p, &aliases[i].at);
        if (!f || f->has_body) {
            ptx_fail_at(p, aliases[i].at.line, aliases[i].at.column,
                        "expected the name of a function without a body, found `%.200s`", aliases[i].name);
            return;
        }
        const ws_function own = *f;
        *f = *to->function;
        f->name = own.name;
        f->index = own.index;
        f->is_visible = own.is_visible;
        f->is_weak = own.is_weak;
    }
}

static void whole_module(parser *p)
{
    ws_module *const m = p->module;
    ptx_advance(p);
    ptx_enter(p);
    version(p);
    while (p->tok.kind != TOK_END)
        top_statement(p);
    if (p->status)
        return;
    resolve_aliases(p);
    resolve_late(p);
    ptx_settle_places(p);
    m->function = ptx_keep(p, &p->functions, sizeof *m->function);
    m->functions = p->functions.count;
    for (uint32_t i = 0; i < p->functions.count; i++)
        ((ws_function **)p->functions.items)[i]->file = m->file;
    for (uint32_t i = 0; i < p->variables.count; i++)
        ((ws_variable **)p->variables.items)[i]->file = m->file;
    m->var = ptx_keep(p, &p->variables, sizeof *m->var);
    m->vars = p->variables.count;
    m->source_file = ptx_keep(p, &p->source_files, sizeof *m->source_file);
    m->source_files = p->source_files.count;
    if (!p->status && !ws_module_sort_names(m))
        ptx_no_memory(p);
}

static void free_parser(parser *p)
{
    vector *const all[] = {&p->scopes,  &p->functions,    &p->variables,   &p->late_symbols, &p->late_targets,
                           &p->aliases, &p->source_files, &p->insns,       &p->regs,         &p->locals,
                           &p->lists,   &p->uses,         &p->late_places, &p->strings,      &p->places};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->items);
    ws_table_fini(&p->string_labels);
    ws_table_fini(&p->points);
    ptx_names_free(p);
    ptx_forms_free(p);
}

int ws_ptx_parse(const char *file, const char *text, size_t length, ws_module **out)
{
    *out = NULL;
    while (length && text[length - 1] == '\0')
        length--;
    ws_arena *const arena = ws_arena_create();
    if (!arena)
        return ws_fail(WS_EMEM, "%s: out of memory", file);
    parser p = {.file = file, .next = text, .end = text + length, .line_start = text, .line = 1, .arena = arena};
    p.string_labels = WS_TABLE(uint64_t);
    p.points = WS_TABLE(uint32_t);
    p.module = ptx_alloc(&p, sizeof *p.module);
    const char *const name_copy = ptx_copy(&p, file, strlen(file));
    if (!p.status) {
        *p.module = (ws_module){.file = name_copy, .target = "", .address_bits = 32, .arena = arena};
        whole_module(&p);
    }
    free_parser(&p);
    if (p.status)
        ws_arena_destroy(arena);
    else
        *out = p.module;
    return p.status;
}

int ws_ptx_load(const char *path, ws_module **out)
{
    *out = NULL;
    static const ws_input ptx = {.what = "PTX", .most_bytes = 512 << 20, .source = WS_INPUT_PIPES, .is_found = true};
    char *text;
    size_t length;
    int status = ws_input_read(path, &ptx, &text, &length);
    if (status == WS_OK)
        status = ws_ptx_parse(path, text, length, out);
    free(text);
    return status;
}

void ws_module_destroy(ws_module *module)
{
    if (module)
        ws_arena_destroy(module->arena);
}

/* ------------------------------------------------------------------------------------------------ names */

/* Of several of one name the first of the module comes first. */
static int by_function_name(const void *a, const void *b)
{
    const ws_function *const x = *(const ws_function *const *)a, *const y = *(const ws_function *const *)b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

static int by_variable_name(const void *a, const void *b)
{
    const ws_variable *const x = *(const ws_variable *const *)a, *const y = *(const ws_variable *const *)b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

bool ws_module_sort_names(ws_module *m)
{
    const ws_function **const function = ws_arena_alloc(m->arena, (m->functions + 1) * sizeof *function);
    const ws_variable **const var = ws_arena_alloc(m->arena, (m->vars + 1) * sizeof *var);
    if (!function || !var)
        return false;
    for (uint32_t i = 0; i < m->functions; i++)
        function[i] = m->function[i];
    for (uint32_t i = 0; i < m->vars; i++)
        var[i] = m->var[i];
    qsort(function, m->functions, sizeof *function, by_function_name);
    qsort(var, m->vars, sizeof *var, by_variable_name);
    m->function_by_name = function;
    m->var_by_name = var;
    return true;
}

const ws_function *ws_module_function(const ws_module *module, const char *text)
{
    uint32_t low = 0, high = module->functions;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(module->function_by_name[middle]->name, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < module->functions && !strcmp(module->function_by_name[low]->name, text);
    return found ? module->function_by_name[low] : NULL;
}

const ws_variable *ws_module_variable(const ws_module *module, const char *text)
{
    uint32_t low = 0, high = module->vars;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(module->var_by_name[middle]->name, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < module->vars && !strcmp(module->var_by_name[low]->name, text);
    return found ? module->var_by_name[low] : NULL;
}
