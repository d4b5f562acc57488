/* sync_machine.c - see sync_machine.h. */
#include "model/mechanism/sync/sync_machine.h"

#include "base/status.h"
#include "record/microbench/microbench.h"
#include "model/machine/machine.h"

#include <string.h>

enum { BENCHMARK = 1, MEASURE = 2 };   /* labels of the frame of microbenchmarks */
static const double MOST_TURNS = 1023; /* Dalmia, 2023: the longest wait of the bounded exponential backoff is 1024 */

/* The row of that name; the frame has it, or microbench.def has changed. */
static int find_value(const ws_frame *frame, const char *benchmark, const char *measure, double *value)
{
    for (size_t i = 0; i < frame->rows; i++) {
        char *const *const label = frame->label + i * frame->labels;
        if (strcmp(label[BENCHMARK], benchmark) != 0 || strcmp(label[MEASURE], measure) != 0)
            continue;
        *value = frame->value[i * frame->columns];
        return WS_OK;
    }
    return ws_fail(WS_EVERIFY, "no microbenchmark '%s' measures a %s", benchmark, measure);
}

ws_sync_shape ws_sync_shape_of(const ws_machine *machine)
{
    return (ws_sync_shape){.sms = ws_machine_sms(machine),
                           .blocks = machine->sm_blocks,
                           .turn = 2.0 * machine->latency_int_add + machine->sm_refill,
                           .backoff = MOST_TURNS,
                           .fence = machine->sm_fence,
                           .fence_turns = machine->sm_fence_turns};
}

int ws_sync_measure(const ws_machine *machine, ws_sync_shape *shape)
{
    static const char lane[] = "global memory, one lane", word[] = "global memory, one word";
    static const char *const names[] = {lane, word, NULL};
    ws_frame *frame = NULL;
    double rate = 0;
    int status = ws_microbench(machine, &(ws_microbench_options){.groups = "atomics", .benchmarks = names}, &frame);
    if (!status)
        status = find_value(frame, lane, "latency", &shape->latency);
    if (!status)
        status = find_value(frame, word, "throughput", &rate);
    shape->service = rate > 0 ? 1 / rate : 0;
    ws_frame_destroy(frame);
    return status;
}
