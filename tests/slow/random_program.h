/* random_program.h - a random kernel in two forms: PTX for the engine, and a tree for an interpreter that runs one
 * thread after the other and so knows nothing of warps, masks and reconvergence.
 *
 * A program is a list of statements; if, loop, switch, break, continue and calls nest and diverge freely. Statements at
 * which threads meet (barriers, shuffles, votes) stand at top level only, where all threads are. Barriers may
 * be written down several times, on all sides of branches: threads of one warp then meet at different ones. */
#ifndef WS_RANDOM_PROGRAM_H
#define WS_RANDOM_PROGRAM_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Register kinds, as in random_ops.def. */
typedef enum kind { KIND_u, KIND_l, KIND_f, KIND_d, KIND_p, KIND_none, KINDS = KIND_none } kind;

typedef union slot {
    uint32_t u;
    uint64_t l;
    float f;
    double d;
    uint32_t p; /* 0 or 1 */
    uint32_t none;
} slot;

enum {
    REGISTERS = 8,      /* of each kind */
    RECORD_BYTES = 200, /* a thread's registers in memory: u, l, f, d, p in this order, p as a word of bits */
    SCRATCH_BYTES = 64, /* a thread's own bytes in global and in local memory */
    SHARED_OWN_BYTES = 16,
    CELLS = 16,        /* of each kind of reduction */
    LONG_TRIPS = 1023, /* mask of the trip count of long loops; 7 for others */
    CASES = 4,
    MOST_SIDES = 3, /* branches around each other, all of whose sides meet at a barrier of their own */
    FUNCTIONS = 2
};

/* Reductions that commute with themselves, so that their order does not matter. */
typedef enum reduction { RED_ADD, RED_MIN_S, RED_MAX_U, RED_AND, RED_OR, RED_XOR, REDUCTIONS } reduction;

/* Words of cells of a grid or of a block: reductions, then (of blocks only) a lock and the word that it guards. */
enum { LOCK_WORD = REDUCTIONS * CELLS, GUARDED_WORD, CELL_WORDS };

typedef enum collective {
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_BFLY,
    SHUFFLE_IDX,
    BALLOT,
    VOTE_ALL,
    VOTE_ANY,
    MATCH_ANY,
    REDUX_ADD,
    REDUX_MIN_S,
    BAR_POPC,
    BAR_AND,
    BAR_OR,
    EXCHANGE,
    COLLECTIVES
} collective;
enum { WARP_COLLECTIVES = BAR_POPC }; /* those before this one want full warps */

typedef enum own_space { OWN_GLOBAL, OWN_GENERIC, OWN_LOCAL, OWN_LOCAL_GENERIC, OWN_SHARED, OWN_SPACES } own_space;

typedef enum access {
    LOAD_U8,
    LOAD_S8,
    LOAD_U16,
    LOAD_S16,
    LOAD_U32,
    LOAD_U64,
    LOAD_V2,
    LOAD_V4,
    STORE_U8,
    STORE_U16,
    STORE_U32,
    STORE_U64,
    STORE_V2,
    STORE_V4,
    ATOM_ADD,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_INC,
    ATOM_MIN_S,
    ACCESSES
} access;

typedef struct op {
    const char *text;
    uint8_t dst, src[3]; /* kind */
    slot (*compute)(slot a, slot b, slot c);
} op;

typedef struct operand {
    uint8_t kind;
    bool constant;
    uint8_t reg;
    slot value; /* when constant */
} operand;

typedef enum statement_kind {
    S_OP,
    S_IF,
    S_LOOP,
    S_BREAK,
    S_CONTINUE,
    S_SWITCH,
    S_CALL,
    S_CALL_EITHER,
    S_OWN,
    S_REDUCE,
    S_EXIT,
    S_RETURN, /* in functions */
    S_LOCK,   /* adds to a word that a spin lock of the block guards */
    S_COLLECTIVE
} statement_kind;

typedef struct statement statement;
typedef struct block {
    statement *item;
    size_t n;
} block;

struct statement {
    uint8_t kind;
    int8_t guard; /* predicate register, -1 for none; the condition of if, break, continue, exit */
    bool negate;
    const op *op;
    operand dst, src[3];      /* src[0] is also the trip count, the selector, the address within the own bytes */
    uint32_t variant;         /* reduction, collective, access */
    uint32_t where;           /* own_space, global or shared cells, width and distance of shuffles, function */
    uint8_t sides;            /* collective of a block: how many branches, */
    uint8_t side[MOST_SIDES]; /* ... and on which predicates: each side has the same barriers, at another place */
    bool bottom;              /* loop: tested at its end, so it runs at least once */
    bool is_long;             /* loop: LONG_TRIPS */
    block body[CASES];        /* if: then, else; loop: body; switch: cases */
};

typedef struct program {
    ws_arena *arena;
    uint64_t seed;
    uint32_t grid[3], block[3];
    uint32_t threads; /* of a block */
    uint32_t blocks;
    block body;                /* up to the barrier behind which a thread of each block copies the block's cells out */
    block tail;                /* behind it; threads may exit here */
    block function[FUNCTIONS]; /* of two values, see function_register: code on u and p; call themselves up to 3 deep */
} program;

/* What register u number i holds when a function begins: a * (2 i + 3) + b; p number i then is u[i] < u[i + 1]. The
 * function's value is u[0], through another call with a - 1 unless a is a multiple of 4. */
static inline uint32_t function_register(uint32_t a, uint32_t b, uint32_t i)
{
    return a * (2 * i + 3) + b;
}

extern const op random_ops[];
extern const size_t random_op_count;

/* NULL when memory is short. The same seed makes the same program. */
program *program_create(uint64_t seed);
void program_destroy(program *p);

/* Writes the PTX module; its kernel is `random_kernel` and takes four pointers, see memory_image. */
void program_print(const program *p, FILE *out);

/* What the kernel reads and writes. Arrays belong to the image. */
typedef struct memory_image {
    size_t threads;   /* of the grid */
    uint8_t *input;   /* [threads][RECORD_BYTES] registers at the start */
    uint8_t *output;  /* [threads][RECORD_BYTES] registers at the end; 0 for threads that exited early */
    uint8_t *scratch; /* [threads][SCRATCH_BYTES] */
    uint32_t *cells;  /* [CELL_WORDS] of the grid, then the same of each block */
    size_t cell_count;
} memory_image;

int program_memory_create(const program *p,
                          memory_image *m); /* input random from the program's seed, the rest as at launch */
void program_memory_destroy(memory_image *m);

/* Runs the program in place, one block and one thread after the other. 0, or -1 when memory is short. */
int program_interpret(const program *p, memory_image *m);

/* What word i of the cells holds before the first reduction. */
uint32_t cell_start(unsigned i);

/* Registers of a record. */
slot record_get(const uint8_t *record, unsigned kind, unsigned reg);
void record_set(uint8_t *record, unsigned kind, unsigned reg, slot value);

#endif
