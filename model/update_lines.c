/* update_lines.c - see update_lines.h. */
#include "model/update_lines.h"

#include "base/bits.h"
#include "base/lru.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = WS_PROFILE_SETS, DEPTH = WS_PROFILE_DEPTH, WAYS = WS_PROFILE_BINS - 1 };

/* Depths are those at which the line lay when it was used: the most since its last update, and since its data came. */
typedef struct entry {
    uint32_t words[WAYS]; /* of updates, in an L1 of ws_profile_edge[] ways */
    uint32_t code;        /* of the last update; 0: none since it was sent */
    uint32_t since_update, since_data;
} entry;

struct ws_update_lines {
    ws_traffic_rung *to;
    ws_lru *set;           /* [sms][SETS] */
    entry (*entry)[DEPTH]; /* of each set, at their places */
    uint32_t sms;
};

int ws_update_lines_create(uint32_t sms, ws_traffic_rung *to, ws_update_lines **out)
{
    ws_update_lines *const l = *out = calloc(1, sizeof *l);
    if (l)
        *l = (ws_update_lines){.to = to,
                               .sms = sms,
                               .set = ws_lru_sets_create((size_t)sms * SETS, DEPTH),
                               .entry = calloc((size_t)sms * SETS, sizeof *l->entry)};
    if (l && l->set && l->entry)
        return WS_OK;
    ws_update_lines_destroy(l);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for a profile");
}

void ws_update_lines_destroy(ws_update_lines *l)
{
    if (!l)
        return;
    ws_lru_sets_destroy(l->set);
    free(l->entry);
    free(l);
}

static void leave(ws_update_lines *l, entry *e, unsigned way)
{
    l->to->beside_words[way] += ws_popcount(e->words[way]);
    e->words[way] = 0;
}

static void leave_all(ws_update_lines *l, entry *e)
{
    for (unsigned i = 0; i < WAYS; i++)
        leave(l, e, i);
    e->code = 0;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static size_t set_of(uint32_t sm, uint64_t line)
{
    return (size_t)sm * SETS + line % SETS;
}

/* The line in its set, where it lay at *depth; DEPTH: it was not there, and has neither data nor updates. */
static entry *use(ws_update_lines *l, uint32_t sm, uint64_t line, uint32_t *depth)
{
    const size_t set = set_of(sm, line);
    uint64_t distance;
    ws_lru_use(&l->set[set], line, &distance);
    entry *const e = &l->entry[set][ws_lru_first(&l->set[set])];
    *depth = distance < DEPTH ? (uint32_t)distance : DEPTH;
    if (*depth == DEPTH) {
        leave_all(l, e);
        *e = (entry){.since_update = DEPTH, .since_data = DEPTH};
    }
    e->since_update = larger(e->since_update, *depth);
    e->since_data = larger(e->since_data, *depth);
    return e;
}

void ws_update_lines_load(ws_update_lines *l, uint32_t sm, uint64_t line, bool poll)
{
    uint32_t depth;
    entry *const e = use(l, sm, line, &depth);
    if (!poll) {
        l->to->beside_loads[0][ws_profile_bin(e->since_data)]++;
        l->to->beside_loads[1][ws_profile_bin(depth)]++;
    }
    e->since_data = 0;
}

void ws_update_lines_update(ws_update_lines *l, uint32_t sm, uint64_t line, uint32_t words, uint32_t code)
{
    uint32_t depth;
    entry *const e = use(l, sm, line, &depth);
    const unsigned bin = e->code == code ? ws_profile_bin(e->since_update) : WS_PROFILE_BINS - 1;
    l->to->beside_updates[bin]++;
    l->to->beside_fetches[ws_profile_bin(depth)]++;
    for (unsigned i = 0; i < WAYS; i++) {
        if (i < bin)
            leave(l, e, i);
        e->words[i] |= words;
    }
    e->code = code;
    e->since_update = 0;
}

void ws_update_lines_drop(ws_update_lines *l, uint32_t sm, uint64_t line)
{
    const size_t set = set_of(sm, line);
    const uint32_t place = ws_lru_find(&l->set[set], line);
    if (place == WS_LRU_NONE)
        return;
    leave_all(l, &l->entry[set][place]);
    ws_lru_drop(&l->set[set], place);
}

void ws_update_lines_flush(ws_update_lines *l, uint32_t sm)
{
    for (size_t set = set_of(sm, 0); set < set_of(sm + 1, 0); set++)
        for (uint32_t place = 0; place < l->set[set].places; place++)
            leave_all(l, &l->entry[set][place]);
}
