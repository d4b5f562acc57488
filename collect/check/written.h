/* written.h - which bytes of memory has anybody written?
 *
 * A bit a byte. Of global memory only allocations that began without content are watched; all else counts as written.
 */
#ifndef WS_WRITTEN_H
#define WS_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of any memory: byte i is bit i % 8 of byte i / 8. */
static inline size_t ws_written_bytes(uint64_t bytes) /* that bits of so many bytes take */
{
    return (size_t)(bytes + 7) / 8;
}
void ws_written_bits_set(uint8_t *bits, uint64_t from, uint64_t bytes, bool written);
/* The first byte of [from, from + bytes) that is not written; from + bytes: all are. */
uint64_t ws_written_bits_first(const uint8_t *bits, uint64_t from, uint64_t bytes);

/* Is a byte of [from, from + bytes) written? */
bool ws_written_bits_any(const uint8_t *bits, uint64_t from, uint64_t bytes);

/* Global memory. */
typedef struct ws_written ws_written;
ws_written *ws_written_create(void);    /* NULL: no memory */
void ws_written_destroy(ws_written *w); /* accepts NULL */
/* Nobody has written these bytes; what was known of them is forgotten. Without memory they count as written. */
void ws_written_fresh(ws_written *w, uint64_t address, uint64_t bytes);
/* They are freed: nothing of them is watched. */
void ws_written_forget(ws_written *w, uint64_t address, uint64_t bytes);
void ws_written_store(ws_written *w, uint64_t address, uint64_t bytes);
/* A copy: what is not written in the source is not written in the target. */
void ws_written_copy(ws_written *w, uint64_t to, uint64_t from, uint64_t bytes);
/* The first that is not written, or address + bytes. */
uint64_t ws_written_first(ws_written *w, uint64_t address, uint64_t bytes);
/* Is a byte of [low, high) written that lies in what is watched with `address'? True where that is not watched. */
bool ws_written_near(ws_written *w, uint64_t address, uint64_t low, uint64_t high);

#endif
