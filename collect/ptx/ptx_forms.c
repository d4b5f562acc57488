/* ptx_forms.c - what does `ld.global.nc.v2.f32` say? Opcode and modifiers to fields, through the tables.
 *
 * A module has some hundreds of spellings and many thousand instructions, so a spelling is decoded once and kept. */
#include "collect/ptx/ptx_internal.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define GROUPS(G) \
    G(ROUND) G(ROUNDI) G(FTZ) G(SAT) G(SATFIN) G(RELU) G(APPROX) G(FULL) G(CARRY) G(HALF) G(WIDE) G(MINMAX) \
    G(XORSIGN) G(CMP) G(BOOL) G(ATOMIC) G(COUNT) G(EXCHANGE) G(NOFTZ) G(MERGE) G(VECTOR) G(GLOBAL) G(SHARED) G(LOCAL) \
    G(CONST) G(PARAM) G(ORDER) G(LOOSE) G(CTA) G(CLUSTER) G(GPU) G(GL) G(SYS) G(UNIFORM) G(TO) G(INDEXED) G(FUNNEL) \
    G(WRAP) G(SHIFTAMT) G(PERMUTE) G(TEST) G(PACK) G(SCALE) G(SHUFFLE) G(VOTE) G(SYNC) G(BAR) G(ALIGNED) G(ASYNC) \
    G(MBARRIER) G(DEPEND) G(RESIZE) G(MASK) G(OPERATOR) G(LOADED) G(STORED) G(PRIORITY) G(HINT) G(SIZE) G(LEVEL) \
    G(PROXY) G(POLICY) G(SIGNAL) G(ANYWORD)
/* clang-format on */

enum group_number {
#define G(name) NUMBER_##name,
    GROUPS(G)
#undef G
        GROUP_COUNT
};
_Static_assert(GROUP_COUNT <= 64, "a set of groups is a 64-bit word");

enum group { /* sets of groups, as opcode.def combines them */
#define G(name) name = 1ull << NUMBER_##name,
             GROUPS(G)
#undef G
                 SPACE = GLOBAL | SHARED | LOCAL | CONST | PARAM,
             SCOPE = CTA | CLUSTER | GPU | SYS
};

typedef struct modifier {
    const char *word;
    uint64_t group;
    uint16_t field; /* offset of a byte in ws_insn */
    uint8_t value;
} modifier;

static const modifier modifiers[] = {
#define MOD(word, group, field, value) {word, group, offsetof(ws_insn, field), value},
#define IDLE(word, group, why)         {word, group, 0, 0}, /* a value of 0 sets nothing */
#include "collect/ptx/modifier.def"
#undef MOD
};

static const struct {
    const char *name, *operands;
    uint64_t groups;
    uint8_t class;
} opcodes[WS_OPS] = {
    [WS_OP_UNKNOWN] = {"unknown", "*", ANYWORD, WS_CLASS_OTHER},
#define OP(name, class, unit, work, dst, operands, sass, modifiers) \
    [WS_OP_##name] = {#name, operands, modifiers, PTX_CLASS_##class},
#include "collect/ptx/opcode.def"
#undef OP
};

static const struct {
    const char *name;
    uint16_t bits;
    uint8_t kind;
} types[WS_TYPES] = {
    [WS_T_NONE] = {"", 0, WS_KIND_NONE},
#define TYPE(name, bits, kind) [WS_T_##name] = {#name, bits, WS_KIND_##kind},
#include "collect/ptx/type.def"
#undef TYPE
};

unsigned ws_type_bits(ws_type type)
{
    return types[type].bits;
}

ws_type_kind ws_type_kind_of(ws_type type)
{
    return types[type].kind;
}

const char *ws_type_name(ws_type type)
{
    return types[type].name;
}

unsigned ws_op_video_parts(ws_op op)
{
    static const char first[WS_OPS] = {
#define OP(...)
#define ALU(name, class, unit, work, operands, types, ...) [WS_OP_##name] = types[0],
#include "collect/ptx/opcode.def"
#undef OP
    };
    return first[op] == 'v' ? 1 : first[op] == 'h' ? 2 : first[op] == 'q' ? 4 : 0;
}

struct form {
    UT_hash_handle hh;
    ws_insn insn;
};

static bool same(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static uint8_t type_named(const char *text, size_t length)
{
    for (unsigned t = 1; t < WS_TYPES; t++)
        if (same(text, length, types[t].name))
            return (uint8_t)t;
    return WS_T_NONE;
}

uint8_t ptx_type_declared(const char *text, size_t length)
{
    const uint8_t type = type_named(text, length);
    return types[type].bits < 8 && types[type].kind != WS_KIND_PRED ? WS_T_NONE : type;
}

static uint16_t op_named(const char *text, size_t length)
{
    for (unsigned op = 1; op < WS_OPS; op++)
        if (same(text, length, opcodes[op].name))
            return (uint16_t)op;
    return WS_OP_UNKNOWN;
}

void ptx_mark(parser *p, ws_insn *insn, const char *format, ...)
{
    if (insn->unsupported)
        return;
    if (!p) { /* nobody asks why */
        insn->unsupported = "";
        return;
    }
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    insn->unsupported = ptx_copy(p, text, strlen(text));
}

/* bar.warp.sync and ld.mmio.relaxed say one thing in two words, cp.async names two spaces of which the first counts. */
static bool is_second_word(const ws_insn *insn, const modifier *m)
{
    if (m->field == offsetof(ws_insn, sub))
        return insn->sub == WS_SUB_WARP && m->value == WS_SUB_SYNC;
    if (m->field == offsetof(ws_insn, order))
        return insn->order == WS_ORDER_MMIO && m->value == WS_ORDER_RELAXED;
    return m->field == offsetof(ws_insn, space) && insn->op == WS_OP_cp && insn->space;
}

static void set_field(parser *p, ws_insn *insn, const modifier *m)
{
    uint8_t *const field = (uint8_t *)insn + m->field;
    if (!m->value || is_second_word(insn, m))
        return;
    const bool is_set = m->field == offsetof(ws_insn, vec) ? *field > 1 : *field;
    if (is_set && *field != m->value)
        ptx_mark(p, insn, "modifier .%s contradicts one before it", m->word);
    *field = m->value;
}

static bool apply_word(parser *p, ws_insn *insn, const char *word, size_t length)
{
    const size_t n = sizeof modifiers / sizeof *modifiers;
    for (size_t i = 0; i < n; i++) {
        const modifier *const m = &modifiers[i];
        if (!(m->group & opcodes[insn->op].groups) || !same(word, length, m->word))
            continue;
        for (size_t k = i; k < n && modifiers[k].group == m->group && same(word, length, modifiers[k].word); k++)
            set_field(p, insn, &modifiers[k]);
        return true;
    }
    return false;
}

static bool is_known_word(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (same(word, length, modifiers[i].word))
            return true;
    return false;
}

static void apply(parser *p, ws_insn *insn, const char *word, size_t length)
{
    const uint8_t type = type_named(word, length);
    if (type && insn->types < WS_INSN_TYPES)
        insn->type[insn->types++] = type;
    else if (type)
        ptx_mark(p, insn, "more than %d types", WS_INSN_TYPES);
    else if (!apply_word(p, insn, word, length) && !(opcodes[insn->op].groups & ANYWORD))
        ptx_mark(p, insn,
                 is_known_word(word, length) ? "modifier .%.*s does not belong to %s" : "unknown modifier .%.*s of %s",
                 (int)(length < 64 ? length : 64), word, opcodes[insn->op].name);
}

static bool takes_generic(const ws_insn *insn)
{
    static const uint16_t others[] = {WS_OP_prefetch,      WS_OP_prefetchu, WS_OP_discard,
                                      WS_OP_applypriority, WS_OP_mbarrier,  WS_OP_wmma};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (insn->op == others[i])
            return true;
    return opcodes[insn->op].class == WS_CLASS_MEMORY;
}

static uint8_t default_space(const ws_insn *insn)
{
    switch (insn->op) {
    case WS_OP_tex:
    case WS_OP_tld4:
    case WS_OP_suld:
    case WS_OP_sust:
    case WS_OP_sured:
        return WS_SPACE_TEXTURE;
    case WS_OP_call:
        return WS_SPACE_PARAM;
    case WS_OP_ldu:
        return WS_SPACE_GLOBAL;
    default:
        return takes_generic(insn) ? WS_SPACE_GENERIC : WS_SPACE_NONE;
    }
}

/* Groups of which one word has to be there for the instruction to mean something. */
static void check_complete(parser *p, ws_insn *insn)
{
    static const struct {
        uint16_t op;
        uint16_t field;
        const char *what;
    } needs[] = {
        {WS_OP_atom, offsetof(ws_insn, sub), "an operation such as .add"},
        {WS_OP_red, offsetof(ws_insn, sub), "an operation such as .add"},
        {WS_OP_redux, offsetof(ws_insn, sub), "an operation such as .add"},
        {WS_OP_setp, offsetof(ws_insn, cmp), "a comparison such as .lt"},
        {WS_OP_set, offsetof(ws_insn, cmp), "a comparison such as .lt"},
        {WS_OP_vset, offsetof(ws_insn, cmp), "a comparison such as .lt"},
        {WS_OP_vset2, offsetof(ws_insn, cmp), "a comparison such as .lt"},
        {WS_OP_vset4, offsetof(ws_insn, cmp), "a comparison such as .lt"},
        {WS_OP_shfl, offsetof(ws_insn, sub), "a mode: .up, .down, .bfly or .idx"},
        {WS_OP_vote, offsetof(ws_insn, sub), "a mode: .all, .any, .uni or .ballot"},
        {WS_OP_match, offsetof(ws_insn, sub), "a mode: .any or .all"},
        {WS_OP_shf, offsetof(ws_insn, sub), "a direction: .l or .r"},
        {WS_OP_testp, offsetof(ws_insn, sub), "a test such as .finite"},
        {WS_OP_bar, offsetof(ws_insn, sub), ".sync, .arrive, .red or .warp.sync"},
        {WS_OP_barrier, offsetof(ws_insn, sub), ".sync, .arrive or .red"},
        {WS_OP_mbarrier, offsetof(ws_insn, sub), "an operation such as .arrive"},
        {WS_OP_cp, offsetof(ws_insn, sub), ".async and what it does"},
        {WS_OP_brx, offsetof(ws_insn, sub), ".idx"},
        {WS_OP_isspacep, offsetof(ws_insn, space), "a space such as .global"},
        {WS_OP_cvta, offsetof(ws_insn, space), "a space such as .global"},
        {WS_OP_mul24, offsetof(ws_insn, half), ".lo or .hi"},
        {WS_OP_mad24, offsetof(ws_insn, half), ".lo or .hi"},
        {WS_OP_madc, offsetof(ws_insn, half), ".lo or .hi"},
        {WS_OP_dp2a, offsetof(ws_insn, half), ".lo or .hi"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].op == insn->op && !((const uint8_t *)insn)[needs[i].field])
            ptx_mark(p, insn, "%s needs %s", opcodes[insn->op].name, needs[i].what);
    if ((insn->op == WS_OP_st || insn->op == WS_OP_red) && (insn->signals || insn->tx) &&
        (!insn->signals || !insn->tx || insn->space != WS_SPACE_SHARED || insn->shared_cta))
        ptx_mark(p, insn, "%s.async needs .shared::cluster and .mbarrier::complete_tx::bytes", opcodes[insn->op].name);
    const bool cluster = insn->scope == WS_SCOPE_CLUSTER && insn->op == WS_OP_barrier;
    const bool is_barrier = insn->op == WS_OP_bar || insn->op == WS_OP_barrier;
    if (cluster ? insn->sub != WS_SUB_ARRIVE && insn->sub != WS_SUB_WAIT
                : insn->sub == WS_SUB_WAIT || (insn->op == WS_OP_barrier && insn->order))
        ptx_mark(p, insn, cluster ? "barrier.cluster needs .arrive or .wait" : "a word that only barrier.cluster has");
    if (is_barrier && (insn->sub == WS_SUB_RED) != (insn->boolop != 0))
        ptx_mark(p, insn, insn->boolop ? "an operation without .red" : ".red needs an operation such as .popc");
}

/* What a kind of cp.async may say: its words, the first ones in this order. */
static void check_copy(parser *p, ws_insn *insn)
{
    static const struct {
        uint8_t sub;
        const char *begins, *words;
    } kinds[] = {
        {WS_SUB_ASYNC_CA, ".async.ca", ".shared.shared::cta.global.L2::cache_hint.L2::64B.L2::128B.L2::256B."},
        {WS_SUB_ASYNC_CG, ".async.cg", ".shared.shared::cta.global.L2::cache_hint.L2::64B.L2::128B.L2::256B."},
        {WS_SUB_ASYNC_COMMIT, ".async", ".bulk.commit_group."},
        {WS_SUB_ASYNC_WAIT_GROUP, ".async", ".bulk.wait_group.read."},
        {WS_SUB_ASYNC_WAIT_ALL, ".async.wait_all", "."},
        {WS_SUB_ASYNC_MBARRIER, ".async.mbarrier.arrive", ".noinc.shared.shared::cta.b64."},
        {WS_SUB_ASYNC_BULK_TX, ".async.bulk",
         ".shared::cluster.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint."},
        {WS_SUB_ASYNC_BULK_GROUP, ".async.bulk", ".global.shared::cta.bulk_group.L2::cache_hint."},
        {WS_SUB_ASYNC_PREFETCH, ".async.bulk.prefetch", ".L2.global.L2::cache_hint."},
    };
    const char *const text = insn->text + strlen(opcodes[insn->op].name);
    const bool is_plain = insn->sub == WS_SUB_ASYNC_CA || insn->sub == WS_SUB_ASYNC_CG;
    if (is_plain && (insn->space != WS_SPACE_SHARED || !strstr(text, ".global")))
        ptx_mark(p, insn, "a copy that is not from .global to .shared");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].sub != insn->sub)
            continue;
        const size_t n = strlen(kinds[i].begins);
        if (strncmp(text, kinds[i].begins, n) || (text[n] && text[n] != '.'))
            ptx_mark(p, insn, "a copy that begins otherwise than cp%s", kinds[i].begins);
        for (const char *word = text + n; !insn->unsupported && *word;) {
            const char *const dot = strchr(word + 1, '.'), *const end = dot ? dot : word + strlen(word);
            char with_dots[80];
            snprintf(with_dots, sizeof with_dots, "%.*s.", (int)(end - word), word);
            if (!strstr(kinds[i].words, with_dots))
                ptx_mark(p, insn, "a copy of another kind than %.*s is of", (int)(end - word), word);
            word = end;
        }
    }
}

static void decode(parser *p, ws_insn *insn, const char *text, size_t length)
{
    const char *dot = memchr(text, '.', length);
    const size_t base = dot ? (size_t)(dot - text) : length;
    insn->text = text;
    insn->op = op_named(text, base);
    insn->vec = 1;
    if (insn->op == WS_OP_UNKNOWN) {
        ptx_mark(p, insn, "unknown opcode %.*s", (int)(base < 64 ? base : 64), text);
        return;
    }
    const char *const end = text + length;
    while (dot) {
        const char *const word = dot + 1;
        dot = memchr(word, '.', (size_t)(end - word));
        apply(p, insn, word, (size_t)((dot ? dot : end) - word));
    }
    if (!insn->space)
        insn->space = default_space(insn);
    if (insn->op == WS_OP_mbarrier && insn->tx && !insn->sub) { /* by itself, not together with an arrival */
        insn->sub = WS_SUB_EXPECT_TX;
        insn->tx = false;
    }
    check_complete(p, insn);
    if (insn->op == WS_OP_cp)
        check_copy(p, insn);
}

void ptx_form_of_text(const char *text, ws_insn *out)
{
    memset(out, 0, sizeof *out);
    decode(NULL, out, text, strlen(text));
}

const ws_insn *ptx_form(parser *p, const char *text, size_t length)
{
    form *f;
    HASH_FIND(hh, p->forms, text, length, f);
    if (f)
        return &f->insn;
    f = ptx_alloc(p, sizeof *f);
    const char *const copy = f ? ptx_copy(p, text, length) : NULL;
    if (!copy)
        return NULL;
    decode(p, &f->insn, copy, length);
    HASH_ADD_KEYPTR(hh, p->forms, copy, (unsigned)length, f);
    if (!f->hh.tbl) {
        ptx_no_memory(p);
        return NULL;
    }
    return &f->insn;
}

void ptx_forms_free(parser *p)
{
    HASH_CLEAR(hh, p->forms);
}

static const char *operand_pattern(const ws_insn *insn)
{
    if (insn->op == WS_OP_barrier && insn->scope == WS_SCOPE_CLUSTER)
        return "";
    if (insn->op == WS_OP_bar || insn->op == WS_OP_barrier)
        return insn->sub == WS_SUB_RED ? "DSS?S" : insn->sub == WS_SUB_ARRIVE ? "SS" : "S?S";
    if (insn->op == WS_OP_mbarrier) {
        switch (insn->sub) {
        case WS_SUB_INIT:
            return "AS";
        case WS_SUB_INVAL:
            return "A";
        case WS_SUB_EXPECT_TX:
        case WS_SUB_COMPLETE_TX:
            return "AS";
        case WS_SUB_TEST_WAIT:
            return "DAS";
        case WS_SUB_TRY_WAIT:
            return "DAS?S";
        case WS_SUB_PENDING_COUNT:
            return "DS";
        default:
            return insn->tx ? "DAS" : "DA?S";
        }
    }
    if (insn->op == WS_OP_cp) {
        switch (insn->sub) {
        case WS_SUB_ASYNC_COMMIT:
        case WS_SUB_ASYNC_WAIT_ALL:
            return "";
        case WS_SUB_ASYNC_WAIT_GROUP:
            return "S";
        case WS_SUB_ASYNC_MBARRIER:
            return "A";
        case WS_SUB_ASYNC_BULK_TX:
            return "AASA?SS";
        case WS_SUB_ASYNC_BULK_GROUP:
            return "AAS?S";
        case WS_SUB_ASYNC_PREFETCH:
            return "AS?S";
        default:
            return "AAS?SS";
        }
    }
    if (insn->signals)
        return "ASA";
    if (insn->op == WS_OP_atom && insn->sub == WS_SUB_CAS)
        return "DASS?S";
    return opcodes[insn->op].operands;
}

bool ptx_takes_operands(const ws_insn *insn)
{
    return *operand_pattern(insn) != '\0';
}

static bool fits(char letter, const ws_operand *o)
{
    const uint8_t k = o->kind;
    switch (letter) {
    case 'D':
    case 'P':
        return (k == WS_OPND_REG && !o->offset) || k == WS_OPND_VECTOR || k == WS_OPND_SINK;
    case 'S':
        return k == WS_OPND_REG || k == WS_OPND_IMM || k == WS_OPND_SREG || k == WS_OPND_SYMBOL || k == WS_OPND_VECTOR;
    case 'A':
        return k == WS_OPND_ADDRESS;
    case 'L':
        return k == WS_OPND_LABEL;
    default:
        return k == WS_OPND_TARGETS;
    }
}

static const char *letter_phrase(char letter)
{
    switch (letter) {
    case 'D':
    case 'P':
        return "a register to write";
    case 'S':
        return "a value";
    case 'A':
        return "an address in [ ]";
    case 'L':
        return "a label";
    default:
        return "a .branchtargets label";
    }
}

/* v4 takes four elements. */
static void check_vector(parser *p, ws_insn *insn)
{
    if (insn->op == WS_OP_mov && insn->vec == 1)
        return; /* packs or unpacks a scalar */
    if (opcodes[insn->op].class != WS_CLASS_MEMORY && insn->op != WS_OP_mov)
        return;
    for (unsigned i = 0; i < insn->operands; i++) {
        const ws_operand *const o = &insn->operand[i];
        if (o->kind == WS_OPND_VECTOR && o->elems != insn->vec)
            ptx_mark(p, insn, "operand %u has %u elements where %s takes %u", i + 1, o->elems, insn->text, insn->vec);
        if (o->kind == WS_OPND_REG && insn->vec > 1 && i == (insn->op == WS_OP_st || insn->op == WS_OP_red))
            ptx_mark(p, insn, "operand %u should have %u elements in { }", i + 1, insn->vec);
    }
}

int ptx_check_operands(parser *p, ws_insn *insn)
{
    const char *const pattern = operand_pattern(insn);
    if (insn->unsupported || *pattern == '*')
        return p->status;
    unsigned least = 0, most = 0;
    bool is_optional = false;
    for (const char *q = pattern; *q; q++) {
        if (*q == '?') {
            is_optional = true;
            continue;
        }
        if (most < insn->operands && !fits(*q, &insn->operand[most]))
            ptx_mark(p, insn, "operand %u of %s should be %s", most + 1, insn->text, letter_phrase(*q));
        most++;
        least += !is_optional;
    }
    if (insn->operands < least || insn->operands > most)
        ptx_mark(p, insn, "%s takes %u operand%s, not %u", insn->text, insn->operands < least ? least : most,
                 (insn->operands < least ? least : most) == 1 ? "" : "s", insn->operands);
    if (insn->second.kind != WS_OPND_NONE && pattern[0] != 'P')
        ptx_mark(p, insn, "%s writes one register, not a pair with |", insn->text);
    check_vector(p, insn);
    return p->status;
}
