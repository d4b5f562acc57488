/* time_bounds.h - lower and upper bounds on the time that a closed form predicts.
 *
 * Every predicted time is checked before it is printed. In cycles, with the names of ws_time_work, r a resource of
 * time_bounds.def:
 *
 *     least(r) = work(r) / (rate(r) * ports(r))                   no resource exceeds its rate
 *     serial   = instructions * instruction_cycles + accesses * access_cycles + waits + fixed
 *                + sum over r of work(r) / rate(r)
 *     max over r of least(r) <= time <= serial
 *
 * `least` holds for any overlap and any balance of work. `serial` is the time of a machine without overlap:
 * instructions one after the other, each as long as the slowest; accesses one after the other, each at its full
 * uncontended latency; and the work of each resource queued at one port, after that of all other resources. A time
 * beyond a bound is a fault of the closed form, not of its input. */
#ifndef WS_TIME_BOUNDS_H
#define WS_TIME_BOUNDS_H

typedef enum ws_time_resource {
#define TIME_RESOURCE(name, meaning) WS_RESOURCE_##name,
#include "model/time_bounds.def"
#undef TIME_RESOURCE
    WS_TIME_RESOURCES
} ws_time_resource;

/* Demand of a launch on a resource. A rate of 0: the form has no such resource, and it sets no bound. */
typedef struct ws_time_demand {
    double work, rate, ports; /* rate: of one port, per cycle */
} ws_time_demand;

/* Work of a launch on a machine. Members that do not apply are 0. */
typedef struct ws_time_work {
    ws_time_demand demand[WS_TIME_RESOURCES];
    double instructions, instruction_cycles; /* instructions of warps; cycles of the slowest, without memory */
    double accesses, access_cycles;          /* memory accesses; uncontended latency of one */
    double waits; /* sum of the cycles that all warps wait for other causes (leases, fences, back-off) */
    double fixed; /* cycles independent of work */
} ws_time_work;

/* Returns the cycles of the slowest instruction: reads operands, computes, writes, takes a branch. `least` is the
 * cycles of an addition on the machine. */
double ws_time_slowest(double least);

double ws_time_least(const ws_time_work *work, ws_time_resource resource);
double ws_time_serial(const ws_time_work *work);

/* Returns WS_OK if `cycles` is a number within the bounds, up to rounding. Otherwise returns WS_EVERIFY with a message
 * that names the closed form, the kernel, the time, the bound and its value. */
int ws_time_check(const char *form, const char *kernel, double cycles, const ws_time_work *work);

#endif
