/* ptx_facts.c - what is an instruction counted as, what does it do to registers and memory, what keeps it busy?
 *
 * Rows of opcode.def, and what modifiers and types make of them. */
#include "collect/ptx/ptx_internal.h"

#include <string.h>

enum { UNIT_TYPED = WS_UNITS }; /* SP, INT or DP by the numbers */

static const struct {
    uint8_t class, unit, work, dst;
} rows[WS_OPS] = {
#define UNIT_SP     WS_UNIT_SP
#define UNIT_INT    WS_UNIT_INT
#define UNIT_DP     WS_UNIT_DP
#define UNIT_SFU    WS_UNIT_SFU
#define UNIT_MEMORY WS_UNIT_MEMORY
#define UNIT_NONE   WS_UNIT_NONE
    [WS_OP_UNKNOWN] = {WS_CLASS_OTHER, UNIT_NONE, WS_WORK_NOTHING, 0},
#define OP(name, class, unit, work, dst, operands, sass, modifiers) \
    [WS_OP_##name] = {PTX_CLASS_##class, UNIT_##unit, WS_WORK_##work, dst},
#include "collect/ptx/opcode.def"
#undef OP
};

static bool has_float(const ws_insn *insn)
{
    for (unsigned i = 0; i < insn->types; i++)
        if (ws_type_kind_of(insn->type[i]) == WS_KIND_FLOAT)
            return true;
    return false;
}

ws_class ws_ptx_class(const ws_insn *insn)
{
    const uint8_t class = rows[insn->op].class;
    const bool is_move = insn->op == WS_OP_mov || insn->op == WS_OP_selp;
    switch (insn->op) {
    case WS_OP_cp: /* groups of copies are bookkeeping */
        return insn->sub == WS_SUB_ASYNC_CA || insn->sub == WS_SUB_ASYNC_CG || insn->sub == WS_SUB_ASYNC_BULK_TX ||
                       insn->sub == WS_SUB_ASYNC_BULK_GROUP || insn->sub == WS_SUB_ASYNC_MBARRIER
                   ? WS_CLASS_MEMORY
                   : WS_CLASS_OTHER;
    case WS_OP_mbarrier:
        return insn->sub == WS_SUB_PENDING_COUNT ? WS_CLASS_INTEGER : WS_CLASS_MEMORY;
    case WS_OP_wmma:
        if (strstr(insn->text, ".load.") || strstr(insn->text, ".store."))
            return WS_CLASS_MEMORY;
        break;
    case WS_OP_div:
        return has_float(insn) ? WS_CLASS_SPECIAL : WS_CLASS_INTEGER;
    case WS_OP_slct: /* the compared operand decides */
        return insn->types > 1 && ws_type_kind_of(insn->type[1]) == WS_KIND_FLOAT ? WS_CLASS_FLOAT : WS_CLASS_INTEGER;
    default:
        break;
    }
    if (class != WS_CLASSES)
        return class;
    return !is_move && has_float(insn) ? WS_CLASS_FLOAT : WS_CLASS_INTEGER;
}

unsigned ws_ptx_dsts(const ws_insn *insn)
{
    switch (insn->op) {
    case WS_OP_bar:
    case WS_OP_barrier:
        return insn->sub == WS_SUB_RED;
    case WS_OP_mbarrier:
        return insn->sub != WS_SUB_INIT && insn->sub != WS_SUB_INVAL && insn->sub != WS_SUB_EXPECT_TX &&
               insn->sub != WS_SUB_COMPLETE_TX;
    case WS_OP_wmma:
        return !strstr(insn->text, ".store.");
    default:
        return rows[insn->op].dst;
    }
}

/* ---- facts */

static bool has_type(const ws_insn *insn, const uint8_t *types, size_t n)
{
    for (unsigned i = 0; i < insn->types; i++)
        if (memchr(types, insn->type[i], n))
            return true;
    return false;
}

/* Conversions name two: with a double among them they are counted as doubles', either way, with a half as halves'. */
static uint8_t number_of(const ws_insn *insn)
{
    static const uint8_t doubles[] = {WS_T_f64}, halves[] = {WS_T_f16, WS_T_f16x2, WS_T_bf16, WS_T_bf16x2};
    return has_type(insn, doubles, sizeof doubles) ? WS_NUMBER_DOUBLE
           : has_type(insn, halves, sizeof halves) ? WS_NUMBER_HALF
           : has_float(insn)                       ? WS_NUMBER_SINGLE
                                                   : WS_NUMBER_INTEGER;
}

static uint8_t atomic_of(const ws_insn *insn)
{
    static const uint8_t atomics[] = {
        [WS_SUB_AND] = WS_ATOMIC_AND,   [WS_SUB_OR] = WS_ATOMIC_OR,
        [WS_SUB_XOR] = WS_ATOMIC_XOR,   [WS_SUB_ADD] = WS_ATOMIC_ADD,
        [WS_SUB_MIN] = WS_ATOMIC_MIN,   [WS_SUB_MAX] = WS_ATOMIC_MAX,
        [WS_SUB_INC] = WS_ATOMIC_INC,   [WS_SUB_DEC] = WS_ATOMIC_DEC,
        [WS_SUB_CAS] = WS_ATOMIC_CAS,   [WS_SUB_POPC] = 0,
        [WS_SUB_EXCH] = WS_ATOMIC_EXCH,
    };
    const bool is_atomic = insn->op == WS_OP_atom || insn->op == WS_OP_red || insn->op == WS_OP_sured;
    return is_atomic && insn->sub < sizeof atomics ? atomics[insn->sub] : WS_ATOMIC_NONE;
}

/* A unit for one sort of numbers says which, whatever the types. */
static uint8_t unit_of(unsigned unit, unsigned number)
{
    static const uint8_t typed[WS_NUMBERS] = {
        [WS_NUMBER_INTEGER] = WS_UNIT_INT,
        [WS_NUMBER_HALF] = WS_UNIT_SP,
        [WS_NUMBER_SINGLE] = WS_UNIT_SP,
        [WS_NUMBER_DOUBLE] = WS_UNIT_DP,
    };
    return unit == UNIT_TYPED ? typed[number] : (uint8_t)unit;
}

/* Where a modifier makes another instruction of it. */
static void set_work(const ws_insn *insn, ws_instr *out)
{
    out->unit = unit_of(rows[insn->op].unit, out->number);
    out->work = rows[insn->op].work;
    if (insn->op == WS_OP_div && (insn->approx || insn->full)) {
        out->work = WS_WORK_SPECIAL;
    } else if (insn->op == WS_OP_cvt && out->number != WS_NUMBER_INTEGER) {
        out->unit = WS_UNIT_SP; /* not the one for doubles, whatever it converts; a machine may have others for it */
        out->work = WS_WORK_CONVERT;
    } else if (insn->op == WS_OP_wmma && out->cls == WS_CLASS_MEMORY) { /* loads and stores of matrices */
        out->unit = WS_UNIT_MEMORY;
        out->work = WS_WORK_NOTHING;
    } else if (insn->op == WS_OP_mbarrier && out->cls != WS_CLASS_MEMORY) { /* .pending_count */
        out->unit = WS_UNIT_INT;
        out->work = WS_WORK_ADD;
    }
}

void ws_ptx_facts(const ws_insn *insn, ws_instr *out)
{
    out->order = insn->order;
    out->scope = insn->scope;
    out->atomic = atomic_of(insn);
    out->number = number_of(insn);
    out->is_signed = insn->types && ws_type_kind_of(insn->type[insn->types - 1]) == WS_KIND_SINT;
    out->uncached = insn->uncached;
    out->fence = insn->op == WS_OP_membar || insn->op == WS_OP_fence;
    out->arrival = out->cls == WS_CLASS_BARRIER && insn->sub == WS_SUB_ARRIVE;
    out->surface = insn->op == WS_OP_suld || insn->op == WS_OP_sust || insn->op == WS_OP_sured;
    out->copy = insn->op == WS_OP_cp && out->cls == WS_CLASS_MEMORY;
    set_work(insn, out);
}

void ws_ptx_form_of_text(const char *opcode, ws_insn *out)
{
    ptx_form_of_text(opcode, out);
}

void ws_ptx_facts_of_text(const char *opcode, ws_instr *out)
{
    ws_insn insn;
    ptx_form_of_text(opcode, &insn);
    ws_ptx_facts(&insn, out);
}
