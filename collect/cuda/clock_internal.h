/* clock_internal.h - simulated time of the device and of the host's threads; driver_clock.c says what it means. */
#ifndef WS_CLOCK_INTERNAL_H
#define WS_CLOCK_INTERNAL_H

#include <stdint.h>

/* Parts of the device that work at the same time: its multiprocessors, and the link in each direction. */
typedef enum ws_part { WS_PART_SMS, WS_PART_TO_DEVICE, WS_PART_TO_HOST, WS_PARTS, WS_PART_NONE = WS_PARTS } ws_part;

/* What a piece of work needs: so many units of a part for so many picoseconds. */
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

/* The latest spans are kept, and nothing starts before those forgotten ended (`floor`). */
enum { WS_BUSY_SPANS = 64 };

typedef struct ws_timeline {
    ws_busy span[WS_BUSY_SPANS];
    unsigned n;
    uint64_t floor;
} ws_timeline;

/* What a kernel did. */
typedef struct ws_kernel_work {
    uint64_t blocks, warps;              /* in all; in a block */
    uint64_t resident;                   /* blocks that a multiprocessor holds at once */
    uint64_t instructions, waits, bytes; /* of warps; their accesses to memory that they wait for; of memory */
} ws_kernel_work;
ws_cost ws_cost_of_kernel(const ws_kernel_work *work);
ws_cost ws_cost_of_copy(ws_part part, uint64_t bytes); /* WS_PART_SMS: inside the device; WS_PART_NONE: on the host */
ws_cost ws_cost_of_fill(uint64_t bytes);

/* Takes the first place for a piece of work that may not start before `ready`; returns its end. */
uint64_t ws_clock_place(const ws_cost *cost, uint64_t ready);

/* From a call to the start on an idle stream; from the end of one operation to the start of the next in a stream, or of
 * the next node in a graph. */
uint64_t ws_clock_launch_ps(void);
uint64_t ws_clock_next_ps(void);
uint64_t ws_clock_node_ps(void);

/* The clock of this thread: when does it make its calls? It moves when the thread waits for something. */
uint64_t ws_clock_host(void);
void ws_clock_wait_until(uint64_t when);

#endif
