/* async.c - cp.async: copies that are done when they are waited for. */
#include "base/grow.h"
#include "collect/simt/async_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COPIES = 1024, /* of a warp that wait; then the oldest are done, which a GPU may do at any time, too */
    BULK_PART = 16      /* bytes of a bulk copy that one event tells of */
};

/* A cp.async of some lanes, each of which counts its own groups. */
typedef struct small_copy {
    const uop *u;
    uint32_t lanes; /* for which it is not done */
    uint8_t bytes;
    uint8_t size[WS_WARP]; /* source bytes; the rest is zeros */
    uint32_t to[WS_WARP];  /* in shared memory */
    uint32_t group[WS_WARP];
    const unsigned char *from[WS_WARP];
} small_copy;

/* A bulk copy of a lane, from shared memory. */
typedef struct group_copy {
    uint32_t lane, group, bytes;
    const unsigned char *from;
    unsigned char *to;
} group_copy;

struct async_state {
    small_copy *copy;
    uint32_t copies, capacity;
    group_copy *bulk;
    uint32_t bulks, bulk_capacity;
    uint32_t group[WS_WARP], bulk_group[WS_WARP]; /* number of the group that is open */
};

/* A bulk copy into the block's shared memory, or within it, that completes on an mbarrier object. */
struct object_copy {
    uint32_t object, bytes;
    const unsigned char *from;
    unsigned char *to;
};

static bool no_memory(warp *w)
{
    return block_fail(w->block, WS_EMEM, "no memory for asynchronous copies");
}

static struct async_state *state_of(warp *w)
{
    if (!w->async)
        w->async = calloc(1, sizeof *w->async);
    if (!w->async)
        no_memory(w);
    return w->async;
}

void async_start(warp *w)
{
    if (w->async) {
        w->async->copies = w->async->bulks = 0;
        memset(w->async->group, 0, sizeof w->async->group);
        memset(w->async->bulk_group, 0, sizeof w->async->bulk_group);
    }
}

void async_fini(warp *w)
{
    if (w->async) {
        free(w->async->copy);
        free(w->async->bulk);
    }
    free(w->async);
}

/* ---- doing them ---- */

static void do_copy(warp *w, const small_copy *c, uint32_t lanes)
{
    WS_EACH_LANE (i, lanes) {
        unsigned char *const to = w->block->shared + c->to[i];
        if (c->size[i]) /* else nobody looked where the source is */
            memcpy(to, c->from[i], c->size[i]);
        memset(to + c->size[i], 0, c->bytes - c->size[i]);
        if (w->block->checks && c->size[i])
            checks_copied(w, c->u, (unsigned)i, c->to[i], c->from[i], c->size[i]);
        if (w->block->checks && c->size[i] < c->bytes)
            checks_copied(w, c->u, (unsigned)i, c->to[i] + c->size[i], NULL, c->bytes - c->size[i]);
    }
}

/* Of each lane in `lanes`, the copies whose group is below limit[lane]; all without a limit. */
static void settle(warp *w, uint32_t lanes, const uint32_t *limit)
{
    struct async_state *const s = w->async;
    uint32_t left = 0;
    for (uint32_t k = 0; k < s->copies; k++) {
        small_copy *const c = &s->copy[k];
        uint32_t due = 0;
        WS_EACH_LANE (i, c->lanes & lanes)
            due |= (uint32_t)(!limit || c->group[i] < limit[i]) << i;
        do_copy(w, c, due);
        c->lanes &= ~due;
        if (c->lanes) {
            if (left != k)
                s->copy[left] = *c;
            left++;
        }
    }
    s->copies = left;
}

/* A bulk copy. Who checks takes its bytes as written, whatever the source was. */
static void move(warp *w, unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    const block *const b = w->block;
    memmove(to, from, bytes);
    if (!b->checks)
        return;
    if ((uintptr_t)to - (uintptr_t)b->shared < b->shared_bytes) /* the block that waits has it */
        checks_wrote(w, WS_SPACE_SHARED, 0, (uint64_t)(to - b->shared), bytes);
    else
        checks_wrote(w, WS_SPACE_GLOBAL, 0, (uint64_t)(uintptr_t)to, bytes);
}

static void settle_bulk(warp *w, uint32_t lanes, const uint32_t *limit)
{
    struct async_state *const s = w->async;
    uint32_t left = 0;
    for (uint32_t k = 0; k < s->bulks; k++) {
        const group_copy *const c = &s->bulk[k];
        if (lanes >> c->lane & 1 && (!limit || c->group < limit[c->lane]))
            move(w, c->to, c->from, c->bytes);
        else
            s->bulk[left++] = *c;
    }
    s->bulks = left;
}

void async_finish(warp *w, uint32_t lanes)
{
    if (!w->async)
        return;
    settle(w, lanes, NULL);
    settle_bulk(w, lanes, NULL);
}

bool async_settle_object(warp *w, const uop *u, unsigned lane, uint32_t offset)
{
    block *const b = w->block;
    for (uint32_t k = 0; k < b->object_copies;) {
        const struct object_copy c = b->object_copy[k];
        if (c.object != offset) {
            k++;
            continue;
        }
        move(w, c.to, c.from, c.bytes);
        b->object_copies--;
        memmove(&b->object_copy[k], &b->object_copy[k + 1], (b->object_copies - k) * sizeof c);
        if (!mbarrier_complete_bytes(w, u, lane, b, offset, c.bytes))
            return false;
    }
    return true;
}

/* ---- asking for them ---- */

static uint64_t address_of(const warp *w, const mem_access *a, unsigned lane)
{
    const void *const base = place_pointer(w, a->base);
    return (uint64_t)a->offset + (a->base_wide ? ((const uint64_t *)base)[lane] : ((const uint32_t *)base)[lane]);
}

static void addresses_of(const warp *w, const mem_access *a, uint32_t lanes, uint64_t *address)
{
    for (unsigned i = 0; i < WS_WARP; i++)
        address[i] = lanes >> i & 1 ? address_of(w, a, i) : 0;
}

static bool keep(warp *w, const small_copy *c)
{
    struct async_state *const s = state_of(w);
    if (!s)
        return false;
    if (s->copies == MOST_COPIES) {
        do_copy(w, &s->copy[0], s->copy[0].lanes);
        s->copies--;
        memmove(&s->copy[0], &s->copy[1], s->copies * sizeof *c);
    }
    if (WS_GROW(s->copy, s->capacity, s->copies, 1))
        return no_memory(w);
    s->copy[s->copies] = *c;
    memcpy(s->copy[s->copies++].group, s->group, sizeof s->group);
    return true;
}

/* Source bytes of each lane; returns the lanes that read any. */
static uint32_t source_sizes(const warp *w, const async_op *op, uint32_t exec, uint8_t *size)
{
    const uint32_t *const given = op->size == PLACE_NONE ? NULL : place_pointer(w, op->size);
    uint32_t reading = 0;
    WS_EACH_LANE (i, exec) {
        const uint32_t wanted = !given ? op->bytes : op->ignores ? (*given >> i & 1 ? 0 : op->bytes) : given[i];
        size[i] = (uint8_t)(wanted < op->bytes ? wanted : op->bytes);
        reading |= (uint32_t)(size[i] > 0) << i;
    }
    return reading;
}

/* Lanes that read fewer bytes are checked with theirs; the event shows what a lane asked for. */
static bool check_sources(warp *w, const uop *u, const async_op *op, uint32_t reading, uint32_t active, small_copy *c)
{
    uint64_t address[1][WS_WARP];
    unsigned char *host[1][WS_WARP];
    ws_space space;
    addresses_of(w, &op->access, reading, address[0]);
    WS_EACH_LANE (i, reading)
        if (address[0][i] & (op->bytes - 1u))
            return block_fault(w, u, i, "misaligned global copy of %u bytes at address 0x%llx", op->bytes,
                               (unsigned long long)address[0][i]);
    for (uint32_t rest = reading; rest;) {
        const unsigned bytes = c->size[ws_lowest(rest)];
        uint32_t same = 0;
        WS_EACH_LANE (i, rest)
            same |= (uint32_t)(c->size[i] == bytes) << i;
        rest &= ~same;
        if (!access_find(w, u, &op->access, same, bytes, address[0], host[0], &space))
            return false;
        WS_EACH_LANE (i, same)
            c->from[i] = host[0][i];
        if (w->block->checks) /* that it has not been written is no error of a copy */
            access_check(w, u, space, same, bytes, address[0], &(checked_access){0});
    }
    return access_tell(w, u, WS_SPACE_GLOBAL, reading, active, op->bytes, address[0], true);
}

bool async_copy_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const async_op *const op = u->info;
    small_copy c = {.u = u, .lanes = exec, .bytes = op->bytes};
    uint64_t to[WS_WARP];
    unsigned char *host[WS_WARP];
    ws_space space;
    if (!exec)
        return access_none(w, u, &op->access, active);
    const uint32_t reading = source_sizes(w, op, exec, c.size);
    addresses_of(w, &op->to, exec, to);
    if ((reading && !check_sources(w, u, op, reading, active, &c)) ||
        !access_find(w, u, &op->to, exec, op->bytes, to, host, &space))
        return false;
    WS_EACH_LANE (i, exec)
        c.to[i] = (uint32_t)to[i];
    /* The same lanes write what they read; lanes that only write zeros are a part of their own. */
    const uint32_t zeros = exec & ~reading;
    if (reading && !access_tell(w, u, WS_SPACE_SHARED, reading, active, op->bytes, to, false))
        return false;
    if (zeros && !access_tell_plain(w, u, WS_SPACE_SHARED, zeros, active, to, !reading))
        return false;
    return keep(w, &c);
}

/* Of each lane, one bulk copy. */
typedef struct bulk {
    uint64_t from[WS_WARP], to[WS_WARP], object[WS_WARP];
    unsigned char *from_host[WS_WARP], *to_host[WS_WARP], *object_host[WS_WARP];
    ws_space from_space, to_space;
} bulk;

static bool tell_bulk(warp *w, const uop *u, const bulk *b, unsigned lane, uint32_t bytes, uint32_t active, bool first)
{
    uint64_t at[WS_WARP] = {0};
    for (uint32_t part = 0; part < bytes; part += BULK_PART) {
        at[lane] = b->from[lane] + part;
        if (!access_tell(w, u, b->from_space, 1u << lane, active, BULK_PART, at, first))
            return false;
        first = false;
        at[lane] = b->to[lane] + part;
        if (!access_tell(w, u, b->to_space, 1u << lane, active, BULK_PART, at, false))
            return false;
    }
    return true;
}

/* A copy that completes on an object is kept by the block that has the object, which alone can wait for it. */
static bool keep_for_object(warp *w, block *b, uint32_t object, uint32_t bytes, const unsigned char *from,
                            unsigned char *to)
{
    if (WS_GROW(b->object_copy, b->object_capacity, b->object_copies, 1))
        return no_memory(w);
    b->object_copy[b->object_copies++] = (struct object_copy){object, bytes, from, to};
    b->objects_changed = w->block->objects_changed = true;
    return true;
}

/* .multicast::cluster: to the same offset of each block that the mask names, with the object at the same offset there.
 */
static bool keep_in_each(warp *w, const uop *u, const bulk *from, unsigned lane, uint32_t bytes, uint32_t mask)
{
    const cluster *const c = w->block->cluster;
    const uint32_t blocks = w->block->launch->cluster_blocks;
    if (!mask || mask >> blocks)
        return block_fault(w, u, lane, "multicast to blocks 0x%x of a cluster that has %u", mask, blocks);
    for (uint32_t i = 0; i < blocks; i++) {
        block *const in = c ? c->block[i] : w->block;
        if (!(mask >> i & 1))
            continue;
        if (in->ended)
            return block_fault(w, u, lane, "multicast to block (%u,%u,%u) of the cluster, which has exited",
                               in->ctaid[0], in->ctaid[1], in->ctaid[2]);
        if (!keep_for_object(w, in, (uint32_t)from->object[lane], bytes, from->from_host[lane],
                             in->shared + from->to[lane]))
            return false;
    }
    return true;
}

static bool keep_bulk(warp *w, const uop *u, const async_op *op, const bulk *from, unsigned lane, uint32_t bytes)
{
    if (op->sub == WS_SUB_ASYNC_BULK_TX && op->count != PLACE_NONE)
        return keep_in_each(w, u, from, lane, bytes, ((const uint32_t *)place_pointer(w, op->count))[lane] & 0xffff);
    if (op->sub == WS_SUB_ASYNC_BULK_TX) {
        block *const in = cluster_holder(w->block, from->object_host[lane]);
        if (cluster_holder(w->block, from->to_host[lane]) != in)
            return block_fault(w, u, lane,
                               "a bulk copy to a block of the cluster other than that of its mbarrier object");
        return keep_for_object(w, in, (uint32_t)from->object[lane], bytes, from->from_host[lane], from->to_host[lane]);
    }
    struct async_state *const s = state_of(w);
    if (!s || WS_GROW(s->bulk, s->bulk_capacity, s->bulks, 1))
        return no_memory(w);
    s->bulk[s->bulks++] = (group_copy){lane, s->bulk_group[lane], bytes, from->from_host[lane], from->to_host[lane]};
    return true;
}

bool async_bulk_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const async_op *const op = u->info;
    bulk all = {.from = {0}};
    bool first = true;
    if (!exec)
        return access_none(w, u, &op->access, active);
    const uint32_t *const size = place_pointer(w, op->size);
    addresses_of(w, &op->access, exec, all.from);
    addresses_of(w, &op->to, exec, all.to);
    if (op->sub == WS_SUB_ASYNC_BULK_TX) {
        ws_space space;
        addresses_of(w, &op->object, exec, all.object);
        if (!access_find(w, u, &op->object, exec, 8, all.object, all.object_host, &space))
            return false;
    }
    WS_EACH_LANE (i, exec) {
        const uint32_t one = 1u << i;
        if (size[i] % 16 || (all.from[i] | all.to[i]) & 15)
            return block_fault(w, u, i, "bulk copy of %u bytes from 0x%llx to 0x%llx: all have to be multiples of 16",
                               size[i], (unsigned long long)all.from[i], (unsigned long long)all.to[i]);
        if (!size[i])
            continue;
        if (!access_find(w, u, &op->access, one, size[i], all.from, all.from_host, &all.from_space) ||
            !access_find(w, u, &op->to, one, size[i], all.to, all.to_host, &all.to_space) ||
            !tell_bulk(w, u, &all, i, size[i], active, first) || !keep_bulk(w, u, op, &all, i, size[i]))
            return false;
        first = false;
    }
    return !first || access_none(w, u, &op->access, active);
}

/* ---- waiting for them ---- */

bool async_commit_run(warp *w, const uop *u, uint32_t exec)
{
    struct async_state *const s = state_of(w);
    if (!s)
        return false;
    uint32_t *const group = u->mode2 ? s->bulk_group : s->group;
    WS_EACH_LANE (i, exec)
        group[i]++;
    return true;
}

/* mode: 1 all, else those older than the newest a groups. mode2: bulk copies. */
bool async_wait_run(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t *const newest = place_pointer(w, u->a);
    uint32_t limit[WS_WARP];
    if (!w->async)
        return true;
    const uint32_t *const group = u->mode2 ? w->async->bulk_group : w->async->group;
    WS_EACH_LANE (i, exec)
        limit[i] = group[i] > newest[i] ? group[i] - newest[i] : 0;
    (u->mode2 ? settle_bulk : settle)(w, exec, u->mode ? NULL : limit);
    return true;
}

/* The lanes' copies are done, and each lane's being done is an arrival. Without .noinc the object expects one more of
 * it, which cancels out. */
bool async_arrive_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const async_op *const op = u->info;
    uint64_t address[1][WS_WARP];
    unsigned char *host[1][WS_WARP];
    ws_space space;
    if (!exec)
        return access_none(w, u, &op->access, active);
    if (w->async)
        settle(w, exec, NULL);
    addresses_of(w, &op->access, exec, address[0]);
    if (!access_groups(w, u, &op->access, exec, active, 1, 8, address, host, &space))
        return false;
    WS_EACH_LANE (i, op->no_increment ? exec : 0)
        if (!mbarrier_arrive_one(w, u, i, cluster_holder(w->block, host[0][i]), (uint32_t)address[0][i]))
            return false;
    return true;
}

/* The store is done at once, as a GPU may do it, and its bytes are complete at the object. */
bool async_store_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const async_op *const op = u->info;
    uint64_t address[WS_WARP];
    unsigned char *host[WS_WARP], *data[WS_WARP];
    uint64_t to[WS_WARP];
    ws_space space;
    uop store = *u;
    store.info = &op->access;
    if (!exec)
        return access_run(w, &store, exec, active);
    addresses_of(w, &op->object, exec, address);
    addresses_of(w, &op->access, exec, to);
    if (!access_find(w, u, &op->object, exec, 8, address, host, &space) ||
        !access_find(w, u, &op->access, exec, op->access.bytes, to, data, &space))
        return false;
    WS_EACH_LANE (i, exec)
        if (cluster_holder(w->block, host[i]) != cluster_holder(w->block, data[i]))
            return block_fault(w, u, i, "stores to a block of the cluster other than that of its mbarrier object");
    if (!access_run(w, &store, exec, active))
        return false;
    WS_EACH_LANE (i, exec)
        if (!mbarrier_complete_bytes(w, u, i, cluster_holder(w->block, host[i]), (uint32_t)address[i],
                                     op->access.bytes * op->access.vec))
            return false;
    return true;
}
