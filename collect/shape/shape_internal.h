/* shape_internal.h - a kernel on its way from PTX to what an assembler would make of it.
 *
 * First as nodes, one a PTX instruction, which transformations remove, join and change; then as slots, one a SASS
 * instruction, whose values get registers. */
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
    bool is_move;         /* constants that need a register: a MOV for each 32 bits */
    uint8_t moves;        /* MOVs of constants that it needs before it, besides */
    uint8_t cls;          /* ws_class */
    const char *sequence; /* units of what it becomes, see shape_expand.def; NULL: one instruction, as it is */
    ws_code_operand *operand;
    uint16_t operands;
} shape_node;

/* A register of the text. */
typedef struct shape_value {
    uint32_t defs, uses;
    uint32_t def; /* the node that writes it, where there is one */
    uint8_t bits;
    bool is_sure; /* somebody writes it without a guard */
} shape_value;

enum { SLOT_VALUES = 12 };

enum {
    SHAPE_UNIT = 8, /* registers that an SM gives a thread together */
    /* What ptxas takes besides: R1 is the stack's, and the rest is what unrolling and its choice of registers cost; the
     * least mean error over half of 235 kernels (docs/simulator.md). */
    SHAPE_BESIDES = 5
};

/* Which half of a pair an instruction works on. The value is there with the upper one. */
typedef enum shape_half { HALF_BOTH, HALF_LOW, HALF_HIGH } shape_half;

/* A SASS instruction. */
typedef struct shape_slot {
    uint32_t pc; /* PTX */
    uint8_t unit, work, number;
    uint8_t half;   /* shape_half */
    bool is_main;   /* stands for the PTX instruction: its facts hold */
    bool is_copy;   /* of one value to another */
    bool is_wide;   /* several loads as one, which follow it; one of the two is done */
    bool is_joined; /* one of those */
    bool may;       /* guarded: what it writes may keep its value */
    bool removed;
    uint8_t dsts, srcs;
    uint32_t dst[SLOT_VALUES], src[SLOT_VALUES]; /* values */
} shape_slot;

/* A stretch of slots where a value lives: from the slot that writes it to before the one that reads it last. Positions
 * are twice the slot's number, reads before writes: slot s reads at 2 s and writes at 2 s + 1. */
typedef struct shape_stretch {
    uint32_t from, to;
} shape_stretch;

typedef struct shape_range {
    shape_stretch *stretch; /* sorted, apart */
    uint32_t stretches, room;
} shape_range;

typedef struct shaper {
    const ws_launch *launch;
    const ws_code *code;
    uint32_t rows;
    ws_arena *arena;
    shape_node *node; /* [instrs] */
    uint32_t nodes;
    shape_value *value; /* [values] registers of the text, then those that slots need */
    uint32_t values, value_room;
    shape_slot *slot;
    uint32_t slots, slot_room;
    uint32_t *first; /* [nodes + 1] slots; of a region's first and the end only, once it is scheduled */
    uint32_t *over;  /* [nodes] number + 1 of the branch that went over it and is gone; 0: none */
    uint32_t
        *joined; /* [nodes] number + 1 of the first of the loads that it is joined with, itself among them; 0: none */
    uint32_t *next_load; /* [nodes] the next of these, by offset */
    ws_shape_region *region;
    uint32_t regions, region_room;
    /* Registers: */
    shape_range *range; /* [values] */
    uint32_t *same;     /* [values] the one that a value shares its register with; itself */
    uint32_t *number;   /* [values] */
    uint32_t registers, numbers;
} shaper;

static inline bool shape_wants(const shaper *s, ws_shape_row row)
{
    return s->rows >> row & 1;
}

/* The arrays of a node's operands may be written over; those of the launch may not. WS_EMEM. */
int shape_make_nodes(shaper *s);
/* Counts definitions and uses again. */
void shape_count(shaper *s);
int shape_fold(shaper *s);
int shape_fuse(shaper *s);
int shape_predicate(shaper *s);
void shape_expand(shaper *s);
int shape_make_slots(shaper *s);

/* Loads of regions that become one. */
void shape_vector(shaper *s);
/* Regions of nodes; their slots are set with these. shape_regions.c. WS_EMEM. */
int shape_find_regions(shaper *s);
/* The order of slots within regions. WS_EMEM. */
int shape_schedule(shaper *s);

/* Where values live; shape_live.c. May be called again when slots have moved. WS_EMEM. */
int shape_find_ranges(shaper *s);
void shape_forget_ranges(shaper *s);
/* Is the value live at that position? */
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

/* Registers of 32 bits that a value takes; predicates have their own. */
static inline unsigned shape_width(const shaper *s, uint32_t value)
{
    const unsigned bits = s->value[value].bits;
    return bits <= 32 ? 1 : bits <= 64 ? 2 : 4;
}

/* The operand of an access that is its address; NULL: there is none. */
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
