/* instruction.h - an instruction line of an Accel-Sim trace, and the table of instructions that the lines make.
 *
 * A line says when and where (mask, addresses) and what (the rest). What is the same in all executions of an
 * instruction is looked at once: a table holds its text, and lines are compared with that. The offset of an instruction
 * counts from the start of its function, so functions that call each other share offsets; the text tells them apart. */
#ifndef WS_INSTRUCTION_H
#define WS_INSTRUCTION_H

#include "base/arena.h"
#include "base/table.h"
#include "collect/trace/event.h"

#include <stdbool.h>

/* How lines are written. */
typedef struct ws_line_form {
    unsigned version;   /* of the tracer */
    bool line_numbers;  /* lines begin with one */
    bool position;      /* before that stand block and warp (raw traces; grouped ones before version 3) */
    bool core;          /* and behind these SM and warp on it (raw traces, when asked for) */
    uint64_t window[2]; /* where shared and local memory begin among generic addresses; 0: not known */
} ws_line_form;

/* What an instruction does to the flow of events. */
typedef enum ws_record_kind {
    WS_RECORD_PLAIN,
    WS_RECORD_MEMORY, /* with addresses */
    WS_RECORD_BULK,   /* TMA. LIST: further transfers of the record before, as many as the mask has bits */
    WS_RECORD_JUMP,
    WS_RECORD_PART,
    WS_RECORD_END,
    WS_RECORD_BLOCK, /* barrier */
    WS_RECORD_WARP
} ws_record_kind;

typedef struct ws_static_instr {
    uint32_t offset, line, variant; /* variant: how many others with this offset came before */
    uint32_t other;                 /* the next one with this offset; UINT32_MAX: none */
    uint32_t follower;              /* what came behind it last */
    uint8_t kind;                   /* ws_record_kind */
    bool addresses;                 /* the line has some */
    bool bulk;                      /* in the grammar of TMA */
    bool copies;                    /* LDGSTS: raw traces have it twice */
    uint16_t width;                 /* bulk: bytes of each transfer */
    bool known;                     /* to sass_opcode.def */
    uint8_t registers;              /* that the text names, those that always hold zero included */
    uint16_t barrier;               /* its number, and above 8 bits how many warps, as in ws_event */
    const char *text;               /* from behind the mask to behind the width */
    uint32_t length;
    uint64_t executed, bytes_moved; /* by warps; by bulk copies */
    ws_instr instr;
} ws_static_instr;

typedef struct ws_instr_table {
    ws_static_instr *instr;
    size_t n, room;
    ws_table first; /* of uint32_t, by offset: its first instruction */
    ws_arena *arena;
    uint64_t *transfer; /* [transfers] of the bulk copy that was read last: where the second one goes, and so on */
    size_t transfers, transfer_room;
    size_t most, text_most; /* instructions, and bytes of their texts: more is no kernel, but would fill the memory */
    size_t text_bytes;
} ws_instr_table;

/* A transfer is shown in parts of 16 bytes. */
enum { WS_TRANSFER_BYTES_MOST = 1 << 14 };

int ws_instr_table_init(ws_instr_table *table);
void ws_instr_table_fini(ws_instr_table *table);

/* One execution by a warp. */
typedef enum ws_address_form { WS_ADDRESS_NONE, WS_ADDRESS_STRIDE, WS_ADDRESS_LIST } ws_address_form;

typedef struct ws_record {
    uint32_t id; /* in the table */
    uint32_t mask;
    const char *mask_at;     /* in the line */
    uint8_t form;            /* ws_address_form */
    uint64_t base;           /* of the lowest lane in the mask */
    int64_t stride;          /* STRIDE: from one lane in the mask to the next */
    int64_t delta[WS_WARP];  /* LIST: from the lane before, [1 .. lanes) */
    uint32_t block[3], warp; /* as far as the line says so */
} ws_record;

/* The addresses of the lanes in the mask; of the others 0. */
void ws_record_spread(const ws_record *record, uint64_t address[WS_WARP]);

/* Bytes of generic addresses for shared, and for local memory, from ws_line_form.window on (NVIDIA's drivers lay the
 * two 32 MiB or more apart; offsets in both are 24 bits). */
enum { WS_WINDOW_BYTES = 1 << 24 };

/* The space that an address lies in, `space` as written; it becomes an offset where the space has offsets. */
unsigned ws_address_place(const uint64_t window[2], unsigned space, uint64_t *address);

/* Where a line stopped making sense. */
typedef struct ws_line_error {
    const char *at; /* in the line */
    const char *expected;
} ws_line_error;

/* Reads line [line, end), *end a line feed, into *record; new instructions go into the table. `before`: id that the
 * line before it had, or UINT32_MAX. WS_EINPUT without a message, with *error; WS_EMEM. */
int ws_instruction_read(ws_instr_table *table, const ws_line_form *form, const char *line, const char *end,
                        uint32_t before, ws_record *record, ws_line_error *error);

/* Does the first instruction line of a raw trace name SM and warp on it behind its position? */
bool ws_instruction_has_core(const ws_line_form *form, const char *line, const char *end);

#endif
