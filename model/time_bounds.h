/* time_bounds.h - bounds of work on the time that a closed form predicts.
 *
 * Every closed form of time is checked before it is printed. In cycles, with the names of ws_time_work, r a resource of
 * time_bounds.def:
 *
 *     least(r) = work(r) / (rate(r) * ports(r))                   nothing does more in a cycle
 *     serial   = instructions * instruction_cycles + accesses * access_cycles + waits + fixed
 *                + sum over r of work(r) / rate(r)
 *
 *     max over r of least(r) <= time <= serial
 *
 * `least` holds whatever is hidden and however well work is spread. `serial` is the time of a machine that hides
 * nothing: instructions one after the other, each as long as the slowest takes; accesses one after the other, each at
 * its full latency without others; and all work of each resource queued at one port, behind that of all other
 * resources. A time beyond a bound is a fault of the closed form, not of its input. */
#ifndef WS_TIME_BOUNDS_H
#define WS_TIME_BOUNDS_H

typedef enum ws_time_resource {
#define TIME_RESOURCE(name, meaning) WS_RESOURCE_##name,
#include "model/time_bounds.def"
#undef TIME_RESOURCE
    WS_TIME_RESOURCES
} ws_time_resource;

/* What a launch asks of a resource. A rate of 0: the form knows no such resource, it bounds nothing. */
typedef struct ws_time_demand {
    double work, rate, ports; /* rate: of one port, a cycle */
} ws_time_demand;

/* What a launch does, and a machine. What does not apply is 0. */
typedef struct ws_time_work {
    ws_time_demand demand[WS_TIME_RESOURCES];
    double instructions, instruction_cycles; /* of warps; of the slowest, memory apart */
    double accesses, access_cycles;          /* of memory; the latency of one that waits for no other */
    double waits; /* cycles that all warps wait for something else (leases, fences, backing off), in sum */
    double fixed; /* cycles whatever the work */
} ws_time_work;

/* Cycles of the slowest instruction: reads its operands, computes, writes, takes a branch. `least`: of a machine on
 * which an addition takes that many cycles. */
double ws_time_slowest(double least);

double ws_time_least(const ws_time_work *work, ws_time_resource resource);
double ws_time_serial(const ws_time_work *work);

/* WS_OK if `cycles` is a number within the bounds, but for the last digits of sums. Otherwise WS_EVERIFY with a message
 * that names the closed form, the kernel, the time, the bound and its value. */
int ws_time_check(const char *form, const char *kernel, double cycles, const ws_time_work *work);

#endif
