/* cells.h - write effects of SM memories that are slow to write.
 *
 * Magnetic memory (STT-MRAM) has three modes. It writes whole words; or it reads first and writes only arrays of
 * `width` bits with a changed bit (differential update); or the write of each bit ends if the cell already holds it
 * (early termination). After Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies, 2013, chapter 6. */
#ifndef WS_CELLS_H
#define WS_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_CELLS_WORD = 32 /* bits */, WS_CELLS_PARTS = 64 /* of a register of a lane, of 32 bits or of 64 */ };

/* Parameters of such a memory for energy models. */
typedef struct ws_cells {
    uint32_t width;      /* of arrays that are compared before a write; 0: no comparison */
    bool early;          /* early write termination */
    uint64_t sram_bytes; /* of an additional SRAM section per SM; 0: none */
    uint32_t waiting;    /* warp registers that wait in SRAM in front of the banks of a register file; 0: none */
    uint32_t tags;       /* tags read by a lookup in that section; 0: it has none */
} ws_cells;

/* The same memory for closed forms: an organisation of model/memory, and its additions to SRAM. */
enum { WS_CELLS_FORM = 96 };
typedef struct ws_cells_form {
    char organisation[WS_CELLS_FORM]; /* NAME[:OPTION[=VALUE],...] */
    uint32_t sram_read, sram_write;   /* cycles of SRAM; 0: those of data/tech/memory_*.ini */
    uint32_t waiting, buffer_cycles;  /* writes that wait in front of banks; their least time there */
    uint32_t wide;                    /* words written at a time from there */
    const char *unknown;              /* option that is set but not supported by the closed forms; NULL: none */
} ws_cells_form;

/* Start an organisation without options; add OPTION=VALUE to it, unless the value is 0. */
void ws_cells_name(ws_cells_form *form, const char *organisation);
void ws_cells_add(ws_cells_form *form, const char *option, uint64_t value);

/* Options `width` and `ewt` of such memories, from their unit on. */
#define WS_CELLS_WIDTH \
    "bits", 0, 0, WS_CELLS_WORD, \
        "of an array: what is there is read before a write, and only arrays with a change are written; 0: all is " \
        "written"
#define WS_CELLS_EARLY "", 0, 0, 1, "early write termination: the write of a bit ends where the cell holds it"

/* Checks that arrays of `width` divide a word, and that width and early are not both set. WS_EINPUT names `section` of
 * the machine. */
int ws_cells_check(const char *section, uint64_t width, uint64_t early);

static inline bool ws_cells_look(const ws_cells *c)
{
    return c->width || c->early;
}

#endif
