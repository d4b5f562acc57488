/* flow.c - control flow of one function: blocks, where divergent lanes meet again, and which registers share a slot.
 *
 * Reconvergence is at the immediate post-dominator (the classical SIMT stack; Fung, Sham, Yuan, Aamodt, MICRO 2007),
 * which flow_graph.c finds; flow_live.c says where registers live. Virtual registers are put into slots by linear scan
 * over live intervals (Poletto, Sarkar, TOPLAS 1999), so a warp's registers stay in the cache and register numbers mean
 * what they mean on a machine: something that is written again and again. */
#include "collect/simt/flow_internal.h"

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

/* Nodes as flow_internal.h numbers them. */
static uint32_t block_node(const flow *f, const ws_function *fn, uint32_t target)
{
    return target < fn->insns ? f->block_of[target] : f->blocks;
}

static uint32_t list_node(const flow *f, uint32_t list)
{
    return f->blocks + 1 + list;
}

static void list_successors(const flow *f, const ws_function *fn, uint32_t list,
                            void (*see)(void *, uint32_t from, uint32_t to), void *context)
{
    const ws_list *const l = &fn->list[list];
    for (uint32_t k = 0; l->kind == 0 && k < l->n; k++)
        see(context, list_node(f, list), block_node(f, fn, l->target[k]));
}

/* The successors of block b. Calls see for each. */
static void successors(const flow *f, const ws_function *fn, uint32_t b,
                       void (*see)(void *, uint32_t from, uint32_t to), void *context)
{
    const uint32_t last = f->start[b + 1] - 1;
    const ws_insn *insn = &fn->insn[last];
    const bool falls = !ends_block(insn) || insn->guard;
    if (leaves(insn)) {
        see(context, b, f->blocks);
    } else if (insn->op == WS_OP_bra) {
        see(context, b, block_node(f, fn, insn->operand[0].target));
    } else if (insn->op == WS_OP_brx) {
        for (unsigned i = 0; i < insn->operands; i++)
            if (insn->operand[i].kind == WS_OPND_TARGETS)
                see(context, b, list_node(f, insn->operand[i].target));
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

/* ---- where lanes meet again ---- */

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

static void each_edge(const flow *f, const ws_function *fn, void (*see)(void *, uint32_t from, uint32_t to),
                      void *context)
{
    for (uint32_t b = 0; b < f->blocks; b++)
        successors(f, fn, b, see, context);
    for (uint32_t l = 0; l < fn->lists; l++)
        list_successors(f, fn, l, see, context);
}

static bool make_graph(const flow *f, const ws_function *fn, graph *succ)
{
    const uint32_t nodes = succ->nodes = list_node(f, fn->lists);
    succ->first = calloc((size_t)nodes + 1, sizeof *succ->first);
    succ->fill = calloc((size_t)nodes + 1, sizeof *succ->fill);
    if (!succ->first || !succ->fill)
        return false;
    each_edge(f, fn, count_edge, succ);
    for (uint32_t i = 0; i < nodes; i++)
        succ->first[i + 1] += succ->first[i];
    memcpy(succ->fill, succ->first, nodes * sizeof *succ->fill);
    succ->edge = calloc((size_t)succ->first[nodes] + 1, sizeof *succ->edge);
    if (!succ->edge)
        return false;
    each_edge(f, fn, put_edge, succ);
    return true;
}

static int find_reconvergence(flow *f, const ws_function *fn, graph *pred)
{
    const uint32_t end = f->blocks;
    graph succ = {0};
    uint32_t *const ipdom = malloc(list_node(f, fn->lists) * sizeof *ipdom);
    const bool ok = ipdom && make_graph(f, fn, &succ) && graph_reverse(&succ, pred) &&
                    graph_post_dominators(&succ, pred, end, ipdom);
    for (uint32_t b = 0; ok && b < end; b++) {
        uint32_t meet = ipdom[b];
        if (meet != NO_NODE && meet > end) /* a list: lanes meet where its targets do, and that is no list */
            meet = ipdom[meet];
        f->reconverge[b] = meet < end ? f->start[meet] : FLOW_END;
    }
    graph_fini(&succ);
    free(ipdom);
    return ok ? WS_OK : ws_fail(WS_EMEM, "no memory for control flow");
}

/* ---- slots ---- */

void flow_extend_interval(interval *iv, uint32_t position)
{
    if (iv->first > position)
        iv->first = position;
    if (iv->last < position + 1)
        iv->last = position + 1;
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

/* Old-style parameters in registers are written by the caller before the first instruction, and read behind the last.
 */
static void extend_formal(const ws_function *fn, interval *iv)
{
    for (uint32_t i = 0; i < fn->params; i++)
        for (uint32_t k = 0; fn->param_reg && fn->param_reg[i] != UINT32_MAX && k < fn->param[i].vec; k++)
            flow_extend_interval(&iv[fn->param_reg[i] + k], 0);
    for (uint32_t i = 0; i < fn->rets; i++)
        for (uint32_t k = 0; fn->ret_reg && fn->ret_reg[i] != UINT32_MAX && k < fn->ret[i].vec; k++) {
            flow_extend_interval(&iv[fn->ret_reg[i] + k], 0);
            flow_extend_interval(&iv[fn->ret_reg[i] + k], fn->insns ? fn->insns - 1 : 0);
        }
}

static int find_slots(flow *f, const ws_function *fn, const graph *pred)
{
    interval *const iv = calloc((size_t)fn->regs + 1, sizeof *iv);
    f->slot = calloc((size_t)fn->regs + 1, sizeof *f->slot);
    bool ok = iv && f->slot;
    if (ok) {
        for (uint32_t r = 0; r < fn->regs; r++)
            iv[r] = (interval){r, UINT32_MAX, 0};
        extend_formal(fn, iv);
        ok = flow_find_live(f, fn, pred, iv);
    }
    if (ok) {
        uint32_t n = 0;
        for (uint32_t r = 0; r < fn->regs; r++)
            if (iv[r].first != UINT32_MAX)
                iv[n++] = iv[r];
        qsort(iv, n, sizeof *iv, by_first);
        ok = give_slots(f, fn, iv, n);
    }
    free(iv);
    return ok ? WS_OK : ws_fail(WS_EMEM, "no memory for register slots");
}

int flow_init(flow *f, const ws_function *function)
{
    *f = (flow){0};
    graph pred = {0};
    int status = find_blocks(f, function);
    if (!status)
        status = find_reconvergence(f, function, &pred);
    if (!status)
        status = find_slots(f, function, &pred);
    graph_fini(&pred);
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
