/* memory_side_make.c - chips with their nodes and networks, the link, slices and channels, as the machine has them. */
#include "model/sim/memory/memory_side_internal.h"

#include "base/layout.h"
#include "base/status.h"
#include "model/machine/network_options.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* The chip's SMs and slices; the way to other chips is behind them all. */
static int place_nodes(ws_memory_side *side, const chip *c)
{
    const uint32_t sms = side->machine->chip_sms, slices = side->homes.map.slices;
    uint32_t *const nodes = calloc(slices, sizeof *nodes);
    if (!nodes)
        return ws_fail(WS_EMEM, "no memory for the networks of a machine");
    ws_machine_network_places(side->machine, side->sm_node + (size_t)c->number * sms, nodes);
    for (uint32_t i = 0; i < slices; i++) {
        side->slice[c->number * slices + i].node = nodes[i];
        c->slice_at[nodes[i]] = c->number * slices + i;
    }
    free(nodes);
    return WS_OK;
}

static int make_chip(ws_memory_side *side, uint32_t number)
{
    chip *const c = &side->chip[number];
    c->number = number;
    c->gateway = side->chips > 1 ? side->nodes - 1 : NO_ITEM;
    c->slice_at = side->slice_at + (size_t)number * side->nodes;
    int status = place_nodes(side, c);
    for (unsigned d = 0; d < WS_DIRECTIONS && !status; d++)
        status = ws_network_make(&side->machine->shape.network[d], &c->network[d]);
    return status;
}

static int make_chips(ws_memory_side *side)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < side->chips && !status; i++)
        status = make_chip(side, i);
    for (ws_direction d = 0; d < WS_DIRECTIONS && side->chips > 1 && !status; d++)
        status = ws_network_make(&side->machine->shape.link, &side->link[d]);
    return status;
}

/* Memory that begins a line of the processor's caches. */
static void *lines_of(size_t bytes)
{
    enum { LINE = 64 };
    return aligned_alloc(LINE, (bytes + LINE - 1) & ~(size_t)(LINE - 1));
}

static int make_cache(const ws_level *level, uint32_t number, const char *failed, uint8_t **out)
{
    const size_t bytes = level->ops->bytes(level->shared);
    *out = lines_of(bytes);
    if (!*out)
        return ws_fail(WS_EMEM, "%s", failed);
    memset(*out, 0, bytes);
    level->ops->init(level->shared, *out, number);
    return WS_OK;
}

static int make_slices(ws_memory_side *side)
{
    const uint32_t slices = side->homes.map.slices, channels = side->machine->memory_channels;
    for (uint32_t i = 0; i < side->slices; i++) {
        slice *const l = &side->slice[i];
        l->side = side;
        l->number = i;
        l->chip = i / slices;
        l->channel = l->chip * channels + i % slices % channels;
        l->wake = WS_NEVER;
        const int status = make_cache(side->l2, i, "no memory for L2", &l->cache);
        if (status)
            return status;
    }
    return WS_OK;
}

static int make_hub(ws_memory_side *side)
{
    const size_t bytes = side->l2->ops->hub ? side->l2->ops->hub->bytes(side->l2->shared) : 0;
    if (!bytes)
        return WS_OK;
    side->hub = lines_of(bytes);
    if (!side->hub)
        return ws_fail(WS_EMEM, "no memory for the race detector");
    side->l2->ops->hub->init(side->l2->shared, side->hub);
    return WS_OK;
}

static int make_channels(ws_memory_side *side)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = side->memory->create(side->machine, &side->machine->shape.part, &side->channel[i].memory);
    return status;
}

static int make_homes(ws_memory_side *side)
{
    for (uint32_t i = 0; i < side->channels; i++) {
        home *const h = &side->home[i];
        h->side = side;
        h->number = i;
        h->chip = i / side->machine->memory_channels;
        const int status = side->l3 ? make_cache(side->l3, i, "no memory for the L3", &h->cache) : WS_OK;
        if (status)
            return status;
    }
    return WS_OK;
}

static void place(ws_memory_side *side, ws_layout *layout)
{
    const size_t pairs = side_lanes(side);
    side->chip = ws_layout_take(layout, side->chips, sizeof *side->chip);
    side->slice_at = ws_layout_take(layout, (size_t)side->chips * side->nodes, sizeof *side->slice_at);
    side->sm_node = ws_layout_take(layout, side->sms, sizeof *side->sm_node);
    side->slice = ws_layout_take(layout, side->slices, sizeof *side->slice);
    side->channel = ws_layout_take(layout, side->channels, sizeof *side->channel);
    side->home = ws_layout_take(layout, side->channels, sizeof *side->home);
    side->sending = ws_layout_take(layout, side->sms, sizeof *side->sending);
    side->received = ws_layout_take(layout, side->sms, sizeof *side->received);
    side->sent_to = ws_layout_take(layout, pairs, sizeof *side->sent_to);
    side->taken_from = ws_layout_take(layout, pairs, sizeof *side->taken_from);
}

static int make_arrays(ws_memory_side *side)
{
    ws_layout measure = {0};
    place(side, &measure);
    side->arrays = calloc(1, measure.used);
    if (!side->arrays)
        return ws_fail(WS_EMEM, "no memory for the memory side of a machine");
    place(side, &(ws_layout){.base = side->arrays});
    return WS_OK;
}

static int make_all(ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    side->memory = ws_memory_channel_ops_of(m->memory_channel);
    side->homes = ws_homes_of(m->package_home, m->shape.home_map);
    side->copied = ws_copied_lines_of(ws_memory_side_capacity(side) / m->l2_line);
    side->crossing = &side_requests_cross;
    int status = make_arrays(side);
    if (!status)
        status = make_chips(side);
    if (!status)
        status = make_slices(side);
    if (!status)
        status = make_hub(side);
    if (!status)
        status = make_homes(side);
    return status ? status : make_channels(side);
}

int ws_memory_side_create(const ws_machine *machine, const ws_level *l1, const ws_level *l2, const ws_level *l3,
                          uint32_t words, bool check, ws_memory_checker *checker, ws_memory_side **out)
{
    ws_memory_side *const side = calloc(1, sizeof *side);
    if (!side)
        return ws_fail(WS_EMEM, "no memory for the memory side of a machine");
    side->machine = machine;
    side->l1 = l1;
    side->l2 = l2;
    side->l3 = l3->ops ? l3 : NULL;
    side->checker = checker;
    side->image = ws_memory_image_of(words);
    side->messages.bytes = (offsetof(ws_coherence_message, data) + words * sizeof(uint32_t) + 7) & ~(size_t)7;
    side->chips = machine->package_chips;
    side->sms = ws_machine_sms(machine);
    side->channels = ws_machine_channels(machine);
    side->slices = ws_machine_slices(machine);
    side->nodes = ws_machine_nodes(machine);
    side->free_fetch = NO_ITEM;
    ws_memory_side_skip(side, true);
    int status = make_all(side);
    if (!status)
        status = agree_make(side, check);
    if (status) {
        ws_memory_side_destroy(side);
        return status;
    }
    *out = side;
    return WS_OK;
}

static void destroy_parts(ws_memory_side *side)
{
    agree_fini(side);
    for (uint32_t i = 0; i < side->chips; i++) {
        chip *const c = &side->chip[i];
        for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
            ws_network_destroy(c->network[d]);
        side_free_queues(c->leaving, WS_DIRECTIONS);
        side_free_queues(c->entering, WS_DIRECTIONS);
    }
    for (uint32_t i = 0; i < side->slices; i++) {
        free(side->slice[i].cache);
        side_free_queues(side->slice[i].queue, SLICE_QUEUES);
    }
    for (uint32_t i = 0; i < side->channels; i++) {
        side->memory->destroy(side->channel[i].memory);
        side_free_queues(side->channel[i].queue, CHANNEL_QUEUES);
        free(side->home[i].cache);
        side_free_queues(side->home[i].queue, HOME_QUEUES);
    }
    side_free_queues(side->sending, side->sms);
    side_free_queues(side->received, side->sms);
}

void ws_memory_side_destroy(ws_memory_side *side)
{
    if (!side)
        return;
    if (side->arrays)
        destroy_parts(side);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        ws_network_destroy(side->link[d]);
    ws_message_pool_fini(&side->messages);
    ws_memory_image_fini(&side->image);
    ws_copied_lines_fini(&side->copied);
    ws_homes_fini(&side->homes);
    free(side->arrays);
    free(side->hub);
    free(side->fetch);
    free(side);
}
