/* decode_internal.h - shared declarations of decode*.c. */
#ifndef WS_DECODE_INTERNAL_H
#define WS_DECODE_INTERNAL_H

#include "base/table.h"
#include "collect/simt/simt_internal.h"

enum { TEMPS = 8 }; /* scratch registers of a frame, of each width, for operands of one instruction */

typedef struct shared_place {
    const ws_variable *variable;
    uint32_t offset;
} shared_place;

/* Numbers of the variables and functions used by a kernel. find returns NULL for an unknown one; add returns false when
 * memory is short. */
const uint32_t *place_number_find(const ws_table *numbers, const void *thing);
bool place_number_add(ws_table *numbers, const void *thing, uint32_t number);

typedef struct builder {
    ws_kernel *kernel;
    code *c;
    shared_place *shared;
    uint32_t shareds, shared_capacity;
    struct constant_key *constant; /* hash of the constant bank */
    uint32_t constants, constant_buckets;
    ws_table proc_of; /* of uint32_t, by function: index in code->proc */
    ws_table placed;  /* of uint32_t, by variable: for shared ones the index in `shared`; for .local ones of the module
                         their offset, at the start of the kernel's local memory; for .const ones 0 */
    uint32_t module_local_bytes;
    struct brx_table **table; /* [lists] of the function, NULL until a branch uses it */

    /* state of the function being decoded */
    proc *p;
    const ws_function *fn;
    flow f;
    uint32_t at32, at64, at_pred, at128;   /* frame offsets of the classes of slots */
    uint32_t temp32, temp64, temp_pred;    /* offsets of the temporaries */
    uint32_t cc;                           /* offset of the condition code */
    uint32_t used32, used64, used_pred;    /* temporaries in use by the current instruction */
    uint32_t reg_base;                     /* first register number of this function */
    uint32_t *uop_of;                      /* [insns + 1] first uop of the instruction (needed for block leaders) */
    uint32_t *local_offset, *param_offset; /* [vars] offset of .local and .param variables of the body */
    uint32_t *formal_offset;               /* [params + rets] */
    uint32_t run;                          /* uop index of the open run's header, UINT32_MAX */
    const ws_insn *insn;
    unsigned sums; /* operands of the current instruction that are a register and a number, and have been added */
    uint32_t pc;
    uint8_t bytes; /* bytes at each address of the current instruction, if its type does not give them */
} builder;

/* Fails with the place of the current instruction. */
int decode_refuse(builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

place place_take_temp(builder *b, unsigned bits); /* 1: predicate, up to 32, 64 */
place place_reg(const builder *b, uint32_t reg);
bool place_reg_wide(const builder *b, uint32_t reg);
/* Returns whether a register has 128 bits: two halves, each a vector of 64 bits. */
bool place_reg_is_double(const builder *b, uint32_t reg);
static inline place place_half(place whole, unsigned half)
{
    return whole + 256 * half;
}
uint16_t place_reg_number(const builder *b, uint32_t reg);

/* Returns a constant vector: the same value in 32 lanes; value as a lane of that width. */
int place_constant(builder *b, bool wide, uint64_t value, place *out);

/* Returns the place to read an operand as that type; emits conversions when registers are wider or narrower. */
int place_source(builder *b, const ws_operand *o, ws_type want, place *out);
/* Place for a result of that type, and the conversion that must follow (emitted by place_finish). */
typedef struct destination {
    place at;  /* write here */
    place reg; /* then copy it here when adapt is set */
    bool adapt, reg_is_wide;
    ws_type type;
    uint16_t number;
    uint8_t bits; /* width reported to value sinks; 0 none */
} destination;
int place_destination(builder *b, const ws_operand *o, ws_type type, destination *out);
int place_finish(builder *b, const destination *d);

/* Appends a uop; NULL when memory is short. The caller manages runs and guards with decode_open_simple and
 * decode_close_simple. */
uop *decode_emit(builder *b, uop_kind kind);
/* The same with the instruction's guard in place a; ..._by_e: in place e. */
uop *decode_emit_guarded(builder *b, uop_kind kind);
uop *decode_emit_guarded_by_e(builder *b, uop_kind kind);
/* Emits UOP_ACCESS. WS_EMEM. */
int decode_emit_access(builder *b, access_fn *run, const void *info, uint8_t mode);
int decode_emit_special(builder *b, special_fn *fn, place d, place a, place src_b, place c, uop **out);

/* Returns the address of a variable in its space, or WS_EUNSUPPORTED. For local ones, *frame_relative is set. */
int place_symbol_value(builder *b, const ws_operand *o, uint64_t *value, bool *frame_relative);
uint32_t place_parameter_offset(const builder *b, const ws_variable *v, bool *found);

/* Small helpers of the decoder's files. */
static inline bool decode_within(const ws_variable *v, const ws_variable *array, uint32_t n)
{
    return n && v >= array && v < array + n;
}

/* Returns whether the variable is a formal parameter of the current function in local memory. */
static inline bool decode_on_stack(const builder *b, const ws_variable *v)
{
    return !b->fn->is_entry && decode_within(v, b->fn->param, b->fn->params) && b->p->arg[v - b->fn->param].on_stack;
}

int decode_no_memory(void);
ws_type decode_reg_type(const builder *b, uint32_t reg);
uint32_t decode_constant_space(code *c, uint32_t bytes); /* 0 when memory is short; also 0 for the first call */
uint8_t decode_guard(const builder *b);                  /* 0 none, 1 @p, 2 @!p */
place decode_guard_place(const builder *b);

/* Opens the group for the uops of a simple instruction: the current run, or a separate guarded group. */
int decode_open_simple(builder *b);
void decode_close_simple(builder *b);
void decode_close_run(builder *b);

typedef struct brx_table {
    uint32_t n;
    uint32_t target[];
} brx_table;

/* decode.c: the current instruction. */
int decode_insn(builder *b);

/* A register passed by a call, or a formal parameter or result of a function. Returns the number of values: one, or
 * two halves of 128 bits. */
unsigned decode_values_in_register(const builder *b, uint32_t reg, call_value *out);

/* Most values of an argument or result: elements of a vector, or halves of 128 bits. The lists of both sides have the
 * first value of each argument at its number, and then the others in order. */
enum { CALL_PARTS = 4 };
void decode_keep_parts(const call_value *part, unsigned parts, call_value *first, call_value *list, uint32_t *n);

/* decode_memory.c: ld st ldu atom red */
int decode_memory(builder *b);

/* Decodes the address operand of an access to that space: base and offset. */
int decode_address(builder *b, const ws_operand *o, ws_space space, mem_access *a);

/* decode_wide.c: 128-bit registers; packed halves with two predicates; lop3 with a predicate */
bool decode_is_double(const builder *b);
int decode_double(builder *b);
int decode_vector_move(builder *b);
int decode_setp_pair(builder *b);
int decode_lop3(builder *b);

/* decode_async.c: cp.async and cp.async.bulk; mbarrier */
int decode_async(builder *b);
int decode_mbarrier(builder *b);

/* decode_matrix.c: mma wmma ldmatrix stmatrix movmatrix */
int decode_matrix(builder *b);

/* decode_texture.c: tex tld4 txq suld sust sured suq */
int decode_texture(builder *b);

#endif
