/* chip_versions.h - does a load get what an earlier launch overwrote? A memory that knows versions, for plain caches,
 * whose values do not travel.
 *
 * The version of a word is the number of the launch that wrote it last. It is kept for the home of the word and for the
 * L2 of each chip, and goes where the word goes: a store of an SM makes one in the L2 of its chip (or at the home,
 * where stores go through), what L2 writes back takes it home, what L2 reads takes it along. A load has to get the
 * version of the last launch that wrote the word, unless its own launch writes it: what runs at the same time is not
 * ordered. What the host copies makes no versions, and local memory, which only one thread sees, is left out. */
#ifndef WS_CHIP_VERSIONS_H
#define WS_CHIP_VERSIONS_H

#include "base/table.h"

typedef struct ws_chip_versions ws_chip_versions;

/* For lines of line_bytes, at most 32 words of 4; the caller frees it with destroy. WS_EMEM. */
int ws_chip_versions_create(uint32_t chips, uint32_t line_bytes, ws_chip_versions **out);
void ws_chip_versions_destroy(ws_chip_versions *versions); /* accepts NULL */

void ws_chip_versions_next(ws_chip_versions *versions); /* another launch begins */
/* Words of a line, whose number is its address over line_bytes: bit w of the mask is word w, a mask of 0 is all of
 * them. WS_EMEM. */
int ws_chip_versions_store(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                           uint32_t mask); /* into the L2 of the chip */
int ws_chip_versions_promise(ws_chip_versions *versions, uint64_t line,
                             uint32_t mask); /* an atomic operation that is kept back: it will be at home */
int ws_chip_versions_update(ws_chip_versions *versions, uint64_t line,
                            uint32_t mask); /* at home: an atomic operation */
int ws_chip_versions_write_back(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                                uint32_t mask); /* from L2 to the home */
int ws_chip_versions_fetch(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                           uint32_t mask); /* from the home to L2; dirty words stay */
/* An SM gets the words from the L2 of its chip. WS_EVERIFY: one of them is out of date, with its address and launches.
 */
int ws_chip_versions_load(ws_chip_versions *versions, uint32_t chip, uint64_t line, uint32_t mask);
uint64_t ws_chip_versions_checked(const ws_chip_versions *versions); /* words of loads */

#endif
