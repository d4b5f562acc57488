/* range_log.c - see range_log.h. */
#include "model/chiplets/range_log.h"

#include "base/bits.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the ranges of a launch");
}

/* ------------------------------------------------------------------------------------------------ the sink */

static void attach(void *p, void *context)
{
    ((ws_range_log *)p)->chiplets = ((const ws_range_log_options *)context)->chiplets;
}

static int init(void *p, const ws_launch *launch)
{
    ws_range_log *const log = p;
    log->touch = calloc((launch->instrs + 1) * log->chiplets, sizeof *log->touch);
    return log->touch ? WS_OK : no_memory();
}

static void widen(ws_range_touch *t, ws_address_range range, bool writes)
{
    t->range = t->there ? ws_range_hull(t->range, range) : range;
    t->there = true;
    t->writes |= writes;
}

/* Lanes at further addresses follow. */
static void touch_lanes(ws_range_touch *t, const uint64_t *address, const ws_event *ev, unsigned bytes, bool writes)
{
    for (unsigned k = 0; k <= (ev->space == WS_SPACE_TEXTURE ? ev->further : 0u); k++, address += WS_WARP)
        WS_EACH_LANE (lane, ev->exec)
            widen(t, (ws_address_range){address[lane], address[lane] + bytes - 1}, writes);
}

static bool is_of_memory(const ws_event *ev)
{
    return ev->kind == WS_EVENT_MEMORY && ev->exec &&
           (ev->space == WS_SPACE_GLOBAL || ev->space == WS_SPACE_TEXTURE || ev->space == WS_SPACE_CONST);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    ws_range_log *const log = p;
    const uint32_t chiplet = ws_chiplet_of_block(batch->block, launch->blocks, log->chiplets);
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        if (!is_of_memory(ev))
            continue;
        const unsigned bytes = ws_event_bytes(launch, ev);
        touch_lanes(&log->touch[ev->pc * log->chiplets + chiplet], WS_ADDRESSES(batch, ev), ev, bytes ? bytes : 1,
                    launch->instr[ev->pc].access != WS_ACCESS_LOAD);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    ws_range_log *const a = into, *const b = from;
    for (size_t i = 0; i < launch->instrs * a->chiplets; i++)
        if (b->touch[i].there)
            widen(&a->touch[i], b->touch[i].range, b->touch[i].writes);
    return WS_OK;
}

static void fini(void *p)
{
    free(((ws_range_log *)p)->touch);
}

ws_sink ws_range_log_sink(const ws_range_log_options *options)
{
    return (ws_sink){.name = "ranges",
                     .wants = WS_WANT_MEMORY,
                     .state_size = sizeof(ws_range_log),
                     .context = (void *)(uintptr_t)options,
                     .attach = attach,
                     .init = init,
                     .events = events,
                     .merge = merge,
                     .fini = fini};
}

/* ------------------------------------------------------------------------------------------------ a program */

/* What an instruction of a launch touched: `whole` on all chiplets. */
typedef struct stretch {
    ws_address_range whole, range[WS_CHIPLETS_MOST];
    bool writes;
} stretch;

typedef struct program_launch {
    char *name;
    uint64_t number;
    uint32_t scheduled;
    size_t first, count; /* stretches */
} program_launch;

struct ws_range_program {
    uint32_t chiplets;
    bool anywhere;
    program_launch *launch;
    size_t launches, launch_room;
    stretch *stretch;
    size_t stretches, room;
};

int ws_range_program_create(uint32_t chiplets, bool anywhere, ws_range_program **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return no_memory();
    (*out)->chiplets = chiplets;
    (*out)->anywhere = anywhere;
    return WS_OK;
}

void ws_range_program_destroy(ws_range_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->launches; i++)
        free(p->launch[i].name);
    free(p->launch);
    free(p->stretch);
    free(p);
}

static bool stretch_of(const ws_range_log *log, size_t pc, bool anywhere, stretch *s)
{
    *s = (stretch){.whole = WS_NO_ADDRESSES};
    for (uint32_t i = 0; i < log->chiplets; i++) {
        const ws_range_touch *const t = &log->touch[pc * log->chiplets + i];
        s->range[i] = t->there ? t->range : WS_NO_ADDRESSES;
        s->writes |= t->there && t->writes;
        s->whole = ws_range_hull(s->whole, s->range[i]);
    }
    for (uint32_t i = 0; anywhere && i < log->chiplets; i++)
        s->range[i] = s->whole;
    return !ws_range_is_empty(s->whole);
}

static int by_address(const void *a, const void *b)
{
    const stretch *const x = a, *const y = b;
    return x->whole.first != y->whole.first ? (x->whole.first < y->whole.first ? -1 : 1)
                                            : (x->whole.last > y->whole.last) - (x->whole.last < y->whole.last);
}

int ws_range_program_add(ws_range_program *p, const ws_launch *launch, const ws_range_log *log)
{
    stretch s;
    if (WS_GROW(p->launch, p->launch_room, p->launches, 1) ||
        WS_GROW(p->stretch, p->room, p->stretches, launch->instrs))
        return no_memory();
    program_launch *const l = &p->launch[p->launches];
    *l = (program_launch){.name = strdup(launch->kernel),
                          .number = launch->sequence,
                          .scheduled =
                              p->anywhere ? (1u << p->chiplets) - 1 : ws_chiplet_schedule(launch->blocks, p->chiplets),
                          .first = p->stretches};
    if (!l->name)
        return no_memory();
    p->launches++;
    for (size_t pc = 0; pc < launch->instrs; pc++)
        if (stretch_of(log, pc, p->anywhere, &s))
            p->stretch[p->stretches++] = s;
    l->count = p->stretches - l->first;
    if (l->count)
        qsort(p->stretch + l->first, l->count, sizeof s, by_address);
    return WS_OK;
}

int ws_range_program_take(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)sink;
    return ws_range_program_add(context, launch, state);
}

/* Data structures of all launches, in rising order. */
typedef struct structures {
    ws_address_range *whole;
    size_t count;
} structures;

static int by_first(const void *a, const void *b)
{
    const ws_address_range *const x = a, *const y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : (x->last > y->last) - (x->last < y->last);
}

static bool is_near(ws_address_range a, ws_address_range b)
{
    return b.first <= a.last || b.first - a.last - 1 < WS_RANGE_GAP;
}

static int find_structures(const ws_range_program *p, structures *out)
{
    *out = (structures){.whole = malloc((p->stretches + 1) * sizeof *out->whole)};
    if (!out->whole)
        return no_memory();
    for (size_t i = 0; i < p->stretches; i++)
        out->whole[i] = p->stretch[i].whole;
    qsort(out->whole, p->stretches, sizeof *out->whole, by_first);
    for (size_t i = 0; i < p->stretches; i++) {
        if (out->count && is_near(out->whole[out->count - 1], out->whole[i]))
            out->whole[out->count - 1] = ws_range_hull(out->whole[out->count - 1], out->whole[i]);
        else
            out->whole[out->count++] = out->whole[i];
    }
    return WS_OK;
}

/* Schedule and ranges of the kernel that used a structure last, to tell repetitions. */
typedef struct last_use {
    uint32_t scheduled;
    bool there;
    ws_address_range range[WS_CHIPLETS_MOST];
} last_use;

static bool repeats(const last_use *last, uint32_t scheduled, const ws_chiplet_argument *a, uint32_t chiplets)
{
    return last->there && last->scheduled == scheduled && !memcmp(last->range, a->range, chiplets * sizeof *a->range);
}

static int add_argument(const ws_range_program *p, ws_chiplet_kernel *k, ws_chiplet_argument *a, last_use *last)
{
    a->identical = !p->anywhere &&
                   repeats(last, k->scheduled, a, p->chiplets); /* what is used anywhere is not used where it was */
    *last = (last_use){.scheduled = k->scheduled, .there = true};
    memcpy(last->range, a->range, sizeof last->range);
    return ws_chiplet_kernel_add(k, a);
}

/* Stretches of a launch and structures are both in order, and each of the former lies in one of the latter. */
static int add_kernel(const ws_range_program *p, const program_launch *l, const structures *s, last_use *last,
                      ws_chiplet_kernels *out)
{
    ws_chiplet_kernel *k;
    int status = ws_chiplet_kernels_add(out, l->name, l->number, l->scheduled, &k);
    size_t of = 0;
    for (size_t i = l->first; i < l->first + l->count && !status;) {
        while (s->whole[of].last < p->stretch[i].whole.first)
            of++;
        ws_chiplet_argument a = {.whole = s->whole[of], .ranged = true};
        for (uint32_t c = 0; c < WS_CHIPLETS_MOST; c++)
            a.range[c] = WS_NO_ADDRESSES;
        for (; i < l->first + l->count && p->stretch[i].whole.first <= a.whole.last; i++) {
            a.writes |= p->stretch[i].writes;
            for (uint32_t c = 0; c < p->chiplets; c++)
                a.range[c] = ws_range_hull(a.range[c], p->stretch[i].range[c]);
        }
        status = add_argument(p, k, &a, &last[of]);
    }
    return status;
}

int ws_range_program_kernels(const ws_range_program *p, ws_chiplet_kernels *out)
{
    structures s;
    *out = (ws_chiplet_kernels){0};
    int status = find_structures(p, &s);
    last_use *const last = calloc(s.count + 1, sizeof *last);
    if (!status && !last)
        status = no_memory();
    for (size_t i = 0; i < p->launches && !status; i++)
        status = add_kernel(p, &p->launch[i], &s, last, out);
    free(last);
    free(s.whole);
    if (status)
        ws_chiplet_kernels_fini(out);
    return status;
}
