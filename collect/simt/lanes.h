/* lanes.h - what an instruction computes on the 32 lanes of a warp: arithmetic, nothing of control or memory.
 *
 * Registers as the engine stores them: types of up to 32 bits are uint32_t[32] (8- and 16-bit values zero-extended,
 * f16x2 packed), 64-bit types uint64_t[32], both 64-byte aligned; a predicate is one uint32_t, a bit a lane.
 *
 * The functions exist once per instruction-set level of the machine (plain C, AVX2, AVX-512), made from one source;
 * the best level that the processor has is picked at run time. All levels give identical bits. */
#ifndef WS_LANES_H
#define WS_LANES_H

#include "base/bits.h"
#include "collect/ptx/words.h"

/* Lanes that take part, as bits and as 0 / -1 words. */
typedef struct ws_mask {
    _Alignas(64) int32_t lane[WS_WARP];
    uint32_t bits;
} ws_mask;

/* Computes d from up to four sources, for the lanes in m; other lanes of d keep their value. d may be one of the
 * sources. Sources that are predicates, and d when the shape says so, point to one uint32_t. When the shape says
 * carry, e points to the warp's condition-code word (bit a lane), read and/or written as the instruction says. */
typedef void ws_lanes_fn(void *d, const void *a, const void *b, const void *c, const void *e, const ws_mask *m);

/* How the engine has to present operands to the function: the type (width!) of the destination and of each source.
 * Source 0 goes to a, 1 to b, 2 to c, 3 to e; sources that the instruction lacks may be NULL.
 * setp: dst is WS_T_pred and receives the bare comparison (before .and/.or/.xor with operand c and before q = !p,
 * which the engine does). An operand whose register is wider or narrower than the type here is adapted by the
 * engine. */
typedef struct ws_lanes_shape {
    uint8_t dst;    /* ws_type */
    uint8_t src[4]; /* ws_type; WS_T_NONE from srcs on */
    uint8_t srcs;
    bool carry;
    bool controlled; /* e has to point to a copy of the control word (never together with carry or a fourth source) */
    /* says what the function should do beyond its name: comparison of set, selectors of video forms */
    uint64_t control;
} ws_lanes_shape;

/* Finds the function of an arithmetic instruction: every opcode of opcode.def with class ARITH or SPECIAL on scalars,
 * all types, roundings, .ftz .sat and so on that PTX ISA 9.0 allows, except: mov with vector operands, cvta, isspacep,
 * mapa, alloca, mma and wmma, texture queries (engine or unsupported). WS_EUNSUPPORTED with the reason in ws_message()
 * when there is none. */
int ws_lanes_find(const ws_insn *insn, ws_lanes_fn **fn, ws_lanes_shape *shape);

/* Level in use: "avx512", "avx2" or "plain". Setting one that the processor lacks, or an unknown one, is
 * WS_EUNSUPPORTED; it affects later ws_lanes_find calls. */
const char *ws_lanes_level(void);
int ws_lanes_set_level(const char *name);

#endif
