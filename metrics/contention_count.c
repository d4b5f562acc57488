/* contention_count.c - one pass over the words of a launch, one over the stream of each SM, one over all
 * SMs in turn. */
#include "metrics/contention.h"

#include "base/lru.h"
#include "base/table.h"
#include "metrics/family.h"

#include <stdlib.h>

enum { LINE_OF_WORD = WS_ATOMIC_LINE_SHIFT - WS_ATOMIC_WORD_SHIFT };

static bool is_atomic(const ws_atomic_record *r)
{
    return r->kind == WS_LOGGED_ATOMIC || r->kind == WS_LOGGED_WORD;
}

/* ---------------------------------------------------------------------------------------------------------- words */

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

static int sum_tops(const ws_table *words, ws_contention *out)
{
    static const size_t top[WS_CONTENTION_TOPS] = {1, 10, 100};
    uint64_t *const count = malloc((words->used + 1) * sizeof *count), word;
    size_t n = 0;
    if (!count)
        return ws_fail(WS_EMEM, "no memory for the words of atomics");
    for (size_t slot = 0; ws_table_next(words, &slot, &word); slot++)
        count[n++] = *(const uint64_t *)ws_table_value(words, slot);
    qsort(count, n, sizeof *count, falling);
    out->words = n;
    out->most = n ? count[0] : 0;
    for (size_t i = 0; i < n; i++) {
        out->strong_words += count[i] > WS_CONTENTION_STRONG;
        for (unsigned t = 0; t < WS_CONTENTION_TOPS; t++)
            out->top[t] += i < top[t] ? count[i] : 0;
    }
    free(count);
    return WS_OK;
}

/* *strong becomes the set of lines with a strongly connected word. */
static int count_words(const ws_atomic_log *log, ws_table *strong, ws_contention *out)
{
    ws_table words = WS_TABLE(uint64_t);
    int status = WS_OK;
    for (size_t i = 0; i < log->records && !status; i++) {
        const ws_atomic_record *const r = &log->record[i];
        size_t slot;
        if (!is_atomic(r))
            continue;
        uint64_t *const lanes = ws_table_put(&words, r->place);
        status = lanes ? WS_OK : WS_EMEM;
        if (lanes && (*lanes += r->lanes) > WS_CONTENTION_STRONG)
            status = ws_table_add(strong, r->place >> LINE_OF_WORD, &slot);
    }
    if (!status)
        status = sum_tops(&words, out);
    ws_table_fini(&words);
    return status;
}

/* ------------------------------------------------------------------------------------ the lines of a warp's atomic */

typedef struct lines {
    uint64_t line[WS_WARP];
    unsigned n;
} lines;

/* Whether the record is of a line that the atomic it belongs to did not have before. */
static bool begins_line(lines *l, const ws_atomic_record *r)
{
    const uint64_t line = r->place >> LINE_OF_WORD;
    l->n = r->kind == WS_LOGGED_ATOMIC ? 0 : l->n;
    for (unsigned i = 0; i < l->n; i++)
        if (l->line[i] == line)
            return false;
    l->line[l->n++] = line;
    return true;
}

/* --------------------------------------------------------------------------------------------- the stream of an SM */

typedef struct last_update {
    uint8_t op;    /* plus one */
    uint32_t time; /* in the stack of all lines */
} last_update;

typedef struct stream {
    ws_lru atomics, all; /* lines of atomics; of data, too */
    ws_table last;       /* line -> last_update, on this SM */
    const ws_table *strong;
    lines lines;
} stream;

static void count_reuse(const stream *s, uint64_t line, uint64_t distance, uint64_t beside, bool same,
                        ws_contention *out)
{
    const unsigned bin = ws_log2_bin(distance, WS_CONTENTION_BINS);
    const bool strong = ws_table_has(s->strong, line);
    out->reuse[bin]++;
    out->combined[bin] += same;
    out->distance += distance;
    out->beside += beside;
    out->strong += strong;
    out->strong_distance += strong ? distance : 0;
}

/* The line is there. */
static uint64_t others_since(const ws_lru *all, uint64_t line, uint32_t time)
{
    return ws_lru_since(all, time) - (all->at[ws_lru_find(all, line)].time > time);
}

static int update(stream *s, const ws_atomic_record *r, ws_contention *out)
{
    const uint64_t line = r->place >> LINE_OF_WORD;
    uint64_t distance, used;
    last_update *const last = ws_table_put(&s->last, line);
    if (!last)
        return WS_EMEM;
    int status = ws_lru_use(&s->atomics, line, &distance);
    const uint64_t beside = distance == WS_LRU_FAR ? 0 : others_since(&s->all, line, last->time);
    if (!status)
        status = ws_lru_use(&s->all, line, &used);
    if (status)
        return status;
    const bool same = last->op == r->op + 1;
    out->updates++;
    out->mixed += last->op && !same;
    *last = (last_update){.op = (uint8_t)(r->op + 1), .time = s->all.now - 1};
    if (distance == WS_LRU_FAR)
        out->first++;
    else
        count_reuse(s, line, distance, beside, same, out);
    return WS_OK;
}

static int see(stream *s, const ws_atomic_record *r, ws_contention *out)
{
    uint64_t distance;
    switch ((ws_atomic_kind)r->kind) {
    case WS_LOGGED_FENCE:
        ws_lru_clear(&s->atomics);
        ws_lru_clear(&s->all);
        return WS_OK;
    case WS_LOGGED_DATA:
        return ws_lru_use(&s->all, r->place, &distance);
    case WS_LOGGED_ATOMIC:
    case WS_LOGGED_WORD:
    default:
        return begins_line(&s->lines, r) ? update(s, r, out) : WS_OK;
    }
}

static int count_sm(const ws_atomic_log *log, const uint32_t *index, size_t n, const ws_table *strong,
                    ws_contention *out)
{
    stream s = {.last = WS_TABLE(last_update), .strong = strong};
    ws_lru_init(&s.atomics, WS_LRU_MOST);
    ws_lru_init(&s.all, WS_LRU_MOST);
    int status = ws_lru_reserve(&s.all, 0, n);
    for (size_t i = 0; i < n && !status; i++)
        status = see(&s, &log->record[index[i]], out);
    out->sms += s.last.used > 0;
    out->lines += s.last.used;
    out->lines_most = s.last.used > out->lines_most ? s.last.used : out->lines_most;
    ws_lru_fini(&s.atomics);
    ws_lru_fini(&s.all);
    ws_table_fini(&s.last);
    return status;
}

/* ------------------------------------------------------------------------------------------------- all SMs in turn */

/* The last user of a word, and when one that differs from it by warp, by thread block, by SM was there last; times
 * count from 1. */
typedef struct user {
    uint32_t time, block, other[WS_CONTENDERS];
    uint16_t warp;
} user;

static bool differs(const user *u, const ws_atomic_record *r, ws_contender by)
{
    const bool sm = u->block % WS_ATOMIC_SMS != r->block % WS_ATOMIC_SMS, block = u->block != r->block;
    return by == WS_OTHER_SM ? sm : by == WS_OTHER_BLOCK ? block : block || u->warp != r->warp;
}

static void collide(user *u, const ws_atomic_record *r, uint32_t now, ws_contention *out)
{
    out->lanes += r->lanes;
    out->in_warp += r->lanes > 1 ? r->lanes : 0;
    for (unsigned by = 0; by < WS_CONTENDERS && u->time; by++) {
        if (differs(u, r, by))
            u->other[by] = u->time;
        out->by[by] += u->other[by] && now - u->other[by] <= WS_CONTENTION_WINDOW ? r->lanes : 0;
    }
    u->time = now;
    u->block = r->block;
    u->warp = r->warp;
}

typedef struct turns {
    ws_table words; /* -> user */
    ws_table owner; /* line -> uint32_t, the last SM plus one */
    lines lines;
    uint32_t now;
} turns;

static int take(turns *t, const ws_atomic_record *r, ws_contention *out)
{
    const uint32_t me = r->block % WS_ATOMIC_SMS + 1;
    user *const u = ws_table_put(&t->words, r->place);
    if (!u)
        return WS_EMEM;
    collide(u, r, t->now, out);
    if (!begins_line(&t->lines, r))
        return WS_OK;
    uint32_t *const owner = ws_table_put(&t->owner, r->place >> LINE_OF_WORD);
    if (!owner)
        return WS_EMEM;
    out->migrations += *owner && *owner != me;
    *owner = me;
    return WS_OK;
}

/* The SM's next atomic, if it has one: with all its words. */
static int take_turn(turns *t, const ws_atomic_log *log, const uint32_t *index, size_t *at, size_t end,
                     ws_contention *out)
{
    int status = WS_OK;
    while (*at < end && log->record[index[*at]].kind != WS_LOGGED_ATOMIC)
        ++*at;
    t->now += *at < end;
    for (bool begun = false; *at < end && !status; begun = true, ++*at) {
        const ws_atomic_record *const r = &log->record[index[*at]];
        if (r->kind != (begun ? WS_LOGGED_WORD : WS_LOGGED_ATOMIC))
            break;
        status = take(t, r, out);
    }
    return status;
}

static int count_turns(const ws_atomic_log *log, const uint32_t *index, const size_t begin[WS_ATOMIC_SMS + 1],
                       ws_contention *out)
{
    turns t = {.words = WS_TABLE(user), .owner = WS_TABLE(uint32_t)};
    size_t at[WS_ATOMIC_SMS], left = log->records;
    int status = WS_OK;
    for (unsigned sm = 0; sm < WS_ATOMIC_SMS; sm++)
        at[sm] = begin[sm];
    while (left && !status)
        for (unsigned sm = 0; sm < WS_ATOMIC_SMS && !status; sm++) {
            const size_t before = at[sm];
            status = take_turn(&t, log, index, &at[sm], begin[sm + 1], out);
            left -= at[sm] - before;
        }
    ws_table_fini(&t.words);
    ws_table_fini(&t.owner);
    return status;
}

int ws_contention_count(const ws_atomic_log *log, ws_contention *out)
{
    uint32_t *index = NULL;
    size_t begin[WS_ATOMIC_SMS + 1];
    ws_table strong = {0};
    int status = count_words(log, &strong, out);
    if (!status)
        status = ws_atomic_log_by_sm(log, &index, begin);
    for (unsigned sm = 0; sm < WS_ATOMIC_SMS && !status; sm++)
        if (begin[sm] < begin[sm + 1])
            status = count_sm(log, index + begin[sm], begin[sm + 1] - begin[sm], &strong, out);
    if (!status)
        status = count_turns(log, index, begin, out);
    ws_table_fini(&strong);
    free(index);
    return status;
}
