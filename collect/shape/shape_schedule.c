/* shape_schedule.c - in which order does an assembler put the instructions of a region?
 *
 * List scheduling (Gibbons, Muchnick, "Efficient Instruction Scheduling for a Pipelined Architecture", 1986): of those
 * that need nothing that is still to come, and whose operands are there, the one with the longest way to the end of the
 * region; so loads go first and what uses them last. Accesses keep their order where they may touch the same words.
 *
 * Where that would take more registers than the kernel gets for the text's order, those go first that end lives
 * (Goodman, Hsu, "Code Scheduling and Register Allocation in Large Basic Blocks", 1988). */
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
    uint32_t before;      /* items that have to go first */
    uint32_t first, ends; /* of its edges, when they are sorted */
    uint32_t way;         /* cycles from here to the end of the region */
    uint32_t ready;       /* cycle */
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
    uint32_t *writer; /* [values] item + 1 that wrote it last in this region, 0: none */
    uint32_t *reader; /* [values] first of a list in `read`, + 1 */
    struct read {
        uint32_t item, next;
    } * read;
    uint32_t reads, read_room;
    uint32_t *touched; /* values with a writer or readers */
    uint32_t touches, touch_room;
    uint32_t exchange; /* item + 1 */
    shape_slot *copy;
    uint32_t copy_room;
    uint32_t *heap; /* items that may go */
    uint32_t heap_room;
    /* Registers, of 32 bits: */
    int64_t limit, taken; /* at most, and by what is live now */
    struct life {
        uint32_t left;  /* reads that are still to come in this region */
        bool live, out; /* now, and behind the region */
    } * life;           /* [values] */
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
    return t->unit == WS_UNIT_DP                                 ? CYCLES_DOUBLE
           : t->unit == WS_UNIT_SFU || t->unit == WS_UNIT_MEMORY ? CYCLES_SPECIAL
                                                                 : CYCLES_ALU;
}

/* ------------------------------------------------------------------------------------------------ who waits for whom
 */

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

/* Accesses to places that are apart whatever registers hold: of other spaces, or at other offsets from the same value.
 */
static bool are_apart(const shaper *s, uint32_t a, uint32_t b)
{
    const ws_instr *const x = &s->launch->instr[a], *const y = &s->launch->instr[b];
    if (x->access == WS_ACCESS_LOAD && y->access == WS_ACCESS_LOAD)
        return true;
    if (x->space != y->space)
        return x->space != WS_SPACE_GENERIC && y->space != WS_SPACE_GENERIC;
    const ws_code_operand *const p = shape_address_of(&s->node[a]), *const q = shape_address_of(&s->node[b]);
    const bool same = p && q && p->kind == WS_CODE_REGISTER && q->kind == WS_CODE_REGISTER && p->reg == q->reg &&
                      shape_is_single(s, p->reg);
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
    return t->is_main && t->pc + 1 == r->end_pc &&
           (cls == WS_CLASS_BRANCH || cls == WS_CLASS_BARRIER || cls == WS_CLASS_OTHER);
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

/* ------------------------------------------------------------------------------------------------ registers */

static unsigned registers_of(const shaper *s, uint32_t value)
{
    return s->value[value].bits == 1 ? 0 : shape_width(s, value);
}

/* Registers of what is live at each position of the text; the most anywhere. WS_EMEM. */
static int count_live(const shaper *s, int64_t **live, int64_t *most)
{
    const size_t positions = 2 * (size_t)s->slots + 3;
    int64_t *const count = calloc(positions, sizeof *count);
    if (!count)
        return no_memory();
    for (uint32_t v = 0; v < s->values; v++)
        for (uint32_t i = 0; i < s->range[v].stretches; i++) {
            count[s->range[v].stretch[i].from] += registers_of(s, v);
            count[s->range[v].stretch[i].to] -= registers_of(s, v);
        }
    *most = count[0];
    for (size_t p = 1; p < positions; p++) {
        count[p] += count[p - 1];
        *most = count[p] > *most ? count[p] : *most;
    }
    *live = count;
    return WS_OK;
}

/* What an item reads: sources, and where a guard may keep them, destinations. */
static uint32_t read_of(const shape_slot *t, unsigned i)
{
    return i < t->srcs ? t->src[i] : t->dst[i - t->srcs];
}

static unsigned reads_of(const shape_slot *t)
{
    return t->srcs + (t->may ? t->dsts : 0u);
}

static void begin_lives(scheduler *c, const ws_shape_region *r)
{
    const shaper *const s = c->s;
    for (uint32_t i = 0; i < c->touches; i++) {
        const uint32_t v = c->touched[i];
        c->life[v] = (struct life){.live = shape_range_covers(&s->range[v], 2 * r->first),
                                   .out = shape_range_covers(&s->range[v], 2 * r->end)};
    }
    for (uint32_t t = r->first; t < r->end; t++)
        for (unsigned i = 0; i < reads_of(&s->slot[t]); i++)
            c->life[read_of(&s->slot[t], i)].left++;
}

static bool is_needed(const struct life *life)
{
    return life->left || life->out;
}

static bool writes(const scheduler *c, const item *it, uint32_t value)
{
    for (uint32_t k = 0; k < it->slots; k++)
        for (unsigned i = 0; i < c->s->slot[it->slot + k].dsts; i++)
            if (c->s->slot[it->slot + k].dst[i] == value)
                return true;
    return false;
}

static uint32_t reads(const scheduler *c, const item *it, uint32_t value)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < it->slots; k++)
        for (unsigned i = 0; i < reads_of(&c->s->slot[it->slot + k]); i++)
            n += read_of(&c->s->slot[it->slot + k], i) == value;
    return n;
}

/* Registers more that are taken once an item has gone. A pair's halves have the same operands. */
static int64_t registers_more(const scheduler *c, const item *it)
{
    const shape_slot *const t = &c->s->slot[it->slot + (c->s->slot[it->slot].half == HALF_LOW ? 1 : 0)];
    int64_t more = 0;
    for (unsigned i = 0; i < t->dsts; i++)
        more += !c->life[t->dst[i]].live && is_needed(&c->life[t->dst[i]]) ? registers_of(c->s, t->dst[i]) : 0;
    for (unsigned i = 0; i < t->srcs; i++) {
        const struct life *const life = &c->life[t->src[i]];
        bool again = false;
        for (unsigned k = 0; k < i; k++)
            again |= t->src[k] == t->src[i];
        if (!again && life->live && !life->out && !writes(c, it, t->src[i]) && life->left == reads(c, it, t->src[i]))
            more -= registers_of(c->s, t->src[i]);
    }
    return more;
}

static void pass(scheduler *c, const item *it)
{
    c->taken += registers_more(c, it);
    for (uint32_t k = 0; k < it->slots; k++) {
        const shape_slot *const t = &c->s->slot[it->slot + k];
        for (unsigned i = 0; i < reads_of(t); i++)
            c->life[read_of(t, i)].left--;
    }
    for (uint32_t k = 0; k < it->slots; k++) {
        const shape_slot *const t = &c->s->slot[it->slot + k];
        for (unsigned i = 0; i < t->srcs; i++)
            c->life[t->src[i]].live &= is_needed(&c->life[t->src[i]]);
        for (unsigned i = 0; i < t->dsts; i++)
            c->life[t->dst[i]].live = is_needed(&c->life[t->dst[i]]);
    }
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

/* How good an item would be now, compared from the first member on; less is better. */
typedef struct rank {
    int64_t beyond; /* registers more than there are, where it takes some or ends none */
    uint32_t ready; /* cycle in which it can go */
    uint32_t way, slot;
} rank;

static rank rank_of(const scheduler *c, const item *it, uint32_t now)
{
    const int64_t more = registers_more(c, it);
    return (rank){.beyond = c->taken + more > c->limit ? c->taken + more - c->limit : 0,
                  .ready = it->ready > now ? it->ready : now,
                  .way = UINT32_MAX - it->way,
                  .slot = it->slot};
}

static bool is_better(const rank *a, const rank *b)
{
    return a->beyond != b->beyond ? a->beyond < b->beyond
           : a->ready != b->ready ? a->ready < b->ready
           : a->way != b->way     ? a->way < b->way
                                  : a->slot < b->slot;
}

/* The best of those that may go at `now`; when none is ready, the one that is first. */
static uint32_t choose(const scheduler *c, uint32_t n, uint32_t now)
{
    uint32_t best = 0;
    rank of_best = rank_of(c, &c->item[c->heap[0]], now);
    for (uint32_t k = 1; k < n; k++) {
        const rank other = rank_of(c, &c->item[c->heap[k]], now);
        if (is_better(&other, &of_best)) {
            best = k;
            of_best = other;
        }
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
        pass(c, it);
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

static int order_regions(scheduler *c, const int64_t *live)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < c->s->regions && !status; i++) {
        const ws_shape_region *const r = &c->s->region[i];
        status = make_items(c, r);
        if (status)
            break;
        find_ways(c);
        begin_lives(c, r);
        c->taken = live[2 * (size_t)r->first];
        status = order_items(c, r);
    }
    return status;
}

int shape_schedule(shaper *s)
{
    scheduler c = {.s = s};
    int64_t *live = NULL;
    c.writer = calloc((size_t)s->values + 1, sizeof *c.writer);
    c.reader = calloc((size_t)s->values + 1, sizeof *c.reader);
    c.life = calloc((size_t)s->values + 1, sizeof *c.life);
    int status = c.writer && c.reader && c.life ? shape_find_ranges(s) : no_memory();
    if (!status)
        status = count_live(s, &live, &c.limit);
    c.limit = (c.limit + SHAPE_BESIDES + SHAPE_UNIT - 1) / SHAPE_UNIT * SHAPE_UNIT -
              SHAPE_BESIDES; /* the others of a unit cost nothing */
    if (!status)
        status = order_regions(&c, live);
    void *const all[] = {c.item, c.edge, c.access, c.writer, c.reader, c.read, c.touched, c.copy, c.heap, c.life, live};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return status;
}
