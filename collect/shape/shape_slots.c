/* shape_slots.c - nodes as a list of SASS instructions with the values that each reads and writes. */
#include "collect/shape/shape_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <string.h>

static const struct unit {
    char letter;
    uint8_t unit, work, number;
} units[] = {
    {'f', WS_UNIT_SP, WS_WORK_MAD, WS_NUMBER_SINGLE},      {'d', WS_UNIT_DP, WS_WORK_MAD, WS_NUMBER_DOUBLE},
    {'i', WS_UNIT_INT, WS_WORK_ADD, WS_NUMBER_INTEGER},    {'m', WS_UNIT_INT, WS_WORK_MAD, WS_NUMBER_INTEGER},
    {'u', WS_UNIT_SFU, WS_WORK_SPECIAL, WS_NUMBER_SINGLE}, {'b', WS_UNIT_NONE, WS_WORK_NOTHING, WS_NUMBER_INTEGER},
};

static const struct unit *unit_of(char letter)
{
    size_t i = 0;
    while (units[i].letter != letter)
        i++;
    return &units[i];
}

static int add_slot(shaper *s, uint32_t pc, shape_slot **out)
{
    if (WS_GROW(s->slot, s->slot_room, s->slots, 1))
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    *out = &s->slot[s->slots++];
    **out = (shape_slot){.pc = pc, .may = s->node[pc].guarded};
    return WS_OK;
}

static int add_value(shaper *s, uint8_t bits, uint32_t *out)
{
    if (WS_GROW(s->value, s->value_room, s->values, 1))
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    s->value[s->values] = (shape_value){.bits = bits};
    *out = s->values++;
    return WS_OK;
}

static void add_once(uint32_t *list, uint8_t *n, uint32_t value)
{
    for (unsigned i = 0; i < *n; i++)
        if (list[i] == value)
            return;
    if (*n < SLOT_VALUES)
        list[(*n)++] = value;
}

static void set_reads(shape_slot *t, const shape_node *n)
{
    for (unsigned i = 0; i < n->operands; i++)
        if (n->operand[i].kind == WS_CODE_REGISTER && !n->operand[i].is_written)
            add_once(t->src, &t->srcs, n->operand[i].reg);
}

static void set_writes(shape_slot *t, const shape_node *n)
{
    for (unsigned i = 0; i < n->operands; i++)
        if (n->operand[i].kind == WS_CODE_REGISTER && n->operand[i].is_written)
            add_once(t->dst, &t->dsts, n->operand[i].reg);
}

static void set_unit(shape_slot *t, char letter)
{
    const struct unit *const u = unit_of(letter);
    t->unit = u->unit;
    t->work = u->work;
    t->number = u->number;
}

static bool is_written_wide(const shaper *s, const shape_node *n)
{
    return n->operands && n->operand[0].kind == WS_CODE_REGISTER && n->operand[0].is_written &&
           s->value[n->operand[0].reg].bits > 32;
}

/* Two instructions that make the halves of a pair. The second needs the first, whose result it takes for granted. */
static int add_halves(shaper *s, uint32_t pc, const char *letters, bool is_copy)
{
    int status = WS_OK;
    for (unsigned i = 0; i < 2 && !status; i++) {
        shape_slot *t;
        status = add_slot(s, pc, &t);
        if (status)
            break;
        set_unit(t, letters[i]);
        set_reads(t, &s->node[pc]);
        set_writes(t, &s->node[pc]);
        t->half = i ? HALF_HIGH : HALF_LOW;
        t->is_copy = is_copy;
    }
    return status;
}

/* A constant goes into a register. */
static int add_constant(shaper *s, uint32_t pc)
{
    uint32_t value = NOBODY;
    shape_slot *t;
    int status = add_value(s, 32, &value);
    if (!status)
        status = add_slot(s, pc, &t);
    if (status)
        return status;
    set_unit(t, 'i');
    t->may = false;
    add_once(t->dst, &t->dsts, value);
    return WS_OK;
}

/* A chain: the first reads the operands, the last writes the result. */
static int add_chain(shaper *s, uint32_t pc, const char *sequence)
{
    const shape_node *const n = &s->node[pc];
    uint32_t before = NOBODY;
    for (const char *at = sequence; *at;) {
        unsigned times = 0;
        while (*at >= '0' && *at <= '9')
            times = times * 10 + (unsigned)(*at++ - '0');
        const char letter = *at++;
        for (times += !times; times; times--) {
            const bool last = times == 1 && !*at;
            uint32_t link = NOBODY;
            shape_slot *t;
            int status = last ? WS_OK : add_value(s, letter == 'd' ? 64 : 32, &link);
            if (!status)
                status = add_slot(s, pc, &t);
            if (status)
                return status;
            set_unit(t, letter);
            if (before == NOBODY || last)
                set_reads(t, n);
            if (before != NOBODY)
                add_once(t->src, &t->srcs, before);
            if (last)
                set_writes(t, n);
            else
                add_once(t->dst, &t->dsts, link);
            before = link;
        }
    }
    return WS_OK;
}

/* What stands for the PTX instruction itself. */
static int add_main(shaper *s, uint32_t pc)
{
    const ws_instr *const in = &s->launch->instr[pc];
    const shape_node *const n = &s->node[pc];
    shape_slot *t;
    const int status = add_slot(s, pc, &t);
    if (status)
        return status;
    t->is_main = true;
    t->unit = in->unit;
    t->work = n->op == WS_OP_mad && in->work == WS_WORK_ADD ? WS_WORK_MAD : in->work; /* a sum that took its product */
    t->number = in->number;
    set_reads(t, n);
    set_writes(t, n);
    return WS_OK;
}

/* The wide load, then those that it stands for. */
static int add_loads(shaper *s, uint32_t pc)
{
    shape_slot *t;
    int status = add_main(s, pc);
    if (status)
        return status;
    t = &s->slot[s->slots - 1];
    t->is_wide = true;
    for (uint32_t at = s->next_load[pc]; at != NOBODY; at = s->next_load[at])
        add_once(t->dst, &t->dsts, s->node[at].operand[0].reg);
    for (uint32_t at = pc; at != NOBODY && !status; at = s->next_load[at]) {
        status = add_main(s, at);
        s->slot[s->slots - 1].is_joined = !status;
    }
    return status;
}

static bool is_register_move(const shape_node *n)
{
    return n->op == WS_OP_mov && n->operands == 2 && n->operand[0].kind == WS_CODE_REGISTER &&
           n->operand[1].kind == WS_CODE_REGISTER;
}

static int add_move(shaper *s, uint32_t pc, bool is_copy)
{
    if (is_written_wide(s, &s->node[pc]))
        return add_halves(s, pc, "ii", is_copy);
    const int status = add_chain(s, pc, "i");
    s->slot[s->slots - 1].is_copy = is_copy && !status;
    return status;
}

static int add_node(shaper *s, uint32_t pc)
{
    const shape_node *const n = &s->node[pc];
    if (s->joined[pc])
        return s->joined[pc] == pc + 1 ? add_loads(s, pc) : WS_OK;
    if (n->is_move)
        return add_move(s, pc, false);
    if (shape_wants(s, WS_SHAPE_fold) && is_register_move(n) && !n->guarded)
        return add_move(s, pc, true);
    if (!n->sequence)
        return add_main(s, pc);
    return strlen(n->sequence) == 2 && is_written_wide(s, n) ? add_halves(s, pc, n->sequence, false)
                                                             : add_chain(s, pc, n->sequence);
}

int shape_make_slots(shaper *s)
{
    int status = WS_OK;
    s->first = ws_arena_alloc(s->arena, ((size_t)s->nodes + 1) * sizeof *s->first);
    if (!s->first)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++) {
        s->first[pc] = s->slots;
        for (unsigned i = 0; i < s->node[pc].moves && !status; i++)
            status = add_constant(s, pc);
        if (!s->node[pc].removed && !status)
            status = add_node(s, pc);
    }
    s->first[s->nodes] = s->slots;
    for (uint32_t r = 0; r < s->regions; r++) {
        s->region[r].first = s->first[s->region[r].first_pc];
        s->region[r].end = s->first[s->region[r].end_pc];
    }
    return status;
}
