/* check.c - holds events against the promises of event.h, a warp's after one another. */
#include "collect/trace/check.h"

#include "base/grow.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARRIERS = 17, CLUSTER_BARRIER = 16, PLACE = 256 };

/* A branch whose sides have not met again. */
typedef struct section {
    uint32_t pc, active;
    uint64_t since; /* instructions of the warp, that one included */
} section;

typedef struct warp {
    section *open;
    size_t sections, room;
    uint64_t instructions;
    uint32_t lanes; /* that it has */
    ws_event last;  /* count 0 of kind RUN: none */
    uint32_t arrived[BARRIERS];
} warp;

typedef struct state {
    warp *warp; /* [warps_per_block] */
    uint32_t warps;
    uint64_t block;
    bool uneven[BARRIERS]; /* not every warp arrives once each time */
} state;

static int broken(const state *s, const ws_launch *l, const ws_event *ev, const char *expected)
{
    const ws_instr *const in = ev->pc < l->instrs ? &l->instr[ev->pc] : NULL;
    char place[PLACE];
    if (!ws_origin_words(l->origin, ev->pc, place, sizeof place))
        snprintf(place, sizeof place, "line %u", in ? in->line : 0);
    return ws_fail(WS_EINPUT, "%s: CTA %" PRIu64 ", warp %u, instruction %u (%s, %s): expected %s", l->kernel, s->block,
                   ev->warp, ev->pc, in ? in->opcode : "none", place, expected);
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->warps = launch->warps_per_block;
    s->warp = calloc(s->warps ? s->warps : 1, sizeof *s->warp);
    return s->warp ? WS_OK : ws_fail(WS_EMEM, "no memory to check the events of %u warps", s->warps);
}

static void fini(void *p)
{
    state *const s = p;
    for (uint32_t i = 0; s->warp && i < s->warps; i++)
        free(s->warp[i].open);
    free(s->warp);
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    s->block = block;
    memset(s->uneven, 0, sizeof s->uneven);
    for (uint32_t i = 0; i < s->warps; i++) {
        warp *const w = &s->warp[i];
        const uint32_t left = launch->threads_per_block - i * WS_WARP;
        *w =
            (warp){.open = w->open, .room = w->room, .lanes = left >= WS_WARP ? UINT32_MAX : (UINT32_C(1) << left) - 1};
    }
    return WS_OK;
}

/* ---- sections */

static int open_section(warp *w, const ws_event *ev)
{
    if (WS_GROW(w->open, w->room, w->sections, 1))
        return ws_fail(WS_EMEM, "no memory to check the events of a warp");
    w->open[w->sections++] = (section){.pc = ev->pc, .active = ev->active, .since = w->instructions};
    return WS_OK;
}

/* Mostly the innermost; lanes that waited in vain and gave way may leave it open while one around it ends. */
static int close_section(const state *s, const ws_launch *l, warp *w, const ws_event *ev)
{
    size_t i = w->sections;
    while (i && w->open[i - 1].pc != ev->pc)
        i--;
    if (!i && l->instr[ev->pc].conditional && !l->instr[ev->pc].guarded)
        return WS_OK; /* an indexed branch, whose lanes all left, for different places */
    if (!i)
        return broken(s, l, ev, "an open section of this warp to end: a branch that parted lanes");
    const section is = w->open[i - 1];
    if (ev->active & ~is.active)
        return broken(s, l, ev, "only lanes that parted to meet again");
    if (ev->section != (uint32_t)(w->instructions - is.since))
        return broken(s, l, ev, "the instructions of a section to be those that ran since its branch");
    memmove(&w->open[i - 1], &w->open[i], (w->sections - i) * sizeof is);
    w->sections--;
    return WS_OK;
}

/* ---- kinds of events */

static int check_run(const state *s, const ws_launch *l, const ws_event *ev)
{
    for (uint32_t pc = ev->pc; pc < ev->pc + ev->count; pc++)
        if (ev->exec && l->instr[pc].cls == WS_CLASS_MEMORY && l->instr[pc].access && !ws_isa_is_sass(l->isa))
            return broken(s, l, ev, "an access to memory to be an event of its own");
    return ev->count ? WS_OK : broken(s, l, ev, "a run of at least one instruction");
}

/* Bytes of a space that a CTA or a thread has; 0: not bounded by the launch. */
static uint64_t bytes_of(const ws_launch *l, uint8_t space)
{
    return ws_isa_is_sass(l->isa)     ? 0
           : space == WS_SPACE_SHARED ? l->shared_bytes
           : space == WS_SPACE_LOCAL  ? WS_LOCAL_BYTES_MOST
                                      : 0;
}

static int check_lanes(const state *s, const ws_launch *l, const ws_batch *batch, const ws_event *ev)
{
    const uint64_t *const address = WS_ADDRESSES(batch, ev), bytes = ws_event_bytes(l, ev),
                          most = bytes_of(l, ev->space);
    for (unsigned i = 0; i < WS_WARP * (1u + ev->further); i++) {
        const bool runs = ev->exec >> i % WS_WARP & 1;
        if (!runs && address[i])
            return broken(s, l, ev, "no address in a lane that takes no part");
        if (runs && most && (address[i] > most || bytes > most - address[i]))
            return broken(s, l, ev, "offsets within the shared or local memory that the launch has");
    }
    return WS_OK;
}

static int check_access(const state *s, const ws_launch *l, const ws_batch *batch, const warp *w, const ws_event *ev)
{
    const ws_instr *const in = &l->instr[ev->pc];
    if (in->cls != WS_CLASS_MEMORY || !in->access)
        return broken(s, l, ev, "an instruction that accesses memory");
    if (ev->space <= WS_SPACE_GENERIC || ev->space >= WS_SPACES)
        return broken(s, l, ev, "a space that is resolved");
    if (!ws_event_bytes(l, ev))
        return broken(s, l, ev, "a width in bytes");
    if (ev->further && !ev->texel)
        return broken(s, l, ev, "the width of texels where lanes touch several");
    if (ev->count > 1 || (!ev->count && (w->last.kind != WS_EVENT_MEMORY || w->last.pc != ev->pc)))
        return broken(s, l, ev, "one instruction, or a part of the access before");
    return check_lanes(s, l, batch, ev);
}

static int check_branch(const state *s, const ws_launch *l, warp *w, const ws_event *ev)
{
    const bool parts = ev->taken && ev->taken != ev->active;
    if (l->instr[ev->pc].cls != WS_CLASS_BRANCH && !ws_isa_is_sass(l->isa))
        return broken(s, l, ev, "a branch");
    if (ev->count != 1 || ev->exec != ev->active || ev->taken & ~ev->active)
        return broken(s, l, ev, "one instruction of all lanes of the path, and some of them to leave it");
    if (parts && !l->instr[ev->pc].conditional)
        return broken(s, l, ev, "lanes to part at conditional branches alone");
    return parts ? open_section(w, ev) : WS_OK;
}

static int check_barrier(state *s, const ws_launch *l, warp *w, const ws_event *ev)
{
    if (l->instr[ev->pc].cls != WS_CLASS_BARRIER || ev->count != 1)
        return broken(s, l, ev, "one barrier instruction");
    if (ev->barrier == UINT32_MAX)
        return WS_OK;
    const uint32_t number = ev->barrier & UINT8_MAX, waits_for = ev->barrier >> 8;
    if (number > CLUSTER_BARRIER)
        return broken(s, l, ev, "a barrier of the 16, or of the cluster");
    s->uneven[number] |=
        l->instr[ev->pc].arrival || waits_for || ev->depth; /* then others may arrive for those that are late */
    const uint32_t mine = ++w->arrived[number];
    for (uint32_t i = 0; i < s->warps && !s->uneven[number] && !ws_isa_is_sass(l->isa); i++)
        if (s->warp[i].arrived[number] > mine)
            return broken(s, l, ev, "to arrive before another warp of the CTA arrives once more");
    return WS_OK;
}

/* ---- order */

/* The next instruction follows what is no branch, as long as the path stays. */
static int check_order(const state *s, const ws_launch *l, const warp *w, const ws_event *ev)
{
    const ws_event *const last = &w->last;
    const bool same_path = last->count && last->active == ev->active && last->depth == ev->depth;
    const bool falls_through = last->kind != WS_EVENT_BRANCH && last->kind != WS_EVENT_RECONVERGE;
    if (ws_isa_is_sass(l->isa) || !same_path || !falls_through || !ev->count || ev->pc == last->pc + last->count)
        return WS_OK;
    return l->instr[last->pc + last->count - 1].cls == WS_CLASS_BRANCH
               ? WS_OK
               : broken(s, l, ev, "the next instruction of the path");
}

static int see(state *s, const ws_launch *l, const ws_batch *batch, const ws_event *ev)
{
    if (ev->warp >= s->warps)
        return broken(s, l, ev, "a warp that the CTA has");
    if (ev->pc >= l->instrs || ev->count > l->instrs - ev->pc || ev->kind > WS_EVENT_BARRIER)
        return broken(s, l, ev, "an instruction of the table, and a kind of event");
    warp *const w = &s->warp[ev->warp];
    if (ev->exec & ~ev->active || ev->active & ~w->lanes || !ev->active)
        return broken(s, l, ev, "lanes that run among those of the path, and these among those of the warp");
    int status = check_order(s, l, w, ev);
    w->instructions += ev->count;
    if (status)
        return status;
    switch ((ws_event_kind)ev->kind) {
    case WS_EVENT_RUN:
        status = check_run(s, l, ev);
        break;
    case WS_EVENT_MEMORY:
        status = check_access(s, l, batch, w, ev);
        break;
    case WS_EVENT_BRANCH:
        status = check_branch(s, l, w, ev);
        break;
    case WS_EVENT_RECONVERGE:
        status = close_section(s, l, w, ev);
        break;
    case WS_EVENT_BARRIER:
        status = check_barrier(s, l, w, ev);
        break;
    }
    w->last = ev->count || ev->kind == WS_EVENT_RECONVERGE ? *ev : w->last;
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++)
        status = see(p, launch, batch, &batch->event[i]);
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)into, (void)from, (void)launch; /* blocks are checked each for itself */
    return WS_OK;
}

const ws_sink ws_event_checker = {.name = "event checker",
                                  .wants = WS_WANT_ALL,
                                  .state_size = sizeof(state),
                                  .init = init,
                                  .block_begin = block_begin,
                                  .events = events,
                                  .merge = merge,
                                  .fini = fini};
