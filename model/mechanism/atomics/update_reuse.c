/* update_reuse.c - see update_reuse.h. */
#include "model/mechanism/atomics/update_reuse.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4, SECTOR_WORDS = 8, SECTOR_BYTES = 32 };

/* ------------------------------------------------------------------------------------------------ distances */

int ws_distances_add(ws_distances *d, uint64_t distance, double by)
{
    if (distance == WS_LRU_FAR) {
        d->beyond += by;
        return WS_OK;
    }
    if (distance >= d->count) {
        const size_t more = (size_t)distance + 1 - d->count;
        if (WS_GROW(d->at, d->room, d->count, more))
            return WS_EMEM;
        memset(d->at + d->count, 0, more * sizeof *d->at);
        d->count += more;
    }
    d->at[distance] += by;
    return WS_OK;
}

double ws_distances_below(const ws_distances *d, double size)
{
    double sum = 0;
    for (size_t i = 0; i < d->count && (double)i < size; i++)
        sum += d->at[i];
    return sum;
}

double ws_distances_all(const ws_distances *d)
{
    return ws_distances_below(d, INFINITY) + d->beyond;
}

/* ------------------------------------------------------------------------------------------------ buffers */

int ws_buffer_reuse_use(ws_buffer_reuse *r, ws_lru *stack, uint64_t line, bool same)
{
    uint64_t distance;
    const int status = ws_lru_use(stack, line, &distance);
    return status ? status : ws_distances_add(distance != WS_LRU_FAR && !same ? &r->mismatches : &r->hits, distance, 1);
}

int ws_buffer_reuse_end(ws_buffer_reuse *r, ws_lru *stack)
{
    const int status = stack->lines ? ws_distances_add(&r->ends, stack->lines - 1, 1) : WS_OK;
    ws_lru_clear(stack);
    return status;
}

void ws_buffer_reuse_fini(ws_buffer_reuse *r)
{
    free(r->hits.at);
    free(r->mismatches.at);
    free(r->ends.at);
}

ws_update_buffer ws_buffer_reuse_of(const ws_buffer_reuse *r, double requests, double lines)
{
    ws_update_buffer b = {.hits = ws_distances_below(&r->hits, lines),
                          .mismatches = ws_distances_below(&r->mismatches, lines)};
    b.misses = requests - b.hits;
    for (size_t i = 0; i < r->ends.count; i++)
        b.flushed += r->ends.at[i] * fmin((double)(i + 1), lines);
    b.evictions = b.misses - b.mismatches - b.flushed;
    return b;
}

ws_update_buffer ws_update_buffer_of(const ws_update_reuse *r, double lines)
{
    return ws_buffer_reuse_of(&r->buffer, r->kinds[WS_UPDATE_ADDS], lines);
}

/* ------------------------------------------------------------------------------------------------ a launch */

/* A line in an SM. */
typedef struct line_state {
    uint32_t code;       /* of the last update; 0: none since it was sent */
    uint64_t most;       /* largest distance, among data and atomics, since that */
    uint64_t most_owned; /* since the last atomic */
} line_state;

typedef struct pass {
    ws_update_reuse *to;
    const ws_update_log *log;
    ws_lru updates, loads, both;
    line_state *line; /* [lines] of the SM, at their places in `both` */
    size_t lines, room;
    ws_table word;           /* address of a word -> lanes, of the SM */
    const uint8_t *migrates; /* [records] that is another one's */
    uint64_t hottest;
    bool updated; /* the SM had updates */
} pass;

static double sector_bytes(uint32_t words)
{
    double bytes = 0;
    for (unsigned first = 0; first < WS_UPDATE_WORDS; first += SECTOR_WORDS)
        bytes += words >> first & 0xff ? SECTOR_BYTES : 0;
    return bytes;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The most lanes that want one word of the request. */
static void count_rounds(pass *p, const ws_update_record *r)
{
    const uint8_t *const lanes = p->log->lanes + r->lanes;
    const unsigned words = ws_popcount(r->words);
    unsigned most = 1;
    for (unsigned i = 0; i < words; i++)
        most = lanes[i] > most ? lanes[i] : most;
    p->to->rounds[r->kind] += most;
}

static int put_words(pass *p, const ws_update_record *r)
{
    const uint8_t *lanes = p->log->lanes + r->lanes;
    WS_EACH_LANE (word, r->words) {
        uint64_t *const sum = *lanes ? ws_table_put(&p->word, r->line * WS_UPDATE_WORDS + word) : NULL;
        if (*lanes && !sum)
            return WS_EMEM;
        if (sum) {
            *sum += *lanes;
            p->hottest = larger(p->hottest, *sum);
            p->to->lanes += *lanes;
            p->to->lane_bytes += *lanes * (double)(WORD_BYTES * ws_update_element(r));
        }
        lanes++;
    }
    return WS_OK;
}

static int update(pass *p, const ws_update_record *r, line_state *state)
{
    const bool same = state->code == r->code;
    int status = ws_buffer_reuse_use(&p->to->buffer, &p->updates, r->line, same);
    if (!status)
        status = ws_distances_add(&p->to->phi, same ? state->most : WS_LRU_FAR, 1);
    p->updated = true;
    p->to->sectors += sector_bytes(r->words) / SECTOR_BYTES;
    state->code = r->code;
    state->most = 0;
    return status ? status : put_words(p, r);
}

static int load(pass *p, const ws_update_record *r, uint64_t beside)
{
    uint64_t distance;
    const double bytes = sector_bytes(r->words);
    int status = ws_lru_use(&p->loads, r->line, &distance);
    if (!status)
        status = ws_distances_add(&p->to->loads, distance, 1);
    if (!status)
        status = ws_distances_add(&p->to->load_bytes, distance, bytes);
    if (!status)
        status = ws_distances_add(&p->to->loads_beside, beside, 1);
    return status ? status : ws_distances_add(&p->to->load_bytes_beside, beside, bytes);
}

/* All updates of the SM are sent. */
static int point(pass *p)
{
    for (uint32_t place = 0; p->updates.lines && place < p->both.places; place++)
        p->line[place].code = 0;
    return ws_buffer_reuse_end(&p->to->buffer, &p->updates);
}

/* Of the line that was used last; NULL: no memory. */
static line_state *state_of_last(pass *p, uint64_t distance)
{
    const uint32_t place = ws_lru_first(&p->both);
    if (place == p->lines) {
        if (WS_GROW(p->line, p->room, p->lines, 1))
            return NULL;
        p->lines++;
    }
    if (distance == WS_LRU_FAR)
        p->line[place] = (line_state){0};
    return &p->line[place];
}

static int take(pass *p, size_t record)
{
    const ws_update_record *const r = &p->log->record[record];
    p->to->kinds[r->kind]++;
    p->to->bytes[r->kind] += WORD_BYTES * ws_popcount(r->words);
    if (r->kind == WS_UPDATE_POINT)
        return point(p);
    if (r->kind == WS_UPDATE_STORE)
        return WS_OK; /* takes no line of the L1 */
    uint64_t distance;
    int status = ws_lru_use(&p->both, r->line, &distance);
    line_state *const state = status ? NULL : state_of_last(p, distance);
    if (!state)
        return WS_EMEM;
    state->most = larger(state->most, distance);
    state->most_owned = larger(state->most_owned, distance);
    if (r->kind == WS_UPDATE_LOAD)
        return load(p, r, distance);
    const bool own = !p->migrates[record];
    count_rounds(p, r);
    status = ws_distances_add(&p->to->owned, own ? state->most_owned : WS_LRU_FAR, 1);
    state->most_owned = 0;
    return status || r->kind != WS_UPDATE_ADDS ? status : update(p, r, state);
}

static void forget_sm(pass *p)
{
    ws_lru_clear(&p->loads);
    ws_lru_clear(&p->both);
    ws_table_clear(&p->word);
    p->hottest = 0;
    p->updated = false;
}

static int run_sm(pass *p, const ws_update_step *steps, size_t count_of, uint64_t *hottest)
{
    int status = WS_OK;
    forget_sm(p);
    for (size_t i = 0; i < count_of && !status; i++)
        status = take(p, steps[i].record);
    if (!status)
        status = point(p);
    p->to->sms += p->updated;
    *hottest = larger(*hottest, p->hottest);
    return status;
}

/* Which atomics are of a line whose last one another SM did, or nobody? */
static int find_migrations(const ws_update_log *log, const ws_update_step *steps, uint8_t *migrates, double *sum)
{
    ws_table owner = WS_TABLE(uint32_t);
    int status = WS_OK;
    for (size_t i = 0; i < log->records && !status; i++) {
        const ws_update_record *const r = &log->record[steps[i].record];
        if (r->kind != WS_UPDATE_ADDS && r->kind != WS_UPDATE_OTHER)
            continue;
        uint32_t *const last = ws_table_put(&owner, r->line);
        if (!last) {
            status = WS_EMEM;
            break;
        }
        migrates[steps[i].record] = *last != steps[i].sm + 1;
        *sum += *last && *last != steps[i].sm + 1;
        *last = steps[i].sm + 1;
    }
    ws_table_fini(&owner);
    return status;
}

/* Lanes of updates on the most wanted word of the launch. */
static int find_hottest(const ws_update_log *log, double *sum)
{
    ws_table word = WS_TABLE(uint64_t);
    uint64_t most = 0;
    int status = WS_OK;
    for (size_t i = 0; i < log->records && !status; i++) {
        const ws_update_record *const r = &log->record[i];
        const uint8_t *lanes = log->lanes + r->lanes;
        for (uint32_t rest = r->kind == WS_UPDATE_ADDS ? r->words : 0; rest && !status; rest &= rest - 1, lanes++) {
            uint64_t *const n = ws_table_put(&word, r->line * WS_UPDATE_WORDS + (unsigned)__builtin_ctz(rest));
            status = n ? WS_OK : WS_EMEM;
            most = n ? larger(most, *n += *lanes) : most;
        }
    }
    ws_table_fini(&word);
    *sum += (double)most;
    return status;
}

/* Steps by SM, each SM's in its order. */
static ws_update_step *by_sm(const ws_update_step *steps, size_t count_of, uint32_t sms, size_t *first)
{
    ws_update_step *const sorted = malloc((count_of + 1) * sizeof *sorted);
    if (!sorted)
        return NULL;
    memset(first, 0, (sms + 1) * sizeof *first);
    for (size_t i = 0; i < count_of; i++)
        first[steps[i].sm + 1]++;
    for (uint32_t i = 0; i < sms; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < count_of; i++)
        sorted[first[steps[i].sm]++] = steps[i];
    for (uint32_t i = sms; i; i--)
        first[i] = first[i - 1];
    first[0] = 0;
    return sorted;
}

int ws_update_reuse_add(ws_update_reuse *reuse, const ws_update_log *log, const ws_update_step *steps, uint32_t sms)
{
    uint8_t *const migrates = calloc(log->records + 1, 1);
    size_t *const first = calloc(sms + 1, sizeof *first);
    ws_update_step *const sorted = first ? by_sm(steps, log->records, sms, first) : NULL;
    pass p = {.to = reuse, .log = log, .word = WS_TABLE(uint64_t), .migrates = migrates};
    uint64_t hottest = 0;
    int status = migrates && sorted ? WS_OK : ws_fail(WS_EMEM, "no memory for the updates of a launch");
    ws_lru *const stacks[] = {&p.updates, &p.loads, &p.both};
    for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; i++)
        ws_lru_init(stacks[i], WS_LRU_MOST);
    if (!status)
        status = find_migrations(log, steps, migrates, &reuse->migrations);
    if (!status)
        status = find_hottest(log, &reuse->hottest);
    for (uint32_t sm = 0; sm < sms && !status; sm++)
        status = run_sm(&p, sorted + first[sm], first[sm + 1] - first[sm], &hottest);
    reuse->hottest_of_sm += (double)hottest;
    for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; i++)
        ws_lru_fini(stacks[i]);
    free(p.line);
    ws_table_fini(&p.word);
    free(migrates);
    free(first);
    free(sorted);
    return status;
}

void ws_update_reuse_fini(ws_update_reuse *r)
{
    ws_distances *const all[] = {&r->phi,  &r->loads, &r->load_bytes, &r->loads_beside, &r->load_bytes_beside,
                                 &r->owned};
    ws_buffer_reuse_fini(&r->buffer);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->at);
    *r = (ws_update_reuse){0};
}
