/* chip_versions.h - checker for loads of data overwritten by an earlier launch: versions of words for plain caches,
 * whose values are not simulated.
 *
 * The version of a word is the number of the launch that last wrote it. It is kept for the home of the word and for the
 * L2 of each chip, and moves with the word. A store of an SM creates a version in the L2 of its chip (or at the home,
 * for write-through stores); a write-back of L2 copies it to the home, and a read of L2 from the home. A load must get
 * the version of the last launch that wrote the word, unless its own launch writes it, as concurrent accesses are not
 * ordered. Host copies create no versions, and local memory, private to a thread, is excluded. */
#ifndef WS_CHIP_VERSIONS_H
#define WS_CHIP_VERSIONS_H

#include "base/table.h"

typedef struct ws_chip_versions ws_chip_versions;

/* Creates a checker for lines of line_bytes, at most 32 words of 4; the caller frees it with ws_chip_versions_destroy.
 * WS_EMEM. */
int ws_chip_versions_create(uint32_t chips, uint32_t line_bytes, ws_chip_versions **out);
void ws_chip_versions_destroy(ws_chip_versions *versions); /* accepts NULL */

void ws_chip_versions_next(ws_chip_versions *versions); /* begins the next launch */
/* Words of a line, whose number is its address over line_bytes: bit w of the mask is word w; a mask of 0 means all
 * words. WS_EMEM. */
int ws_chip_versions_store(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                           uint32_t mask); /* into the L2 of the chip */
int ws_chip_versions_promise(ws_chip_versions *versions, uint64_t line,
                             uint32_t mask); /* a buffered atomic, which will reach the home */
int ws_chip_versions_update(ws_chip_versions *versions, uint64_t line, uint32_t mask); /* at the home: an atomic */
int ws_chip_versions_write_back(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                                uint32_t mask); /* from L2 to the home */
int ws_chip_versions_fetch(ws_chip_versions *versions, uint32_t chip, uint64_t line,
                           uint32_t mask); /* from the home to L2; dirty words stay */
/* Checks an SM's read of words from the L2 of its chip. WS_EVERIFY for an outdated word, with its address and the
 * launches. */
int ws_chip_versions_load(ws_chip_versions *versions, uint32_t chip, uint64_t line, uint32_t mask);
uint64_t ws_chip_versions_checked(const ws_chip_versions *versions); /* words of loads */

#endif
