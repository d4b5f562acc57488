/* flow_live.c - where do registers live, and how many at once?
 *
 * Only registers that some block reads before it writes them can live where blocks meet; of the others a walk through
 * their block says everything. The former are solved 64 at a time, and each time only blocks in which one of the 64
 * lives are looked at. So time grows with the length of live ranges and memory with the text, where sets of all
 * registers for all blocks would take both times registers times blocks. */
#include "base/grow.h"
#include "collect/simt/flow_internal.h"

#include <stdlib.h>
#include <string.h>

/* A block reads the register before it writes it, or writes it for certain. */
typedef struct mention {
    uint32_t block, reg;
    bool uses, defines;
    bool lives_on; /* live at the block's end */
} mention;

enum { BATCH = 64 };

/* Of a block, about the registers of the batch. */
typedef struct block_sets {
    uint64_t use, def, in, out;
    bool seen, queued;
} block_sets;

typedef struct live {
    flow *f;
    const ws_function *fn;
    const graph *pred;
    interval *iv;
    mention *mention; /* in the order of blocks */
    size_t mentions, capacity;
    uint32_t *last_mention; /* [regs] the newest, or none of this block */
    uint32_t *global;       /* [regs] number among those that are solved, NO_NODE for the others */
    uint32_t *reg_of;       /* [globals] */
    uint32_t globals;
    uint32_t *batch_first, *by_batch; /* mentions of solved registers, batch by batch */
    block_sets *sets;                 /* [nodes] */
    uint32_t *seen, *queue;           /* [nodes] */
    uint32_t seens;
    uint32_t *pressure; /* [blocks] at the end */

    uint32_t block, position, now; /* where a walk is; registers live there */
    uint64_t *alive;               /* [regs / 64] */
    bool may;                      /* the instruction is guarded: its definitions kill nothing */
    bool no_memory;
} live;

/* ---- mentions ---- */

static mention *mention_of(live *l, uint32_t reg)
{
    const uint32_t last = l->last_mention[reg];
    if (last < l->mentions && l->mention[last].reg == reg && l->mention[last].block == l->block)
        return &l->mention[last];
    if (l->mentions == UINT32_MAX || WS_GROW(l->mention, l->capacity, l->mentions, 1)) {
        l->no_memory = true;
        return NULL;
    }
    l->last_mention[reg] = (uint32_t)l->mentions;
    l->mention[l->mentions] = (mention){.block = l->block, .reg = reg};
    return &l->mention[l->mentions++];
}

static void note_mention(void *context, uint32_t reg, bool is_def)
{
    live *const l = context;
    if (is_def && l->may)
        return;
    mention *const m = mention_of(l, reg);
    if (!m)
        return;
    if (is_def) {
        m->defines = true;
    } else if (!m->defines) {
        m->uses = true;
        if (l->global[reg] == NO_NODE)
            l->global[reg] = l->globals++;
    }
}

static void find_mentions(live *l)
{
    const flow *const f = l->f;
    memset(l->global, 0xff, l->fn->regs * sizeof *l->global);
    memset(l->last_mention, 0xff, l->fn->regs * sizeof *l->last_mention);
    for (l->block = 0; l->block < f->blocks; l->block++)
        for (uint32_t i = f->start[l->block]; i < f->start[l->block + 1]; i++) {
            l->may = l->fn->insn[i].guard != NULL;
            flow_operands(&l->fn->insn[i], note_mention, l);
        }
    for (uint32_t r = 0; r < l->fn->regs; r++)
        if (l->global[r] != NO_NODE)
            l->reg_of[l->global[r]] = r;
}

static bool sort_into_batches(live *l)
{
    const uint32_t batches = (l->globals + BATCH - 1) / BATCH;
    l->batch_first = calloc((size_t)batches + 2, sizeof *l->batch_first);
    l->by_batch = malloc((l->mentions + 1) * sizeof *l->by_batch);
    if (!l->batch_first || !l->by_batch)
        return false;
    for (size_t i = 0; i < l->mentions; i++)
        if (l->global[l->mention[i].reg] != NO_NODE)
            l->batch_first[l->global[l->mention[i].reg] / BATCH + 2]++;
    for (uint32_t k = 1; k <= batches; k++)
        l->batch_first[k + 1] += l->batch_first[k];
    for (size_t i = 0; i < l->mentions; i++)
        if (l->global[l->mention[i].reg] != NO_NODE)
            l->by_batch[l->batch_first[l->global[l->mention[i].reg] / BATCH + 1]++] = (uint32_t)i;
    return true;
}

/* ---- what lives where blocks meet ---- */

static uint32_t reg_units(const ws_function *fn, uint32_t reg)
{
    const ws_type t = fn->reg[reg].type;
    const unsigned bits = ws_type_bits(t);
    return t == WS_T_pred ? 0 : bits > 64 ? 4 : bits > 32 ? 2 : 1;
}

static block_sets *sets_of(live *l, uint32_t node)
{
    block_sets *const s = &l->sets[node];
    if (!s->seen) {
        s->seen = true;
        l->seen[l->seens++] = node;
    }
    return s;
}

/* A queue of nodes: each stands in it at most once, so it goes round in an array of all. */
static void propagate(live *l, uint32_t from, uint32_t waiting)
{
    const uint32_t nodes = l->pred->nodes;
    while (waiting) {
        const uint32_t node = l->queue[from];
        const uint64_t in = l->sets[node].in;
        from = from + 1 == nodes ? 0 : from + 1;
        waiting--;
        l->sets[node].queued = false;
        for (uint32_t e = l->pred->first[node]; e < l->pred->first[node + 1]; e++) {
            const uint32_t p = l->pred->edge[e];
            block_sets *const s = sets_of(l, p);
            s->out |= in;
            const uint64_t now = s->use | (s->out & ~s->def);
            if (now == s->in)
                continue;
            s->in = now;
            if (!s->queued) {
                s->queued = true;
                l->queue[(from + waiting) % nodes] = p;
                waiting++;
            }
        }
    }
}

static void solve_batch(live *l, uint32_t batch)
{
    const uint32_t first = l->batch_first[batch], end = l->batch_first[batch + 1];
    uint32_t waiting = 0;
    l->seens = 0;
    for (uint32_t i = first; i < end; i++) {
        const mention *const m = &l->mention[l->by_batch[i]];
        const uint64_t bit = UINT64_C(1) << l->global[m->reg] % BATCH;
        block_sets *const s = sets_of(l, m->block);
        s->use |= m->uses ? bit : 0;
        s->def |= m->defines ? bit : 0;
    }
    for (uint32_t i = l->seens; i-- > 0;) { /* later blocks first: what lives flows backwards */
        block_sets *const s = &l->sets[l->seen[i]];
        if (!s->use)
            continue;
        s->in = s->use;
        s->queued = true;
        l->queue[waiting++] = l->seen[i];
    }
    propagate(l, 0, waiting);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The nodes that were looked at, in order. */
static void sort_seen(live *l)
{
    enum { FEW = 16 };
    if (l->seens < l->pred->nodes / FEW) {
        qsort(l->seen, l->seens, sizeof *l->seen, by_number);
        return;
    }
    l->seens = 0;
    for (uint32_t node = 0; node < l->pred->nodes; node++)
        if (l->sets[node].seen)
            l->seen[l->seens++] = node;
}

static void extend_all(live *l, uint32_t batch, uint64_t bits, uint32_t position)
{
    for (; bits; bits &= bits - 1)
        flow_extend_interval(&l->iv[l->reg_of[batch * BATCH + (uint32_t)__builtin_ctzll(bits)]], position);
}

/* Of all blocks where a register lives only the first and the last say something about its interval. */
static void extend_over(live *l, uint32_t batch, uint32_t b, uint64_t *in, uint64_t *out)
{
    const block_sets *const s = &l->sets[b];
    if (b >= l->f->blocks)
        return;
    extend_all(l, batch, s->in & ~*in, l->f->start[b]);
    extend_all(l, batch, s->out & ~*out, l->f->start[b + 1] - 1);
    *in |= s->in;
    *out |= s->out;
}

static void take_intervals(live *l, uint32_t batch)
{
    uint64_t in = 0, out = 0;
    for (uint32_t i = 0; i < l->seens; i++)
        extend_over(l, batch, l->seen[i], &in, &out);
    in = out = 0;
    for (uint32_t i = l->seens; i-- > 0;)
        extend_over(l, batch, l->seen[i], &in, &out);
}

static void take_pressure(live *l, uint32_t batch)
{
    enum { MOST_UNITS = 4 };
    uint64_t with[MOST_UNITS + 1] = {0};
    for (uint32_t k = 0; k < BATCH && batch * BATCH + k < l->globals; k++)
        with[reg_units(l->fn, l->reg_of[batch * BATCH + k])] |= UINT64_C(1) << k;
    for (uint32_t i = 0; i < l->seens; i++)
        for (unsigned units = 1; units <= MOST_UNITS; units++)
            l->pressure[l->seen[i]] += units * (unsigned)__builtin_popcountll(l->sets[l->seen[i]].out & with[units]);
}

static void take_batch(live *l, uint32_t batch)
{
    for (uint32_t i = l->batch_first[batch]; i < l->batch_first[batch + 1]; i++) {
        mention *const m = &l->mention[l->by_batch[i]];
        m->lives_on = l->sets[m->block].out >> l->global[m->reg] % BATCH & 1;
    }
    sort_seen(l);
    take_intervals(l, batch);
    take_pressure(l, batch);
    l->f->live_at_entry |= l->f->blocks && l->sets[0].in;
    for (uint32_t i = 0; i < l->seens; i++)
        l->sets[l->seen[i]] = (block_sets){0};
}

/* ---- inside blocks ---- */

static bool set_alive(live *l, uint32_t reg, bool alive)
{
    const uint64_t bit = UINT64_C(1) << (reg & 63);
    const bool was = l->alive[reg >> 6] & bit;
    l->alive[reg >> 6] = alive ? l->alive[reg >> 6] | bit : l->alive[reg >> 6] & ~bit;
    return was;
}

static void see_def(void *context, uint32_t reg, bool is_def)
{
    live *const l = context;
    if (!is_def)
        return;
    flow_extend_interval(&l->iv[reg], l->position);
    if (!l->may && set_alive(l, reg, false))
        l->now -= reg_units(l->fn, reg);
}

static void see_use(void *context, uint32_t reg, bool is_def)
{
    live *const l = context;
    if (is_def)
        return;
    flow_extend_interval(&l->iv[reg], l->position);
    if (!set_alive(l, reg, true))
        l->now += reg_units(l->fn, reg);
}

static void note_pressure(live *l)
{
    if (l->now > l->f->live_max)
        l->f->live_max = l->now;
}

/* Backwards from what is live at the block's end; mentions from `first` on are the block's. */
static size_t walk_block(live *l, uint32_t b, size_t first)
{
    const flow *const f = l->f;
    size_t end = first;
    for (; end < l->mentions && l->mention[end].block == b; end++)
        set_alive(l, l->mention[end].reg, l->mention[end].lives_on);
    l->now = l->pressure[b];
    note_pressure(l);
    for (uint32_t i = f->start[b + 1]; i-- > f->start[b];) {
        l->position = i;
        l->may = l->fn->insn[i].guard != NULL;
        flow_operands(&l->fn->insn[i], see_def, l);
        flow_operands(&l->fn->insn[i], see_use, l);
        note_pressure(l);
    }
    for (size_t i = first; i < end; i++)
        set_alive(l, l->mention[i].reg, false);
    return end;
}

bool flow_find_live(flow *f, const ws_function *fn, const graph *pred, interval *iv)
{
    const size_t regs = fn->regs, nodes = pred->nodes;
    live l = {.f = f, .fn = fn, .pred = pred, .iv = iv};
    l.last_mention = malloc((regs + 1) * sizeof *l.last_mention);
    l.global = malloc((regs + 1) * sizeof *l.global);
    l.reg_of = malloc((regs + 1) * sizeof *l.reg_of);
    l.alive = calloc(regs / 64 + 1, sizeof *l.alive);
    l.sets = calloc(nodes, sizeof *l.sets);
    l.seen = malloc(nodes * sizeof *l.seen);
    l.queue = malloc(nodes * sizeof *l.queue);
    l.pressure = calloc(nodes, sizeof *l.pressure);
    bool ok = l.last_mention && l.global && l.reg_of && l.alive && l.sets && l.seen && l.queue && l.pressure;
    if (ok) {
        find_mentions(&l);
        ok = !l.no_memory && sort_into_batches(&l);
    }
    for (uint32_t k = 0; ok && k * BATCH < l.globals; k++) {
        solve_batch(&l, k);
        take_batch(&l, k);
    }
    size_t at = 0;
    for (uint32_t b = 0; ok && b < f->blocks; b++)
        at = walk_block(&l, b, at);
    void *const all[] = {l.mention, l.last_mention, l.global, l.reg_of,   l.batch_first, l.by_batch,
                         l.sets,    l.seen,         l.queue,  l.pressure, l.alive};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return ok;
}
