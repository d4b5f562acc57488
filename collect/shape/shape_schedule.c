/* shape_schedule.c - in which order does an assembler put the instructions of a region?
 *
 * List scheduling (Gibbons, Muchnick, "Efficient Instruction Scheduling for a Pipelined Architecture", 1986): of those that need
 * nothing that is still to come, and whose operands are there, the one with the longest way to the end of the region; so loads go
 * first and what uses them last. Accesses keep their order where they may touch the same words. */
#include "collect/shape/shape_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Cycles after which a result can be used, as an assembler may take them for granted. */
enum { CYCLES_ALU = 4, CYCLES_DOUBLE = 8, CYCLES_SPECIAL = 16, CYCLES_SHARED = 24, CYCLES_MEMORY = 48 };

/* One slot, the two halves of a pair, or a wide load with those that it stands for. */
typedef struct item {
    uint32_t slot, slots;
    uint32_t before;    /* items that have to go first */
    uint32_t first, ends; /* of its edges, when they are sorted */
    uint32_t way;       /* cycles from here to the end of the region */
    uint32_t ready;     /* cycle */
    uint32_t cycles;
} item;

typedef struct edge {
    uint32_t from, to;
    uint32_t cycles;
} edge;

typedef struct access {
    uint32_t item, pc;
} access;

typedef struct scheduler {
    shaper *s;
    item *item;
    uint32_t items, item_room;
    edge *edge;
    uint32_t edges, edge_room;
    access *access;
    uint32_t accesses, access_room;
    uint32_t *writer;  /* [values] item + 1 that wrote it last in this region, 0: none */
    uint32_t *reader;  /* [values] first of a list in `read`, + 1 */
    struct read {
        uint32_t item, next;
    } * read;
    uint32_t reads, read_room;
    uint32_t *touched; /* values with a writer or readers */
    uint32_t touches, touch_room;
    uint32_t exchange; /* item + 1 */
    shape_slot *copy;
    uint32_t copy_room;
    uint32_t *heap;    /* items that may go */
    uint32_t heap_room;
} scheduler;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the order of a kernel's instructions");
}

static uint32_t cycles_of(const shaper *s, const shape_slot *t)
{
    const uint8_t space = s->node[t->pc].space;
    if (t->is_main && s->node[t->pc].cls == WS_CLASS_MEMORY)
        return space == WS_SPACE_SHARED || space == WS_SPACE_PARAM ? CYCLES_SHARED : CYCLES_MEMORY;
    return t->unit == WS_UNIT_DP ? CYCLES_DOUBLE : t->unit == WS_UNIT_SFU || t->unit == WS_UNIT_MEMORY ? CYCLES_SPECIAL : CYCLES_ALU;
}

/* ------------------------------------------------------------------------------------------------ who waits for whom */

static int add_edge(scheduler *c, uint32_t from, uint32_t to, uint32_t cycles)
{
    if (from == to)
        return WS_OK;
    if (WS_GROW(c->edge, c->edge_room, c->edges, 1))
        return no_memory();
    c->edge[c->edges++] = (edge){from, to, cycles};
    c->item[to].before++;
    return WS_OK;
}

static int touch(scheduler *c, uint32_t value)
{
    if (c->writer[value] || c->reader[value])
        return WS_OK;
    if (WS_GROW(c->touched, c->touch_room, c->touches, 1))
        return no_memory();
    c->touched[c->touches++] = value;
    return WS_OK;
}

static int note_read(scheduler *c, uint32_t at, uint32_t value)
{
    int status = touch(c, value);
    if (!status && c->writer[value])
        status = add_edge(c, c->writer[value] - 1, at, c->item[c->writer[value] - 1].cycles);
    if (status || WS_GROW(c->read, c->read_room, c->reads, 1))
        return status ? status : no_memory();
    c->read[c->reads++] = (struct read){at, c->reader[value]};
    c->reader[value] = c->reads;
    return WS_OK;
}

static int note_write(scheduler *c, uint32_t at, uint32_t value)
{
    int status = touch(c, value);
    for (uint32_t r = c->reader[value]; r && !status; r = c->read[r - 1].next)
        status = add_edge(c, c->read[r - 1].item, at, 0);
    if (!status && c->writer[value])
        status = add_edge(c, c->writer[value] - 1, at, 1);
    c->reader[value] = 0;
    c->writer[value] = at + 1;
    return status;
}

static const ws_code_operand *address_of(const shape_node *n)
{
    for (unsigned i = 0; i < n->operands; i++)
        if (n->operand[i].is_address)
            return &n->operand[i];
    return NULL;
}

/* Accesses to places that are apart whatever registers hold: of other spaces, or at other offsets from the same value. */
static bool are_apart(const shaper *s, uint32_t a, uint32_t b)
{
    const ws_instr *const x = &s->launch->instr[a], *const y = &s->launch->instr[b];
    if (x->access == WS_ACCESS_LOAD && y->access == WS_ACCESS_LOAD)
        return true;
    if (x->space != y->space)
        return x->space != WS_SPACE_GENERIC && y->space != WS_SPACE_GENERIC;
    const ws_code_operand *const p = address_of(&s->node[a]), *const q = address_of(&s->node[b]);
    const bool same = p && q && p->kind == WS_CODE_REGISTER && q->kind == WS_CODE_REGISTER && p->reg == q->reg && shape_is_single(s, p->reg);
    return same && (p->value <= q->value ? q->value - p->value >= x->bytes : p->value - q->value >= y->bytes);
}

static int note_access(scheduler *c, uint32_t at, uint32_t pc)
{
    int status = WS_OK;
    for (uint32_t i = c->accesses; i-- > 0 && !status;)
        if (!are_apart(c->s, c->access[i].pc, pc))
            status = add_edge(c, c->access[i].item, at, 1);
    if (status || WS_GROW(c->access, c->access_room, c->accesses, 1))
        return status ? status : no_memory();
    c->access[c->accesses++] = (access){at, pc};
    return WS_OK;
}

/* The last of a region that ends with a branch or the like stays the last. */
static bool is_last(const shaper *s, const ws_shape_region *r, const shape_slot *t)
{
    const uint8_t cls = s->node[t->pc].cls;
    return t->is_main && t->pc + 1 == r->end_pc && (cls == WS_CLASS_BRANCH || cls == WS_CLASS_BARRIER || cls == WS_CLASS_OTHER);
}

static int note_item(scheduler *c, const ws_shape_region *r, uint32_t at)
{
    const shaper *const s = c->s;
    int status = WS_OK;
    for (uint32_t k = 0; k < c->item[at].slots; k++) {
        const shape_slot *const t = &s->slot[c->item[at].slot + k];
        for (unsigned i = 0; i < t->srcs && !status; i++)
            status = note_read(c, at, t->src[i]);
        for (unsigned i = 0; i < t->dsts && !status && t->may; i++) /* what was there may stay */
            status = note_read(c, at, t->dst[i]);
    }
    for (uint32_t k = 0; k < c->item[at].slots; k++) {
        const shape_slot *const t = &s->slot[c->item[at].slot + k];
        for (unsigned i = 0; i < t->dsts && !status; i++)
            status = note_write(c, at, t->dst[i]);
        if (!status && t->is_main && s->node[t->pc].cls == WS_CLASS_MEMORY)
            status = note_access(c, at, t->pc);
        if (!status && t->is_main && s->node[t->pc].cls == WS_CLASS_EXCHANGE) {
            status = c->exchange ? add_edge(c, c->exchange - 1, at, 1) : WS_OK;
            c->exchange = at + 1;
        }
        for (uint32_t i = 0; is_last(s, r, t) && i < at && !status; i++)
            status = add_edge(c, i, at, 0);
    }
    return status;
}

static int make_items(scheduler *c, const ws_shape_region *r)
{
    const shaper *const s = c->s;
    c->items = c->edges = c->accesses = c->reads = c->touches = 0;
    c->exchange = 0;
    int status = WS_OK;
    for (uint32_t t = r->first; t < r->end && !status; t += c->item[c->items - 1].slots) {
        if (WS_GROW(c->item, c->item_room, c->items, 1))
            return no_memory();
        uint32_t slots = s->slot[t].half == HALF_LOW && t + 1 < r->end ? 2 : 1;
        while (t + slots < r->end && s->slot[t + slots].is_joined)
            slots++;
        c->item[c->items++] = (item){.slot = t, .slots = slots, .cycles = cycles_of(s, &s->slot[t])};
        status = note_item(c, r, c->items - 1);
    }
    for (uint32_t i = 0; i < c->touches; i++)
        c->writer[c->touched[i]] = c->reader[c->touched[i]] = 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------ the order */

static int by_from(const void *a, const void *b)
{
    const edge *const x = a, *const y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

/* The longest way from each item to the end; edges lead to later items only. */
static void find_ways(scheduler *c)
{
    if (c->edges)
        qsort(c->edge, c->edges, sizeof *c->edge, by_from);
    for (uint32_t e = c->edges; e-- > 0;) {
        item *const from = &c->item[c->edge[e].from];
        from->first = e;
        from->ends++;
    }
    for (uint32_t i = c->items; i-- > 0;) {
        item *const it = &c->item[i];
        it->way = it->cycles;
        for (uint32_t e = it->first; e < it->first + it->ends; e++) {
            const uint32_t way = c->edge[e].cycles + c->item[c->edge[e].to].way;
            it->way = way > it->way ? way : it->way;
        }
    }
}

/* The best of those that may go at `now`; when none is ready, the one that is first. */
static uint32_t choose(const scheduler *c, uint32_t n, uint32_t now)
{
    uint32_t best = NOBODY;
    for (uint32_t k = 0; k < n; k++) {
        const item *const it = &c->item[c->heap[k]], *const other = best == NOBODY ? NULL : &c->item[c->heap[best]];
        const uint32_t ready = it->ready > now ? it->ready : now;
        const uint32_t than = !other ? 0 : other->ready > now ? other->ready : now;
        if (!other || ready < than || (ready == than && (it->way > other->way || (it->way == other->way && it->slot < other->slot))))
            best = k;
    }
    return best;
}

static void put_item(scheduler *c, const item *it, uint32_t *at)
{
    memcpy(&c->copy[*at], &c->s->slot[it->slot], it->slots * sizeof *c->copy);
    *at += it->slots;
}

static int order_items(scheduler *c, const ws_shape_region *r)
{
    uint32_t waiting = 0, now = 0, at = 0;
    if (WS_GROW(c->copy, c->copy_room, 0, r->end - r->first + 1) || WS_GROW(c->heap, c->heap_room, 0, c->items + 1))
        return no_memory();
    for (uint32_t i = 0; i < c->items; i++)
        if (!c->item[i].before)
            c->heap[waiting++] = i;
    while (waiting) {
        const uint32_t k = choose(c, waiting, now);
        item *const it = &c->item[c->heap[k]];
        c->heap[k] = c->heap[--waiting];
        now = (it->ready > now ? it->ready : now) + (c->s->slot[it->slot].half == HALF_LOW ? 2 : 1);
        put_item(c, it, &at);
        for (uint32_t e = it->first; e < it->first + it->ends; e++) {
            item *const to = &c->item[c->edge[e].to];
            const uint32_t ready = now - 1 + c->edge[e].cycles;
            to->ready = ready > to->ready ? ready : to->ready;
            if (!--to->before)
                c->heap[waiting++] = c->edge[e].to;
        }
    }
    memcpy(&c->s->slot[r->first], c->copy, (size_t)at * sizeof *c->copy);
    return WS_OK;
}

int shape_schedule(shaper *s)
{
    scheduler c = {.s = s};
    c.writer = calloc((size_t)s->values + 1, sizeof *c.writer);
    c.reader = calloc((size_t)s->values + 1, sizeof *c.reader);
    int status = c.writer && c.reader ? WS_OK : no_memory();
    for (uint32_t i = 0; i < s->regions && !status; i++) {
        status = make_items(&c, &s->region[i]);
        if (status)
            break;
        find_ways(&c);
        status = order_items(&c, &s->region[i]);
    }
    void *const all[] = {c.item, c.edge, c.access, c.writer, c.reader, c.read, c.touched, c.copy, c.heap};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return status;
}
