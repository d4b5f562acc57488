/* coalesce.h - which aligned memory blocks does one warp access touch?
 *
 * Pure functions on the 32 lane addresses of a memory event; shared by the families that count transactions, reuse,
 * sharing and locality. `exec` picks the lanes; `bytes` is what a lane accesses (ws_instr.bytes); a block is
 * 2^shift bytes, aligned, and is named by its number: address >> shift. */
#ifndef WS_COALESCE_H
#define WS_COALESCE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

/* Room that a list of blocks needs: a lane accesses at most 255 bytes, which is 9 blocks of 32 bytes when unaligned. */
enum { WS_COALESCE_MAX = 9 * WS_WARP };

/* Distinct blocks that the lanes in exec touch, in order of first touch by rising lane; returns how many. bytes is to
 * be at most 8 << shift (0 reads as 1; pass 1 to get distinct start addresses with shift 0). */
unsigned ws_coalesce_blocks(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift,
                            uint64_t block[WS_COALESCE_MAX]);

/* The blocks 2^by times as large that the n blocks lie in, in order of first touch; returns how many. `wide` may be
 * `block`. */
unsigned ws_coalesce_widen(const uint64_t *block, unsigned n, unsigned by, uint64_t *wide);

/* Distinct bytes that the lanes in exec touch. */
unsigned ws_coalesce_bytes(const uint64_t *address, uint32_t exec, unsigned bytes);

/* True when the addresses of the lanes in exec lie on a line: address = base + stride * lane. False too when exec has
 * less than two lanes; *stride is then 0. */
bool ws_coalesce_stride(const uint64_t *address, uint32_t exec, int64_t *stride);

/* As ws_coalesce_blocks for thread-local offsets: consecutive 32-bit words of one thread lie 32 words apart in memory,
 * so that lanes that use the same offset use neighbouring words (CUDA C++ Programming Guide, "Local Memory"). Blocks
 * are those of one warp's local memory; bytes is at most 36. */
unsigned ws_coalesce_local_blocks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned shift,
                                  uint64_t block[WS_COALESCE_MAX]);

/* Passes that shared memory of 32 banks, 4 bytes wide, needs for an access; *least is what it would need without a
 * conflict. Lanes that read the same 32-bit word share it. 8-byte accesses go by half warps, 16-byte ones by quarter
 * warps, a part without lanes needs no pass (CUDA C++ Programming Guide, "Shared Memory", capability 5.0 on). */
unsigned ws_coalesce_banks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned *least);

#endif
