/* register_banks.c - ports of banks of registers: how many turns rows take, how long rows wait, what that costs.
 *
 * A bank is a queue of reads and writes whose service is that of each, M/G/1: with rates l and services s of both, a
 * row waits for sum(l s^2) / (2 (1 - sum(l s))) cycles (Pollaczek and Khinchine; Kleinrock, Queueing Systems, volume 1,
 * 1975, 5.6), and no longer than all other warps of the SM, or all places of the buffers, could keep the bank. */
#include "model/memory/memory_internal.h"

#include <math.h>

double ws_memory_turns(const ws_memory_setup *s, const ws_memory_launch *l)
{
    const ws_launch_values *const v = l->values;
    return s->port && v->row_writes ? (double)v->port_turns[__builtin_ctz(s->port)] / (double)v->row_writes : 1;
}

double ws_memory_row_cycles(const ws_memory_setup *s, const ws_memory_launch *l)
{
    return s->write_cycles + (s->width ? s->read_cycles : 0) + ws_memory_turns(s, l) - 1;
}

double ws_memory_bank_wait_most(const ws_memory_setup *s, const ws_memory_launch *l)
{
    const double others = s->waiting ? s->waiting : l->warps_per_block * l->residents - 1;
    return fmax(0, others) * ws_memory_row_cycles(s, l);
}

/* Of all rows, those of banks of the machine; profiles have WS_VALUE_BANKS of them. Banks of a machine that has more
 * are evenly loaded. */
static unsigned shares_of(const ws_memory_setup *s, const ws_memory_launch *l, double share[WS_VALUE_BANKS])
{
    const ws_launch_values *const v = l->values;
    const uint32_t banks = s->chip->part[s->part].banks;
    const unsigned n = banks < WS_VALUE_BANKS ? banks : WS_VALUE_BANKS;
    for (unsigned i = 0; i < WS_VALUE_BANKS; i++)
        share[i] = 0;
    for (unsigned i = 0; i < WS_VALUE_BANKS; i++)
        share[i % n] += ws_memory_ratio((double)v->bank_writes[i], (double)v->row_writes);
    for (unsigned i = 0; i < n && banks > WS_VALUE_BANKS; i++)
        share[i] = 1. / banks;
    return n;
}

static double wait_at(const ws_memory_setup *s, const ws_memory_launch *l, double share, double cycles)
{
    const double write = ws_memory_row_cycles(s, l), read = s->read_cycles, most = ws_memory_bank_wait_most(s, l);
    const double writes = ws_memory_ratio(share * l->row_writes, l->busy_sms * cycles);
    const double reads = ws_memory_ratio(share * l->row_reads, l->busy_sms * cycles);
    const double busy = writes * write + reads * read;
    return busy < 1 ? fmin(most, (writes * write * write + reads * read * read) / (2 * (1 - busy))) : most;
}

double ws_memory_bank_wait(const ws_memory_setup *s, const ws_memory_launch *l, double cycles)
{
    double share[WS_VALUE_BANKS], wait = 0, all = 0;
    const unsigned n = shares_of(s, l, share);
    for (unsigned i = 0; i < n; i++) {
        wait += share[i] * wait_at(s, l, share[i], cycles);
        all += share[i];
    }
    return ws_memory_ratio(wait, all);
}

double ws_memory_bank_cycles(const ws_memory_setup *s, const ws_memory_launch *l)
{
    double share[WS_VALUE_BANKS], busiest = 0;
    const unsigned n = shares_of(s, l, share);
    for (unsigned i = 0; i < n; i++)
        busiest = fmax(busiest, share[i]);
    return busiest *
           ws_memory_ratio(l->row_writes * ws_memory_row_cycles(s, l) + l->row_reads * s->read_cycles, l->busy_sms);
}

/* A write that finds the buffers full waits until there is a place: by Little's law so many are in them, for as long as
 * they wait and are written. */
static double wait_for_place(const ws_memory_setup *s, const ws_memory_launch *l, double wait, double cycles)
{
    const double rate = ws_memory_ratio(l->row_writes, l->busy_sms * cycles);
    return rate > 0 ? fmax(0, wait + ws_memory_row_cycles(s, l) - s->waiting / rate) : 0;
}

double ws_memory_port_delay(const ws_memory_setup *s, const ws_memory_launch *l, double cycles)
{
    if (!s->chip->register_port)
        return 0;
    const double wait = ws_memory_bank_wait(s, l, cycles);
    return wait + (s->waiting ? wait_for_place(s, l, wait, cycles) : wait + ws_memory_turns(s, l) - 1);
}

void ws_memory_add_turns(const ws_memory_setup *s, const ws_memory_launch *l, double merged, ws_memory_sum *sum)
{
    const double rows = l->row_writes * (1 - merged), turns = rows * ws_memory_turns(s, l);
    sum->turns += turns;
    sum->more_turns += turns - rows;
    sum->write_j += (turns - rows) * s->activate_j;
}
