/* shape_internal.h - intermediate forms of a kernel between PTX and its approximate machine code.
 *
 * The first form has one node per PTX instruction; transformations remove, join and change nodes. The second form has
 * one slot per SASS instruction, whose values get registers. */
#ifndef WS_SHAPE_INTERNAL_H
#define WS_SHAPE_INTERNAL_H

#include "base/arena.h"
#include "collect/ptx/module.h"
#include "collect/shape/shape.h"

#define NOBODY UINT32_MAX

/* A PTX instruction. */
typedef struct shape_node {
    uint16_t op; /* ws_op */
    uint8_t types, type[WS_INSN_TYPES];
    uint8_t vec, half, sub, round, space, boolop, cmp;
    bool approx, full, ftz;
    bool guarded, removed;
    bool is_move;         /* constants that need a register: one MOV per 32 bits */
    uint8_t moves;        /* additional MOVs of constants that must precede it */
    uint8_t cls;          /* ws_class */
    const char *sequence; /* units of its replacement, see shape_expand.def; NULL: a single instruction */
    ws_code_operand *operand;
    uint16_t operands;
} shape_node;

/* A register of the PTX. */
typedef struct shape_value {
    uint32_t defs, uses;
    uint32_t def; /* the node that writes it, if only one does */
    uint8_t bits;
    bool is_sure; /* some node writes it without a guard */
} shape_value;

enum { SLOT_VALUES = 12 };

enum {
    SHAPE_UNIT = 8, /* allocation granularity of registers per thread on an SM */
    /* Additional registers of ptxas: R1 is the stack pointer; the rest is the cost of unrolling and of its allocation.
       Value of least mean error over half of 235 kernels (docs/simulator.md). */
    SHAPE_BESIDES = 5
};

/* Half of a pair that an instruction works on. The upper half completes the value. */
typedef enum shape_half { HALF_BOTH, HALF_LOW, HALF_HIGH } shape_half;

/* A SASS instruction. */
typedef struct shape_slot {
    uint32_t pc; /* in the PTX */
    uint8_t unit, work, number;
    uint8_t half;   /* shape_half */
    bool is_main;   /* represents the PTX instruction, with its properties */
    bool is_copy;   /* copies one value to another */
    bool is_wide;   /* replaces the several loads that follow it; either it or they execute */
    bool is_joined; /* one of those loads */
    bool may;       /* guarded: its destination may keep its value */
    bool removed;
    uint8_t dsts, srcs;
    uint32_t dst[SLOT_VALUES], src[SLOT_VALUES]; /* values */
} shape_slot;

/* A range of slots in which a value is live: from the slot that writes it to before the last slot that reads it.
 * Positions are twice the slot's number, reads before writes: slot s reads at 2 s and writes at 2 s + 1. */
typedef struct shape_stretch {
    uint32_t from, to;
} shape_stretch;

typedef struct shape_range {
    shape_stretch *stretch; /* sorted, disjoint */
    uint32_t stretches, room;
} shape_range;

typedef struct shaper {
    const ws_launch *launch;
    const ws_code *code;
    uint32_t rows;
    ws_arena *arena;
    shape_node *node; /* [instrs] */
    uint32_t nodes;
    shape_value *value; /* [values] registers of the PTX, then additional ones for slots */
    uint32_t values, value_room;
    shape_slot *slot;
    uint32_t slots, slot_room;
    uint32_t *first;     /* [nodes + 1] slots; after scheduling only for the first of each region and for the end */
    uint32_t *over;      /* [nodes] index + 1 of the removed branch over it; 0: none */
    uint32_t *joined;    /* [nodes] index + 1 of the first of the loads joined with it, possibly itself; 0: none */
    uint32_t *next_load; /* [nodes] the next of these loads, by offset */
    ws_shape_region *region;
    uint32_t regions, region_room;
    /* Register allocation: */
    shape_range *range; /* [values] */
    uint32_t *same;     /* [values] another value in the same register; itself if none */
    uint32_t *number;   /* [values] */
    uint32_t registers, numbers;
} shaper;

static inline bool shape_wants(const shaper *s, ws_shape_row row)
{
    return s->rows >> row & 1;
}

/* Creates the nodes. Their operand arrays are writable, those of the launch are not. WS_EMEM. */
int shape_make_nodes(shaper *s);
/* Recounts definitions and uses. */
void shape_count(shaper *s);
int shape_fold(shaper *s);
int shape_fuse(shaper *s);
int shape_predicate(shaper *s);
void shape_expand(shaper *s);
int shape_make_slots(shaper *s);

/* Joins loads of regions. */
void shape_vector(shaper *s);
/* Finds regions of nodes and sets their slots. shape_regions.c. WS_EMEM. */
int shape_find_regions(shaper *s);
/* Schedules the slots within regions. WS_EMEM. */
int shape_schedule(shaper *s);

/* Computes live ranges; shape_live.c. May be called again after slots have moved. WS_EMEM. */
int shape_find_ranges(shaper *s);
void shape_forget_ranges(shaper *s);
/* Returns whether the value is live at that position. */
bool shape_range_covers(const shape_range *r, uint32_t position);
bool shape_ranges_meet(const shape_range *a, const shape_range *b);
int shape_ranges_join(shape_range *to, const shape_range *from);
int shape_give_registers(shaper *s);

static inline uint32_t shape_same(const shaper *s, uint32_t value)
{
    while (s->same[value] != value)
        value = s->same[value];
    return value;
}

/* Returns the number of 32-bit registers of a value; predicates have separate ones. */
static inline unsigned shape_width(const shaper *s, uint32_t value)
{
    const unsigned bits = s->value[value].bits;
    return bits <= 32 ? 1 : bits <= 64 ? 2 : 4;
}

/* Returns the address operand of an access, or NULL. */
static inline const ws_code_operand *shape_address_of(const shape_node *n)
{
    for (unsigned i = 0; i < n->operands; i++)
        if (n->operand[i].is_address)
            return &n->operand[i];
    return NULL;
}

static inline bool shape_is_single(const shaper *s, uint32_t value)
{
    return s->value[value].defs == 1;
}

#endif
