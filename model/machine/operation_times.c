/* operation_times.c - which unit does an instruction need on a machine, and for how long? */
#include "model/machine/operation_times.h"

#include "base/bits.h"
#include "collect/trace/instr_matrix.h"
#include "model/machine/machine.h"

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
static void set_matrix_times(const ws_machine *m, const ws_instr *in, ws_instr_times *out)
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

ws_instr_times ws_machine_times(const ws_machine *m, const ws_instr *in)
{
    const times t = times_of(m, in->work, type_in(in));
    ws_instr_times out = {.unit = unit_of(m, in), .latency = t.latency};
    out.initiation = out.unit != WS_UNIT_NONE ? initiation_of(m, t.initiation) : t.initiation;
    if (in->work == WS_WORK_MATRIX && in->unit != WS_UNIT_MEMORY)
        set_matrix_times(m, in, &out);
    return out;
}

uint32_t ws_machine_latency(const ws_machine *m, ws_work work, ws_number number)
{
    const ws_instr in = {.unit = WS_UNIT_NONE, .work = (uint8_t)work, .number = (uint8_t)number};
    return work == WS_WORK_MATRIX && m->sm_tensor_units ? m->tensor_latency : times_of(m, work, type_in(&in)).latency;
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
    const ws_instr_times d = ws_machine_times(m, in);
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
