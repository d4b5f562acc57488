/* cells.h - memories of an SM that are slow to write: what do writes do to their cells?
 *
 * Magnetic memory (STT-MRAM) is written whole; or read first, and only arrays of `width` bits in which a bit changes
 * are written (differential update); or each bit's write ends where the cell holds it already (early termination).
 * After Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies, 2013,
 * chapter 6. */
#ifndef WS_CELLS_H
#define WS_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_CELLS_WORD = 32 /* bits */, WS_CELLS_PARTS = 64 /* of a register of a lane, of 32 bits or of 64 */ };

/* What models of energy have to know of such a memory. */
typedef struct ws_cells {
    uint32_t width;      /* of arrays that are compared before they are written; 0: none are */
    bool early;          /* writes end early */
    uint64_t sram_bytes; /* of a section of SRAM beside it, of an SM; 0: none */
    uint32_t waiting;    /* registers of warps that wait in SRAM in front of the banks of a register file; 0: none */
    uint32_t tags;       /* that a lookup in that section reads; 0: it has none */
} ws_cells;

/* The same memory to closed forms: an organisation of model/memory, and what it takes beside SRAM in its place. */
enum { WS_CELLS_FORM = 96 };
typedef struct ws_cells_form {
    char organisation[WS_CELLS_FORM]; /* NAME[:OPTION[=VALUE],...] */
    uint32_t sram_read, sram_write;   /* cycles of SRAM; 0: as data/tech/memory_*.ini says */
    uint32_t waiting, buffer_cycles;  /* writes that wait in front of banks, and for how long at least */
    uint32_t wide;                    /* words that are written at a time from there */
    const char *unknown;              /* an option that is set and that they have nothing for; NULL: none is */
} ws_cells_form;

/* An organisation without options; then adds OPTION=VALUE to it, unless the value is 0. */
void ws_cells_name(ws_cells_form *form, const char *organisation);
void ws_cells_add(ws_cells_form *form, const char *option, uint64_t value);

/* Options of such memories, `width` and `ewt`, from their unit on. */
#define WS_CELLS_WIDTH \
    "bits", 0, 0, WS_CELLS_WORD, \
        "of an array: what is there is read before a write, and only arrays with a change are written; 0: all is " \
        "written"
#define WS_CELLS_EARLY "", 0, 0, 1, "early write termination: the write of a bit ends where the cell holds it"

/* WS_EINPUT unless arrays of `width` make up a word, and width and early exclude each other. `section` of the machine
 * is named. */
int ws_cells_check(const char *section, uint64_t width, uint64_t early);

static inline bool ws_cells_look(const ws_cells *c)
{
    return c->width || c->early;
}

#endif
