/* decode_async.c - cp.async, cp.async.bulk and mbarrier to uops. */
#include "collect/simt/async_internal.h"
#include "collect/simt/decode_internal.h"

#include <string.h>

static async_op *new_op(builder *b)
{
    async_op *const op = ws_arena_alloc(b->c->arena, sizeof *op);
    if (op)
        *op = (async_op){.sub = b->insn->sub, .size = PLACE_NONE, .count = PLACE_NONE, .result = PLACE_NONE};
    return op;
}

/* An address operand; each has a cache of its own. */
static int set_access(builder *b, const ws_operand *o, ws_space space, memory_op what, mem_access *a)
{
    *a = (mem_access){.space = (uint8_t)space, .op = (uint8_t)what, .cache = b->c->caches++};
    a->base = a->compare = a->value = PLACE_NONE;
    return decode_address(b, o, space, a);
}

/* cp.async.{ca,cg} [dst], [src], bytes{, source bytes or predicate}{, cache policy} */
static int decode_copy(builder *b, async_op *op)
{
    const ws_insn *in = b->insn;
    const ws_operand *bytes = &in->operand[2];
    if (bytes->kind != WS_OPND_IMM || (bytes->imm != 4 && bytes->imm != 8 && bytes->imm != 16) ||
        (in->sub == WS_SUB_ASYNC_CG && bytes->imm != 16))
        return decode_refuse(b, "needs a constant size of %s bytes", in->sub == WS_SUB_ASYNC_CG ? "16" : "4, 8 or 16");
    op->bytes = b->bytes = (uint8_t)bytes->imm;
    int status = set_access(b, &in->operand[0], WS_SPACE_SHARED, MEM_COPY_TO, &op->to);
    if (!status)
        status = set_access(b, &in->operand[1], WS_SPACE_GLOBAL, MEM_COPY, &op->access);
    const unsigned last = in->operands - (strstr(in->text, "cache_hint") != NULL);
    if (status || last <= 3)
        return status ? status : decode_emit_access(b, async_copy_run, op, 0);
    const ws_operand *size = &in->operand[3];
    op->ignores = size->kind == WS_OPND_REG && decode_reg_type(b, size->reg) == WS_T_pred;
    status = place_source(b, size, op->ignores ? WS_T_pred : WS_T_u32, &op->size);
    return status ? status : decode_emit_access(b, async_copy_run, op, 0);
}

/* cp.async.bulk.dst.src [dst], [src], bytes{, [object]{, mask of blocks}} */
static int decode_bulk(builder *b, async_op *op)
{
    const ws_insn *in = b->insn;
    const bool out = in->sub == WS_SUB_ASYNC_BULK_GROUP,
               inside = strstr(in->text, ".shared::cluster.shared::cta") != NULL;
    if (strstr(in->text, ".bulk.") == NULL || (out && !strstr(in->text, ".global.shared")) ||
        (!out && !inside && !strstr(in->text, ".global.")))
        return decode_refuse(b, "is not supported: this kind of bulk copy");
    b->bytes = 16;
    int status = set_access(b, &in->operand[0], out ? WS_SPACE_GLOBAL : WS_SPACE_SHARED, MEM_COPY_TO, &op->to);
    if (!status)
        status =
            set_access(b, &in->operand[1], out || inside ? WS_SPACE_SHARED : WS_SPACE_GLOBAL, MEM_COPY, &op->access);
    if (!status)
        status = place_source(b, &in->operand[2], WS_T_u32, &op->size);
    if (!status && !out)
        status = set_access(b, &in->operand[3], WS_SPACE_SHARED, MEM_ATOMIC, &op->object);
    if (!status && !out && in->multicast)
        status = in->operands > 4 ? place_source(b, &in->operand[4], WS_T_u16, &op->count)
                                  : decode_refuse(b, "needs a mask of blocks");
    return status ? status : decode_emit_access(b, async_bulk_run, op, 0);
}

/* commit_group, wait_group, wait_all */
static int decode_groups(builder *b)
{
    const ws_insn *in = b->insn;
    place newest = PLACE_NONE;
    uop *u;
    int status = decode_open_simple(b);
    if (!status && in->sub == WS_SUB_ASYNC_WAIT_GROUP)
        status = place_source(b, &in->operand[0], WS_T_u32, &newest);
    if (!status)
        status = decode_emit_special(b, in->sub == WS_SUB_ASYNC_COMMIT ? async_commit_run : async_wait_run, PLACE_NONE,
                                     newest, PLACE_NONE, PLACE_NONE, &u);
    if (!status) {
        u->mode = in->sub == WS_SUB_ASYNC_WAIT_ALL;
        u->mode2 = in->bulk;
    }
    decode_close_simple(b);
    return status;
}

int decode_async(builder *b)
{
    const ws_insn *in = b->insn;
    if (in->sub == WS_SUB_ASYNC_COMMIT || in->sub == WS_SUB_ASYNC_WAIT_GROUP || in->sub == WS_SUB_ASYNC_WAIT_ALL)
        return decode_groups(b);
    decode_close_run(b);
    async_op *const op = new_op(b);
    if (!op)
        return decode_no_memory();
    if (in->sub == WS_SUB_ASYNC_BULK_TX || in->sub == WS_SUB_ASYNC_BULK_GROUP)
        return decode_bulk(b, op);
    if (in->sub != WS_SUB_ASYNC_MBARRIER)
        return in->bulk ? decode_refuse(b, "is not supported: this kind of bulk copy") : decode_copy(b, op);
    op->no_increment = in->noinc;
    b->bytes = 8;
    const int status = set_access(b, &in->operand[0], (ws_space)in->space, MEM_ATOMIC, &op->access);
    return status ? status : decode_emit_access(b, async_arrive_run, op, 0);
}

static int decode_pending(builder *b)
{
    place state;
    destination d = {.at = PLACE_NONE};
    uop *u;
    int status = decode_open_simple(b);
    if (!status)
        status = place_source(b, &b->insn->operand[1], WS_T_b64, &state);
    if (!status)
        status = place_destination(b, &b->insn->operand[0], WS_T_u32, &d);
    if (!status)
        status = decode_emit_special(b, mbarrier_pending_run, d.at, state, PLACE_NONE, PLACE_NONE, &u);
    if (!status)
        status = place_finish(b, &d);
    decode_close_simple(b);
    return status;
}

/* The state that an arrival returns: a register of 64 bits, or nothing. */
static int decode_state(builder *b, async_op *op)
{
    const ws_operand *o = &b->insn->operand[0];
    op->returns = o->kind == WS_OPND_REG;
    if (!op->returns)
        return WS_OK;
    if (ws_type_bits(decode_reg_type(b, o->reg)) != 64)
        return decode_refuse(b, "needs a register of 64 bits for the state");
    op->result = place_reg(b, o->reg);
    op->number = place_reg_number(b, o->reg);
    return WS_OK;
}

int decode_mbarrier(builder *b)
{
    const ws_insn *in = b->insn;
    if (in->sub == WS_SUB_PENDING_COUNT)
        return decode_pending(b);
    decode_close_run(b);
    async_op *const op = new_op(b);
    if (!op)
        return decode_no_memory();
    const bool waits = in->sub == WS_SUB_TEST_WAIT || in->sub == WS_SUB_TRY_WAIT;
    const unsigned first = ws_ptx_dsts(in);
    op->parity = in->parity;
    op->tx = in->tx;
    op->drop = in->sub == WS_SUB_ARRIVE_DROP;
    op->no_complete = in->noComplete;
    b->bytes = 8;
    int status = set_access(b, &in->operand[first], (ws_space)in->space, MEM_ATOMIC, &op->access);
    if (!status && waits)
        status = place_destination(b, &in->operand[0], WS_T_pred, &(destination){0});
    if (!status && first && !waits)
        status = decode_state(b, op);
    op->has_count = in->operands > first + 1;
    if (!status && op->has_count)
        status = place_source(b, &in->operand[first + 1], waits && !in->parity ? WS_T_b64 : WS_T_u32, &op->count);
    if (status)
        return status;
    if (waits)
        op->result = in->operand[0].kind == WS_OPND_REG ? place_reg(b, in->operand[0].reg) : place_take_temp(b, 1);
    return decode_emit_access(b, mbarrier_run, op, 0);
}
