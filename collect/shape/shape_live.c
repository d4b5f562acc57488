/* shape_live.c - where do the values of a kernel live?
 *
 * From each use backwards to the definitions that reach it, along the edges of the flow graph (path exploration;
 * Boissinot, Brandner, Darte, de Dinechin, Rastello, "Computing Liveness Sets for SSA-Form Programs", 2011): work and
 * memory grow with what is live, not with the product of values and blocks. */
#include "collect/shape/shape_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

typedef struct block {
    uint32_t first, end;      /* slots */
    uint32_t before, befores; /* its predecessors in `edge` */
} block;

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct flow {
    shaper *s;
    block *block;
    uint32_t blocks;
    uint32_t *block_of; /* [slots] */
    edge *edge;         /* sorted by `to` */
    uint32_t edges, edge_room;
    uint32_t *seen;  /* [blocks] the value, plus one, that was found live at its begin last */
    uint32_t *stack; /* [blocks] */
    uint32_t stacked;
} flow;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the registers of a kernel");
}

/* ------------------------------------------------------------------------------------------------ the graph */

static bool goes_elsewhere(const shape_node *n)
{
    return !n->removed && (n->op == WS_OP_bra || n->op == WS_OP_brx || n->op == WS_OP_ret || n->op == WS_OP_exit ||
                           n->op == WS_OP_trap);
}

static void mark_leaders(const shaper *s, bool *leader)
{
    const ws_code *const c = s->code;
    for (size_t f = 0; f < c->functions; f++)
        leader[c->function[f].first_pc] = true;
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        if (!goes_elsewhere(&s->node[pc]))
            continue;
        leader[pc + 1] = true;
        const uint32_t *const target = c->target + c->instr[pc].target;
        for (uint32_t i = 0; i < c->instr[pc].targets; i++)
            if (target[i] <= s->nodes)
                leader[target[i]] = true;
    }
}

static int add_edge(flow *f, uint32_t from, uint32_t to)
{
    if (WS_GROW(f->edge, f->edge_room, f->edges, 1))
        return no_memory();
    f->edge[f->edges++] = (edge){from, to};
    return WS_OK;
}

static size_t function_of(const ws_code *c, uint32_t pc)
{
    size_t f = 0;
    while (f + 1 < c->functions && c->function[f + 1].first_pc <= pc)
        f++;
    return f;
}

/* From the block whose last PTX instruction is pc; leader_block[pc] is the number of the block that begins there. */
static int add_edges(flow *f, uint32_t from, uint32_t pc, const uint32_t *block_at)
{
    const ws_code *const c = f->s->code;
    const shape_node *const n = &f->s->node[pc];
    const uint32_t end = c->function[function_of(c, pc) + 1].first_pc;
    int status = WS_OK;
    const uint32_t *const target = c->target + c->instr[pc].target;
    for (uint32_t i = 0; i < c->instr[pc].targets && !status; i++)
        if (target[i] < end)
            status = add_edge(f, from, block_at[target[i]]);
    if (!status && (!goes_elsewhere(n) || n->guarded) && pc + 1 < end)
        status = add_edge(f, from, from + 1);
    return status;
}

static int by_to(const void *a, const void *b)
{
    const edge *const x = a, *const y = b;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : x->from < y->from ? -1 : x->from > y->from;
}

static void index_edges(flow *f)
{
    if (f->edges)
        qsort(f->edge, f->edges, sizeof *f->edge, by_to);
    for (uint32_t e = f->edges; e-- > 0;) {
        f->block[f->edge[e].to].before = e;
        f->block[f->edge[e].to].befores++;
    }
}

static int fill_blocks(flow *f, const bool *leader, uint32_t *block_at)
{
    const shaper *const s = f->s;
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        if (leader[pc])
            f->block[f->blocks++].first = s->first[pc];
        block_at[pc] = f->blocks - 1;
        f->block[f->blocks - 1].end = s->first[pc + 1];
        for (uint32_t t = s->first[pc]; t < s->first[pc + 1]; t++)
            f->block_of[t] = f->blocks - 1;
    }
    int status = WS_OK;
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++)
        if (leader[pc + 1])
            status = add_edges(f, block_at[pc], pc, block_at);
    if (!status)
        index_edges(f);
    return status;
}

static int make_flow(flow *f)
{
    const shaper *const s = f->s;
    bool *const leader = calloc((size_t)s->nodes + 2, sizeof *leader);
    uint32_t *const block_at = malloc(((size_t)s->nodes + 1) * sizeof *block_at);
    f->block_of = malloc(((size_t)s->slots + 1) * sizeof *f->block_of);
    uint32_t blocks = 0;
    int status = leader && block_at && f->block_of ? WS_OK : no_memory();
    if (!status) {
        mark_leaders(s, leader);
        leader[s->nodes] = true;
        for (uint32_t pc = 0; pc < s->nodes; pc++)
            blocks += leader[pc];
        f->block = calloc((size_t)blocks + 1, sizeof *f->block);
        f->seen = calloc((size_t)blocks + 1, sizeof *f->seen);
        f->stack = malloc(((size_t)blocks + 1) * sizeof *f->stack);
        status = f->block && f->seen && f->stack ? fill_blocks(f, leader, block_at) : no_memory();
    }
    free(leader);
    free(block_at);
    return status;
}

/* ------------------------------------------------------------------------------------------------ ranges */

static int by_from(const void *a, const void *b)
{
    const shape_stretch *const x = a, *const y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static int add_stretch(shape_range *r, uint32_t from, uint32_t to)
{
    if (WS_GROW(r->stretch, r->room, r->stretches, 1))
        return no_memory();
    r->stretch[r->stretches++] = (shape_stretch){from, to};
    return WS_OK;
}

/* In order, and stretches that touch are one. */
static void tidy(shape_range *r)
{
    if (r->stretches < 2)
        return;
    qsort(r->stretch, r->stretches, sizeof *r->stretch, by_from);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < r->stretches; i++) {
        shape_stretch *const last = &r->stretch[kept];
        if (r->stretch[i].from > last->to)
            r->stretch[++kept] = r->stretch[i];
        else if (r->stretch[i].to > last->to)
            last->to = r->stretch[i].to;
    }
    r->stretches = kept + 1;
}

bool shape_ranges_meet(const shape_range *a, const shape_range *b)
{
    for (uint32_t i = 0, k = 0; i < a->stretches && k < b->stretches;) {
        if (a->stretch[i].to <= b->stretch[k].from)
            i++;
        else if (b->stretch[k].to <= a->stretch[i].from)
            k++;
        else
            return true;
    }
    return false;
}

bool shape_range_covers(const shape_range *r, uint32_t position)
{
    for (uint32_t i = 0; i < r->stretches && r->stretch[i].from <= position; i++)
        if (position < r->stretch[i].to)
            return true;
    return false;
}

int shape_ranges_join(shape_range *to, const shape_range *from)
{
    for (uint32_t i = 0; i < from->stretches; i++)
        if (add_stretch(to, from->stretch[i].from, from->stretch[i].to))
            return WS_EMEM;
    tidy(to);
    return WS_OK;
}

/* The value is live from somewhere in the block to `to`. True: from before its begin. */
static bool walk_up(flow *f, uint32_t b, uint32_t to, uint32_t value, const uint32_t *write, uint32_t writes_left,
                    int *status)
{
    /* The last slot of the block before `to` that surely writes the value; `write` is sorted. */
    const block *const at = &f->block[b];
    while (writes_left && write[writes_left - 1] * 2 + 1 >= to)
        writes_left--;
    const bool found = writes_left && write[writes_left - 1] >= at->first;
    *status = add_stretch(&f->s->range[value], found ? write[writes_left - 1] * 2 + 1 : at->first * 2, to);
    return !found;
}

/* All uses of a value: [n] slots that read it, sorted; [m] that surely write it. */
static int find_range(flow *f, uint32_t value, const uint32_t *read, uint32_t n, const uint32_t *write, uint32_t m)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        f->stacked = 0;
        uint32_t b = f->block_of[read[i]], to = read[i] * 2 + 1;
        bool on = walk_up(f, b, to, value, write, m, &status);
        while (!status) {
            for (uint32_t e = 0; on && e < f->block[b].befores; e++) {
                const uint32_t from = f->edge[f->block[b].before + e].from;
                if (f->seen[from] == value + 1)
                    continue;
                f->seen[from] = value + 1;
                f->stack[f->stacked++] = from;
            }
            if (!f->stacked)
                break;
            b = f->stack[--f->stacked];
            on = f->block[b].first == f->block[b].end || walk_up(f, b, f->block[b].end * 2, value, write, m, &status);
        }
    }
    return status;
}

/* Slots that read (or surely write) each value: lists one behind the other. */
typedef struct mentions {
    uint32_t *first; /* [values + 1] */
    uint32_t *slot;
} mentions;

static void count_mention(mentions *m, uint32_t value, uint32_t slot)
{
    (void)slot;
    m->first[value + 1]++;
}

static void put_mention(mentions *m, uint32_t value, uint32_t slot)
{
    m->slot[m->first[value]++] = slot;
}

static void each_mention(const shaper *s, bool reads, void (*see)(mentions *, uint32_t, uint32_t), mentions *m)
{
    for (uint32_t t = 0; t < s->slots; t++) {
        const shape_slot *const at = &s->slot[t];
        for (unsigned i = 0; reads && i < at->srcs; i++)
            see(m, at->src[i], t);
        for (unsigned i = 0; at->half != HALF_LOW && i < at->dsts; i++)
            if (reads == (at->may && s->value[at->dst[i]].is_sure)) /* what was there may stay */
                see(m, at->dst[i], t);
    }
}

static int find_mentions(const shaper *s, bool reads, mentions *m)
{
    m->first = calloc((size_t)s->values + 2, sizeof *m->first);
    if (!m->first)
        return no_memory();
    each_mention(s, reads, count_mention, m);
    for (uint32_t v = 0; v < s->values; v++)
        m->first[v + 1] += m->first[v];
    m->slot = malloc(((size_t)m->first[s->values] + 1) * sizeof *m->slot);
    if (!m->slot)
        return no_memory();
    each_mention(s, reads, put_mention, m);
    for (uint32_t v = s->values; v > 0; v--)
        m->first[v] = m->first[v - 1];
    m->first[0] = 0;
    return WS_OK;
}

/* What is written and read by nobody needs its register while it is written. */
static int add_writes(shaper *s)
{
    int status = WS_OK;
    for (uint32_t t = 0; t < s->slots && !status; t++)
        for (unsigned i = 0; s->slot[t].half != HALF_LOW && i < s->slot[t].dsts && !status; i++)
            status = add_stretch(&s->range[s->slot[t].dst[i]], 2 * t + 1, 2 * t + 2);
    return status;
}

void shape_forget_ranges(shaper *s)
{
    for (uint32_t v = 0; s->range && v < s->values; v++)
        free(s->range[v].stretch);
    free(s->range);
    s->range = NULL;
}

int shape_find_ranges(shaper *s)
{
    flow f = {.s = s};
    mentions reads = {0}, writes_of = {0};
    shape_forget_ranges(s);
    s->range = calloc((size_t)s->values + 1, sizeof *s->range);
    int status = s->range ? make_flow(&f) : no_memory();
    if (!status)
        status = find_mentions(s, true, &reads);
    if (!status)
        status = find_mentions(s, false, &writes_of);
    for (uint32_t v = 0; v < s->values && !status; v++)
        status = find_range(&f, v, reads.slot + reads.first[v], reads.first[v + 1] - reads.first[v],
                            writes_of.slot + writes_of.first[v], writes_of.first[v + 1] - writes_of.first[v]);
    if (!status)
        status = add_writes(s);
    for (uint32_t v = 0; v < s->values && !status; v++)
        tidy(&s->range[v]);
    void *const all[] = {f.block,     f.block_of, f.edge,          f.seen,        f.stack,
                         reads.first, reads.slot, writes_of.first, writes_of.slot};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return status;
}
