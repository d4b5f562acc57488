/* sim_decode.c - which unit does each instruction of a launch need, for how long, and which registers? */
#include "model/sim/sm/decode.h"

#include "base/bits.h"
#include "base/status.h"
#include "collect/trace/instr_matrix.h"
#include "collect/trace/update.h"
#include "model/sim/sm/atomic.h"
#include "model/machine/machine.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* The columns of times in a machine. */
enum { INTEGER, HALF, FLOAT, DOUBLE, TYPES };

static unsigned type_in(const ws_instr *in)
{
    static const uint8_t types[WS_NUMBERS] = {
        [WS_NUMBER_INTEGER] = INTEGER,
        [WS_NUMBER_HALF] = HALF,
        [WS_NUMBER_SINGLE] = FLOAT,
        [WS_NUMBER_DOUBLE] = DOUBLE,
    };
    return types[ws_instr_timed_as(in)];
}

/* Latency and initiation of an instruction by its work and numbers. */
typedef struct times {
    uint32_t latency, initiation;
} times;

/* What a machine says nothing of is as the other. */
static times times_or(times given, times other)
{
    return (times){given.latency ? given.latency : other.latency,
                   given.initiation ? given.initiation : other.initiation};
}

static times times_of(const ws_machine *m, unsigned work, unsigned type)
{
#define TIMES(name) ((times){m->latency_##name, m->initiation_##name})
#define ALL(time) \
    { \
        time, time, time, time \
    }
#define BY_TYPE(name) \
    { \
        TIMES(int_##name), times_or(TIMES(half), TIMES(fp_##name)), TIMES(fp_##name), TIMES(dp_##name) \
    }
    const times table[WS_WORKS][TYPES] = {
        [WS_WORK_ADD] = BY_TYPE(add),
        [WS_WORK_MAX] = BY_TYPE(max),
        [WS_WORK_MUL] = BY_TYPE(mul),
        [WS_WORK_MAD] = BY_TYPE(mad),
        [WS_WORK_MATRIX] = {TIMES(int_mad), TIMES(fp_mad), TIMES(fp_mad), TIMES(dp_mad)},
        [WS_WORK_DIV] = {TIMES(int_div), TIMES(fp_div), TIMES(fp_div), TIMES(dp_div)},
        [WS_WORK_SPECIAL] = ALL(TIMES(sfu)),
        [WS_WORK_EXCHANGE] = ALL(TIMES(exchange)),
        [WS_WORK_NOTHING] = ALL(((times){1, 1})),
        [WS_WORK_CONVERT] = {TIMES(convert), TIMES(convert), TIMES(convert), TIMES(dp_convert)},
        [WS_WORK_SHIFT] = ALL(times_or(TIMES(shift), TIMES(int_add))),
    };
#undef BY_TYPE
#undef ALL
#undef TIMES
    return table[work][type];
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* A unit takes the next warp when its lanes have had this one. */
static uint32_t initiation_of(const ws_machine *m, uint32_t given)
{
    const uint32_t lanes = divide_up(WS_WARP, m->sm_lanes);
    return lanes > given ? lanes : given;
}

/* Multiply-adds of such a product that a tensor unit of the machine does in a cycle; 0: it has none that does. */
static uint32_t tensor_rate(const ws_machine *m, ws_matrix_kind kind)
{
    static const size_t rates[] = {
#define MATRIX_KIND(name, meaning) offsetof(ws_machine, tensor_##name),
        WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
    };
    return m->sm_tensor_units ? *(const uint32_t *)(const void *)((const char *)m + rates[kind]) : 0;
}

/* On a tensor unit; or multiply-add by multiply-add, a warp's worth at a time, each of which must wait for the unit. */
static void set_matrix_times(const ws_machine *m, const ws_instr *in, ws_decoded *out)
{
    const ws_matrix matrix = ws_instr_matrix(in);
    const uint32_t rate = tensor_rate(m, matrix.kind);
    if (rate) {
        out->unit = WS_UNIT_TENSOR;
        out->initiation = divide_up(matrix.multiplies, rate);
        out->latency = out->initiation + m->tensor_latency;
        return;
    }
    const times one = times_of(m, WS_WORK_MATRIX, type_in(in));
    const uint32_t rounds = divide_up(matrix.multiplies, WS_WARP);
    out->initiation = rounds * initiation_of(m, one.initiation);
    out->latency = out->initiation - initiation_of(m, one.initiation) + one.latency;
}

/* What a machine without units of that sort has in their place. */
static uint8_t unit_of(const ws_machine *m, const ws_instr *in)
{
    if (in->work == WS_WORK_CONVERT && in->unit == WS_UNIT_SP)
        return m->sm_conversions != WS_CONVERSIONS_SFU ? WS_UNIT_SP : WS_UNIT_SFU;
    if (in->unit == WS_UNIT_INT && (in->work == WS_WORK_MUL || in->work == WS_WORK_MAD) &&
        m->sm_products == WS_PRODUCTS_SP)
        return WS_UNIT_SP;
    return (in->unit == WS_UNIT_INT && !m->sm_int_units) || (in->unit == WS_UNIT_DP && !m->sm_dp_units) ? WS_UNIT_SP
                                                                                                        : in->unit;
}

static void set_unit_and_times(const ws_machine *m, const ws_instr *in, ws_decoded *out)
{
    const times t = times_of(m, in->work, type_in(in));
    out->unit = unit_of(m, in);
    out->latency = t.latency;
    out->initiation = out->unit != WS_UNIT_NONE ? initiation_of(m, t.initiation) : t.initiation;
    if (in->work == WS_WORK_MATRIX && in->unit != WS_UNIT_MEMORY)
        set_matrix_times(m, in, out);
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

/* The expression was checked with the machine. */
bool ws_machine_is_commutative(const ws_machine *m, const char *kernel)
{
    regex_t expression;
    if (!ws_machine_labels_kernels(m))
        return true;
    if (ws_machine_commutative(m, &expression))
        return false;
    const bool found = !regexec(&expression, kernel, 0, NULL, 0);
    regfree(&expression);
    return found;
}

/* Which of the launch's instructions are updates? Only rules that tell them apart need to know. */
static int find_updates(const ws_launch *launch, const ws_machine *m, ws_decoded *out)
{
    if (!(m->sm_atomics->counts || m->package_atomic_buffer) || !ws_machine_is_commutative(m, launch->kernel))
        return WS_OK;
    bool *const update = calloc(launch->instrs + 1, sizeof *update);
    const int status =
        update ? ws_update_mark(launch, update) : ws_fail(WS_EMEM, "no memory for kernel %s", launch->kernel);
    for (size_t i = 0; i < launch->instrs && !status; i++)
        out[i].update = update[i];
    free(update);
    return status;
}

int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers)
{
    *registers = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        if (in->cls >= WS_CLASSES || in->unit >= WS_UNITS || in->work >= WS_WORKS || in->number >= WS_NUMBERS ||
            in->dsts > WS_INSTR_DST || in->srcs > WS_INSTR_SRC)
            return ws_fail(WS_EINPUT,
                           "%s: instruction %zu is damaged: class %u, unit %u, work %u, number %u, %u results, %u "
                           "operands; at most "
                           "%d results and %d operands are expected",
                           launch->kernel, i, in->cls, in->unit, in->work, in->number, in->dsts, in->srcs, WS_INSTR_DST,
                           WS_INSTR_SRC);
        ws_decoded *const d = &out[i];
        memset(d, 0, sizeof *d);
        set_unit_and_times(machine, in, d);
        d->operation = ws_operation_of(in);
        d->fence = in->fence;
        d->poll = machine->coherence_polls && ws_instr_is_poll(in);
        d->dsts = copy_once(in->dst, in->dsts, d->dst);
        d->srcs = copy_once(in->src, in->srcs, d->src);
        raise_to(registers, d->dst, d->dsts);
        raise_to(registers, d->src, d->srcs);
    }
    return find_updates(launch, machine, out);
}

static uint32_t units_of(const ws_machine *m, unsigned unit)
{
    switch (unit) {
    case WS_UNIT_SP:
        return m->sm_sp_units;
    case WS_UNIT_INT:
        return m->sm_int_units;
    case WS_UNIT_DP:
        return m->sm_dp_units;
    case WS_UNIT_SFU:
        return m->sm_sfu_units;
    case WS_UNIT_TENSOR:
        return m->sm_tensor_units;
    default:
        return 1;
    }
}

/* Of a class with several works the longest counts. */
static void note_operation(const ws_machine *m, const ws_instr *in, double *cycles, uint8_t *unit)
{
    ws_decoded d = {0};
    set_unit_and_times(m, in, &d);
    const unsigned class = ws_operation_of(in).operation;
    const double of_lane = (double)d.initiation / (WS_WARP * units_of(m, d.unit));
    if (of_lane <= cycles[class])
        return;
    cycles[class] = of_lane;
    unit[class] = d.unit;
}

/* Multiply-adds that the machine has no tensor unit for are those of its other units. */
static void note_matrices(const ws_machine *m, double *cycles, uint8_t *unit)
{
    static const uint8_t operations[] = {
#define MATRIX_KIND(name, meaning) [WS_MATRIX_##name] = WS_OPERATION_matrix_##name,
        WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
    };
    for (unsigned kind = 0; kind < WS_MATRIX_KINDS_END; kind++) {
        const uint32_t rate = tensor_rate(m, (ws_matrix_kind)kind);
        const ws_operation other = kind == WS_MATRIX_twice                             ? WS_OPERATION_dp_mad
                                   : kind == WS_MATRIX_half || kind == WS_MATRIX_mixed ? WS_OPERATION_half_mad
                                   : kind == WS_MATRIX_tf32                            ? WS_OPERATION_fp_mad
                                                                                       : WS_OPERATION_int_mul;
        cycles[operations[kind]] = rate ? 1 / ((double)rate * m->sm_tensor_units) : cycles[other];
        unit[operations[kind]] = rate ? WS_UNIT_TENSOR : unit[other];
    }
}

void ws_decode_operations(const ws_machine *machine, double *cycles, uint8_t *unit)
{
    static const struct {
        uint8_t unit, number;
    } sorts[] = {{WS_UNIT_INT, WS_NUMBER_INTEGER},
                 {WS_UNIT_SP, WS_NUMBER_HALF},
                 {WS_UNIT_SP, WS_NUMBER_SINGLE},
                 {WS_UNIT_DP, WS_NUMBER_DOUBLE}};
    memset(cycles, 0, WS_OPERATIONS * sizeof *cycles);
    memset(unit, WS_UNIT_NONE, WS_OPERATIONS * sizeof *unit);
    for (unsigned work = 0; work < WS_WORKS; work++) {
        if (work == WS_WORK_MATRIX || work == WS_WORK_NOTHING)
            continue;
        for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
            const uint8_t own = work == WS_WORK_SPECIAL    ? WS_UNIT_SFU
                                : work == WS_WORK_EXCHANGE ? WS_UNIT_INT
                                                           : sorts[i].unit;
            note_operation(
                machine,
                &(ws_instr){.cls = WS_CLASS_INTEGER, .unit = own, .work = (uint8_t)work, .number = sorts[i].number},
                cycles, unit);
        }
    }
    note_matrices(machine, cycles, unit);
}
