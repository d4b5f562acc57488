/* sim_state.c - checkpoints of a simulated machine between two runs of a launch. */
#include "model/sim/sim_internal.h"

#include "base/status.h"

#include <string.h>

int ws_sim_save(const ws_sim *sim, ws_bytes *bytes)
{
    if (!sim->running || !sim->shared.source->ops->repeatable)
        return ws_fail(WS_EUNSUPPORTED, "a checkpoint needs a launch from a trace file: a live one cannot be repeated");
    if (sim->checker)
        return ws_fail(WS_EUNSUPPORTED, "a run that is checked keeps no checkpoint");
    const uint64_t numbers[] = {sim->now,       sim->given,       sim->began,          sim->cycles,
                                sim->flushed,   sim->progress_at, sim->progress_count, sim->next_block,
                                sim->sample_at, sim->samples,     sim->settling,       sim->settle_cycles};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ws_bytes_add_varint(bytes, numbers[i]);
    ws_cta_set_save(&sim->left, bytes);
    ws_bytes_add(bytes, sim->scheduler.state, sim->cta->state_size(sim->sms));
    ws_bytes_add(bytes, &sim->sharing, sizeof sim->sharing);
    ws_cta_spread_save(&sim->spread, bytes);
    for (uint32_t i = 0; i < sim->sms; i++)
        ws_sm_save(sim->sm[i], bytes);
    ws_memory_side_save(sim->side, bytes);
    return bytes->failed ? ws_fail(WS_EMEM, "no memory for a checkpoint") : WS_OK;
}

int ws_sim_load(ws_sim *sim, ws_reader *reader)
{
    sim->now = ws_read_varint(reader);
    sim->given = ws_read_varint(reader);
    sim->began = ws_read_varint(reader);
    sim->cycles = ws_read_varint(reader);
    sim->flushed = (uint32_t)ws_read_varint(reader);
    sim->progress_at = ws_read_varint(reader);
    sim->progress_count = ws_read_varint(reader);
    sim->next_block = ws_read_varint(reader);
    sim->sample_at = ws_read_varint(reader);
    sim->samples = ws_read_varint(reader);
    sim->settling = (uint32_t)ws_read_varint(reader);
    sim->settle_cycles = ws_read_varint(reader);
    int status = ws_cta_set_load(&sim->left, sim->shared.source->ctas, reader);
    if (status)
        return status;
    const size_t size = sim->cta->state_size(sim->sms);
    const uint8_t *const from = ws_read_bytes(reader, size);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint is too short");
    memcpy(sim->scheduler.state, from, size);
    const uint8_t *const sharing = ws_read_bytes(reader, sizeof sim->sharing);
    if (!sharing)
        return ws_fail(WS_EINPUT, "the checkpoint is too short");
    memcpy(&sim->sharing, sharing, sizeof sim->sharing);
    status = ws_cta_spread_load(&sim->spread, reader);
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        status = ws_sm_load(sim->sm[i], reader);
    return status ? status : ws_memory_side_load(sim->side, reader);
}
