/* touch_log.c - see touch_log.h. */
#include "model/mechanism/sharing/touch_log.h"

#include "base/grow.h"
#include "base/mix.h"
#include "base/status.h"
#include "model/coalesce_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVEL = 63, WORD = 64 };

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the blocks that a launch touches");
}

static bool is_sampled(uint64_t block, unsigned level)
{
    return !level || !(ws_hash(block) >> (64 - level));
}

static void attach(void *p, void *context)
{
    const ws_touch_log_options *const o = context;
    ws_touch_log *const log = p;
    log->line_shift = o->line_shift;
    log->limit = o->limit;
    log->own = WS_TABLE(size_t);
}

static int touch(ws_touch_log *log, uint64_t block, uint64_t cta, bool reads)
{
    if (!is_sampled(block, log->level))
        return WS_OK;
    size_t *const at = ws_table_put(&log->own, block);
    if (!at)
        return WS_EMEM;
    if (!*at) {
        if (WS_GROW(log->pair, log->room, log->pairs, 1))
            return no_memory();
        log->pair[log->pairs++] = (ws_touch_pair){.block = block, .cta = (uint32_t)cta};
        *at = log->pairs;
    }
    ws_touch_pair *const pair = &log->pair[*at - 1];
    pair->loads += reads && pair->loads < UINT32_MAX;
    return WS_OK;
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    ws_touch_log *const log = p;
    (void)launch;
    if (WS_GROW(log->work, log->work_room, log->ctas, 1))
        return no_memory();
    if (!log->ctas)
        log->first = block;
    log->work[log->ctas++] = 0;
    ws_table_clear(&log->own);
    return WS_OK;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    ws_touch_log *const log = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind != WS_EVENT_RECONVERGE)
            log->work[log->ctas - 1] += ev->count;
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL || !ev->exec)
            continue;
        ws_touch list[WS_TOUCHES];
        const unsigned n =
            ws_coalesce(WS_ADDRESSES(batch, ev), ev->exec, ws_event_bytes(launch, ev), 1u << log->line_shift, list);
        for (unsigned k = 0; k < n && !status; k++)
            status = touch(log, list[k].block, batch->block, launch->instr[ev->pc].access == WS_ACCESS_LOAD);
    }
    return status;
}

/* Goes on with the blocks of the level. */
static void keep_level(ws_touch_log *log)
{
    size_t kept = 0;
    for (size_t i = 0; i < log->pairs; i++)
        if (is_sampled(log->pair[i].block, log->level))
            log->pair[kept++] = log->pair[i];
    log->pairs = kept;
}

static void thin(ws_touch_log *log)
{
    while (log->pairs > log->limit && log->level < MOST_LEVEL) {
        log->level++;
        keep_level(log);
    }
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    (void)launch;
    (void)block;
    thin(p);
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    ws_touch_log *const a = into, *const b = from;
    (void)launch;
    a->first = a->ctas ? a->first : b->first;
    a->level = b->level = a->level > b->level ? a->level : b->level;
    keep_level(a);
    keep_level(b);
    if (WS_GROW(a->pair, a->room, a->pairs, b->pairs) || WS_GROW(a->work, a->work_room, a->ctas, b->ctas))
        return no_memory();
    if (b->pairs)
        memcpy(a->pair + a->pairs, b->pair, b->pairs * sizeof *b->pair);
    if (b->ctas)
        memcpy(a->work + a->ctas, b->work, b->ctas * sizeof *b->work);
    a->pairs += b->pairs;
    a->ctas += b->ctas;
    thin(a);
    return WS_OK;
}

static void fini(void *p)
{
    ws_touch_log *const log = p;
    free(log->pair);
    free(log->work);
    ws_table_fini(&log->own);
}

ws_sink ws_touch_log_sink(const ws_touch_log_options *options)
{
    return (ws_sink){.name = "touches",
                     .wants = WS_WANT_INSTRUCTIONS,
                     .state_size = sizeof(ws_touch_log),
                     .context = (void *)(uintptr_t)options,
                     .attach = attach,
                     .block_begin = block_begin,
                     .events = events,
                     .block_end = block_end,
                     .merge = merge,
                     .fini = fini};
}

static int by_block(const void *a, const void *b)
{
    const ws_touch_pair *const x = a, *const y = b;
    return x->block != y->block ? (x->block < y->block ? -1 : 1) : x->cta < y->cta ? -1 : x->cta > y->cta;
}

void ws_touch_log_sort(ws_touch_log *log)
{
    if (log->pairs)
        qsort(log->pair, log->pairs, sizeof *log->pair, by_block);
}

typedef struct sm_set {
    uint64_t word[WS_TOUCH_SMS / WORD];
    unsigned count;
} sm_set;

static void add_sm(sm_set *set, uint32_t sm)
{
    uint64_t *const word = &set->word[sm / WORD];
    const uint64_t bit = (uint64_t)1 << sm % WORD;
    set->count += !(*word & bit);
    *word |= bit;
}

void ws_touch_log_sharers(const ws_touch_log *log, const uint32_t *sm, ws_sharers *sums)
{
    const double scale = (double)((uint64_t)1 << log->level);
    for (size_t i = 0, next; i < log->pairs; i = next) {
        sm_set users = {.count = 0}, readers = {.count = 0};
        for (next = i; next < log->pairs && log->pair[next].block == log->pair[i].block; next++) {
            const ws_touch_pair *const pair = &log->pair[next];
            const uint32_t at = sm[pair->cta - log->first];
            if (at == WS_TOUCH_NOWHERE)
                continue;
            add_sm(&users, at);
            if (pair->loads)
                add_sm(&readers, at);
            sums->loads += scale * pair->loads;
        }
        sums->blocks += users.count ? scale : 0;
        sums->copies += scale * users.count;
        sums->shared += users.count > 1 ? scale : 0;
        sums->shared_copies += users.count > 1 ? scale * users.count : 0;
        sums->first_loads += scale * readers.count;
    }
}
