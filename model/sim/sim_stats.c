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

/* Of what is added up, the difference; of the greatest, that of `after`. */
#define SUM(name)  difference->name -= before->name;
#define MOST(name)

static void subtract_cache(ws_cache_counts *difference, const ws_cache_counts *before)
{
#define COUNT(name, meaning) SUM(name)
#include "model/sim/cache_counts.def"
#undef COUNT
}

static void subtract_sm(ws_sm_counts *difference, const ws_sm_counts *before)
{
#define COUNT(name, unit, meaning) SUM(name)
#include "model/sim/sm_counts.def"
#undef COUNT
}

static void subtract_network(ws_network_totals *difference, const ws_network_totals *before)
{
#define COUNT(name, combine, meaning) combine(name)
#include "model/sim/network_counts.def"
#undef COUNT
}

static void subtract_memory(ws_dram_totals *difference, const ws_dram_totals *before)
{
#define COUNT(name, combine, meaning) combine(name)
#include "model/sim/dram_counts.def"
#undef COUNT
}

void ws_sim_sums_subtract(const ws_sim_sums *after, const ws_sim_sums *before, ws_sim_sums *out)
{
    ws_sim_sums copy = *after, *const difference = &copy;
    SUM(cycles)
    subtract_sm(&difference->sm, &before->sm);
    subtract_cache(&difference->l1, &before->l1);
    subtract_cache(&difference->texture, &before->texture);
    subtract_cache(&difference->constant, &before->constant);
    subtract_cache(&difference->l2, &before->l2);
    for (int type = 0; type < WS_MESSAGE_COUNT; type++) {
        SUM(messages[type])
        SUM(message_bytes[type])
    }
    SUM(read_only_messages)
    SUM(read_only_bytes)
    subtract_network(&difference->request, &before->request);
    subtract_network(&difference->reply, &before->reply);
    SUM(request_stalls)
    SUM(reply_stalls)
    subtract_memory(&difference->memory, &before->memory);
    SUM(memory_cycles)
    SUM(timestamp_resets)
    *out = copy;
}
