/* redirect.h - calls of one function go to another: machine code is written over the beginning of the first. */
#ifndef WS_REDIRECT_H
#define WS_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_SLOT_BYTES = 16, WS_NEAR_JUMP_BYTES = 5, WS_FAR_JUMP_BYTES = 12, WS_SHORT_JUMP_BYTES = 2 };

/* Code for n functions, in one piece: slot i jumps to pointer[i]. At first that leads to `bind`,
 * which finds first + i on the stack, in front of the return address, and leaves by a jump to where the function really
 * is; it may change the pointer. */
typedef struct ws_slots {
    uint8_t *code;
    const void **pointer;
    size_t n, bytes; /* of the mapping */
} ws_slots;

/* Near [begin, end), in reach of a jump of 5 bytes, where memory is free there, else anywhere. Writable until
 * ws_slots_finish; false when there is no memory. */
bool ws_slots_make(ws_slots *slots, uintptr_t begin, uintptr_t end, size_t n, uint32_t first, const void *bind);
bool ws_slots_finish(const ws_slots *slots);
static inline uint8_t *ws_slot(const ws_slots *slots, size_t i)
{
    return slots->code + (i + 1) * WS_SLOT_BYTES;
}

/* How long the function may get: `bytes` of it and the padding behind them, up to `room`. */
size_t ws_padded_bytes(const uint8_t *function, size_t bytes, size_t room);

/* Writes a jump to `slot` over the beginning of the function, which has `room` bytes, preceded by `before` bytes that
 * belong to nobody if they are padding. The memory is writable. A leading endbr64 stays when there is room. False: the
 * function is too short for any jump. */
bool ws_redirect(uint8_t *function, size_t room, size_t before, const uint8_t *slot);

#endif
