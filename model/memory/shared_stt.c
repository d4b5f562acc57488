/* shared_stt.c - shared memory of magnetic memory: written whole, or only where bits change, or with writes that end
 * early. */
#include "model/memory/memory_internal.h"

#include "base/status.h"

enum { WIDTH, EARLY };

static const ws_option options[] = {
    [WIDTH] = {"width", "bits", 0, 0, WS_MEMORY_WORD,
               "of an array: a word is read before it is written, and only arrays with a change are; 0: written whole"},
    [EARLY] = {"ewt", "", 0, 0, 1, "early write termination: the write of a bit ends if the cell already holds it"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static int prepare(ws_memory_setup *s)
{
    int status = ws_memory_set_width(s, s->values[WIDTH]);
    if (!status && s->values[WIDTH] && s->values[EARLY])
        status = ws_fail(WS_EINPUT, "shared: width reads before it writes, ewt instead of that: give one of the two");
    return status ? status : ws_memory_magnetic(s);
}

static void add(const ws_memory_setup *s, const ws_memory_use *use, ws_memory_sum *sum)
{
    const ws_memory_launch *const l = use->launch;
    const ws_launch_values *const v = l->values;
    const bool differs = s->values[WIDTH] || s->values[EARLY];
    const double cost = s->values[EARLY] ? ws_memory_terminated_cost(s, &v->shared)
                                         : ws_memory_write_cost(s, &v->shared, s->values[WIDTH]);
    sum->read_j += l->part[s->part].read_j * s->read;
    sum->write_j += l->part[s->part].write_j * cost;
    sum->leakage_j += use->leakage_j * s->leakage;
    sum->cell_writes += l->part[s->part].writes;
    sum->bits_written += l->part[s->part].writes * WS_MEMORY_WORD *
                         ws_memory_share_written(&v->shared, s->values[EARLY] ? 1 : s->values[WIDTH]);
    ws_memory_forgets(s, use, 1, sum);
    sum->wear += use->rounds * (double)(differs ? v->hottest_word_changed : v->hottest_word);
}

const ws_memory_ops ws_memory_shared_stt = {
    .name = "stt", .part = WS_MEMORY_SHARED, .options = options, .prepare = prepare, .add = add};
