/* placement.c - see placement.h. Running CTAs stand in a heap by the time of their end (Knuth, The Art of Computer
 * Programming 3, 5.2.3). */
#include "model/placement/placement.h"

#include "base/status.h"
#include "model/placement/cta_scheduler.h"
#include "model/placement/residents.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct running {
    uint64_t ends, cta;
    uint32_t sm;
} running;

typedef struct schedule {
    ws_placement *to;
    const ws_cta_scheduler_ops *ops;
    ws_cta_scheduler s;
    ws_cta_set left;
    ws_cta_sm *about;   /* [sms] */
    uint64_t *resident; /* [sms][places], WS_NO_CTA: free */
    running *heap;
    size_t count;
    const uint64_t *work;
    uint64_t *values; /* of the policy's options */
    uint32_t warps;
    uint64_t now;
} schedule;

/* ------------------------------------------------------------------------------------------------ the heap */

/* Of two that end together the one that comes first in the grid. */
static bool before(const running *a, const running *b)
{
    return a->ends != b->ends ? a->ends < b->ends : a->cta < b->cta;
}

static void push(schedule *c, running r)
{
    size_t at = c->count++;
    for (; at && before(&r, &c->heap[(at - 1) / 2]); at = (at - 1) / 2)
        c->heap[at] = c->heap[(at - 1) / 2];
    c->heap[at] = r;
}

static running pop(schedule *c)
{
    const running top = c->heap[0], last = c->heap[--c->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < c->count; at = child) {
        child += child + 1 < c->count && before(&c->heap[child + 1], &c->heap[child]);
        if (!before(&c->heap[child], &last))
            break;
        c->heap[at] = c->heap[child];
    }
    c->heap[at] = last;
    return top;
}

/* ------------------------------------------------------------------------------------------------ places */

static uint64_t resident_of(const void *of, uint32_t sm, uint32_t index)
{
    const schedule *const c = of;
    for (uint32_t i = 0; i < c->to->places; i++) {
        const uint64_t cta = c->resident[(size_t)sm * c->to->places + i];
        if (cta != WS_NO_CTA && !index--)
            return cta;
    }
    return WS_NO_CTA;
}

/* The SM's place that holds the CTA, or a free one. */
static uint64_t *place_of(schedule *c, uint32_t sm, uint64_t cta)
{
    uint64_t *at = &c->resident[(size_t)sm * c->to->places];
    while (*at != cta)
        at++;
    return at;
}

static void change(schedule *c, uint32_t sm, int by)
{
    c->about[sm].room -= (uint32_t)by;
    c->about[sm].ctas += (uint32_t)by;
    c->about[sm].warps += (uint32_t)by * c->warps;
}

static int start(schedule *c, ws_cta_choice choice)
{
    ws_placement *const p = c->to;
    if (choice.sm >= p->sms || !c->about[choice.sm].room || !ws_cta_set_has(&c->left, choice.cta))
        return ws_fail(WS_EVERIFY,
                       "chip.cta_scheduler %s starts block %llu on SM %u: it has already started, or there is no room",
                       c->ops->name, (unsigned long long)choice.cta, choice.sm);
    const int status = ws_cta_set_take(&c->left, choice.cta);
    if (status)
        return status;
    const uint64_t time = c->work[choice.cta] ? c->work[choice.cta] : 1;
    p->order[p->ctas - c->left.left - 1] = choice.cta;
    p->sm[choice.cta] = choice.sm;
    p->busy[choice.sm] += time;
    p->first_wave += !c->now;
    *place_of(c, choice.sm, WS_NO_CTA) = choice.cta;
    change(c, choice.sm, 1);
    push(c, (running){.ends = c->now + time, .cta = choice.cta, .sm = choice.sm});
    if (c->ops->started)
        c->ops->started(&c->s, choice.cta, choice.sm);
    return WS_OK;
}

/* All that end next. */
static void end_some(schedule *c)
{
    c->now = c->to->makespan = c->heap[0].ends;
    while (c->count && c->heap[0].ends == c->now) {
        const running r = pop(c);
        *place_of(c, r.sm, r.cta) = WS_NO_CTA;
        change(c, r.sm, -1);
        if (c->ops->ended)
            c->ops->ended(&c->s, r.cta, r.sm);
    }
}

static int run(schedule *c)
{
    int status = WS_OK;
    ws_cta_choice choice;
    while (!status && (c->left.left || c->count)) {
        while (!status && c->left.left && c->ops->choose(&c->s, &choice))
            status = start(c, choice);
        if (!status && !c->count)
            status = ws_fail(WS_EVERIFY, "chip.cta_scheduler %s starts none of the blocks that are left", c->ops->name);
        if (!status)
            end_some(c);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ making one */

static int make_room(schedule *c, const ws_machine *m, const ws_launch *launch, uint64_t ctas)
{
    ws_placement *const p = c->to;
    const size_t places = (size_t)p->sms * p->places;
    c->about = calloc(p->sms, sizeof *c->about);
    c->resident = malloc(places * sizeof *c->resident);
    c->heap = malloc(places * sizeof *c->heap);
    p->sm = calloc(ctas + 1, sizeof *p->sm);
    p->order = calloc(ctas + 1, sizeof *p->order);
    p->busy = calloc(p->sms, sizeof *p->busy);
    c->values = calloc(ws_option_count(c->ops->options) + 1, sizeof *c->values);
    c->s = (ws_cta_scheduler){.state = calloc(1, c->ops->state_size(p->sms) + 1),
                              .values = c->values,
                              .view = {.grid = launch->grid,
                                       .ctas = ctas,
                                       .left = &c->left,
                                       .sm = c->about,
                                       .sms = p->sms,
                                       .chips = m->package_chips,
                                       .of = c,
                                       .resident = resident_of}};
    if (!c->about || !c->resident || !c->heap || !p->sm || !p->order || !p->busy || !c->values || !c->s.state)
        return ws_fail(WS_EMEM, "no memory for the places of blocks");
    memset(c->resident, 0xff, places * sizeof *c->resident); /* WS_NO_CTA */
    for (uint32_t i = 0; i < p->sms; i++)
        c->about[i].room = p->places;
    return ws_cta_set_fill(&c->left, ctas);
}
_Static_assert(WS_NO_CTA == UINT64_MAX, "free places are bytes of ones");

int ws_placement_make(const ws_machine *m, const ws_launch *launch, uint64_t ctas, const uint64_t *work,
                      ws_placement *out)
{
    schedule c = {.to = out, .ops = m->chip_cta_scheduler, .work = work, .warps = launch->warps_per_block};
    *out = (ws_placement){.ctas = ctas, .sms = ws_machine_sms(m)};
    int status = ws_residents_places(m, launch, &out->places);
    if (!status)
        status = make_room(&c, m, launch, ctas);
    if (!status)
        status = ws_option_resolve(c.ops->name, c.ops->options, NULL, m->cta.list, m->cta.count, c.values);
    if (!status)
        status = run(&c);
    free(c.about);
    free(c.resident);
    free(c.heap);
    free(c.s.state);
    free(c.values);
    ws_cta_set_fini(&c.left);
    return status;
}

void ws_placement_fini(ws_placement *p)
{
    free(p->sm);
    free(p->order);
    free(p->busy);
    *p = (ws_placement){0};
}
