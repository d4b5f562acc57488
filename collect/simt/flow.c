/* flow.c - control flow of one function: blocks, where divergent lanes meet again, and which registers share a slot.
 *
 * Reconvergence is at the immediate post-dominator (the classical SIMT stack; Fung, Sham, Yuan, Aamodt, MICRO 2007).
 * Dominators on the reversed graph follow Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001. Virtual
 * registers are put into slots by linear scan over live intervals (Poletto, Sarkar, TOPLAS 1999), so a warp's registers
 * stay in the cache and register numbers mean what they mean on a machine: something that is written again and again. */
#include "collect/simt/simt_internal.h"

#include <stdlib.h>
#include <string.h>

static void operand_registers(const ws_operand *o, bool def, void (*see)(void *, uint32_t, bool), void *context)
{
    switch (o->kind) {
    case WS_OPND_REG:
        see(context, o->reg, def);
        break;
    case WS_OPND_ADDRESS: /* the registers inside are read even when the access writes */
        for (unsigned i = 0; i < o->elems; i++)
            operand_registers(&o->elem[i], false, see, context);
        break;
    case WS_OPND_VECTOR:
        for (unsigned i = 0; i < o->elems; i++)
            operand_registers(&o->elem[i], def, see, context);
        break;
    default:
        break;
    }
}

void flow_operands(const ws_insn *insn, void (*see)(void *context, uint32_t reg, bool is_def), void *context)
{
    const unsigned dsts = insn->op == WS_OP_call ? 1 : ws_ptx_dsts(insn);
    for (unsigned i = dsts; i < insn->operands; i++)
        operand_registers(&insn->operand[i], false, see, context);
    if (insn->guard)
        operand_registers(insn->guard, false, see, context);
    for (unsigned i = 0; i < dsts && i < insn->operands; i++)
        operand_registers(&insn->operand[i], true, see, context);
    operand_registers(&insn->second, true, see, context);
}

/* ---- blocks and edges ---- */

static bool leaves(const ws_insn *insn)
{
    return insn->op == WS_OP_exit || insn->op == WS_OP_ret || insn->op == WS_OP_trap;
}

static bool ends_block(const ws_insn *insn)
{
    return insn->op == WS_OP_bra || insn->op == WS_OP_brx || leaves(insn);
}

/* The successors of block b as block numbers; f->blocks stands for the function's end. Calls see for each. */
static void successors(const flow *f, const ws_function *fn, uint32_t b,
                       void (*see)(void *, uint32_t from, uint32_t to), void *context)
{
    const uint32_t last = f->start[b + 1] - 1;
    const ws_insn *insn = &fn->insn[last];
    const bool falls = !ends_block(insn) || insn->guard;
    if (leaves(insn)) {
        see(context, b, f->blocks);
    } else if (insn->op == WS_OP_bra) {
        const uint32_t t = insn->operand[0].target;
        see(context, b, t < fn->insns ? f->block_of[t] : f->blocks);
    } else if (insn->op == WS_OP_brx) {
        for (unsigned i = 0; i < insn->operands; i++)
            if (insn->operand[i].kind == WS_OPND_TARGETS) {
                const ws_list *list = &fn->list[insn->operand[i].target];
                for (uint32_t k = 0; k < list->n; k++)
                    see(context, b, list->target[k] < fn->insns ? f->block_of[list->target[k]] : f->blocks);
            }
    }
    if (falls)
        see(context, b, b + 1);
}

static int find_blocks(flow *f, const ws_function *fn)
{
    bool *leader = calloc(fn->insns + 1, sizeof *leader);
    f->block_of = calloc(fn->insns + 1, sizeof *f->block_of);
    if (!leader || !f->block_of) {
        free(leader);
        return ws_fail(WS_EMEM, "no memory for control flow");
    }
    leader[0] = true;
    for (uint32_t i = 0; i < fn->insns; i++) {
        const ws_insn *insn = &fn->insn[i];
        if (insn->op == WS_OP_bra && insn->operand[0].target <= fn->insns)
            leader[insn->operand[0].target] = true;
        if (ends_block(insn))
            leader[i + 1] = true;
    }
    for (uint32_t l = 0; l < fn->lists; l++)
        if (fn->list[l].kind == 0)
            for (uint32_t k = 0; k < fn->list[l].n; k++)
                if (fn->list[l].target[k] <= fn->insns)
                    leader[fn->list[l].target[k]] = true;
    for (uint32_t i = 0; i < fn->insns; i++)
        f->blocks += leader[i];
    f->start = calloc(f->blocks + 1, sizeof *f->start);
    f->reconverge = calloc(f->blocks, sizeof *f->reconverge);
    if (!f->start || !f->reconverge) {
        free(leader);
        return ws_fail(WS_EMEM, "no memory for control flow");
    }
    uint32_t b = 0;
    for (uint32_t i = 0; i < fn->insns; i++) {
        if (leader[i])
            f->start[b++] = i;
        f->block_of[i] = b - 1;
    }
    f->start[b] = fn->insns;
    free(leader);
    return WS_OK;
}

/* ---- post-dominators ---- */

typedef struct graph {
    uint32_t *first; /* [nodes + 1] into edge */
    uint32_t *edge;
    uint32_t *fill;
} graph;

static void count_edge(void *context, uint32_t from, uint32_t to)
{
    (void)to;
    ((graph *)context)->first[from + 1]++;
}

static void put_edge(void *context, uint32_t from, uint32_t to)
{
    graph *g = context;
    g->edge[g->fill[from]++] = to;
}

/* Predecessors from successors, both as adjacency arrays over nodes 0..n. */
static bool reverse_graph(const graph *g, uint32_t nodes, graph *r)
{
    const uint32_t edges = g->first[nodes];
    r->first = calloc(nodes + 1, sizeof *r->first);
    r->edge = calloc(edges + 1, sizeof *r->edge);
    r->fill = calloc(nodes + 1, sizeof *r->fill);
    if (!r->first || !r->edge || !r->fill)
        return false;
    for (uint32_t e = 0; e < edges; e++)
        r->first[g->edge[e] + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        r->first[i + 1] += r->first[i];
    memcpy(r->fill, r->first, nodes * sizeof *r->fill);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            r->edge[r->fill[g->edge[e]]++] = i;
    return true;
}

static void graph_fini(graph *g)
{
    free(g->first);
    free(g->edge);
    free(g->fill);
}

enum { UNSEEN = 0xffffffff };

/* Immediate post-dominator of every block into ipdom; `end` is the virtual exit. */
static bool post_dominators(const graph *succ, const graph *pred, uint32_t end, uint32_t *ipdom)
{
    const uint32_t nodes = end + 1;
    uint32_t *order = malloc(nodes * sizeof *order), *rank = malloc(nodes * sizeof *rank);
    uint32_t *stack = malloc(nodes * sizeof *stack), *next = malloc(nodes * sizeof *next);
    bool ok = order && rank && stack && next;
    if (ok) {
        uint32_t n = 0, depth = 1;
        memset(rank, 0xff, nodes * sizeof *rank);
        memset(ipdom, 0xff, nodes * sizeof *ipdom);
        memcpy(next, pred->first, nodes * sizeof *next);
        stack[0] = end;
        rank[end] = UNSEEN - 1;
        while (depth) { /* post-order of the reversed graph */
            const uint32_t v = stack[depth - 1];
            if (next[v] < pred->first[v + 1]) {
                const uint32_t p = pred->edge[next[v]++];
                if (rank[p] == UNSEEN) {
                    rank[p] = UNSEEN - 1;
                    stack[depth++] = p;
                }
            } else {
                rank[v] = n;
                order[n++] = v;
                depth--;
            }
        }
        ipdom[end] = end;
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = n; i-- > 0;) {
                const uint32_t v = order[i];
                if (v == end)
                    continue;
                uint32_t best = UNSEEN;
                for (uint32_t e = succ->first[v]; e < succ->first[v + 1]; e++) {
                    uint32_t s = succ->edge[e];
                    if (rank[s] == UNSEEN || ipdom[s] == UNSEEN)
                        continue;
                    if (best == UNSEEN) {
                        best = s;
                        continue;
                    }
                    uint32_t a = s, b = best;
                    while (a != b) {
                        while (rank[a] < rank[b])
                            a = ipdom[a];
                        while (rank[b] < rank[a])
                            b = ipdom[b];
                    }
                    best = a;
                }
                if (best != UNSEEN && ipdom[v] != best) {
                    ipdom[v] = best;
                    changed = true;
                }
            }
        }
    }
    free(order);
    free(rank);
    free(stack);
    free(next);
    return ok;
}

static int find_reconvergence(flow *f, const ws_function *fn, graph *succ)
{
    const uint32_t end = f->blocks, nodes = end + 1;
    graph pred = {0};
    uint32_t *ipdom = malloc(nodes * sizeof *ipdom);
    succ->first = calloc(nodes + 1, sizeof *succ->first);
    succ->fill = calloc(nodes + 1, sizeof *succ->fill);
    bool ok = ipdom && succ->first && succ->fill;
    if (ok) {
        for (uint32_t b = 0; b < end; b++)
            successors(f, fn, b, count_edge, succ);
        for (uint32_t i = 0; i < nodes; i++)
            succ->first[i + 1] += succ->first[i];
        memcpy(succ->fill, succ->first, nodes * sizeof *succ->fill);
        succ->edge = calloc(succ->first[nodes] + 1, sizeof *succ->edge);
        ok = succ->edge != NULL;
    }
    if (ok) {
        for (uint32_t b = 0; b < end; b++)
            successors(f, fn, b, put_edge, succ);
        ok = reverse_graph(succ, nodes, &pred) && post_dominators(succ, &pred, end, ipdom);
    }
    for (uint32_t b = 0; ok && b < end; b++)
        f->reconverge[b] = ipdom[b] < end ? f->start[ipdom[b]] : FLOW_END;
    graph_fini(&pred);
    free(ipdom);
    return ok ? WS_OK : ws_fail(WS_EMEM, "no memory for control flow");
}

/* ---- liveness ---- */

typedef struct liveness {
    size_t words;                   /* of a set of registers */
    uint64_t *use, *def, *in, *out; /* [blocks][words] */
    uint64_t *use_now, *def_now;
    bool may; /* the instruction is guarded: its definitions kill nothing */
} liveness;

static void see_local(void *context, uint32_t reg, bool is_def)
{
    liveness *l = context;
    const uint64_t bit = 1ull << (reg & 63);
    if (!is_def && !(l->def_now[reg >> 6] & bit))
        l->use_now[reg >> 6] |= bit;
    if (is_def && !l->may)
        l->def_now[reg >> 6] |= bit;
}

static void solve_liveness(const flow *f, const graph *succ, liveness *l)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = f->blocks; b-- > 0;) {
            uint64_t *in = l->in + b * l->words, *out = l->out + b * l->words;
            const uint64_t *use = l->use + b * l->words, *def = l->def + b * l->words;
            for (uint32_t e = succ->first[b]; e < succ->first[b + 1]; e++) {
                if (succ->edge[e] == f->blocks)
                    continue;
                const uint64_t *from = l->in + succ->edge[e] * l->words;
                for (size_t w = 0; w < l->words; w++)
                    out[w] |= from[w];
            }
            for (size_t w = 0; w < l->words; w++) {
                const uint64_t now = use[w] | (out[w] & ~def[w]);
                if (now != in[w]) {
                    in[w] = now;
                    changed = true;
                }
            }
        }
    }
}

/* ---- slots ---- */

typedef struct interval {
    uint32_t reg, first, last; /* last: position after which the slot is free */
} interval;

typedef struct scan {
    const ws_function *fn;
    interval *iv;   /* [regs] */
    uint64_t *live; /* set at the current position, going backwards */
    uint32_t position, pressure, pressure_max;
    bool may;
} scan;

static uint32_t reg_units(const ws_function *fn, uint32_t reg)
{
    const ws_type t = fn->reg[reg].type;
    const unsigned bits = ws_type_bits(t);
    return t == WS_T_pred ? 0 : bits > 64 ? 4 : bits > 32 ? 2 : 1;
}

static void extend(interval *iv, uint32_t reg, uint32_t position)
{
    if (iv[reg].first > position)
        iv[reg].first = position;
    if (iv[reg].last < position + 1)
        iv[reg].last = position + 1;
}

static void see_def(void *context, uint32_t reg, bool is_def)
{
    scan *s = context;
    if (!is_def)
        return;
    extend(s->iv, reg, s->position);
    const uint64_t bit = 1ull << (reg & 63);
    if (!s->may && (s->live[reg >> 6] & bit)) {
        s->live[reg >> 6] &= ~bit;
        s->pressure -= reg_units(s->fn, reg);
    }
}

static void see_use(void *context, uint32_t reg, bool is_def)
{
    scan *s = context;
    if (is_def)
        return;
    extend(s->iv, reg, s->position);
    const uint64_t bit = 1ull << (reg & 63);
    if (!(s->live[reg >> 6] & bit)) {
        s->live[reg >> 6] |= bit;
        s->pressure += reg_units(s->fn, reg);
    }
}

/* Live intervals and the highest pressure, walking each block backwards from what is live at its end. */
static void find_intervals(const flow *f, const ws_function *fn, const liveness *l, scan *s)
{
    for (uint32_t b = 0; b < f->blocks; b++) {
        const uint64_t *in = l->in + b * l->words, *out = l->out + b * l->words;
        memcpy(s->live, out, l->words * sizeof *out);
        s->pressure = 0;
        for (uint32_t r = 0; r < fn->regs; r++) {
            const uint64_t bit = 1ull << (r & 63);
            if (in[r >> 6] & bit)
                extend(s->iv, r, f->start[b]);
            if (out[r >> 6] & bit) {
                extend(s->iv, r, f->start[b + 1] - 1);
                s->pressure += reg_units(fn, r);
            }
        }
        if (s->pressure > s->pressure_max)
            s->pressure_max = s->pressure;
        for (uint32_t i = f->start[b + 1]; i-- > f->start[b];) {
            s->position = i;
            s->may = fn->insn[i].guard != NULL;
            flow_operands(&fn->insn[i], see_def, s);
            flow_operands(&fn->insn[i], see_use, s);
            if (s->pressure > s->pressure_max)
                s->pressure_max = s->pressure;
        }
    }
}

static int by_first(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : x->reg < y->reg ? -1 : x->reg > y->reg;
}

enum { CLASSES = 4 }; /* of slots: 32 bits, 64, predicates, 128 */

/* A slot is given again when the interval that held it has ended. Destination and sources of one instruction may share:
 * lane functions allow it when the slots are the same register file entry of equal width. Vector loads and other uops
 * that write several registers, or write before they have read everything, must not, so intervals keep their slot
 * through the instruction that uses them last. */
static bool give_slots(flow *f, const ws_function *fn, interval *iv, uint32_t n)
{
    uint32_t *heap_end[CLASSES], *heap_slot[CLASSES], heap_n[CLASSES] = {0}, *free_slot[CLASSES], free_n[CLASSES] = {0},
        count[CLASSES] = {0};
    bool ok = true;
    for (int c = 0; c < CLASSES; c++) {
        heap_end[c] = malloc((n + 1) * sizeof(uint32_t));
        heap_slot[c] = malloc((n + 1) * sizeof(uint32_t));
        free_slot[c] = malloc((n + 1) * sizeof(uint32_t));
        ok = ok && heap_end[c] && heap_slot[c] && free_slot[c];
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        const ws_type t = fn->reg[iv[i].reg].type;
        const int c = t == WS_T_pred ? 2 : ws_type_bits(t) > 64 ? 3 : ws_type_bits(t) > 32 ? 1 : 0;
        uint32_t *end = heap_end[c], *slot = heap_slot[c];
        while (heap_n[c] && end[0] <= iv[i].first) { /* pop the interval that ends first */
            free_slot[c][free_n[c]++] = slot[0];
            const uint32_t last = --heap_n[c];
            uint32_t at = 0;
            for (uint32_t child; (child = 2 * at + 1) < last; at = child) {
                if (child + 1 < last && end[child + 1] < end[child])
                    child++;
                if (end[last] <= end[child])
                    break;
                end[at] = end[child];
                slot[at] = slot[child];
            }
            end[at] = end[last];
            slot[at] = slot[last];
        }
        const uint32_t mine = free_n[c] ? free_slot[c][--free_n[c]] : count[c]++;
        f->slot[iv[i].reg] = mine;
        uint32_t at = heap_n[c]++;
        for (; at && end[(at - 1) / 2] > iv[i].last; at = (at - 1) / 2) {
            end[at] = end[(at - 1) / 2];
            slot[at] = slot[(at - 1) / 2];
        }
        end[at] = iv[i].last;
        slot[at] = mine;
    }
    for (int c = 0; c < CLASSES; c++) {
        free(heap_end[c]);
        free(heap_slot[c]);
        free(free_slot[c]);
    }
    f->slots32 = count[0];
    f->slots64 = count[1];
    f->slots_pred = count[2];
    f->slots128 = count[3];
    return ok;
}

static int find_slots(flow *f, const ws_function *fn, const graph *succ)
{
    liveness l = {.words = (fn->regs + 63) / 64 + 1};
    const size_t bytes = l.words * sizeof(uint64_t);
    scan s = {.fn = fn};
    l.use = calloc(f->blocks + 1, bytes);
    l.def = calloc(f->blocks + 1, bytes);
    l.in = calloc(f->blocks + 1, bytes);
    l.out = calloc(f->blocks + 1, bytes);
    s.live = calloc(1, bytes);
    s.iv = calloc(fn->regs + 1, sizeof *s.iv);
    f->slot = calloc(fn->regs + 1, sizeof *f->slot);
    bool ok = l.use && l.def && l.in && l.out && s.live && s.iv && f->slot;
    if (ok) {
        for (uint32_t b = 0; b < f->blocks; b++) {
            l.use_now = l.use + b * l.words;
            l.def_now = l.def + b * l.words;
            for (uint32_t i = f->start[b]; i < f->start[b + 1]; i++) {
                l.may = fn->insn[i].guard != NULL;
                flow_operands(&fn->insn[i], see_local, &l);
            }
        }
        solve_liveness(f, succ, &l);
        for (size_t k = 0; f->blocks && k < l.words; k++)
            f->live_at_entry = f->live_at_entry || l.in[k];
        for (uint32_t r = 0; r < fn->regs; r++)
            s.iv[r] = (interval){r, UINT32_MAX, 0};
        /* Old-style parameters in registers are written by the caller before the first instruction. */
        for (uint32_t i = 0; i < fn->params; i++)
            if (fn->param_reg && fn->param_reg[i] != UINT32_MAX)
                extend(s.iv, fn->param_reg[i], 0);
        for (uint32_t i = 0; i < fn->rets; i++)
            if (fn->ret_reg && fn->ret_reg[i] != UINT32_MAX) {
                extend(s.iv, fn->ret_reg[i], 0);
                extend(s.iv, fn->ret_reg[i], fn->insns ? fn->insns - 1 : 0);
            }
        find_intervals(f, fn, &l, &s);
        f->live_max = s.pressure_max;
        uint32_t n = 0;
        for (uint32_t r = 0; r < fn->regs; r++)
            if (s.iv[r].first != UINT32_MAX)
                s.iv[n++] = s.iv[r];
        qsort(s.iv, n, sizeof *s.iv, by_first);
        ok = give_slots(f, fn, s.iv, n);
    }
    free(l.use);
    free(l.def);
    free(l.in);
    free(l.out);
    free(s.live);
    free(s.iv);
    return ok ? WS_OK : ws_fail(WS_EMEM, "no memory for register slots");
}

int flow_init(flow *f, const ws_function *function)
{
    *f = (flow){0};
    graph succ = {0};
    int status = find_blocks(f, function);
    if (!status)
        status = find_reconvergence(f, function, &succ);
    if (!status)
        status = find_slots(f, function, &succ);
    graph_fini(&succ);
    if (status)
        flow_fini(f);
    return status;
}

void flow_fini(flow *f)
{
    free(f->start);
    free(f->block_of);
    free(f->reconverge);
    free(f->slot);
    *f = (flow){0};
}
