/* update_reuse.c - see update_reuse.h. */
#include "model/mechanism/atomics/update_reuse.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/lru.h"
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
    ws_table line;           /* -> line_state, of the SM */
    ws_table word;           /* address of a word -> lanes, of the SM */
    const uint8_t *migrates; /* [records] that is another one's */
    uint64_t hottest;
    size_t lines;  /* of updates, of the SM */
    ws_table seen; /* lines of updates of the SM in the launch */
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
    uint64_t distance;
    int status = ws_lru_use(&p->updates, r->line, &distance);
    /* The buffer forgets at ordering points, so a line that is in its stack has an operation. */
    if (!status)
        status = ws_distances_add(distance != WS_LRU_FAR && state->code != r->code ? &p->to->mismatches : &p->to->hits,
                                  distance, 1);
    if (!status)
        status = ws_distances_add(&p->to->phi, state->code == r->code ? state->most : WS_LRU_FAR, 1);
    if (!status && !ws_table_put(&p->seen, r->line))
        status = WS_EMEM;
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
    const size_t lines = p->updates.lines;
    const int status = lines ? ws_distances_add(&p->to->ends, lines - 1, 1) : WS_OK;
    uint64_t line;
    for (size_t i = 0; lines && ws_table_next(&p->line, &i, &line); i++)
        ((line_state *)ws_table_value(&p->line, i))->code = 0;
    ws_lru_clear(&p->updates);
    return status;
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
    line_state *const state = status ? NULL : ws_table_put(&p->line, r->line);
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
    ws_table_clear(&p->line);
    ws_table_clear(&p->word);
    ws_table_clear(&p->seen);
    p->hottest = 0;
}

static int run_sm(pass *p, const ws_update_step *steps, size_t count_of, uint32_t sm, uint64_t *hottest)
{
    int status = WS_OK;
    forget_sm(p);
    for (size_t i = 0; i < count_of && !status; i++)
        if (steps[i].sm == sm)
            status = take(p, steps[i].record);
    if (!status)
        status = point(p);
    const double lines = (double)p->seen.used;
    p->to->lines_of_sm += lines;
    p->to->lines_most = lines > p->to->lines_most ? lines : p->to->lines_most;
    p->to->sms += lines > 0;
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
    pass p = {.to = reuse,
              .log = log,
              .line = WS_TABLE(line_state),
              .word = WS_TABLE(uint64_t),
              .seen = WS_TABLE(uint8_t),
              .migrates = migrates};
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
        status = run_sm(&p, sorted + first[sm], first[sm + 1] - first[sm], sm, &hottest);
    reuse->hottest_of_sm += (double)hottest;
    for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; i++)
        ws_lru_fini(stacks[i]);
    ws_table_fini(&p.line);
    ws_table_fini(&p.word);
    ws_table_fini(&p.seen);
    free(migrates);
    free(first);
    free(sorted);
    return status;
}

void ws_update_reuse_fini(ws_update_reuse *r)
{
    ws_distances *const all[] = {&r->hits,         &r->mismatches,        &r->ends, &r->phi, &r->loads, &r->load_bytes,
                                 &r->loads_beside, &r->load_bytes_beside, &r->owned};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->at);
    *r = (ws_update_reuse){0};
}

/* ------------------------------------------------------------------------------------------------ buffers */

ws_update_buffer ws_update_buffer_from(double requests, const ws_distances *hits, const ws_distances *mismatches,
                                       const ws_distances *ends, double lines)
{
    ws_update_buffer b = {.hits = ws_distances_below(hits, lines), .mismatches = ws_distances_below(mismatches, lines)};
    b.misses = requests - b.hits;
    for (size_t i = 0; i < ends->count; i++)
        b.flushed += ends->at[i] * fmin((double)(i + 1), lines);
    b.evictions = b.misses - b.mismatches - b.flushed;
    return b;
}

ws_update_buffer ws_update_buffer_of(const ws_update_reuse *r, double lines)
{
    return ws_update_buffer_from(r->kinds[WS_UPDATE_ADDS], &r->hits, &r->mismatches, &r->ends, lines);
}
