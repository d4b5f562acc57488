/* waits.c - loops of a kernel that end by what others write.
 *
 * A loop is what lies between a branch back and its target. What an instruction writes is followed through registers to
 * the branches behind it, in the order of the text; that is enough for the few instructions between such a load and its
 * branch. */
#include "collect/trace/waits.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct loop {
    const ws_launch *launch;
    const ws_code *code;
    uint32_t first, last; /* the target, the branch back */
} loop;

enum { FOLLOWED = 32 }; /* registers that hold, or hang on, what was found */

typedef struct followed {
    uint32_t reg[FOLLOWED];
    unsigned n;
} followed;

bool ws_instr_looks(const ws_instr *in)
{
    return ws_instr_is_poll(in) ||
           (in->access == WS_ACCESS_ATOMIC && (in->atomic == WS_ATOMIC_EXCH || in->atomic == WS_ATOMIC_CAS));
}

static unsigned find(const followed *f, uint32_t reg)
{
    unsigned i = 0;
    while (i < f->n && f->reg[i] != reg)
        i++;
    return i;
}

static bool reads(const ws_code *c, uint32_t pc, const followed *f)
{
    for (uint32_t i = c->instr[pc].operand; i < c->instr[pc + 1].operand; i++)
        if (c->operand[i].kind == WS_CODE_REGISTER && !c->operand[i].is_written && find(f, c->operand[i].reg) < f->n)
            return true;
    return false;
}

static void follow(const ws_code *c, uint32_t pc, bool hangs, followed *f)
{
    for (uint32_t i = c->instr[pc].operand; i < c->instr[pc + 1].operand; i++) {
        if (c->operand[i].kind != WS_CODE_REGISTER || !c->operand[i].is_written)
            continue;
        const unsigned at = find(f, c->operand[i].reg);
        if (hangs && at == f->n && f->n < FOLLOWED)
            f->reg[f->n++] = c->operand[i].reg;
        else if (!hangs && at < f->n)
            f->reg[at] = f->reg[--f->n];
    }
}

/* The branch back, or one that leaves the loop. */
static bool ends_turn(const loop *l, uint32_t pc)
{
    const ws_code *const c = l->code;
    bool leaves = pc == l->last;
    const uint32_t *const target = c->target + c->instr[pc].target;
    for (uint32_t i = 0; i < c->instr[pc].targets; i++)
        leaves = leaves || target[i] > l->last || target[i] < l->first;
    return leaves;
}

static bool decides(const loop *l, uint32_t pc)
{
    followed f = {0};
    follow(l->code, pc, true, &f);
    for (uint32_t i = pc + 1; i <= l->last; i++) {
        const bool hangs = reads(l->code, i, &f);
        if (hangs && l->launch->instr[i].conditional && ends_turn(l, i))
            return true;
        follow(l->code, i, hangs, &f);
    }
    return false;
}

static bool waits_in(const loop *l)
{
    for (uint32_t pc = l->first; pc <= l->last; pc++)
        if (ws_instr_looks(&l->launch->instr[pc]) && decides(l, pc))
            return true;
    return false;
}

static bool any_looks(const ws_launch *launch)
{
    for (size_t i = 0; i < launch->instrs; i++)
        if (ws_instr_looks(&launch->instr[i]))
            return true;
    return false;
}

static bool may_wait(const ws_launch *launch)
{
    return launch->code && launch->code->instrs == launch->instrs && any_looks(launch);
}

bool ws_launch_waits(const ws_launch *launch)
{
    const ws_code *const c = launch->code;
    if (!may_wait(launch))
        return false;
    for (uint32_t pc = 0; pc < c->instrs; pc++)
        for (uint32_t i = 0; i < c->instr[pc].targets; i++) {
            const loop l = {.launch = launch, .code = c, .first = c->target[c->instr[pc].target + i], .last = pc};
            if (l.first <= pc && waits_in(&l))
                return true;
        }
    return false;
}

bool ws_instr_works(const ws_instr *in)
{
    const bool memory = in->space == WS_SPACE_GLOBAL || in->space == WS_SPACE_GENERIC || in->space == WS_SPACE_TEXTURE;
    const bool plain = in->order == WS_ORDER_NONE || in->order == WS_ORDER_WEAK;
    if (in->cls == WS_CLASS_BARRIER)
        return true;
    return memory && plain && !in->uncached && (in->access == WS_ACCESS_LOAD || in->access == WS_ACCESS_STORE);
}

/* As decides(), and by which way a warp goes, too: what is written between a branch that hangs on the look and where
 * its ways meet again hangs on it, and so may what is decided in the turn behind. */
static bool decides_ways(const loop *l, uint32_t look)
{
    followed f = {0};
    uint32_t meet = 0; /* ways of a branch that hangs on it meet there */
    follow(l->code, look, true, &f);
    for (uint32_t turn = 0, i = look + 1; turn < 2; turn++, i = l->first, meet = 0)
        for (; i <= l->last; i++) {
            const ws_instr *const in = &l->launch->instr[i];
            const bool hangs = i < meet || reads(l->code, i, &f);
            if (hangs && in->conditional && ends_turn(l, i))
                return true;
            if (hangs && in->conditional && in->reconverge > meet)
                meet = in->reconverge;
            follow(l->code, i, hangs, &f);
        }
    return false;
}

static bool only_waits(const loop *l)
{
    bool decided = false;
    for (uint32_t pc = l->first; pc <= l->last; pc++) {
        if (ws_instr_works(&l->launch->instr[pc]))
            return false;
        decided = decided || (ws_instr_looks(&l->launch->instr[pc]) && decides_ways(l, pc));
    }
    return decided;
}

/* end[pc]: behind the longest such loop that begins there; 0: none does. */
static bool find_wait_loops(const ws_launch *launch, uint32_t *end)
{
    const ws_code *const c = launch->code;
    bool any = false;
    for (uint32_t pc = 0; pc < c->instrs; pc++)
        for (uint32_t i = 0; i < c->instr[pc].targets; i++) {
            const loop l = {.launch = launch, .code = c, .first = c->target[c->instr[pc].target + i], .last = pc};
            if (l.first > pc || !only_waits(&l))
                continue;
            end[l.first] = pc + 1; /* branches back come in rising order */
            any = true;
        }
    return any;
}

int ws_launch_wait_loops(const ws_launch *launch, uint16_t **out)
{
    *out = NULL;
    if (!may_wait(launch))
        return WS_OK;
    uint32_t *const end = calloc(launch->instrs, sizeof *end);
    uint16_t *const number = calloc(launch->instrs, sizeof *number);
    if (!end || !number) {
        free(end);
        free(number);
        return ws_fail(WS_EMEM, "no memory for the loops of a kernel");
    }
    const bool any = find_wait_loops(launch, end);
    uint32_t until = 0;
    uint16_t loops = 0;
    for (uint32_t pc = 0; pc < launch->instrs && any; pc++) {
        if (end[pc] && pc >= until && loops < UINT16_MAX)
            loops++;
        until = end[pc] > until ? end[pc] : until;
        number[pc] = pc < until ? loops : 0;
    }
    free(end);
    if (any)
        *out = number;
    else
        free(number);
    return WS_OK;
}
