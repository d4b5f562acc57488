/* message.c - how large are messages on the network? */
#include "model/coherence/coherence_internal.h"

/* Tabbakh, Qian, Annavaram 2018 gives no sizes: 6 bytes of address and 2 of the rest, 128-byte blocks, 16-bit
 * timestamps, 32-bit physical times, 32-byte flits are our assumption for a machine of that time. */
const ws_message_sizes ws_message_default_sizes = {
    .header_bytes = 8,
    .block_bytes = 128,
    .timestamp_bytes = 2,
    .expiry_bytes = 4,
    .flit_bytes = 32,
};

enum { WARP = 1, WTS = 2, RTS = 4, EXPIRY = 8, PAYLOAD = 16, BLOCK = 32, WORD = 64, SIGNATURE = 128 };

static const struct {
    const char *name, *meaning;
    unsigned fields;
} kinds[] = {
#define MESSAGE(name, direction, fields, meaning) {#name, meaning, fields},
#include "model/coherence/messages.def"
#undef MESSAGE
};

const char *ws_message_name(ws_message_type type)
{
    return type < WS_MESSAGE_COUNT ? kinds[type].name : "?";
}

const char *ws_message_meaning(ws_message_type type)
{
    return type < WS_MESSAGE_COUNT ? kinds[type].meaning : "?";
}

/* Timestamps travel in protocols with logical leases, end times in those with physical ones; an ack of a strong
 * write needs none. Stores carry the copy's wts only with closing 1, the end of its lease only where private stores are
 * told. */
static unsigned fields_of(const ws_coherence *c, ws_message_type type)
{
    unsigned fields = kinds[type].fields;
    if (c->protocol->lease != WS_LEASE_LOGICAL)
        fields &= ~(unsigned)(WARP | WTS | RTS);
    if (c->protocol->lease != WS_LEASE_PHYSICAL ||
        (c->protocol->strong_writes && (type == WS_MESSAGE_ACK || type == WS_MESSAGE_ATOMIC_ACK)))
        fields &= ~(unsigned)EXPIRY;
    if (type == WS_MESSAGE_WRITE && !c->config.private_stores)
        fields &= ~(unsigned)EXPIRY;
    if (type == WS_MESSAGE_WRITE && !closed(c, WS_CLOSE_MATCH))
        fields &= ~(unsigned)WTS;
    return fields;
}

uint32_t ws_message_bytes(const ws_coherence *coherence, ws_message_type type, uint32_t payload,
                          const ws_message_sizes *sizes)
{
    const unsigned fields = fields_of(coherence, type);
    const unsigned times = !!(fields & WARP) + !!(fields & WTS) + !!(fields & RTS);
    return sizes->header_bytes + times * sizes->timestamp_bytes + (fields & EXPIRY ? sizes->expiry_bytes : 0) +
           (fields & (PAYLOAD | WORD) ? payload : 0) + (fields & BLOCK ? sizes->block_bytes : 0) +
           (fields & SIGNATURE ? ws_race_wire_bytes(&coherence->config.race, payload) : 0);
}

uint32_t ws_message_flits(uint32_t bytes, const ws_message_sizes *sizes)
{
    return (bytes + sizes->flit_bytes - 1) / sizes->flit_bytes;
}
