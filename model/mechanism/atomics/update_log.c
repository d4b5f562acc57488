/* update_log.c - see update_log.h. */
#include "model/mechanism/atomics/update_log.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/trace/update.h"
#include "model/coalesce_model.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

/* What attach() leaves in a state that is zero otherwise. */
typedef struct state {
    ws_update_log log; /* first */
    const ws_update_log_options *options;
} state;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for what a launch does to lines");
}

static void attach(void *p, void *context)
{
    state *const s = p;
    s->options = context;
    s->log.limit = s->options->limit;
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    ws_update_log *const log = &s->log;
    log->update = calloc(launch->instrs + 1, sizeof *log->update);
    log->warp = calloc(launch->warps_per_block + 1, sizeof *log->warp);
    if (!log->update || !log->warp)
        return no_memory();
    log->line_bytes = s->options->line_bytes ? s->options->line_bytes : WS_UPDATE_LINE;
    if (s->options->is_commutative && !s->options->is_commutative(s->options->context, launch->kernel))
        return WS_OK;
    return ws_update_mark(launch, log->update);
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    ws_update_log *const log = p;
    (void)block;
    if (WS_GROW(log->first, log->first_room, log->ctas, 1) || WS_GROW(log->work, log->work_room, log->ctas, 1) ||
        WS_GROW(log->length, log->length_room, log->ctas, 1))
        return no_memory();
    log->first[log->ctas] = log->records;
    log->work[log->ctas] = log->length[log->ctas] = 0;
    log->ctas++;
    memset(log->warp, 0, launch->warps_per_block * sizeof *log->warp);
    return WS_OK;
}

static int add(ws_update_log *log, const ws_launch *launch, ws_update_record r)
{
    if (log->records >= log->limit)
        return ws_fail(WS_EUNSUPPORTED,
                       "kernel %s: more than %zu accesses of lines; expected a launch with fewer, of a smaller input",
                       launch->kernel, log->limit);
    if (WS_GROW(log->record, log->room, log->records, 1))
        return no_memory();
    log->record[log->records++] = r;
    return WS_OK;
}

/* The lanes on each word of the touch, that of their first byte. */
static int count_lanes(ws_update_log *log, const uint64_t *address, const ws_touch *t)
{
    uint8_t lanes[WS_UPDATE_WORDS] = {0};
    if (WS_GROW(log->lanes, log->lanes_room, log->lanes_used, WS_UPDATE_WORDS))
        return no_memory();
    WS_EACH_LANE (lane, t->lanes)
        if (address[lane] / log->line_bytes == t->block)
            lanes[address[lane] % log->line_bytes / WORD_BYTES]++;
    WS_EACH_LANE (word, t->words)
        log->lanes[log->lanes_used++] = lanes[word];
    return WS_OK;
}

static ws_update_kind kind_of(const ws_update_log *log, const ws_instr *in, uint32_t pc)
{
    return in->access == WS_ACCESS_LOAD    ? WS_UPDATE_LOAD
           : in->access == WS_ACCESS_STORE ? WS_UPDATE_STORE
           : log->update[pc]               ? WS_UPDATE_ADDS
                                           : WS_UPDATE_OTHER;
}

static int take_access(ws_update_log *log, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    const ws_instr *const in = &launch->instr[ev->pc];
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    const uint32_t at = log->warp[ev->warp];
    const bool atomic = in->access >= WS_ACCESS_ATOMIC;
    ws_touch list[WS_TOUCHES];
    int status = WS_OK;
    if (ws_update_is_ordered(in->order, in->scope))
        status = add(log, launch, (ws_update_record){.at = at, .warp = ev->warp, .kind = WS_UPDATE_POINT});
    const unsigned n = ws_coalesce(address, ev->exec, ws_event_bytes(launch, ev), log->line_bytes, list);
    for (unsigned i = 0; i < n && !status; i++) {
        const ws_update_record r = {.line = list[i].block,
                                    .lanes = log->lanes_used,
                                    .words = list[i].words,
                                    .code =
                                        atomic ? ws_update_code(in->atomic, in->number, in->is_signed, in->bytes) : 0,
                                    .at = at,
                                    .warp = ev->warp,
                                    .kind = (uint8_t)kind_of(log, in, ev->pc)};
        status = add(log, launch, r);
        if (!status && atomic)
            status = count_lanes(log, address, &list[i]);
    }
    return status;
}

static int take_fences(ws_update_log *log, const ws_launch *launch, const ws_event *ev)
{
    int status = WS_OK;
    for (uint32_t pc = ev->pc; pc < ev->pc + ev->count && pc < launch->instrs && !status; pc++)
        if (launch->instr[pc].fence && launch->instr[pc].scope != WS_SCOPE_CTA)
            status = add(
                log, launch,
                (ws_update_record){.at = log->warp[ev->warp] + pc - ev->pc, .warp = ev->warp, .kind = WS_UPDATE_POINT});
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    ws_update_log *const log = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        if (ev->kind == WS_EVENT_RUN)
            status = take_fences(log, launch, ev);
        else if (ev->kind == WS_EVENT_MEMORY && ev->space == WS_SPACE_GLOBAL && ev->exec)
            status = take_access(log, launch, batch, ev);
        log->warp[ev->warp] += ev->count;
        log->work[log->ctas - 1] += ev->count;
        if (log->warp[ev->warp] > log->length[log->ctas - 1])
            log->length[log->ctas - 1] = log->warp[ev->warp];
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    ws_update_log *const a = into, *const b = from;
    if (a->records + b->records > a->limit)
        return ws_fail(WS_EUNSUPPORTED,
                       "kernel %s: more than %zu accesses of lines; expected a launch with fewer, of a smaller input",
                       launch->kernel, a->limit);
    if (WS_GROW(a->record, a->room, a->records, b->records) ||
        WS_GROW(a->lanes, a->lanes_room, a->lanes_used, b->lanes_used) ||
        WS_GROW(a->first, a->first_room, a->ctas, b->ctas) || WS_GROW(a->work, a->work_room, a->ctas, b->ctas) ||
        WS_GROW(a->length, a->length_room, a->ctas, b->ctas))
        return no_memory();
    for (size_t i = 0; i < b->records; i++) {
        a->record[a->records + i] = b->record[i];
        a->record[a->records + i].lanes += a->lanes_used;
    }
    for (size_t i = 0; i < b->ctas; i++) {
        a->first[a->ctas + i] = a->records + b->first[i];
        a->work[a->ctas + i] = b->work[i];
        a->length[a->ctas + i] = b->length[i];
    }
    if (b->lanes_used)
        memcpy(a->lanes + a->lanes_used, b->lanes, b->lanes_used);
    a->records += b->records;
    a->lanes_used += b->lanes_used;
    a->ctas += b->ctas;
    return WS_OK;
}

static void fini(void *p)
{
    ws_update_log *const log = p;
    free(log->record);
    free(log->lanes);
    free(log->first);
    free(log->work);
    free(log->length);
    free(log->update);
    free(log->warp);
}

ws_sink ws_update_log_sink(const ws_update_log_options *options)
{
    return (ws_sink){.name = "updates",
                     .wants = WS_WANT_INSTRUCTIONS,
                     .state_size = sizeof(state),
                     .context = (void *)(uintptr_t)options,
                     .attach = attach,
                     .init = init,
                     .block_begin = block_begin,
                     .events = events,
                     .merge = merge,
                     .fini = fini};
}
