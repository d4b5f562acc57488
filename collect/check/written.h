/* written.h - tracking of initialised memory, one bit per byte.
 *
 * Tracks only allocations of global memory that began without content; all other global memory counts as written. */
#ifndef WS_WRITTEN_H
#define WS_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bitmaps of any memory: byte i is bit i % 8 of byte i / 8. */
static inline size_t ws_written_bytes(uint64_t bytes) /* size in bytes of a bitmap for that many bytes */
{
    return (size_t)(bytes + 7) / 8;
}
void ws_written_bits_set(uint8_t *bits, uint64_t from, uint64_t bytes, bool written);
/* Returns the first unwritten byte of [from, from + bytes), or from + bytes. */
uint64_t ws_written_bits_first(const uint8_t *bits, uint64_t from, uint64_t bytes);

/* Returns whether any byte of [from, from + bytes) is written. */
bool ws_written_bits_any(const uint8_t *bits, uint64_t from, uint64_t bytes);

/* Global memory. */
typedef struct ws_written ws_written;
ws_written *ws_written_create(void);    /* NULL: no memory */
void ws_written_destroy(ws_written *w); /* accepts NULL */
/* Marks bytes as unwritten and discards their earlier state. Without memory they count as written. */
void ws_written_fresh(ws_written *w, uint64_t address, uint64_t bytes);
/* Stops tracking bytes that were freed. */
void ws_written_forget(ws_written *w, uint64_t address, uint64_t bytes);
void ws_written_store(ws_written *w, uint64_t address, uint64_t bytes);
/* Copies the state of bytes: unwritten source bytes make the target bytes unwritten. */
void ws_written_copy(ws_written *w, uint64_t to, uint64_t from, uint64_t bytes);
/* Returns the first unwritten byte, or address + bytes. */
uint64_t ws_written_first(ws_written *w, uint64_t address, uint64_t bytes);
/* Returns whether any byte of [low, high) in the tracked range around `address` is written. Returns true if `address`
 * is not tracked. */
bool ws_written_near(ws_written *w, uint64_t address, uint64_t low, uint64_t high);

#endif
