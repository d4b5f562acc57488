/* random_interpret.c - what must a random kernel compute? Walks its tree, one thread after the other; threads meet only
 * at the statements of the top level, which are done for a whole block at once. */
#include "random_program.h"

#include <stdlib.h>
#include <string.h>

typedef struct thread {
    slot reg[KINDS][REGISTERS];
    uint8_t local[SCRATCH_BYTES];
    uint8_t shared[SHARED_OWN_BYTES];
    uint8_t *scratch;
    uint32_t *cells, *shared_cells; /* of the grid, of the block */
    bool exited;
} thread;

typedef enum outcome { GO_ON, BROKE, CONTINUED, EXITED } outcome;

static slot read_operand(const thread *t, const operand *o)
{
    if (o->kind == KIND_none)
        return (slot){.l = 0};
    return o->constant ? o->value : t->reg[o->kind][o->reg];
}

static bool guard_holds(const thread *t, const statement *s)
{
    return s->guard < 0 || (t->reg[KIND_p][s->guard].p != 0) != s->negate;
}

/* ------------------------------------------------------------------------------------------------ memory */

static uint64_t peek(const uint8_t *p, size_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}

static void atom(thread *t, const statement *s, uint8_t *p)
{
    const uint32_t old = (uint32_t)peek(p, 4), x = read_operand(t, &s->src[1]).u, y = read_operand(t, &s->src[2]).u;
    uint32_t v = old;
    switch (s->variant) {
    case ATOM_ADD:
        v = old + x;
        break;
    case ATOM_EXCH:
        v = x;
        break;
    case ATOM_CAS:
        v = old == x ? y : old;
        break;
    case ATOM_INC:
        v = old >= x ? 0 : old + 1;
        break;
    default:
        v = (int32_t)x < (int32_t)old ? x : old;
        break;
    }
    memcpy(p, &v, 4);
    t->reg[KIND_u][s->dst.reg].u = old;
}

static void do_own(thread *t, const statement *s)
{
    static const uint8_t width[ACCESSES] = {1, 1, 2, 2, 4, 8, 8, 16, 1, 2, 4, 8, 8, 16, 4, 4, 4, 4, 4};
    uint8_t *const base = s->where == OWN_SHARED                                   ? t->shared
                          : s->where == OWN_LOCAL || s->where == OWN_LOCAL_GENERIC ? t->local
                                                                                   : t->scratch;
    const uint32_t bytes = s->where == OWN_SHARED ? SHARED_OWN_BYTES : SCRATCH_BYTES;
    uint8_t *const p = base + (t->reg[KIND_u][s->src[0].reg].u & (bytes - 1) & ~(uint32_t)(width[s->variant] - 1));
    slot *const u = t->reg[KIND_u];
    const unsigned d = s->dst.reg;
    const slot x = read_operand(t, &s->src[1]);
    switch (s->variant) {
    case LOAD_S8:
        u[d].u = (uint32_t)(int8_t)peek(p, 1);
        break;
    case LOAD_S16:
        u[d].u = (uint32_t)(int16_t)peek(p, 2);
        break;
    case LOAD_U8:
    case LOAD_U16:
    case LOAD_U32:
        u[d].u = (uint32_t)peek(p, width[s->variant]);
        break;
    case LOAD_U64:
        t->reg[KIND_l][d].l = peek(p, 8);
        break;
    case LOAD_V2:
    case LOAD_V4:
        for (unsigned i = 0; i < width[s->variant] / 4u; i++)
            u[(d + i) % REGISTERS].u = (uint32_t)peek(p + i * 4, 4);
        break;
    case STORE_U8:
    case STORE_U16:
    case STORE_U32:
    case STORE_U64:
        memcpy(p, &x, width[s->variant]);
        break;
    case STORE_V2:
    case STORE_V4:
        for (unsigned i = 0; i < width[s->variant] / 4u; i++)
            memcpy(p + i * 4, &u[(s->src[1].reg + i) % REGISTERS], 4);
        break;
    default:
        atom(t, s, p);
        break;
    }
}

static void do_reduction(const thread *t, const statement *s)
{
    const uint32_t at = t->reg[KIND_u][s->src[0].reg].u & (CELLS - 1), v = t->reg[KIND_u][s->src[1].reg].u;
    uint32_t *const cell = (s->where ? t->shared_cells : t->cells) + s->variant * CELLS + at;
    switch (s->variant) {
    case RED_ADD:
        *cell += v;
        break;
    case RED_MIN_S:
        *cell = (int32_t)v < (int32_t)*cell ? v : *cell;
        break;
    case RED_MAX_U:
        *cell = v > *cell ? v : *cell;
        break;
    case RED_AND:
        *cell &= v;
        break;
    case RED_OR:
        *cell |= v;
        break;
    default:
        *cell ^= v;
        break;
    }
}

/* ------------------------------------------------------------------------------------------------ one thread */

static outcome do_block(const program *p, thread *t, const block *b);

static uint32_t do_function(const program *p, unsigned number, uint32_t a, uint32_t b)
{
    thread frame = {.exited = false};
    for (uint32_t i = 0; i < REGISTERS; i++)
        frame.reg[KIND_u][i].u = function_register(a, b, i);
    for (uint32_t i = 0; i < REGISTERS; i++)
        frame.reg[KIND_p][i].p = frame.reg[KIND_u][i].u < frame.reg[KIND_u][(i + 1) % REGISTERS].u;
    const outcome o = do_block(p, &frame, &p->function[number]);
    const uint32_t value = frame.reg[KIND_u][0].u;
    return o != EXITED && (a & 3) ? do_function(p, number, a - 1, value) : value;
}

static void do_call(const program *p, thread *t, const statement *s)
{
    slot *const u = t->reg[KIND_u];
    const unsigned number = s->kind == S_CALL ? s->where : t->reg[KIND_p][s->guard].p ? 0 : 1;
    u[s->dst.reg].u = do_function(p, number, u[s->src[0].reg].u, u[s->src[1].reg].u);
}

static outcome do_loop(const program *p, thread *t, const statement *s)
{
    const uint32_t trips = t->reg[KIND_u][s->src[0].reg].u & (s->is_long ? LONG_TRIPS : 7);
    for (uint32_t i = 0; i < trips || (s->bottom && i == 0); i++) {
        const outcome o = do_block(p, t, &s->body[0]);
        if (o == EXITED)
            return o;
        if (o == BROKE)
            break;
    }
    return GO_ON;
}

static outcome do_statement(const program *p, thread *t, const statement *s)
{
    const bool holds = guard_holds(t, s);
    switch (s->kind) {
    case S_OP:
        if (holds)
            t->reg[s->dst.kind][s->dst.reg] =
                s->op->compute(read_operand(t, &s->src[0]), read_operand(t, &s->src[1]), read_operand(t, &s->src[2]));
        return GO_ON;
    case S_IF:
        return do_block(p, t, &s->body[holds ? 0 : 1]);
    case S_LOOP:
        return do_loop(p, t, s);
    case S_BREAK:
        return holds ? BROKE : GO_ON;
    case S_CONTINUE:
        return holds ? CONTINUED : GO_ON;
    case S_SWITCH:
        return do_block(p, t, &s->body[t->reg[KIND_u][s->src[0].reg].u & (CASES - 1)]);
    case S_CALL:
    case S_CALL_EITHER:
        do_call(p, t, s);
        return GO_ON;
    case S_OWN:
        if (holds)
            do_own(t, s);
        return GO_ON;
    case S_REDUCE:
        if (holds)
            do_reduction(t, s);
        return GO_ON;
    case S_LOCK:
        t->shared_cells[GUARDED_WORD] += t->reg[KIND_u][s->src[0].reg].u;
        return GO_ON;
    default: /* S_EXIT, S_RETURN; collectives are not done here */
        t->exited = holds;
        return holds ? EXITED : GO_ON;
    }
}

static outcome do_block(const program *p, thread *t, const block *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const outcome o = do_statement(p, t, &b->item[i]);
        if (o != GO_ON)
            return o;
    }
    return GO_ON;
}

/* ------------------------------------------------------------------------------------------------ threads that meet */

/* PTX ISA, shfl: the lane that this one reads, and whether it is within the segment. */
static uint32_t shuffle_lane(const statement *s, uint32_t lane, uint32_t b, bool *within)
{
    const uint32_t segment = 32 - s->where, clamp = s->variant == SHUFFLE_UP ? 0 : 31;
    const uint32_t highest = (lane & segment) | (clamp & ~segment & 31), lowest = lane & segment;
    uint32_t from = 0;
    b &= 31;
    switch (s->variant) {
    case SHUFFLE_UP:
        from = lane - b;
        *within = (int32_t)from >= (int32_t)highest;
        break;
    case SHUFFLE_DOWN:
        from = lane + b;
        *within = from <= highest;
        break;
    case SHUFFLE_BFLY:
        from = lane ^ b;
        *within = from <= highest;
        break;
    default:
        from = lowest | (b & ~segment & 31);
        *within = from <= highest;
        break;
    }
    return *within ? from : lane;
}

/* Threads of one warp, or of the block for those that meet in a block. before: as they were, after: as they become. */
static void meet(const statement *s, const thread *before, thread *after, uint32_t n)
{
    const unsigned d = s->dst.reg, a = s->src[0].reg, q = s->src[2].reg;
    uint32_t ballot = 0, count = 0, sum = 0, least = INT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const bool yes = guard_holds(&before[i], s);
        const uint32_t v = before[i].reg[KIND_u][a].u;
        ballot |= (uint32_t)yes << (i & 31);
        count += yes;
        sum += v;
        least = (int32_t)v < (int32_t)least ? v : least;
    }
    for (uint32_t i = 0; i < n; i++) {
        slot *const u = after[i].reg[KIND_u], *const p = after[i].reg[KIND_p];
        switch (s->variant) {
        case BALLOT:
            u[d].u = ballot;
            break;
        case VOTE_ALL:
        case BAR_AND:
            p[q].p = count == n;
            break;
        case VOTE_ANY:
        case BAR_OR:
            p[q].p = count > 0;
            break;
        case REDUX_ADD:
            u[d].u = sum;
            break;
        case REDUX_MIN_S:
            u[d].u = least;
            break;
        case BAR_POPC:
            u[d].u = count;
            break;
        case EXCHANGE:
            u[d] = before[(i + s->where) % n].reg[KIND_u][a];
            break;
        case MATCH_ANY: {
            uint32_t same = 0;
            for (uint32_t j = 0; j < n; j++)
                same |= (uint32_t)((before[j].reg[KIND_u][a].u & 3) == (before[i].reg[KIND_u][a].u & 3)) << j;
            u[d].u = same;
            break;
        }
        default: {
            bool within;
            const uint32_t from = shuffle_lane(s, i, read_operand(&before[i], &s->src[1]).u, &within);
            u[d] = before[from].reg[KIND_u][a];
            p[q].p = within;
            break;
        }
        }
    }
}

static void do_collective(const statement *s, thread *t, thread *copy, uint32_t n)
{
    const uint32_t together = s->variant < WARP_COLLECTIVES ? 32 : n;
    memcpy(copy, t, n * sizeof *t);
    for (uint32_t first = 0; first < n; first += together)
        meet(s, copy + first, t + first, together);
}

static void load_thread(thread *t, const memory_image *m, size_t number)
{
    *t = (thread){.scratch = m->scratch + number * SCRATCH_BYTES, .cells = m->cells};
    for (unsigned of = 0; of < KINDS; of++)
        for (unsigned reg = 0; reg < REGISTERS; reg++)
            t->reg[of][reg] = record_get(m->input + number * RECORD_BYTES, of, reg);
}

static void do_thread_block(const program *p, memory_image *m, uint32_t number, thread *t, thread *copy)
{
    uint32_t *const cells = m->cells + (size_t)(1 + number) * CELL_WORDS;
    const size_t first = (size_t)number * p->threads;
    for (uint32_t i = 0; i < CELL_WORDS; i++)
        cells[i] = cell_start(i);
    for (uint32_t i = 0; i < p->threads; i++) {
        load_thread(&t[i], m, first + i);
        t[i].shared_cells = cells;
    }
    for (size_t i = 0; i < p->body.n; i++) {
        if (p->body.item[i].kind == S_COLLECTIVE) {
            do_collective(&p->body.item[i], t, copy, p->threads);
            continue;
        }
        for (uint32_t j = 0; j < p->threads; j++)
            do_statement(p, &t[j], &p->body.item[i]);
    }
    for (uint32_t i = 0; i < p->threads; i++) {
        do_block(p, &t[i], &p->tail);
        for (unsigned of = 0; of < KINDS && !t[i].exited; of++)
            for (unsigned reg = 0; reg < REGISTERS; reg++)
                record_set(m->output + (first + i) * RECORD_BYTES, of, reg, t[i].reg[of][reg]);
    }
}

int program_interpret(const program *p, memory_image *m)
{
    thread *const t = calloc(2 * (size_t)p->threads, sizeof *t);
    if (!t)
        return -1;
    for (uint32_t b = 0; b < p->blocks; b++)
        do_thread_block(p, m, b, t, t + p->threads);
    free(t);
    return 0;
}
