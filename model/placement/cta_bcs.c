/* cta_bcs.c - CTAs that follow one another go to an SM together: block CTA scheduling.
 *
 * M. Lee, S. Song, J. Moon, J. Kim, W. Seo, Y. Cho, S. Ryu, "Improving GPGPU Resource Utilization Through Alternative
 * Thread Block Scheduling", HPCA 2014, as Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling
 * Data Sharing in GPUs", 2018, section 2.6.1, compares with it. At first an SM gets as many consecutive CTAs as it
 * holds, SM by SM; later it waits until `places` are free and takes the next CTAs for them. An SM that holds fewer
 * waits for all it has, and for no more places than CTAs are left. */
#include "model/placement/cta_scheduler_internal.h"

typedef struct bcs {
    uint32_t turn;   /* SM that is asked first */
    uint32_t sm;     /* gets CTAs at present, */
    uint64_t owed;   /* so many more */
    uint8_t begun[]; /* [sms] has had its first CTAs */
} bcs;

enum { PLACES };
static const ws_option options[] = {
    [PLACES] = {"places", "blocks", 2, 1, 1024, "free places that an SM waits for, and number of blocks it gets then"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static size_t state_size(uint32_t sms)
{
    return sizeof(bcs) + sms;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* CTAs that the SM gets now; 0: it waits. */
static uint64_t share_of(const ws_cta_scheduler *s, uint32_t sm)
{
    const bcs *const b = s->state;
    const ws_cta_sm *const about = &s->view.sm[sm];
    if (!b->begun[sm])
        return smaller(about->room, s->view.left->left);
    const uint64_t wanted = smaller(smaller(s->values[PLACES], about->room + about->ctas), s->view.left->left);
    return about->room >= wanted ? wanted : 0;
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    bcs *const b = s->state;
    if (!b->owed || !s->view.sm[b->sm].room) {
        uint32_t i = 0, sm = b->turn;
        while (i < s->view.sms && !share_of(s, sm)) {
            i++;
            sm = (b->turn + i) % s->view.sms;
        }
        if (i == s->view.sms)
            return false;
        b->owed = share_of(s, sm);
        b->sm = sm;
        b->begun[sm] = 1;
        b->turn = (sm + 1) % s->view.sms;
    }
    b->owed--;
    *choice = (ws_cta_choice){ws_cta_set_next(s->view.left, 0), b->sm};
    return true;
}

const ws_cta_scheduler_ops ws_cta_scheduler_bcs = {
    .name = "bcs",
    .summary = "consecutive blocks together: as many as fit an SM at first, then two when two places are free",
    .options = options,
    .state_size = state_size,
    .choose = choose,
};
