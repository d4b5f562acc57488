/* lanes.h - arithmetic of instructions on the 32 lanes of a warp, without control flow or memory.
 *
 * Registers have the engine's layout: types of up to 32 bits are uint32_t[32] (8- and 16-bit values zero-extended,
 * f16x2 packed), 64-bit types uint64_t[32], both 64-byte aligned. A predicate is one uint32_t with one bit per lane.
 *
 * Each function exists once per instruction-set level of the machine (plain C, AVX2, AVX-512), all from one source. The
 * best level of the processor is selected at run time. All levels give identical bits. */
#ifndef WS_LANES_H
#define WS_LANES_H

#include "base/bits.h"
#include "collect/ptx/words.h"

/* Active lanes, as bits and as 0 / -1 words. */
typedef struct ws_mask {
    _Alignas(64) int32_t lane[WS_WARP];
    uint32_t bits;
} ws_mask;

/* Computes d from up to four sources for the lanes in m; other lanes of d keep their value. d may be one of the
 * sources. Predicate sources point to one uint32_t; d does when the shape says so. If the shape sets carry, e points to
 * the warp's condition-code word (one bit per lane), read or written or both, depending on the instruction. */
typedef void ws_lanes_fn(void *d, const void *a, const void *b, const void *c, const void *e, const ws_mask *m);

/* Operand layout that the function requires: the type, and so the width, of the destination and of each source.
 * Source 0 goes to a, 1 to b, 2 to c, 3 to e; missing sources may be NULL. setp: dst is WS_T_pred and receives the bare
 * comparison. The engine applies .and/.or/.xor with operand c and then q = !p. The engine converts an operand whose
 * register is wider or narrower than the type here. */
typedef struct ws_lanes_shape {
    uint8_t dst;    /* ws_type */
    uint8_t src[4]; /* ws_type; WS_T_NONE from srcs on */
    uint8_t srcs;
    bool carry;
    bool controlled; /* e must point to a copy of the control word (never together with carry or a fourth source) */
    /* variant of the operation: comparison of set, selectors of video instructions */
    uint64_t control;
} ws_lanes_shape;

/* Finds the function of an arithmetic instruction: an opcode of opcode.def with class ARITH or SPECIAL, on scalars.
 * Covers all types, roundings, .ftz, .sat and so on of PTX ISA 9.0. Exceptions: mov with vector operands, cvta,
 * isspacep, mapa, alloca, mma, wmma and texture queries (engine or unsupported). WS_EUNSUPPORTED with the reason in
 * ws_message() otherwise. */
int ws_lanes_find(const ws_insn *insn, ws_lanes_fn **fn, ws_lanes_shape *shape);

/* Return and set the level in use: "avx512", "avx2" or "plain". Setting an unknown level, or one that the processor
 * lacks, is WS_EUNSUPPORTED. The setting affects later ws_lanes_find calls. */
const char *ws_lanes_level(void);
int ws_lanes_set_level(const char *name);

#endif
