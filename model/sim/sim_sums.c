/* sim_sums.c - what a simulated machine has done so far: its parts, and totals over them. */
#include "model/sim/sim_internal.h"

#include "model/machine/machine.h"

uint64_t ws_sim_now(const ws_sim *sim)
{
    return sim->now;
}

uint64_t ws_sim_ctas_done(const ws_sim *sim)
{
    uint64_t resident = 0;
    for (uint32_t i = 0; i < sim->sms; i++)
        resident += ws_sm_ctas(sim->sm[i]);
    return sim->given - resident;
}

uint64_t ws_sim_instructions(const ws_sim *sim)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sim->sms; i++)
        sum += ws_sm_sum(sim->sm[i])->warp_instructions;
    return sum;
}

uint32_t ws_sim_value(const ws_sim *sim, uint64_t block, unsigned word)
{
    return sim->checker ? ws_memory_checker_value(sim->checker, block, word) : 0;
}

uint64_t ws_sim_checked(const ws_sim *sim)
{
    return ws_memory_side_versions(sim->side) + (sim->checker ? ws_memory_checker_checked(sim->checker) : 0);
}

const ws_machine *ws_sim_machine(const ws_sim *sim)
{
    return sim->machine;
}

uint64_t ws_sim_cycles(const ws_sim *sim)
{
    return sim->cycles + (sim->running ? sim->now - sim->began : 0);
}

uint32_t ws_sim_sms(const ws_sim *sim)
{
    return sim->sms;
}

const ws_sm *ws_sim_sm(const ws_sim *sim, uint32_t number)
{
    return sim->sm[number];
}

const ws_memory_side *ws_sim_memory_side(const ws_sim *sim)
{
    return sim->side;
}

ws_load_use ws_sim_load_use(const ws_sim *sim, uint32_t pc)
{
    ws_load_use sum = {0};
    for (uint32_t i = 0; i < ws_sim_sms(sim); i++) {
        const ws_load_use *const of_sm = ws_sm_load_use(ws_sim_sm(sim, i));
        if (of_sm)
            ws_load_use_add(&sum, &of_sm[pc]);
    }
    return sum;
}

/* Structs of counts are rows of uint64_t. */
static void add(uint64_t *sum, const uint64_t *more, size_t counts)
{
    for (size_t i = 0; i < counts; i++)
        sum[i] += more[i];
}
#define ADD(sum, more) add((uint64_t *)(sum), (const uint64_t *)(more), sizeof *(sum) / sizeof(uint64_t))

static void add_cache(ws_cache_counts *sum, ws_cache_counts more)
{
    ADD(sum, &more);
}

static void add_races(ws_race_counts *sum, ws_race_counts more)
{
    ADD(sum, &more);
}

#define SUM(to, more)  ((to) += (more))
#define MOST(to, more) ((to) = (more) > (to) ? (more) : (to))

static void add_memory(ws_dram_totals *sum, ws_dram_totals more)
{
#define COUNT(name, combine, meaning) combine(sum->name, more.name);
#include "model/sim/memory/dram_counts.def"
#undef COUNT
}

/* Of several chips: all they carried, and the use of the one whose fullest node had the most. */
static void add_network(ws_network_totals *sum, ws_traffic_use *most, const ws_network *network)
{
    const ws_network_totals more = ws_network_sum(network);
    const ws_traffic_use use = ws_traffic_use_of(network);
#define COUNT(name, combine, meaning) combine(sum->name, more.name);
#include "model/sim/network/network_counts.def"
#undef COUNT
    const uint64_t load = use.channel_load > most->channel_load ? use.channel_load : most->channel_load;
    if (use.peak >= most->peak)
        *most = use;
    most->channel_load = load;
}

void ws_sim_sum(const ws_sim *sim, ws_sim_sums *sums)
{
    *sums = (ws_sim_sums){
        .cycles = ws_sim_cycles(sim), .sharing = sim->sharing, .package = ws_memory_side_agreed(sim->side)};
    for (uint32_t i = 0; i < sim->sms; i++) {
        ADD(&sums->sm, ws_sm_sum(sim->sm[i]));
        ADD(&sums->ranks, ws_sm_ranks(sim->sm[i]));
        add_cache(&sums->l1, ws_sm_cache_counts(sim->sm[i], WS_SM_DATA));
        add_cache(&sums->texture, ws_sm_cache_counts(sim->sm[i], WS_SM_TEXTURE));
        add_cache(&sums->constant, ws_sm_cache_counts(sim->sm[i], WS_SM_CONSTANT));
    }
    for (uint32_t i = 0; i < ws_machine_slices(sim->machine); i++)
        add_cache(&sums->l2, ws_memory_side_cache_counts(sim->side, i));
    for (uint32_t i = 0; i < ws_machine_channels(sim->machine); i++)
        add_cache(&sums->l3, ws_memory_side_l3_counts(sim->side, i));
    for (int type = 0; type < WS_MESSAGE_COUNT; type++)
        sums->messages[type] = ws_memory_side_messages(sim->side, (ws_message_type)type, &sums->message_bytes[type]);
    sums->read_only_messages = ws_memory_side_read_only(sim->side, &sums->read_only_bytes);
    for (uint32_t i = 0; i < sim->machine->package_chips; i++) {
        add_network(&sums->request, &sums->request_use, ws_memory_side_network(sim->side, i, WS_REQUESTS));
        add_network(&sums->reply, &sums->reply_use, ws_memory_side_network(sim->side, i, WS_REPLIES));
    }
    sums->request_stalls = ws_memory_side_stalls(sim->side, WS_REQUESTS);
    sums->reply_stalls = ws_memory_side_stalls(sim->side, WS_REPLIES);
    for (uint32_t i = 0; i < ws_machine_channels(sim->machine); i++) {
        add_memory(&sums->memory, ws_memory_side_channel_sum(sim->side, i));
        sums->memory_cycles += ws_memory_side_memory_cycles(sim->side);
    }
    ws_memory_side_timestamps(sim->side, &sums->timestamp_resets, &sums->greatest_timestamp);
    ws_memory_side_leases(sim->side, &sums->lease_least, &sums->lease_most);
    add_races(&sums->races, ws_memory_side_races(sim->side));
    for (uint32_t i = 0; i < sim->sms; i++)
        add_races(&sums->races, ws_sm_races(sim->sm[i]));
}
