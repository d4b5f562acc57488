/* clock_internal.h - simulated time of the device and of the host's threads; driver_clock.c defines it. */
#ifndef WS_CLOCK_INTERNAL_H
#define WS_CLOCK_INTERNAL_H

#include <stdint.h>

/* Concurrent parts of the device: its multiprocessors, and the link in each direction. */
typedef enum ws_part { WS_PART_SMS, WS_PART_TO_DEVICE, WS_PART_TO_HOST, WS_PARTS, WS_PART_NONE = WS_PARTS } ws_part;

/* Cost of an operation: `units` of a part for `length` picoseconds. */
typedef struct ws_cost {
    ws_part part;
    unsigned units;
    uint64_t length;
} ws_cost;

/* Units of a part that are in use from begin to end. */
typedef struct ws_busy {
    uint64_t begin, end;
    unsigned units;
} ws_busy;

/* Keeps the latest spans; no operation starts before the end of discarded ones (`floor`). */
enum { WS_BUSY_SPANS = 64 };

typedef struct ws_timeline {
    ws_busy span[WS_BUSY_SPANS];
    unsigned n;
    uint64_t floor;
} ws_timeline;

/* Work of a kernel. */
typedef struct ws_kernel_work {
    uint64_t blocks, warps;              /* in total; per block */
    uint64_t resident;                   /* blocks per multiprocessor at a time */
    uint64_t instructions, waits, bytes; /* of warps; their memory accesses with a wait; of memory */
} ws_kernel_work;
ws_cost ws_cost_of_kernel(const ws_kernel_work *work);
ws_cost ws_cost_of_copy(ws_part part, uint64_t bytes); /* WS_PART_SMS: inside the device; WS_PART_NONE: on the host */
ws_cost ws_cost_of_fill(uint64_t bytes);

/* Allocates the earliest interval for an operation that may not start before `ready`; returns its end. */
uint64_t ws_clock_place(const ws_cost *cost, uint64_t ready);

/* Delays: from a call to the start on an idle stream; between consecutive operations of a stream; between consecutive
 * nodes of a graph. */
uint64_t ws_clock_launch_ps(void);
uint64_t ws_clock_next_ps(void);
uint64_t ws_clock_node_ps(void);

/* Clock of this thread: the time of its calls. It advances when the thread waits. */
uint64_t ws_clock_host(void);
void ws_clock_wait_until(uint64_t when);

#endif
