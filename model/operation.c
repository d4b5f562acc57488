/* operation.c - the classes of operation.def. */
#include "model/operation.h"

const char *const ws_operation_names[WS_OPERATIONS] = {
#define OPERATION(name, numbers, works, meaning) #name,
#define MATRIX_OPERATION(name, meaning)          "matrix_" #name,
#include "model/operation.def"
#undef OPERATION
#undef MATRIX_OPERATION
};

/* Sets of numbers and of works; on top of the latter, that the instruction is of the memory unit. */
#define WORK(name) 1u << WS_WORK_##name
#define ON_MEMORY  1u << WS_WORKS
enum {
    INTEGER = 1 << WS_NUMBER_INTEGER,
    HALF = 1 << WS_NUMBER_HALF,
    SINGLE = 1 << WS_NUMBER_SINGLE,
    DOUBLE = 1 << WS_NUMBER_DOUBLE,
    ANY = INTEGER | HALF | SINGLE | DOUBLE
};
_Static_assert(WS_WORKS < 31, "a set of works has room");

static const struct {
    unsigned numbers, works;
} classes[] = {
#define OPERATION(name, numbers, works, meaning) {numbers, works},
#define MATRIX_OPERATION(name, meaning)
#include "model/operation.def"
#undef OPERATION
#undef MATRIX_OPERATION
};

static const uint8_t matrix_operations[] = {
#define MATRIX_KIND(name, meaning) [WS_MATRIX_##name] = WS_OPERATION_matrix_##name,
    WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
};

ws_operation_count ws_operation_of(const ws_instr *in)
{
    const unsigned works = in->unit == WS_UNIT_MEMORY ? ON_MEMORY : in->unit == WS_UNIT_NONE ? 0 : 1u << in->work;
    if (in->work == WS_WORK_MATRIX && in->unit != WS_UNIT_MEMORY) {
        const ws_matrix matrix = ws_instr_matrix(in);
        return (ws_operation_count){.operation = matrix_operations[matrix.kind], .warp = matrix.multiplies};
    }
    uint8_t i = 0;
    while (i < WS_OPERATION_other && !(classes[i].works & works && classes[i].numbers & 1u << ws_instr_timed_as(in)))
        i++;
    return (ws_operation_count){.operation = i, .each = 1};
}
