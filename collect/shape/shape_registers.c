/* shape_registers.c - which register does each value have, and how many does a thread need?
 *
 * Copies whose two values never live at the same time need no instruction: both get one register (Chaitin and others,
 * "Register Allocation via Coloring", 1981). Then values in the order in which they begin to live get the lowest
 * registers that are free all the while, wide ones aligned (linear scan that knows holes; Traub, Holloway, Smith, PLDI
 * 1998). Predicates have registers of their own. What a launch's bounds do not let it have would be spilled, which is
 * not modelled: the number is that of the bounds. */
#include "collect/shape/shape_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REGISTERS = 255, REGISTERS_OF_SM = 65536 };

/* A register: the stretches in which it has a value, sorted. */
typedef struct column {
    shape_range taken;
} column;

typedef struct bank {
    column *column;
    uint32_t columns, room;
} bank;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the registers of a kernel");
}

/* ------------------------------------------------------------------------------------------------ copies */

static bool may_share(const shaper *s, uint32_t a, uint32_t b)
{
    return a != b && s->value[a].bits == s->value[b].bits && !shape_ranges_meet(&s->range[a], &s->range[b]);
}

static int join_copies(shaper *s)
{
    int status = WS_OK;
    for (uint32_t t = 0; t < s->slots && !status; t++) {
        shape_slot *const at = &s->slot[t];
        if (!at->is_copy || !at->dsts || !at->srcs || at->half == HALF_LOW)
            continue;
        const uint32_t to = shape_same(s, at->dst[0]), from = shape_same(s, at->src[0]);
        if (to != from && !may_share(s, to, from))
            continue;
        at->removed = true;
        if (at->half == HALF_HIGH)
            s->slot[t - 1].removed = true;
        if (to == from)
            continue;
        s->same[from] = to;
        status = shape_ranges_join(&s->range[to], &s->range[from]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ registers */

/* The first stretch that ends behind `from`. */
static uint32_t find_stretch(const shape_range *r, uint32_t from)
{
    uint32_t low = 0, high = r->stretches;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->stretch[middle].to > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool is_free(const shape_range *taken, const shape_range *wanted)
{
    for (uint32_t i = 0; i < wanted->stretches; i++) {
        const uint32_t at = find_stretch(taken, wanted->stretch[i].from);
        if (at < taken->stretches && taken->stretch[at].from < wanted->stretch[i].to)
            return false;
    }
    return true;
}

static int take(shape_range *taken, const shape_range *wanted)
{
    for (uint32_t i = 0; i < wanted->stretches; i++) {
        const uint32_t at = find_stretch(taken, wanted->stretch[i].from);
        if (WS_GROW(taken->stretch, taken->room, taken->stretches, 1))
            return no_memory();
        memmove(&taken->stretch[at + 1], &taken->stretch[at], (taken->stretches - at) * sizeof *taken->stretch);
        taken->stretch[at] = wanted->stretch[i];
        taken->stretches++;
    }
    return WS_OK;
}

static int make_columns(bank *b, uint32_t columns)
{
    if (columns <= b->columns)
        return WS_OK;
    if (WS_GROW(b->column, b->room, b->columns, columns - b->columns))
        return no_memory();
    memset(&b->column[b->columns], 0, (columns - b->columns) * sizeof *b->column);
    b->columns = columns;
    return WS_OK;
}

static bool are_free(const bank *b, uint32_t at, unsigned width, const shape_range *wanted)
{
    for (uint32_t k = at; k < at + width && k < b->columns; k++)
        if (!is_free(&b->column[k].taken, wanted))
            return false;
    return true;
}

static int give(shaper *s, bank *b, uint32_t value)
{
    const unsigned width = shape_width(s, value);
    uint32_t at = 0;
    while (!are_free(b, at, width, &s->range[value]))
        at += width;
    s->number[value] = at;
    int status = make_columns(b, at + width);
    for (unsigned k = 0; k < width && !status; k++)
        status = take(&b->column[at + k].taken, &s->range[value]);
    return status;
}

static void clear_bank(bank *b)
{
    for (uint32_t i = 0; i < b->columns; i++)
        free(b->column[i].taken.stretch);
    free(b->column);
    *b = (bank){0};
}

typedef struct begin {
    uint32_t at, value;
} begin;

static int by_begin(const void *a, const void *b)
{
    const begin *const x = a, *const y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : x->value < y->value ? -1 : x->value > y->value;
}

static uint32_t list_values(const shaper *s, begin *list)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < s->values; v++)
        if (s->range[v].stretches && s->same[v] == v)
            list[n++] = (begin){s->range[v].stretch[0].from, v};
    qsort(list, n, sizeof *list, by_begin);
    return n;
}

/* Registers of one function: values of list[0..n). */
static int give_function(shaper *s, const begin *list, uint32_t n, uint32_t *registers, uint32_t *predicates)
{
    bank general = {0}, predicate = {0};
    int status = WS_OK;
    for (uint32_t i = 0; i < n && !status; i++)
        status = give(s, s->value[list[i].value].bits == 1 ? &predicate : &general, list[i].value);
    *registers = general.columns;
    *predicates = predicate.columns;
    clear_bank(&general);
    clear_bank(&predicate);
    return status;
}

static void move_numbers(shaper *s, const begin *list, uint32_t n, uint32_t general, uint32_t predicates)
{
    for (uint32_t i = 0; i < n; i++)
        s->number[list[i].value] += s->value[list[i].value].bits == 1 ? predicates : general;
}

/* Registers of callees lie behind those of the kernel, of all callees in the same place; predicates behind all. */
static int give_all(shaper *s, const begin *list, uint32_t n)
{
    const ws_code *const c = s->code;
    uint32_t own = 0, callee = 0, predicates = 0, done = 0;
    int status = WS_OK;
    for (size_t f = 0; f < c->functions && !status; f++) {
        const uint32_t end = 2 * s->first[c->function[f + 1].first_pc];
        uint32_t count = 0, registers, of_predicates;
        while (done + count < n && list[done + count].at < end)
            count++;
        status = give_function(s, list + done, count, &registers, &of_predicates);
        if (f)
            move_numbers(s, list + done, count, own, 0);
        own = f ? own : registers;
        callee = f && registers > callee ? registers : callee;
        predicates = of_predicates > predicates ? of_predicates : predicates;
        done += count;
    }
    s->registers = own + callee;
    s->numbers = s->registers + predicates;
    for (uint32_t i = 0; i < n; i++)
        if (s->value[list[i].value].bits == 1)
            s->number[list[i].value] = s->registers + s->number[list[i].value] % (predicates ? predicates : 1);
    return status;
}

/* ------------------------------------------------------------------------------------------------ bounds */

static uint32_t most_registers(const ws_code_function *kernel)
{
    uint32_t most =
        kernel->most_registers && kernel->most_registers < MOST_REGISTERS ? kernel->most_registers : MOST_REGISTERS;
    const uint64_t threads = (uint64_t)kernel->most_threads * (kernel->least_blocks ? kernel->least_blocks : 1);
    const uint64_t by_threads = threads ? REGISTERS_OF_SM / threads / SHAPE_UNIT * SHAPE_UNIT : MOST_REGISTERS;
    return by_threads && by_threads < most ? (uint32_t)by_threads : most;
}

int shape_give_registers(shaper *s)
{
    begin *const list = malloc(((size_t)s->values + 1) * sizeof *list);
    s->same = malloc(((size_t)s->values + 1) * sizeof *s->same);
    s->number = calloc((size_t)s->values + 1, sizeof *s->number);
    int status = list && s->same && s->number ? shape_find_ranges(s) : no_memory();
    for (uint32_t v = 0; v < s->values && !status; v++)
        s->same[v] = v;
    if (!status)
        status = join_copies(s);
    if (!status)
        status = give_all(s, list, list_values(s, list));
    if (!status && s->registers + SHAPE_BESIDES > most_registers(s->code->function))
        s->registers = most_registers(s->code->function);
    else
        s->registers += SHAPE_BESIDES;
    free(list);
    return status;
}
