/* keep.c - turns of loops of an SM's first warps, and how many of them a cache has room for. */
#include "model/mechanism/divergence/keep.h"

#include "base/status.h"
#include "model/cache/trace_cache.h"

#include <stdbool.h>
#include <stdlib.h>

enum { TURN_LOADS = 256, TURN_LINES = 4096 }; /* of a warp, at most: more fills any cache of an SM */

/* What a warp loads in one turn. */
typedef struct turn {
    ws_trace_load load[TURN_LOADS];
    uint64_t line[TURN_LINES];
    size_t loads, lines;
    bool divergent;
} turn;

typedef struct reader {
    const ws_log_entry *log;
    uint32_t entry;
    uint32_t *seen; /* [instrs + 1] stamp of the turn in which a load was executed */
    uint32_t stamp;
} reader;

static bool is_load(const ws_log_entry *e)
{
    return e->kind == WS_LOG_LOAD && !(e->flags & (WS_LOG_LOCAL | WS_LOG_POLL));
}

/* Reads the next turn; false when the warp has no more. */
static bool read_turn(reader *r, uint32_t warp, turn *t)
{
    t->loads = t->lines = 0;
    t->divergent = false;
    r->stamp++;
    for (const ws_log_entry *e = &r->log[r->entry]; e->kind != WS_LOG_END; e = &r->log[r->entry]) {
        const bool first = !(e->flags & WS_LOG_MORE);
        if (!is_load(e) || t->loads + first > TURN_LOADS || t->lines == TURN_LINES) {
            r->entry = e->next;
            continue;
        }
        if (first && r->seen[e->pc] == r->stamp)
            return true;
        r->seen[e->pc] = r->stamp;
        if (first)
            t->load[t->loads++] = (ws_trace_load){.line = &t->line[t->lines], .pc = e->pc, .warp = warp};
        t->line[t->lines++] = e->line;
        t->load[t->loads - 1].lines++;
        t->divergent |= ws_load_class_of(t->load[t->loads - 1].lines) == WS_LOAD_DIVERGENT;
        r->entry = e->next;
    }
    return t->loads > 0;
}

/* The turn of that number, or, with *number 0, the first but one with a divergent load, and which it is. */
static bool find_turn(reader *r, uint32_t warp, uint32_t *number, turn *t)
{
    for (uint32_t i = 1; read_turn(r, warp, t); i++)
        if (*number ? i == *number : i > 1 && t->divergent) {
            *number = i;
            return true;
        }
    return false;
}

static uint32_t first_entry(const ws_access_log *log, uint64_t block, uint32_t warp)
{
    uint64_t i = log->first[block];
    while (log->entry[i].warp != warp)
        i++;
    return (uint32_t)i;
}

static int count_warps(const ws_walk_machine *m, turn *t, size_t turns, uint32_t *warps)
{
    size_t loads = 0, n = 0;
    for (size_t i = 0; i < turns; i++)
        loads += t[i].loads;
    ws_trace_load *const all = malloc((loads + 1) * sizeof *all);
    if (!all)
        return ws_fail(WS_EMEM, "no memory for the loads of warps");
    for (size_t i = 0; i < turns; i++)
        for (size_t k = 0; k < t[i].loads; k++)
            all[n++] = t[i].load[k];
    const int status = ws_trace_cache_warps(&m->l1, m->l1_sets, m->l1_ways, all, n, 0, warps);
    free(all);
    return status;
}

int ws_walk_keeps(const ws_walk_machine *m, const ws_access_log *log, const ws_launch *launch, uint32_t *warps)
{
    const uint32_t residents = ws_walk_residents(m, launch), n = log->warps_per_block;
    uint32_t number = 0, found = 0;
    turn *const t = calloc(WS_WALK_WARPS, sizeof *t);
    reader r = {.log = log->entry, .seen = calloc(launch->instrs + 1, sizeof *r.seen)};
    int status = t && r.seen ? WS_OK : ws_fail(WS_EMEM, "no memory for the loads of warps");
    *warps = 0;
    for (uint64_t at = 0; at < residents && at * m->sms < log->blocks && !status; at++)
        for (uint32_t warp = 0; warp < n && found < WS_WALK_WARPS && (number || !found); warp++) {
            r.entry = first_entry(log, at * m->sms, warp);
            if (!find_turn(&r, found, &number, &t[found]) && !number)
                goto done; /* the oldest warp has no such turn */
            found++;
        }
    if (!status && found)
        status = count_warps(m, t, found, warps);
done:
    free(t);
    free(r.seen);
    return status;
}
