/* ptx_body.c - the body of a function: blocks, declarations, labels and instructions. */
#include "collect/ptx/ptx_internal.h"

#include <stdlib.h>
#include <string.h>

enum { OPCODE_BYTES = 512 };

bool ptx_at_debug(const parser *p)
{
    return ptx_at(p, DIR_loc) || ptx_at(p, DIR_file) || ptx_at(p, DIR_section) || ptx_at(p, DIR_pragma);
}

static void pragma(parser *p)
{
    do {
        if (p->tok.kind != TOK_STRING)
            ptx_expected(p, "a pragma in quotes");
        ptx_advance(p);
    } while (ptx_accept(p, ','));
    ptx_require(p, ';');
}

void ptx_pragma_or_debug(parser *p)
{
    if (ptx_accept_dot(p, DIR_loc)) {
        ptx_location(p);
    } else if (ptx_accept_dot(p, DIR_file)) {
        ptx_source_file(p);
    } else if (ptx_accept_dot(p, DIR_pragma)) {
        pragma(p);
    } else {
        ptx_advance(p);
        if (p->tok.kind != TOK_DOT && p->tok.kind != TOK_WORD)
            ptx_expected(p, "the name of a section");
        const bool strings = ptx_is_text(&p->tok, TOK_DOT, "debug_str");
        ptx_advance(p);
        if (ptx_is(p, '{') && strings)
            ptx_debug_strings(p);
        else if (ptx_is(p, '{'))
            ptx_skip_balanced(p);
        else
            ptx_expected(p, "`{`");
    }
}

/* name, or name<count> */
static void one_register(parser *p, uint8_t type, uint8_t vec)
{
    const token at = p->tok;
    if (at.kind != TOK_WORD) {
        ptx_expected(p, "the name of a register");
        return;
    }
    ptx_advance(p);
    name *const n = ptx_intern(p, at.text, at.length);
    const bool is_range = ptx_accept(p, '<');
    meaning *const m = ptx_declare(p, &at, n, is_range ? MEANS_RANGE : MEANS_REG);
    if (!m)
        return;
    m->type = type;
    m->vec = vec;
    if (is_range) {
        if (p->tok.kind != TOK_INTEGER)
            ptx_expected(p, "the number of registers");
        m->count = p->tok.value;
        ptx_advance(p);
        ptx_require(p, '>');
    } else {
        m->index = p->function ? ptx_new_registers(p, n, type, vec) : NO_INDEX;
    }
}

void ptx_registers(parser *p)
{
    uint8_t type = WS_T_NONE, vec = 1;
    ptx_advance(p);
    while (p->tok.kind == TOK_DOT) {
        const uint8_t named = ptx_type_declared(p->tok.text, p->tok.length);
        if (ptx_at(p, DIR_v2))
            vec = 2;
        else if (ptx_at(p, DIR_v4))
            vec = 4;
        else if (named && !type)
            type = named;
        else
            ptx_expected(p, type ? "the name of a register" : "a type such as .b32");
        ptx_advance(p);
    }
    if (!p->status && !type)
        ptx_expected(p, "a type such as .b32");
    else if (!p->status && vec > 1 && (type == WS_T_pred || ws_type_bits(type) * vec > 128))
        ptx_expected(p, type == WS_T_pred ? "a register that is no vector, as .pred has none"
                                          : "a register: vectors have at most 128 bits");
    do {
        one_register(p, type, vec);
    } while (ptx_accept(p, ','));
    ptx_require(p, ';');
}

static void branch_targets(parser *p, ws_list *list)
{
    vector targets = {0};
    do {
        if (p->tok.kind != TOK_WORD)
            ptx_expected(p, "a label");
        uint32_t *const slot = p->status ? NULL : ptx_push(p, &targets, sizeof *slot);
        if (slot)
            *slot = ptx_use_label(p, &p->tok, false); /* the use; patched when the function is complete */
        ptx_advance(p);
    } while (ptx_accept(p, ','));
    uint32_t *const array = ptx_alloc(p, (targets.count + 1) * sizeof *array);
    if (array && targets.count)
        memcpy(array, targets.items, targets.count * sizeof *array);
    list->n = targets.count;
    list->target = array;
    free(targets.items);
}

static void call_targets(parser *p, ws_list *list)
{
    vector names = {0};
    do {
        if (p->tok.kind != TOK_WORD)
            ptx_expected(p, "the name of a function");
        const char **const slot = p->status ? NULL : ptx_push(p, &names, sizeof *slot);
        if (slot)
            *slot = ptx_copy(p, p->tok.text, p->tok.length);
        ptx_advance(p);
    } while (ptx_accept(p, ','));
    const ws_function **const array = ptx_alloc(p, (names.count + 1) * sizeof *array);
    for (uint32_t i = 0; array && i < names.count; i++) {
        late_target *const late = ptx_push(p, &p->late_targets, sizeof *late);
        if (late)
            *late = (late_target){.name = ((const char **)names.items)[i], .slot = &array[i]};
    }
    list->n = names.count;
    list->function = array;
    free(names.items);
}

/* (returns) _ (parameters) */
static void prototype(parser *p, ws_list *list)
{
    uint32_t bytes;
    if (ptx_is(p, '('))
        list->ret = ptx_parameters(p, &list->rets, &bytes);
    if (p->tok.kind != TOK_WORD)
        ptx_expected(p, "`_`");
    ptx_advance(p);
    if (ptx_is(p, '('))
        list->param = ptx_parameters(p, &list->params, &bytes);
    while (p->tok.kind == TOK_DOT) {
        if (ptx_accept_dot(p, DIR_noreturn))
            continue;
        if (!ptx_accept_dot(p, DIR_abi_preserve) && !ptx_accept_dot(p, DIR_abi_preserve_control))
            ptx_expected(p, "`;`");
        else
            ptx_number32(p, "a number");
    }
}

/* label: .branchtargets a, b;  and its kin; false when the next word is none of them. */
static bool list_after_label(parser *p, const token *label_token)
{
    static const directive words[] = {DIR_branchtargets, DIR_calltargets, DIR_callprototype};
    uint8_t kind = 0;
    while (kind < 3 && !ptx_at(p, words[kind]))
        kind++;
    if (kind == 3)
        return false;
    ptx_advance(p);
    meaning *const m = ptx_declare(p, label_token, ptx_intern(p, label_token->text, label_token->length), MEANS_LIST);
    ws_list list = {.kind = kind};
    if (kind == 0)
        branch_targets(p, &list);
    else if (kind == 1)
        call_targets(p, &list);
    else
        prototype(p, &list);
    ptx_require(p, ';');
    ws_list *const slot = p->status ? NULL : ptx_push(p, &p->lists, sizeof *slot);
    if (slot && m) {
        *slot = list;
        m->index = p->lists.count - 1;
    }
    return true;
}

static void label(parser *p, const token *t)
{
    ptx_advance(p);
    if (list_after_label(p, t))
        return;
    meaning *const m = ptx_declare(p, t, ptx_intern(p, t->text, t->length), MEANS_LABEL);
    if (m)
        m->index = p->insns.count;
}

/* The bank in old PTX's ld.const[2].f32 says nothing: banks share one address space. */
static void skip_bank(parser *p)
{
    const char *q = p->next;
    while (q < p->end && *q >= '0' && *q <= '9')
        q++;
    if (!ptx_is(p, '[') || p->end - q < 2 || q == p->next || q[0] != ']' || q[1] != '.')
        return;
    p->next = q + 1;
    ptx_advance(p);
}

/* Opcode and modifiers, which blanks may part, as one text. */
static const ws_insn *opcode(parser *p, const token *first)
{
    char text[OPCODE_BYTES];
    size_t n = first->length < sizeof text ? first->length : sizeof text;
    memcpy(text, first->text, n);
    while (p->tok.kind == TOK_DOT) {
        const token t = p->tok;
        if (!ws_range_within(n + 1, t.length, sizeof text))
            n = sizeof text;
        if (n < sizeof text) {
            text[n++] = '.';
            memcpy(text + n, t.text, t.length);
            n += t.length;
        }
        ptx_advance(p);
        if (ptx_is_text(&t, TOK_DOT, "const"))
            skip_bank(p);
    }
    if (n == sizeof text) {
        ptx_fail_at(p, first->line, first->column, "the opcode is longer than %d bytes", OPCODE_BYTES - 1);
        return NULL;
    }
    return p->status ? NULL : ptx_form(p, text, n);
}

static void instruction(parser *p, const token *first, const ws_operand *guard)
{
    const ws_insn *const form_of_it = opcode(p, first);
    ws_insn *const insn = form_of_it ? ptx_push(p, &p->insns, sizeof *insn) : NULL;
    if (!insn)
        return;
    *insn = *form_of_it;
    insn->guard = guard;
    insn->line = first->line;
    insn->column = first->column;
    for (unsigned i = 0; i < insn->types && p->maps_doubles; i++)
        if (insn->type[i] == WS_T_f64)
            ptx_mark(p, insn, "doubles under .target map_f64_to_f32, which computes them in single precision");
    ptx_operands(p, insn);
    insn->place = p->place;
    insn->statement = ptx_statement(p, p->statement, p->tok.text);
    ptx_require(p, ';');
}

/* @%p or @!%p */
static const ws_operand *guard(parser *p)
{
    ptx_advance(p);
    const bool negate = ptx_accept(p, '!');
    const token t = p->tok;
    const meaning *const m = t.kind == TOK_WORD ? ptx_lookup(p, &t) : NULL;
    if (!m || m->kind != MEANS_REG || m->type != WS_T_pred) {
        ptx_expected(p, "a predicate register");
        return NULL;
    }
    ptx_advance(p);
    ws_operand *const o = ptx_alloc(p, sizeof *o);
    if (o)
        *o = (ws_operand){.kind = WS_OPND_REG, .negate = negate, .reg = m->index, .line = t.line, .column = t.column};
    return o;
}

static void word_statement(parser *p, const ws_operand *condition)
{
    const token t = p->tok;
    if (t.kind != TOK_WORD) {
        ptx_expected(p, "an instruction");
        return;
    }
    ptx_advance(p);
    if (condition && ptx_is(p, ':'))
        ptx_fail_at(p, t.line, t.column, "expected an instruction behind the predicate, found a label");
    else if (ptx_is(p, ':'))
        label(p, &t);
    else
        instruction(p, &t, condition);
}

static void dot_statement(parser *p)
{
    linkage link = {0};
    if (ptx_at_debug(p)) {
        ptx_pragma_or_debug(p);
        return;
    }
    if (ptx_at(p, DIR_reg)) {
        ptx_registers(p);
        return;
    }
    link.is_extern = ptx_accept_dot(p, DIR_extern);
    uint8_t space;
    if (ptx_space_declared(p, &space) && (!link.is_extern || space == WS_SPACE_SHARED))
        ptx_variables(p, &link);
    else
        ptx_expected(p, link.is_extern ? "a space such as .shared" : "a declaration or an instruction");
}

/* Statements up to the bracket that closes the body; nested blocks by counting, so that depth costs no stack. */
static void block(parser *p, const ws_function *f)
{
    unsigned depth = 0;
    do {
        p->statement = p->tok.text;
        if (ptx_is(p, '{')) {
            depth++;
            ptx_advance(p);
            ptx_enter(p);
        } else if (ptx_is(p, '}')) {
            depth--;
            ptx_leave(p);
            ptx_advance(p);
        } else if (ptx_is(p, '@')) {
            word_statement(p, guard(p));
        } else if (p->tok.kind == TOK_DOT) {
            dot_statement(p);
        } else if (p->tok.kind == TOK_END) {
            ptx_fail_at(p, p->tok.line, p->tok.column, "expected `}` to end `%.200s`, found the end of the file",
                        f->name);
        } else if (!ptx_accept(p, ';')) {
            word_statement(p, NULL);
        }
    } while (depth && !p->status);
}

static void bind_one(parser *p, const ws_variable *v, uint32_t *reg)
{
    const token at = {.text = v->name, .length = strlen(v->name), .line = v->line, .column = v->column};
    *reg = UINT32_MAX;
    if (at.length == 1 && v->name[0] == '_')
        return;
    name *const n = ptx_intern(p, v->name, at.length);
    meaning *const m = ptx_declare(p, &at, n, v->space == WS_SPACE_PARAM ? MEANS_VARIABLE : MEANS_REG);
    if (!m)
        return;
    m->variable = (ws_variable *)v;
    m->type = v->type;
    m->vec = v->vec;
    if (m->kind == MEANS_REG)
        *reg = m->index = ptx_new_registers(p, n, v->type, v->vec);
}

static const uint32_t *bind(parser *p, const ws_variable *v, uint32_t count)
{
    uint32_t *const regs = ptx_alloc(p, (count + 1) * sizeof *regs);
    for (uint32_t i = 0; regs && i < count && !p->status; i++)
        bind_one(p, &v[i], &regs[i]);
    return regs;
}

/* Indices that stood for things not yet known become the things. */
static void patch_operand(parser *p, ws_insn *insn, ws_operand *o, const ws_variable *locals)
{
    const label_use *const uses = p->uses.items;
    if (o->kind == WS_OPND_LABEL || o->kind == WS_OPND_TARGETS)
        o->target = uses[o->target].result;
    if (o->kind == WS_OPND_SYMBOL && o->variable && o->variable->owner == p->function)
        o->variable = &locals[o->variable->index];
    if (o->kind == WS_OPND_SYMBOL && !o->variable && !o->function) {
        late_symbol *const late = ptx_push(p, &p->late_symbols, sizeof *late);
        if (late)
            *late = (late_symbol){.insn = insn, .operand = o};
    }
    for (unsigned i = 0; i < o->elems; i++)
        patch_operand(p, insn, &o->elem[i], locals);
}

static void patch(parser *p, ws_function *f, ws_insn *insns, const ws_variable *locals)
{
    const label_use *const uses = p->uses.items;
    for (uint32_t i = 0; i < f->insns; i++)
        for (unsigned k = 0; k < insns[i].operands; k++)
            patch_operand(p, &insns[i], &insns[i].operand[k], locals);
    for (uint32_t i = 0; i < f->lists; i++) {
        const ws_list *const list = &f->list[i];
        for (uint32_t k = 0; list->kind == 0 && k < list->n; k++)
            ((uint32_t *)list->target)[k] = uses[list->target[k]].result;
    }
}

static void finish(parser *p, ws_function *f)
{
    ws_insn *const insns = ptx_keep(p, &p->insns, sizeof *insns);
    ws_variable *const locals = ptx_alloc(p, (p->locals.count + 1) * sizeof *locals);
    f->reg = ptx_keep(p, &p->regs, sizeof *f->reg);
    f->list = ptx_keep(p, &p->lists, sizeof *f->list);
    if (p->status)
        return;
    for (uint32_t i = 0; i < p->locals.count; i++)
        locals[i] = *((ws_variable *const *)p->locals.items)[i];
    f->insn = insns;
    f->insns = p->insns.count;
    f->var = locals;
    f->vars = p->locals.count;
    f->regs = p->regs.count;
    f->lists = p->lists.count;
    ptx_places_end(p, f);
    patch(p, f, insns, locals);
}

void ptx_body(parser *p, ws_function *f)
{
    p->function = f;
    p->function_number++;
    ptx_places_begin(p);
    p->insns.count = p->regs.count = p->locals.count = p->lists.count = p->uses.count = 0;
    ptx_enter(p);
    f->ret_reg = bind(p, f->ret, f->rets);
    f->param_reg = bind(p, f->param, f->params);
    if (!p->status)
        block(p, f);
    if (!p->status)
        ptx_leave(p);
    if (!p->status)
        finish(p, f);
    p->function = NULL;
}
