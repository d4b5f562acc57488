/* coalesce.h - aligned memory blocks, strides and bank conflicts of one warp access.
 *
 * Pure functions on the 32 lane addresses of a memory event, shared by the families that count transactions, reuse,
 * sharing and locality. `exec` selects the lanes; `bytes` is the size of a lane's access (ws_instr.bytes). A block is
 * 2^shift aligned bytes, identified by its number: address >> shift. */
#ifndef WS_COALESCE_H
#define WS_COALESCE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

/* Capacity of a list of blocks: a lane accesses at most 255 bytes, which is 9 blocks of 32 bytes when unaligned. */
enum { WS_COALESCE_MAX = 9 * WS_WARP };

/* Finds the distinct blocks that the lanes in exec touch, in order of first touch by rising lane. Returns their number.
 * bytes must be at most 8 << shift; 0 counts as 1. Pass 1 to get distinct start addresses with shift 0. */
unsigned ws_coalesce_blocks(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift,
                            uint64_t block[WS_COALESCE_MAX]);

/* Finds the blocks of 2^by times the size that contain the n blocks, in order of first touch. Returns their number.
 * `wide` may be `block`. */
unsigned ws_coalesce_widen(const uint64_t *block, unsigned n, unsigned by, uint64_t *wide);

/* Returns the number of distinct bytes that the lanes in exec touch. */
unsigned ws_coalesce_bytes(const uint64_t *address, uint32_t exec, unsigned bytes);

/* Returns whether the addresses of the lanes in exec are linear: address = base + stride * lane. Returns false with
 * *stride 0 if exec has fewer than two lanes. */
bool ws_coalesce_stride(const uint64_t *address, uint32_t exec, int64_t *stride);

/* Finds blocks as ws_coalesce_blocks, for thread-local offsets. Consecutive 32-bit words of one thread are 32 words
 * apart in memory, so lanes with equal offsets use neighbouring words (CUDA C++ Programming Guide, "Local Memory"). The
 * blocks are those of one warp's local memory; bytes is at most 36. */
unsigned ws_coalesce_local_blocks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned shift,
                                  uint64_t block[WS_COALESCE_MAX]);

/* Returns the passes of an access over shared memory with 32 banks, 4 bytes wide; *least is the number without
 * conflicts. Lanes that read the same 32-bit word share it. 8-byte accesses are split into half warps, 16-byte ones
 * into quarter warps; a part without lanes needs no pass (CUDA C++ Programming Guide, "Shared Memory", capability 5.0
 * on). */
unsigned ws_coalesce_banks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned *least);

#endif
