/* sim_decode.c - which unit does each instruction of a launch need, for how long, and which registers? */
#include "model/sim/decode.h"

#include "base/bits.h"
#include "base/status.h"

#include <string.h>

/* What an opcode's types make of it. */
enum { INTEGER, FLOAT, DOUBLE, TYPES };

enum { KIND_ADD, KIND_MAX, KIND_MUL, KIND_MAD, KIND_DIV, KIND_SPECIAL, KIND_EXCHANGE, KIND_NOTHING };

enum { ROW_UNIT_TYPED = WS_UNITS };
#define ROW_UNIT_SP     WS_UNIT_SP
#define ROW_UNIT_INT    WS_UNIT_INT
#define ROW_UNIT_DP     WS_UNIT_DP
#define ROW_UNIT_SFU    WS_UNIT_SFU
#define ROW_UNIT_MEMORY WS_UNIT_MEMORY
#define ROW_UNIT_NONE   WS_UNIT_NONE

typedef struct row {
    const char *prefix;
    uint8_t unit, kind;
} row;

static const row opcodes[] = {
#define OPCODE(prefix, unit, kind) {prefix, ROW_UNIT_##unit, KIND_##kind},
#include "model/sim/sim_opcodes.def"
#undef OPCODE
};

static const row classes[WS_CLASSES] = {
    [WS_CLASS_INTEGER] = {"", ROW_UNIT_INT, KIND_ADD},       [WS_CLASS_FLOAT] = {"", ROW_UNIT_TYPED, KIND_ADD},
    [WS_CLASS_SPECIAL] = {"", ROW_UNIT_SFU, KIND_SPECIAL},   [WS_CLASS_MEMORY] = {"", ROW_UNIT_MEMORY, KIND_NOTHING},
    [WS_CLASS_BRANCH] = {"", ROW_UNIT_INT, KIND_ADD},        [WS_CLASS_BARRIER] = {"", ROW_UNIT_NONE, KIND_NOTHING},
    [WS_CLASS_EXCHANGE] = {"", ROW_UNIT_INT, KIND_EXCHANGE}, [WS_CLASS_OTHER] = {"", ROW_UNIT_NONE, KIND_NOTHING},
};

/* Does the opcode start with these words, and a dot or nothing follow? */
static bool starts_with(const char *opcode, const char *prefix)
{
    const size_t length = strlen(prefix);
    return !strncmp(opcode, prefix, length) && (!opcode[length] || opcode[length] == '.');
}

static const row *find(const ws_instr *instr)
{
    const row *best = NULL;
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (starts_with(instr->opcode, opcodes[i].prefix) &&
            (!best || strlen(best->prefix) < strlen(opcodes[i].prefix)))
            best = &opcodes[i];
    return best ? best : &classes[instr->cls];
}

/* Is `word` one of the opcode's modifiers? */
static bool has(const char *opcode, const char *word)
{
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
        if (starts_with(dot + 1, word))
            return true;
    return false;
}

static unsigned type_of(const char *opcode)
{
    static const char *const floats[] = {"f32", "f16", "f16x2", "bf16", "bf16x2", "tf32", "f32x2"};
    if (has(opcode, "f64"))
        return DOUBLE;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (has(opcode, floats[i]))
            return FLOAT;
    return INTEGER;
}

/* A unit for one sort of numbers says which, whatever the opcode. */
static unsigned type_in(const row *found, unsigned type)
{
    return found->unit == ROW_UNIT_INT  ? (unsigned)INTEGER
           : found->unit == ROW_UNIT_SP ? (unsigned)FLOAT
           : found->unit == ROW_UNIT_DP ? (unsigned)DOUBLE
                                        : type;
}

static void set_times(const ws_machine *m, unsigned kind, unsigned type, ws_decoded *out)
{
#define TIMES(name) \
    { \
        m->latency_##name, m->initiation_##name \
    }
#define BY_TYPE(name) \
    { \
        TIMES(int_##name), TIMES(fp_##name), TIMES(dp_##name) \
    }
    const uint32_t times[][TYPES][2] = {
        [KIND_ADD] = BY_TYPE(add),
        [KIND_MAX] = BY_TYPE(max),
        [KIND_MUL] = BY_TYPE(mul),
        [KIND_MAD] = BY_TYPE(mad),
        [KIND_DIV] = BY_TYPE(div),
        [KIND_SPECIAL] = {TIMES(sfu), TIMES(sfu), TIMES(sfu)},
        [KIND_EXCHANGE] = {TIMES(exchange), TIMES(exchange), TIMES(exchange)},
        [KIND_NOTHING] = {{1, 1}, {1, 1}, {1, 1}},
    };
#undef BY_TYPE
#undef TIMES
    const uint32_t lanes = (WS_WARP + m->sm_lanes - 1) / m->sm_lanes, initiation = times[kind][type][1];
    out->latency = (uint16_t)times[kind][type][0];
    out->initiation = (uint16_t)(out->unit != WS_UNIT_NONE && lanes > initiation ? lanes : initiation);
}

/* The unit that a machine without units of that sort has in their place. */
static uint8_t unit_of(const ws_machine *m, unsigned unit, unsigned type)
{
    static const uint8_t typed[TYPES] = {WS_UNIT_INT, WS_UNIT_SP, WS_UNIT_DP};
    if (unit == ROW_UNIT_TYPED)
        unit = typed[type];
    if ((unit == WS_UNIT_INT && !m->sm_int_units) || (unit == WS_UNIT_DP && !m->sm_dp_units))
        unit = WS_UNIT_SP;
    return (uint8_t)unit;
}

/* A load that must not be served by a copy in L1: others may write the word while the warp looks at it. The warps of a
 * block share an L1, so what is ordered within a block only may be. */
static bool is_poll(const ws_instr *instr)
{
    const char *const op = instr->opcode;
    if (instr->access != WS_ACCESS_LOAD)
        return false;
    if (has(op, "STRONG")) /* SASS: volatile is STRONG.SYS, acquire and relaxed name their scope */
        return has(op, "GPU") || has(op, "SYS");
    return has(op, "volatile") || has(op, "cv") || ((has(op, "acquire") || has(op, "relaxed")) && !has(op, "cta"));
}

static bool is_fence(const char *opcode)
{
    return starts_with(opcode, "membar") || starts_with(opcode, "fence") || starts_with(opcode, "MEMBAR") ||
           starts_with(opcode, "FENCE");
}

static uint8_t copy_once(const uint16_t *from, unsigned count, uint16_t *to)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        bool seen = false;
        for (unsigned j = 0; j < n; j++)
            seen |= to[j] == from[i];
        if (!seen)
            to[n++] = from[i];
    }
    return (uint8_t)n;
}

static void raise_to(uint32_t *registers, const uint16_t *reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (*registers <= reg[i])
            *registers = reg[i] + 1u;
}

int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers)
{
    *registers = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        if (!in->opcode || in->cls >= WS_CLASSES || in->dsts > WS_INSTR_DST || in->srcs > WS_INSTR_SRC)
            return ws_fail(WS_EINPUT,
                           "%s: instruction %zu is damaged: class %u, %u results, %u operands; at most "
                           "%d results and %d operands are expected, and an opcode",
                           launch->kernel, i, in->cls, in->dsts, in->srcs, WS_INSTR_DST, WS_INSTR_SRC);
        const row *const found = find(in);
        const unsigned type = type_of(in->opcode);
        ws_decoded *const d = &out[i];
        memset(d, 0, sizeof *d);
        d->unit = unit_of(machine, found->unit, type);
        set_times(machine, found->kind, type_in(found, type), d);
        d->fence = is_fence(in->opcode);
        d->poll = machine->coherence_polls && is_poll(in);
        d->dsts = copy_once(in->dst, in->dsts, d->dst);
        d->srcs = copy_once(in->src, in->srcs, d->src);
        raise_to(registers, d->dst, d->dsts);
        raise_to(registers, d->src, d->srcs);
    }
    return WS_OK;
}
