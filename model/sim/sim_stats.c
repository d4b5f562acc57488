/* sim_stats.c - from sums of counts to the columns of a report. */
#include "model/sim/sim_stats.h"

#include <math.h>
#include <string.h>

static const ws_sim_stat rows[] = {
#define STAT(name, unit, value, meaning) {#name, unit, meaning},
#include "model/sim/sim_stats.def"
#undef STAT
};
enum { ROWS = sizeof rows / sizeof *rows, PER_MESSAGE = 2 };

/* Columns of messages: how many, and their bytes on the network. */
static const char *const message_rows[WS_MESSAGE_COUNT][PER_MESSAGE] = {
#define MESSAGE(name, direction, fields, meaning) {"msg_" #name, "bytes_" #name},
#include "model/coherence/messages.def"
#undef MESSAGE
};

size_t ws_sim_stat_count(void)
{
    return ROWS + PER_MESSAGE * WS_MESSAGE_COUNT;
}

ws_sim_stat ws_sim_stat_at(size_t index)
{
    if (index < ROWS)
        return rows[index];
    const size_t type = (index - ROWS) / PER_MESSAGE, column = (index - ROWS) % PER_MESSAGE;
    return (ws_sim_stat){message_rows[type][column], column ? "bytes" : "messages",
                         ws_message_meaning((ws_message_type)type)};
}

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

static double accesses(const ws_cache_counts *c)
{
    return (double)(c->hits + c->misses + c->merged);
}

static double slots(const ws_sim_sums *d, uint64_t some)
{
    const ws_sm_counts *const s = &d->sm;
    return ratio((double)some, (double)(s->issued + s->stall_empty + s->stall_fetch + s->stall_barrier + s->stall_memory +
                                        s->stall_dependency + s->stall_unit + s->stall_load_store + s->stall_order));
}

void ws_sim_stat_values(const ws_sim_sums *d, const ws_machine *m, double *value)
{
#define STAT(name, unit, expression, meaning) *value++ = (double)(expression);
#include "model/sim/sim_stats.def"
#undef STAT
    for (int type = 0; type < WS_MESSAGE_COUNT; type++) {
        *value++ = (double)d->messages[type];
        *value++ = (double)d->message_bytes[type];
    }
}

/* Sums are all unsigned 64-bit counts but for the last members. */
void ws_sim_sums_subtract(const ws_sim_sums *after, const ws_sim_sums *before, ws_sim_sums *difference)
{
    enum { COUNTS = offsetof(ws_sim_sums, greatest_timestamp) / sizeof(uint64_t) };
    uint64_t a[COUNTS], b[COUNTS];
    memcpy(a, after, sizeof a);
    memcpy(b, before, sizeof b);
    for (int i = 0; i < COUNTS; i++)
        a[i] -= b[i];
    *difference = *after;
    memcpy(difference, a, sizeof a);
    difference->request.latency_max = after->request.latency_max;
    difference->reply.latency_max = after->reply.latency_max;
    difference->memory.latency_max = after->memory.latency_max;
}
