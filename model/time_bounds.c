/* time_bounds.c - the bounds of time_bounds.h. */
#include "model/time_bounds.h"

#include "base/status.h"
#include "model/instruction_times.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

static const char *const names[WS_TIME_RESOURCES] = {
#define TIME_RESOURCE(name, meaning) #name,
#include "model/time_bounds.def"
#undef TIME_RESOURCE
};

/* Sums of some millions of terms differ in their last digits. */
static const double DIGITS = 1e-6;

double ws_time_slowest(double least)
{
    static const uint32_t times[] = {
#define INSTRUCTION_TIME(work, integer, single, twice) integer, single, twice,
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
        WS_TIME_SHARED_LOAD, WS_TIME_CONSTANT_LOAD, WS_TIME_TEXTURE_LOAD};
    double most = least;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        most = fmax(most, times[i]);
    return most + WS_TIME_REGISTERS + WS_TIME_REFILL;
}

double ws_time_least(const ws_time_work *work, ws_time_resource resource)
{
    const ws_time_demand *const d = &work->demand[resource];
    return d->rate > 0 && d->ports > 0 ? d->work / (d->rate * d->ports) : 0;
}

double ws_time_serial(const ws_time_work *w)
{
    double sum = w->instructions * w->instruction_cycles + w->accesses * w->access_cycles + w->waits + w->fixed;
    for (unsigned r = 0; r < WS_TIME_RESOURCES; r++)
        sum += w->demand[r].rate > 0 ? w->demand[r].work / w->demand[r].rate : 0;
    return sum;
}

static int refuse(const char *form, const char *kernel, double cycles, const char *beyond, const char *bound,
                  double value)
{
    return ws_fail(WS_EVERIFY,
                   "internal error: closed form %s, kernel `%s`: %.6g cycles are %s the bound `%s` of %.6g cycles; "
                   "please report it",
                   form, kernel, cycles, beyond, bound, value);
}

int ws_time_check(const char *form, const char *kernel, double cycles, const ws_time_work *work)
{
    const double serial = ws_time_serial(work);
    for (unsigned r = 0; r < WS_TIME_RESOURCES; r++) {
        const double least = ws_time_least(work, r);
        if (!(cycles >= least * (1 - DIGITS)))
            return refuse(form, kernel, cycles, "below", names[r], least);
    }
    return cycles <= serial * (1 + DIGITS) ? WS_OK : refuse(form, kernel, cycles, "above", "serial", serial);
}
