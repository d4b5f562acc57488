/* access_log.c - coalesces the accesses of warps and keeps them in order.
 *
 * Merging appends the blocks of the later range as long as they fit, so what is kept is the same however the launch was
 * cut into ranges: blocks from the first on, until one does not fit. */
#include "model/access_log.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/trace/update.h"
#include "model/coalesce_model.h"
#include "model/instruction_chain.h"
#include "model/instruction_times.h"
#include "model/launch_work.h"

#include <stdlib.h>
#include <string.h>

enum { TOUCHES = 2 * WS_WARP * 8, WORD = 4, LINE_SHIFT = 7, REPEATS = WS_WARP };

typedef struct touch {
    uint64_t line;
    uint32_t mask[REPEATS]; /* words accessed by at least 1, 2, ... lanes; [0] alone but for atomics */
} touch;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the accesses of a launch");
}

static void attach(void *p, void *context)
{
    ((ws_access_log *)p)->limit = *(const size_t *)context;
}

static int find_updates(const ws_launch *launch, uint32_t *code)
{
    bool *const update = calloc(launch->instrs + 1, sizeof *update);
    const int status = update ? ws_update_mark(launch, update) : no_memory();
    for (size_t i = 0; i < launch->instrs && !status; i++) {
        const ws_instr *const in = &launch->instr[i];
        code[i] = update[i] ? ws_update_code(in->atomic, in->number, in->is_signed, in->bytes) : 0;
    }
    free(update);
    return status;
}

static int init(void *p, const ws_launch *launch)
{
    ws_access_log *const log = p;
    log->warps_per_block = launch->warps_per_block;
    const uint64_t together = launch->blocks < WS_LOG_TOGETHER ? launch->blocks : WS_LOG_TOGETHER;
    const size_t share = log->limit / (together ? together : 1);
    log->block_limit = share > launch->warps_per_block ? share - launch->warps_per_block : 0;
    log->since = calloc(launch->warps_per_block + 1, sizeof *log->since);
    log->last = calloc(launch->warps_per_block + 1, sizeof *log->last);
    log->cycles_since = calloc(launch->warps_per_block + 1, sizeof *log->cycles_since);
    log->fetched = calloc(launch->warps_per_block + 1, sizeof *log->fetched);
    log->cycles = calloc(launch->instrs + 1, sizeof *log->cycles);
    log->slack = calloc(launch->instrs + 1, sizeof *log->slack);
    log->fences = calloc(launch->instrs + 1, sizeof *log->fences);
    log->wide_fences = calloc(launch->instrs + 1, sizeof *log->wide_fences);
    log->update = calloc(launch->instrs + 1, sizeof *log->update);
    if (!log->update || !log->since || !log->last || !log->fences || !log->wide_fences || !log->cycles_since ||
        !log->fetched || !log->cycles || !log->slack)
        return no_memory();
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        log->fences[i + 1] = log->fences[i] + in->fence;
        log->wide_fences[i + 1] = log->wide_fences[i] + (in->fence && in->scope != WS_SCOPE_CTA);
    }
    const int status = find_updates(launch, log->update);
    return status ? status : ws_instruction_chain(launch, log->cycles, log->slack);
}

static void fini(void *p)
{
    ws_access_log *const log = p;
    free(log->entry);
    free(log->first);
    free(log->since);
    free(log->last);
    free(log->fences);
    free(log->wide_fences);
    free(log->update);
    free(log->cycles_since);
    free(log->fetched);
    free(log->cycles);
    free(log->slack);
}

static int reserve_entries(ws_access_log *log, size_t more)
{
    return WS_GROW(log->entry, log->room, log->entries, more) ? no_memory() : WS_OK;
}

static int reserve_blocks(ws_access_log *log, size_t more)
{
    return WS_GROW(log->first, log->blocks_room, log->blocks, more + 1) ? no_memory() : WS_OK;
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    ws_access_log *const log = p;
    (void)block;
    memset(log->since, 0, launch->warps_per_block * sizeof *log->since);
    memset(log->cycles_since, 0, launch->warps_per_block * sizeof *log->cycles_since);
    memset(log->fetched, 0, launch->warps_per_block * sizeof *log->fetched);
    memset(log->last, 0, launch->warps_per_block * sizeof *log->last);
    log->block = (ws_log_totals){0};
    log->cut = false;
    const int status = reserve_blocks(log, 1);
    if (!status)
        log->first[log->blocks] = log->entries;
    return status;
}

static int add(ws_access_log *log, const ws_log_entry *entry)
{
    if (log->full)
        return WS_OK;
    log->cut = log->cut || log->entries - log->first[log->blocks] >= log->block_limit;
    if (log->cut && entry->kind != WS_LOG_END)
        return WS_OK;
    if (log->entries == log->limit) {
        log->full = true;
        return WS_OK;
    }
    const int status = reserve_entries(log, 1);
    if (status)
        return status;
    ws_log_entry *const e = &log->entry[log->entries];
    *e = *entry;
    e->before = log->since[e->warp];
    e->cycles = log->cycles_since[e->warp];
    e->next = UINT32_MAX;
    if (log->last[e->warp])
        log->entry[log->last[e->warp] - 1].next = (uint32_t)log->entries;
    log->since[e->warp] = log->cycles_since[e->warp] = 0;
    log->last[e->warp] = (uint32_t)++log->entries;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ coalescing */

static touch *find_touch(touch *list, unsigned *n, uint64_t line)
{
    for (unsigned i = *n; i-- > 0;)
        if (list[i].line == line)
            return &list[i];
    if (*n == TOUCHES)
        return &list[TOUCHES - 1];
    list[*n] = (touch){.line = line};
    return &list[(*n)++];
}

/* Lanes that use a word again: of atomics each time counts, of others none. */
static void touch_word(touch *t, unsigned word, bool atomic)
{
    unsigned i = 0;
    while (atomic && i + 1 < REPEATS && t->mask[i] >> word & 1)
        i++;
    t->mask[i] |= (uint32_t)1 << word;
}

static unsigned coalesce(const ws_batch *batch, const ws_event *ev, unsigned bytes, bool atomic, touch *list)
{
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    unsigned n = 0;
    for (uint32_t left = ev->exec; left; left &= left - 1) {
        const uint64_t from = address[ws_lowest(left)], end = from + (bytes ? bytes : 1);
        for (uint64_t at = from / WORD * WORD; at < end; at += WORD)
            touch_word(find_touch(list, &n, at >> LINE_SHIFT), (unsigned)(at / WORD % WS_LOG_WORDS), atomic);
    }
    return n;
}

/* Local memory lies word by word, the lanes of a warp side by side: a word of all lanes is a line. */
static unsigned coalesce_local(const ws_batch *batch, const ws_event *ev, unsigned bytes, touch *list)
{
    const uint64_t *const offset = WS_ADDRESSES(batch, ev);
    unsigned n = 0;
    for (uint32_t left = ev->exec; left; left &= left - 1) {
        const unsigned lane = ws_lowest(left);
        const uint64_t end = offset[lane] + (bytes ? bytes : 1);
        for (uint64_t at = offset[lane] / WORD * WORD; at < end; at += WORD)
            touch_word(find_touch(list, &n, at / WORD), lane, false);
    }
    return n;
}

/* ------------------------------------------------------------------------------------------------ events */

static void count(ws_log_totals *t, uint8_t kind, uint8_t flags, uint32_t mask)
{
    const unsigned words = ws_popcount(mask);
    if (kind == WS_LOG_LOAD) {
        t->loads++;
        t->polls += flags & WS_LOG_POLL ? 1 : 0;
        t->load_words += words;
    } else if (kind == WS_LOG_STORE) {
        t->stores++;
        t->store_words[words]++;
    } else {
        t->atomics++;
        t->atomic_words[words]++;
        t->updates += (flags & (WS_LOG_UPDATE | WS_LOG_AGAIN)) == WS_LOG_UPDATE;
        t->update_words[words] += flags & WS_LOG_UPDATE ? 1 : 0;
        t->again_words[words] += flags & WS_LOG_AGAIN ? 1 : 0;
        t->again_updates[words] += (flags & (WS_LOG_UPDATE | WS_LOG_AGAIN)) == (WS_LOG_UPDATE | WS_LOG_AGAIN);
    }
}

/* The logarithm, rounded up, of the most lines in one set. */
static unsigned crowd_of(const touch *list, unsigned n)
{
    uint8_t lines[WS_LOG_SETS] = {0};
    unsigned most = 1, crowd = 0;
    for (unsigned i = 0; i < n; i++)
        if (++lines[list[i].line % WS_LOG_SETS] > most)
            most = lines[list[i].line % WS_LOG_SETS];
    while (1u << crowd < most && crowd + 1 < WS_LOG_CROWDS)
        crowd++;
    return crowd;
}

/* The warp's own cycles of what it does. */
static void pass_time(ws_access_log *log, const ws_event *ev)
{
    log->cycles_since[ev->warp] += log->cycles[ev->pc + ev->count] - log->cycles[ev->pc];
    if (ev->kind == WS_EVENT_BRANCH && ev->taken)
        log->cycles_since[ev->warp] += WS_TIME_REFILL - 1;
}

static int see_access(ws_access_log *log, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    const ws_instr *const in = &launch->instr[ev->pc];
    const unsigned bytes = ws_event_bytes(launch, ev);
    const bool local = ev->space == WS_SPACE_LOCAL, atomic = in->access >= WS_ACCESS_ATOMIC;
    ws_log_entry e = {
        .warp = ev->warp, .slack = log->slack[ev->pc], .lanes = (uint8_t)ws_popcount(ev->exec), .pc = ev->pc};
    e.kind = in->access == WS_ACCESS_LOAD ? WS_LOG_LOAD : in->access == WS_ACCESS_STORE ? WS_LOG_STORE : WS_LOG_ATOMIC;
    e.flags = (uint8_t)((local ? WS_LOG_LOCAL : 0) | (e.kind == WS_LOG_LOAD && ws_instr_is_poll(in) ? WS_LOG_POLL : 0) |
                        (e.kind == WS_LOG_ATOMIC && !local && log->update[ev->pc] && ev->space == WS_SPACE_GLOBAL
                             ? WS_LOG_UPDATE
                             : 0));
    touch list[TOUCHES];
    const unsigned n = local ? coalesce_local(batch, ev, bytes, list) : coalesce(batch, ev, bytes, atomic, list);
    log->block.accesses++;
    if (e.kind == WS_LOG_LOAD && n && !local)
        log->crowds[crowd_of(list, n)]++;
    pass_time(log, ev);
    int status = WS_OK;
    for (unsigned i = 0; i < n; i++)
        for (unsigned again = 0; again < REPEATS && list[i].mask[again] && !status; again++) {
            e.line = list[i].line;
            e.mask = list[i].mask[again];
            e.flags = (uint8_t)((e.flags & ~WS_LOG_AGAIN) | (again ? WS_LOG_AGAIN : 0));
            count(&log->block, e.kind, e.flags, e.mask);
            status = add(log, &e);
            e.flags |= WS_LOG_MORE;
        }
    log->since[ev->warp] += !status && n == 0;
    return status;
}

static int see_plain(ws_access_log *log, const ws_event *ev)
{
    log->since[ev->warp] += ev->count;
    pass_time(log, ev);
    if (ev->kind == WS_EVENT_BARRIER && ev->barrier != UINT32_MAX)
        return add(log, &(ws_log_entry){.warp = ev->warp, .kind = WS_LOG_BARRIER, .line = ev->barrier});
    if (ev->kind != WS_EVENT_RUN)
        return WS_OK;
    int status = WS_OK;
    const uint32_t wide = log->wide_fences[ev->pc + ev->count] - log->wide_fences[ev->pc];
    for (uint32_t n = log->fences[ev->pc + ev->count] - log->fences[ev->pc]; n && !status; n--) {
        log->block.fences++;
        log->block.wide_fences += n <= wide;
        status =
            add(log, &(ws_log_entry){.warp = ev->warp, .kind = WS_LOG_FENCE, .flags = n <= wide ? WS_LOG_WIDE : 0});
    }
    return status;
}

/* Lines of one cache that an instruction fetches. */
static unsigned lines_fetched(const ws_launch *launch, const ws_batch *batch, const ws_event *ev, uint64_t *line)
{
    const unsigned bytes = ws_event_bytes(launch, ev), groups = ev->space == WS_SPACE_CONST ? 1 : ev->further + 1u;
    const unsigned size = ev->space == WS_SPACE_CONST ? WS_WORK_CONSTANT_LINE : WS_WORK_TEXTURE_LINE;
    unsigned n = 0;
    for (unsigned group = 0; group < groups; group++) {
        ws_touch touched[WS_TOUCHES];
        const unsigned more =
            ws_coalesce(WS_ADDRESSES(batch, ev) + (size_t)group * WS_WARP, ev->exec, bytes, size, touched);
        for (unsigned i = 0; i < more; i++)
            line[n++] = touched[i].block;
    }
    return n;
}

/* A line that the warp has just fetched is there, and takes no more time than instruction_chain.h knows. */
static int see_fetch(ws_access_log *log, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    const bool constant = ev->space == WS_SPACE_CONST;
    uint64_t *const last = &log->fetched[ev->warp][constant ? WS_LOG_CONSTANTS : WS_LOG_TEXTURES];
    uint64_t line[WS_TOUCHES];
    const unsigned n = lines_fetched(launch, batch, ev, line);
    if (n == 0 || (n == 1 && line[0] + 1 == *last))
        return see_plain(log, ev);
    ws_log_entry e = {
        .warp = ev->warp, .slack = log->slack[ev->pc], .kind = WS_LOG_FETCH, .flags = constant ? WS_LOG_CONSTANT : 0};
    int status = WS_OK;
    pass_time(log, ev);
    for (unsigned i = 0; i < n && !status; i++) {
        e.line = line[i];
        status = add(log, &e);
        e.flags |= WS_LOG_MORE;
    }
    log->block.fetches += n;
    *last = line[n - 1] + 1;
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    ws_access_log *const log = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        log->block.instructions += ev->count;
        if (ev->kind == WS_EVENT_MEMORY && (ev->space == WS_SPACE_GLOBAL || ev->space == WS_SPACE_LOCAL))
            status = see_access(log, launch, batch, ev);
        else if (ev->kind == WS_EVENT_MEMORY && (ev->space == WS_SPACE_TEXTURE || ev->space == WS_SPACE_CONST))
            status = see_fetch(log, launch, batch, ev);
        else
            status = see_plain(log, ev);
    }
    return status;
}

static void add_totals(ws_log_totals *into, const ws_log_totals *from)
{
    uint64_t *const a = (uint64_t *)into;
    const uint64_t *const b = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *a; i++)
        a[i] += b[i];
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    ws_access_log *const log = p;
    const bool was_full = log->full;
    int status = WS_OK;
    (void)block;
    for (uint32_t warp = 0; warp < launch->warps_per_block && !status; warp++)
        status = add(log, &(ws_log_entry){.warp = (uint16_t)warp, .kind = WS_LOG_END});
    add_totals(&log->total, &log->block);
    if (log->full) {
        if (!was_full)
            log->entries = log->first[log->blocks];
        return status;
    }
    log->first[++log->blocks] = log->entries;
    return status;
}

/* How many of the later range's first blocks fit. */
static size_t blocks_that_fit(const ws_access_log *into, const ws_access_log *from)
{
    size_t n = from->blocks;
    while (n && into->entries + from->first[n] > into->limit)
        n--;
    return n;
}

static int append(ws_access_log *into, const ws_access_log *from, size_t blocks)
{
    const size_t n = from->first[blocks];
    int status = reserve_entries(into, n);
    if (!status)
        status = reserve_blocks(into, blocks);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        ws_log_entry *const e = &into->entry[into->entries + i];
        *e = from->entry[i];
        if (e->kind != WS_LOG_END)
            e->next += (uint32_t)into->entries;
    }
    if (into->blocks == 0)
        into->first[0] = 0;
    for (size_t b = 1; b <= blocks; b++)
        into->first[into->blocks + b] = into->entries + from->first[b];
    into->entries += n;
    into->blocks += blocks;
    return WS_OK;
}

static int merge(void *p, void *q, const ws_launch *launch)
{
    ws_access_log *const into = p;
    const ws_access_log *const from = q;
    (void)launch;
    add_totals(&into->total, &from->total);
    for (unsigned i = 0; i < WS_LOG_CROWDS; i++)
        into->crowds[i] += from->crowds[i];
    const size_t blocks = into->full ? 0 : blocks_that_fit(into, from);
    into->full = into->full || from->full || blocks < from->blocks;
    return blocks ? append(into, from, blocks) : WS_OK;
}

ws_log_totals ws_access_log_kept(const ws_access_log *log)
{
    ws_log_totals t = {0};
    for (size_t i = 0; i < log->entries; i++) {
        const ws_log_entry *const e = &log->entry[i];
        t.instructions += e->before;
        t.fences += e->kind == WS_LOG_FENCE;
        t.wide_fences += e->kind == WS_LOG_FENCE && e->flags & WS_LOG_WIDE;
        t.fetches += e->kind == WS_LOG_FETCH;
        t.instructions += e->kind == WS_LOG_FETCH && !(e->flags & WS_LOG_MORE);
        if (e->kind > WS_LOG_ATOMIC)
            continue;
        t.accesses += !(e->flags & WS_LOG_MORE);
        t.instructions += !(e->flags & WS_LOG_MORE);
        count(&t, e->kind, e->flags, e->mask);
    }
    return t;
}

ws_sink ws_access_log_sink(const size_t *limit)
{
    return (ws_sink){.name = "access_log",
                     .wants = WS_WANT_INSTRUCTIONS,
                     .state_size = sizeof(ws_access_log),
                     .context = (void *)(uintptr_t)limit,
                     .attach = attach,
                     .init = init,
                     .block_begin = block_begin,
                     .events = events,
                     .block_end = block_end,
                     .merge = merge,
                     .fini = fini};
}
