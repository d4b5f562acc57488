/* cta_partitioned.c - each chip runs one contiguous part of the grid, its SMs in turn.
 *
 * Static kernel-wide partitioning: P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023,
 * chapter 5, after A. Arunkumar and others, "MCM-GPU", ISCA 2017. So a chip finds in its L2 what the same part of the
 * kernel before left there. */
#include "model/chiplets/chiplet_kernel.h"
#include "model/placement/cta_scheduler_internal.h"

typedef struct part {
    uint64_t given;         /* CTAs of the chip so far */
    uint32_t turn, padding; /* SM of the chip that is next */
} part;

typedef struct partitioned {
    uint32_t chip, padding; /* that is next */
    part part[WS_CHIPLETS_MOST];
} partitioned;

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return sizeof(partitioned);
}

static uint64_t blocks_of_grid(const ws_cta_view *v)
{
    return (uint64_t)v->grid[0] * v->grid[1] * v->grid[2];
}

/* The next CTA of a chip; WS_NO_CTA: it has none. A trace may have the first ones of the grid alone. */
static uint64_t next_of(const ws_cta_scheduler *s, uint32_t chip)
{
    const uint64_t blocks = blocks_of_grid(&s->view);
    const uint64_t cta =
        ws_chiplet_first_block(chip, blocks, s->view.chips) + ((const partitioned *)s->state)->part[chip].given;
    return cta < ws_chiplet_first_block(chip + 1, blocks, s->view.chips) && cta < s->view.ctas ? cta : WS_NO_CTA;
}

static bool find_room(const ws_cta_scheduler *s, uint32_t chip, uint32_t *sm)
{
    const uint32_t each = s->view.sms / s->view.chips;
    part *const p = &((partitioned *)s->state)->part[chip];
    for (uint32_t i = 0; i < each; i++) {
        const uint32_t n = (p->turn + i) % each;
        if (!s->view.sm[chip * each + n].room)
            continue;
        p->turn = (n + 1) % each;
        *sm = chip * each + n;
        return true;
    }
    return false;
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    partitioned *const p = s->state;
    for (uint32_t i = 0; i < s->view.chips; i++) {
        const uint32_t chip = (p->chip + i) % s->view.chips;
        choice->cta = next_of(s, chip);
        if (choice->cta == WS_NO_CTA || !find_room(s, chip, &choice->sm))
            continue;
        p->part[chip].given++;
        p->chip = (chip + 1) % s->view.chips;
        return true;
    }
    return false;
}

const ws_cta_scheduler_ops ws_cta_scheduler_partitioned = {
    .name = "partitioned",
    .by_chip = true,
    .summary = "each chip runs one contiguous part of the grid, its SMs in turn",
    .state_size = state_size,
    .choose = choose,
};
