/* instruction.h - instruction lines of an Accel-Sim trace, and the table of static instructions built from them.
 *
 * A line has dynamic parts (position, mask, addresses) and static ones (the rest). Each static text is parsed once: the
 * table stores it, and later lines are compared with it. An instruction's offset counts from the start of its function,
 * so functions that call each other share offsets; the text distinguishes them. */
#ifndef WS_INSTRUCTION_H
#define WS_INSTRUCTION_H

#include "base/arena.h"
#include "base/table.h"
#include "collect/trace/event.h"

#include <stdbool.h>

/* Format of the lines. */
typedef struct ws_line_form {
    unsigned version;   /* of the tracer */
    bool line_numbers;  /* lines begin with a line number */
    bool position;      /* block and warp come first (raw traces; grouped ones before version 3) */
    bool core;          /* SM and its warp slot follow these (raw traces, optional) */
    uint64_t window[2]; /* start of shared and local memory among generic addresses; 0: unknown */
} ws_line_form;

/* Effect of an instruction on the flow of events. */
typedef enum ws_record_kind {
    WS_RECORD_PLAIN,
    WS_RECORD_MEMORY, /* with addresses */
    WS_RECORD_BULK,   /* TMA. LIST: further transfers of the previous record, one per bit of the mask */
    WS_RECORD_JUMP,
    WS_RECORD_PART,
    WS_RECORD_END,
    WS_RECORD_BLOCK, /* barrier */
    WS_RECORD_WARP
} ws_record_kind;

typedef struct ws_static_instr {
    uint32_t offset, line, variant; /* variant: number of earlier instructions with this offset */
    uint32_t other;                 /* next instruction with this offset; UINT32_MAX: none */
    uint32_t follower;              /* most recent successor */
    uint8_t kind;                   /* ws_record_kind */
    bool addresses;                 /* the line has addresses */
    bool bulk;                      /* has the TMA syntax */
    bool copies;                    /* LDGSTS: occurs twice in raw traces */
    uint16_t width;                 /* bulk: bytes of each transfer */
    bool known;                     /* listed in sass_opcode.def */
    uint8_t registers;              /* registers in the text, including always-zero ones */
    uint16_t barrier;               /* barrier number, with the number of warps above 8 bits, as in ws_event */
    const char *text;               /* from the end of the mask to the end of the width */
    uint32_t length;
    uint64_t executed, bytes_moved; /* executions by warps; bytes of bulk copies */
    ws_instr instr;
} ws_static_instr;

typedef struct ws_instr_table {
    ws_static_instr *instr;
    size_t n, room;
    ws_table first; /* of uint32_t, by offset: its first instruction */
    ws_arena *arena;
    uint64_t *transfer; /* [transfers] addresses of the last bulk copy's transfers, from the second on */
    size_t transfers, transfer_room;
    size_t most, text_most; /* limits of instructions and of the bytes of their texts; larger input is not a kernel and
                               would exhaust memory */
    size_t text_bytes;
} ws_instr_table;

/* Limit in bytes of a transfer; events show it in parts of 16 bytes. */
enum { WS_TRANSFER_BYTES_MOST = 1 << 14 };

int ws_instr_table_init(ws_instr_table *table);
void ws_instr_table_fini(ws_instr_table *table);

/* One execution by a warp. */
typedef enum ws_address_form { WS_ADDRESS_NONE, WS_ADDRESS_STRIDE, WS_ADDRESS_LIST } ws_address_form;

typedef struct ws_record {
    uint32_t id; /* index in the table */
    uint32_t mask;
    const char *mask_at;     /* position in the line */
    uint8_t form;            /* ws_address_form */
    uint64_t base;           /* address of the lowest lane in the mask */
    int64_t stride;          /* STRIDE: from one lane in the mask to the next */
    int64_t delta[WS_WARP];  /* LIST: difference from the previous lane, [1 .. lanes) */
    uint32_t block[3], warp; /* as far as the line contains them */
} ws_record;

/* Fills in the addresses of the lanes in the mask, and 0 for the others. */
void ws_record_spread(const ws_record *record, uint64_t address[WS_WARP]);

/* Size in bytes of each window of generic addresses, for shared and local memory, from ws_line_form.window on. NVIDIA's
 * drivers place the two 32 MiB or more apart; offsets in both have 24 bits. */
enum { WS_WINDOW_BYTES = 1 << 24 };

/* Returns the space of an address; `space`: as written. Converts the address to an offset where the space has offsets.
 */
unsigned ws_address_place(const uint64_t window[2], unsigned space, uint64_t *address);

/* Position of a syntax error. */
typedef struct ws_line_error {
    const char *at; /* in the line */
    const char *expected;
} ws_line_error;

/* Parses line [line, end), *end a line feed, into *record; adds new instructions to the table. `before`: id of the
 * previous line, or UINT32_MAX. WS_EINPUT without a message, with *error; WS_EMEM. */
int ws_instruction_read(ws_instr_table *table, const ws_line_form *form, const char *line, const char *end,
                        uint32_t before, ws_record *record, ws_line_error *error);

/* Returns whether the first instruction line of a raw trace has an SM and its warp slot behind the position. */
bool ws_instruction_has_core(const ws_line_form *form, const char *line, const char *end);

#endif
