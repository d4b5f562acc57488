/* redirect.h - redirection of a function's calls to another one, by machine code written over its beginning. */
#ifndef WS_REDIRECT_H
#define WS_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_SLOT_BYTES = 16, WS_NEAR_JUMP_BYTES = 5, WS_FAR_JUMP_BYTES = 12, WS_SHORT_JUMP_BYTES = 2 };

/* Code of n slots in one mapping: slot i jumps to pointer[i]. Initially all pointers lead to `bind`. It finds first + i
 * on the stack above the return address, and jumps to the actual function; it may update the pointer. */
typedef struct ws_slots {
    uint8_t *code;
    const void **pointer;
    size_t n, bytes; /* size of the mapping */
} ws_slots;

/* Allocates the slots near [begin, end), within reach of a 5-byte jump, if memory is free there, else anywhere. They
 * are writable until ws_slots_finish. Returns false when memory is unavailable. */
bool ws_slots_make(ws_slots *slots, uintptr_t begin, uintptr_t end, size_t n, uint32_t first, const void *bind);
bool ws_slots_finish(const ws_slots *slots);
static inline uint8_t *ws_slot(const ws_slots *slots, size_t i)
{
    return slots->code + (i + 1) * WS_SLOT_BYTES;
}

/* Returns the size that a function can use: its `bytes` and the padding behind them, up to `room`. */
size_t ws_padded_bytes(const uint8_t *function, size_t bytes, size_t room);

/* Writes a jump to `slot` over the beginning of the function, which has `room` bytes. The `before` bytes ahead of it
 * are unused if they are padding. The memory must be writable. A leading endbr64 is kept if space allows. Returns false
 * if the function is too short for any jump. */
bool ws_redirect(uint8_t *function, size_t room, size_t before, const uint8_t *slot);

#endif
