/* ptx_operand.c - the operands of one instruction, up to the semicolon. */
#include "collect/ptx/ptx_internal.h"

#include <string.h>

enum { MAX_ELEMENTS = 256 };

enum follows { NOTHING, VECTOR, NUMBER };

static const struct {
    const char *name;
    uint16_t sreg;
    uint8_t follows, last;
} sregs[] = {
#define SREG(name, sreg, follows, last) {name, WS_SREG_##sreg, follows, last},
#include "collect/ptx/sreg.def"
#undef SREG
};

static void operand(parser *p, ws_insn *insn, ws_operand *o);

static void place(ws_operand *o, const token *t)
{
    o->line = t->line;
    o->column = t->column;
}

static int component_of(const token *t)
{
    static const char names[] = "xyzwrgba";
    const char *const at = t->kind == TOK_DOT && t->length == 1 ? memchr(names, t->text[0], sizeof names - 1) : NULL;
    return at ? (int)(at - names) % 4 : -1;
}

/* .b3210 and .h10 of a packed source: one digit a lane, lane 0 lowest. */
static bool packed_selector(const token *t, ws_operand *o)
{
    const size_t digits = t->length - 1;
    const char last = t->text[0] == 'h' ? '3' : '7';
    if (digits != (t->text[0] == 'h' ? 2 : 4))
        return false;
    o->component = 7;
    o->target = 0;
    for (size_t i = 0; i < digits; i++) {
        const char c = t->text[1 + i];
        if (c < '0' || c > last)
            return false;
        o->target = o->target << 4 | (uint32_t)(c - '0');
    }
    return true;
}

/* .b20 of a packed destination: the lanes that are written. */
static bool packed_mask(const token *t, ws_operand *o)
{
    const char last = t->text[0] == 'h' ? '1' : '3';
    o->component = 8;
    o->target = 0;
    for (size_t i = 1; i < t->length; i++) {
        if (t->text[i] < '0' || t->text[i] > last)
            return false;
        o->target |= 1u << (t->text[i] - '0');
    }
    return t->length > 1;
}

static bool scalar_selector(const token *t, ws_operand *o)
{
    if (t->length != 2)
        return false;
    const int n = t->text[1] - '0';
    if (n < 0 || n > (t->text[0] == 'h' ? 1 : 3))
        return false;
    o->component = (uint8_t)(t->text[0] == 'h' ? 5 + n : 1 + n);
    return true;
}

/* .b0 .h1 and so on behind a register of a video instruction. */
static void selector(parser *p, ws_insn *insn, ws_operand *o)
{
    const token t = p->tok;
    if (t.kind != TOK_DOT)
        return;
    const bool is_selector = t.text[0] == 'b' || t.text[0] == 'h';
    bool good = false;
    if (is_selector && ws_op_video_parts(insn->op) > 1)
        good = o == &insn->operand[0] ? packed_mask(&t, o) : packed_selector(&t, o);
    else if (is_selector && ws_op_video_parts(insn->op))
        good = scalar_selector(&t, o);
    if (!good)
        ptx_expected(p, "`,` or `;` behind the register");
    else
        ptx_advance(p);
}

/* a + 1: what ptxas adds to an integer register before the instruction reads it. */
static void added_number(parser *p, ws_insn *insn, ws_operand *o, const meaning *m)
{
    const ws_type_kind kind = ws_type_kind_of(m->type);
    if (p->lists_open || !ptx_is(p, '+'))
        return;
    o->offset = (int64_t)ptx_integer(p, "an integer offset");
    if (kind == WS_KIND_FLOAT || kind == WS_KIND_PRED || ws_type_bits(m->type) > 64)
        ptx_mark(p, insn, "a number is added to integer registers of up to 64 bits only, not to one of .%s",
                 ws_type_name(m->type));
}

static void use_register(parser *p, ws_insn *insn, ws_operand *o, const meaning *m)
{
    o->kind = WS_OPND_REG;
    o->reg = m->index;
    const int component = m->vec > 1 ? component_of(&p->tok) : -1;
    if (component >= m->vec) {
        ptx_expected(p, "a component that the vector has");
        return;
    }
    if (component >= 0) {
        o->reg += (uint32_t)component;
        ptx_advance(p);
    } else if (m->vec > 1) {
        o->kind = WS_OPND_VECTOR;
        o->elems = m->vec;
        o->elem = ptx_alloc(p, m->vec * sizeof *o->elem);
        for (unsigned i = 0; o->elem && i < m->vec; i++)
            o->elem[i] = (ws_operand){.kind = WS_OPND_REG, .reg = m->index + i, .line = o->line, .column = o->column};
    } else {
        selector(p, insn, o);
        if (!o->component)
            added_number(p, insn, o, m);
    }
}

/* Number at the end of %pm3 or %envreg12; the size of the name before it in *stem. */
static int trailing_number(const token *t, size_t *stem)
{
    int number = -1, scale = 1;
    *stem = t->length;
    while (*stem > 0 && t->text[*stem - 1] >= '0' && t->text[*stem - 1] <= '9' && t->length - *stem < 3) {
        number = (number < 0 ? 0 : number) + (t->text[*stem - 1] - '0') * scale;
        scale *= 10;
        --*stem;
    }
    return number;
}

/* mov.v4.u32 q, %tid: all four components. */
static void whole_special(parser *p, ws_operand *o)
{
    const ws_operand one = *o;
    o->kind = WS_OPND_VECTOR;
    o->elems = 4;
    o->elem = ptx_alloc(p, o->elems * sizeof *o->elem);
    for (unsigned i = 0; o->elem && i < o->elems; i++) {
        o->elem[i] = one;
        o->elem[i].component = (uint8_t)i;
    }
}

static void special_component(parser *p, ws_insn *insn, ws_operand *o, const token *t)
{
    const int component = component_of(&p->tok);
    if (component >= 0) {
        o->component = (uint8_t)component;
        ptx_advance(p);
    } else if (insn->op == WS_OP_mov && insn->vec == 4) {
        whole_special(p, o);
    } else {
        ptx_mark(p, insn, "special register %.*s needs .x, .y or .z", (int)t->length, t->text);
    }
}

/* %tid.x, %clock ...; false when there is no such register. */
static bool special_register(parser *p, ws_insn *insn, ws_operand *o, const token *t)
{
    const token stem = {.text = t->text + 1, .length = t->length - 1};
    size_t short_length;
    const int number = trailing_number(&stem, &short_length);
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++) {
        const size_t length = sregs[i].follows == NUMBER ? short_length : stem.length;
        if (strlen(sregs[i].name) != length || memcmp(stem.text, sregs[i].name, length) != 0)
            continue;
        if (sregs[i].follows == NUMBER && (number < 0 || number > sregs[i].last))
            continue;
        o->kind = WS_OPND_SREG;
        o->sreg = sregs[i].sreg;
        o->component = sregs[i].follows == NUMBER ? (uint8_t)number : 0;
        if (sregs[i].follows == VECTOR)
            special_component(p, insn, o, t);
        return true;
    }
    return false;
}

static void immediate(parser *p, ws_operand *o)
{
    const constant c = ptx_expression(p);
    o->kind = WS_OPND_IMM;
    o->is_float = c.is_float;
    o->imm = c.bits;
}

/* + 8, - 8, +-8: the constant that is added to a base; its sign is read as the expression's own. */
static int64_t offset(parser *p)
{
    return ptx_is(p, '+') || ptx_is(p, '-') ? (int64_t)ptx_integer(p, "an integer offset") : 0;
}

static uint64_t element_bytes(const ws_variable *v)
{
    return v ? (uint64_t)ws_type_bits(v->type) / 8 * v->vec : 1;
}

static void symbol(parser *p, ws_operand *o, const token *t, const meaning *m)
{
    o->kind = WS_OPND_SYMBOL;
    o->variable = m ? m->variable : NULL;
    o->function = m ? m->function : NULL;
    o->name = o->variable ? o->variable->name : o->function ? o->function->name : ptx_copy(p, t->text, t->length);
}

/* array[2]: an element by its number, as hand-written PTX has it. */
static bool subscript(parser *p, ws_operand *o)
{
    if (!ptx_is(p, '['))
        return false;
    ptx_advance(p);
    o->offset = (int64_t)(ptx_integer(p, "the number of an element") * element_bytes(o->variable));
    ptx_require(p, ']');
    return true;
}

static void unknown_register(parser *p, ws_insn *insn, ws_operand *o, const token *t)
{
    o->kind = WS_OPND_SREG;
    o->sreg = WS_SREG_OTHER;
    ptx_mark(p, insn, "unknown register %.*s", (int)(t->length < 100 ? t->length : 100), t->text);
    while (p->tok.kind == TOK_DOT)
        ptx_advance(p);
}

static void make_address(parser *p, ws_operand *o)
{
    ws_operand *const base = ptx_alloc(p, sizeof *base);
    if (!base)
        return;
    *base = *o;
    base->offset = 0;
    o->kind = WS_OPND_ADDRESS;
    o->elem = base;
    o->elems = 1;
}

static bool is_memory_operand(const ws_insn *insn, const ws_operand *o)
{
    return o >= insn->operand && o < insn->operand + WS_INSN_OPERANDS && insn->op != WS_OP_mov &&
           insn->op != WS_OP_cvta;
}

static void named(parser *p, ws_insn *insn, ws_operand *o)
{
    const token t = p->tok;
    ptx_advance(p);
    if (t.length == 1 && t.text[0] == '_') {
        o->kind = WS_OPND_SINK;
        return;
    }
    const meaning *const m = ptx_lookup(p, &t);
    if (m && m->kind == MEANS_REG) {
        use_register(p, insn, o, m);
    } else if (m && (m->kind == MEANS_LABEL || m->kind == MEANS_LIST)) {
        ptx_fail_at(p, t.line, t.column, "expected a value, found the label `%.*s`",
                    (int)(t.length < 200 ? t.length : 200), t.text);
    } else if (!m && t.text[0] == '%') {
        if (!special_register(p, insn, o, &t))
            unknown_register(p, insn, o, &t);
    } else {
        symbol(p, o, &t, m);
        if (!subscript(p, o))
            o->offset = offset(p);
        else if (is_memory_operand(insn, o))
            make_address(p, o);
    }
}

static bool is_register_next(parser *p)
{
    return p->tok.kind == TOK_WORD && !ptx_is_text(&p->tok, TOK_WORD, "WARP_SZ");
}

/* ! and - in front of a register, or of a constant. */
static void prefixed(parser *p, ws_insn *insn, ws_operand *o)
{
    const token sign = p->tok;
    const char *const rest = p->next;
    const uint32_t line = p->line;
    const char *const line_start = p->line_start;
    ptx_advance(p);
    if (is_register_next(p)) {
        named(p, insn, o);
        o->negate = true;
        if (sign.value == '-' && insn->op != WS_OP_vmad)
            ptx_mark(p, insn, "%s takes no negated register", insn->text);
        return;
    }
    if (p->status)
        return;
    p->next = rest; /* a constant after all: read it again from its sign on */
    p->line = line;
    p->line_start = line_start;
    p->tok = sign;
    immediate(p, o);
}

static void keep_elements(parser *p, ws_operand *o, const ws_operand *item, unsigned n)
{
    o->elems = (uint16_t)n;
    o->elem = ptx_alloc(p, n * sizeof *item);
    if (o->elem)
        memcpy(o->elem, item, n * sizeof *item);
}

/* The elements of { } or ( ) up to the closing bracket. */
static void elements(parser *p, ws_insn *insn, ws_operand *o, char close)
{
    ws_operand item[MAX_ELEMENTS];
    unsigned n = 0;
    o->kind = WS_OPND_VECTOR;
    ptx_advance(p);
    p->lists_open++;
    while (!ptx_is(p, (unsigned char)close) && !p->status) {
        if (n == MAX_ELEMENTS) {
            ptx_fail_at(p, p->tok.line, p->tok.column, "expected at most %d elements in a list", MAX_ELEMENTS);
            return;
        }
        item[n] = (ws_operand){0};
        operand(p, insn, &item[n]);
        if (item[n].kind == WS_OPND_SINK)
            item[n].kind = WS_OPND_NONE;
        n++;
        if (!ptx_accept(p, ','))
            break;
    }
    p->lists_open--;
    ptx_require(p, close);
    if (p->status || !n)
        return;
    keep_elements(p, o, item, n);
}

/* [base + offset], or [texture, {coordinates}] */
static void address(parser *p, ws_insn *insn, ws_operand *o)
{
    ws_operand item[8] = {{0}};
    unsigned n = 0;
    o->kind = WS_OPND_ADDRESS;
    ptx_advance(p);
    do {
        if (n == sizeof item / sizeof *item) {
            ptx_expected(p, "`]`");
            return;
        }
        operand(p, insn, &item[n++]);
        if (n == 1)
            o->offset = item[0].offset + offset(p);
    } while (ptx_accept(p, ','));
    if (!ptx_is(p, ']'))
        ptx_expected(p, "`]`");
    ptx_advance(p);
    if (p->status)
        return;
    if (item[0].kind != WS_OPND_REG && item[0].kind != WS_OPND_IMM && item[0].kind != WS_OPND_SYMBOL)
        ptx_mark(p, insn, "an address should start with a register, a name or a number");
    item[0].offset = 0;
    keep_elements(p, o, item, n);
}

static void operand(parser *p, ws_insn *insn, ws_operand *o)
{
    if (p->nesting >= 4) {
        ptx_fail_at(p, p->tok.line, p->tok.column, "operands are nested too deeply");
        return;
    }
    p->nesting++;
    place(o, &p->tok);
    if (ptx_is(p, '['))
        address(p, insn, o);
    else if (ptx_is(p, '{'))
        elements(p, insn, o, '}');
    else if (ptx_is(p, '!') || ptx_is(p, '-'))
        prefixed(p, insn, o);
    else if (is_register_next(p))
        named(p, insn, o);
    else if (p->tok.kind == TOK_INTEGER || p->tok.kind == TOK_FLOAT || p->tok.kind == TOK_WORD || ptx_is(p, '(') ||
             ptx_is(p, '~') || ptx_is(p, '+'))
        immediate(p, o);
    else
        ptx_expected(p, "an operand");
    p->nesting--;
}

static void label(parser *p, ws_operand *o, bool is_list)
{
    place(o, &p->tok);
    if (p->tok.kind != TOK_WORD) {
        ptx_expected(p, is_list ? "the label of a list" : "a label");
        return;
    }
    o->kind = is_list ? WS_OPND_TARGETS : WS_OPND_LABEL;
    o->target = ptx_use_label(p, &p->tok, is_list);
    ptx_advance(p);
}

/* call (ret), target, (args), prototype; every part but the target may be missing. */
static void call_operands(parser *p, ws_insn *insn)
{
    ws_operand *const o = insn->operand;
    o[0].kind = o[2].kind = WS_OPND_VECTOR;
    place(&o[0], &p->tok);
    insn->operands = 3;
    if (ptx_is(p, '(')) {
        elements(p, insn, &o[0], ')');
        ptx_require(p, ',');
    }
    place(&o[1], &p->tok);
    if (p->tok.kind != TOK_WORD) {
        ptx_expected(p, "the name of a function, or a register");
        return;
    }
    named(p, insn, &o[1]);
    place(&o[2], &p->tok);
    if (!ptx_accept(p, ','))
        return;
    if (ptx_is(p, '(')) {
        elements(p, insn, &o[2], ')');
        if (!ptx_accept(p, ','))
            return;
    }
    label(p, &o[3], true);
    insn->operands = 4;
}

static void one_operand(parser *p, ws_insn *insn)
{
    ws_operand *const o = &insn->operand[insn->operands];
    const bool is_label = insn->op == WS_OP_bra && insn->operands == 0;
    const bool is_list = insn->op == WS_OP_brx && insn->operands == 1;
    if (is_label || is_list)
        label(p, o, is_list);
    else
        operand(p, insn, o);
    insn->operands++;
    if (insn->operands == 1 && (o->kind == WS_OPND_REG || o->kind == WS_OPND_SINK || o->kind == WS_OPND_VECTOR) &&
        ptx_accept(p, '|'))
        operand(p, insn, &insn->second);
}

/* The operands of what cannot run anyway may have any form: they end at the semicolon. */
static void skip_operands(parser *p)
{
    while (p->tok.kind != TOK_END && !ptx_is(p, ';'))
        ptx_advance(p);
}

void ptx_operands(parser *p, ws_insn *insn)
{
    if (insn->unsupported) {
        skip_operands(p);
    } else if (insn->op == WS_OP_call) {
        call_operands(p, insn);
    } else if (ptx_takes_operands(insn) && !ptx_is(p, ';')) {
        do {
            if (insn->operands == WS_INSN_OPERANDS) {
                ptx_mark(p, insn, "more than %d operands", WS_INSN_OPERANDS);
                skip_operands(p);
                break;
            }
            one_operand(p, insn);
        } while (ptx_accept(p, ','));
    }
    if (!p->status)
        ptx_check_operands(p, insn);
}
