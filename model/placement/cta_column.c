/* cta_column.c - the grid is walked down its columns: CTAs that share x come one after the other, to the SMs in turn.
 *
 * Of a grid x by y by z the order is (0,0,0), (0,1,0), ... (0,y-1,0), (0,0,1), ... and then x = 1. Kernels whose CTAs
 * of a column read the same data find them in L2 while they are there. */
#include "model/placement/cta_scheduler_internal.h"

typedef struct column {
    uint32_t turn;
    uint64_t next; /* place in that order */
} column;

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return sizeof(column);
}

/* The CTA at a place of the order. */
static uint64_t cta_at(const ws_cta_view *v, uint64_t place)
{
    const uint64_t rows = (uint64_t)v->grid[1] * v->grid[2];
    return place % rows * v->grid[0] + place / rows;
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    column *const c = s->state;
    if (!ws_cta_next_in_turn(s, &c->turn, &choice->sm))
        return false;
    do /* a trace that breaks off has no CTAs behind its end */
        choice->cta = cta_at(&s->view, c->next++);
    while (choice->cta >= s->view.ctas);
    return true;
}

const ws_cta_scheduler_ops ws_cta_scheduler_column = {
    .name = "column",
    .summary = "blocks column by column of the grid (y and z before x), to the next SM in turn that has room",
    .state_size = state_size,
    .choose = choose,
};
