/* power_fetch.c - instruction caches that schedulers read, and the buffers of fetched instructions.
 *
 * Each instruction of a warp reads tags and bytes of a cache of model/array, crosses wires to the decoder, and is
 * written to and read from the buffer of its warp, as in the pipeline of GPUWattch (Leng et al., ISCA 2013). No
 * instruction misses. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <math.h>

enum { BITS = 8 };

typedef struct front {
    ws_array_result tags, data, buffer;
    double caches, schedulers;
} front;

static int evaluate(const ws_power_build *b, front *f)
{
    const ws_machine *const m = b->machine;
    const uint32_t warps = m->sm_threads / WS_WARP, instruction = m->fetch_instruction;
    const uint32_t each = (warps + m->sm_schedulers - 1) / m->sm_schedulers;
    f->schedulers = m->sm_schedulers;
    f->caches = m->fetch_each ? m->sm_schedulers : 1;
    int status =
        ws_power_array(b, m->fetch_cache / m->fetch_line * WS_TAG_BYTES, WS_TAG_BYTES, m->fetch_ways, &f->tags);
    if (!status)
        status = ws_power_array(b, m->fetch_cache, instruction, 0, &f->data);
    return status ? status
                  : ws_power_array(b, (uint64_t)each * m->fetch_entries * instruction, instruction, 0, &f->buffer);
}

int ws_power_add_fetch(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    front f;
    int status = evaluate(b, &f);
    if (status)
        return status;
    const double way = b->energies->fetch_way * ws_power_sm_side_m(b) / sqrt(f.caches);
    status = ws_power_instructions(b,
                                   f.tags.read_j + f.data.read_j + f.buffer.write_j + f.buffer.read_j +
                                       BITS * m->fetch_instruction * way * b->wire,
                                   "%u bytes of %g KB in %u ways, %.2f mm of wires, a buffer written and read",
                                   m->fetch_instruction, m->fetch_cache / 1024.0, m->fetch_ways, way * 1e3);
    return status ? status
                  : ws_power_leak_in_sms(
                        b, f.caches * (f.tags.leakage_w + f.data.leakage_w) + f.schedulers * f.buffer.leakage_w,
                        "instruction caches and buffers of an SM");
}
