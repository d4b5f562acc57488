/* launch_values.c - rows of registers and words of shared memory, as blocks write and read them: see launch_values.h.
 */
#include "model/launch_values.h"

#include "base/status.h"
#include "model/instruction_chain.h"
#include "model/register_turns.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A register of a warp. */
typedef struct row {
    uint32_t written, read; /* times of the last write, and of the last read since; uses 0: none */
    uint32_t uses;
    uint32_t lanes;           /* that hold something */
    uint32_t writes, changes; /* as values tell */
} row;

struct ws_value_watch {
    ws_launch_values sum;
    uint32_t registers, warps;
    uint32_t block_time;
    bool looks;                          /* at this block */
    row *row;                            /* [warps * registers]; NULL until the first block */
    uint8_t *named;                      /* [warps * registers of the text] writes so far, two at most */
    size_t names;                        /* registers of the text; 0: it is not known */
    uint32_t *time;                      /* [warps] */
    ws_shared_recency *ordered, *filled; /* as events, as values tell: traces keep no order between the two */
};

unsigned ws_value_time_bin(uint32_t time)
{
    const unsigned bin = time ? 32 - (unsigned)__builtin_clz(time) : 0;
    return bin < WS_VALUE_TIMES ? bin : WS_VALUE_TIMES - 1;
}

double ws_value_time_of(unsigned bin)
{
    return bin ? sqrt(ldexp(1, (int)bin - 1) * (ldexp(1, (int)bin) - 1)) : 0;
}

int ws_value_watch_create(const ws_launch *launch, ws_value_watch **out)
{
    ws_value_watch *const w = *out = calloc(1, sizeof *w);
    if (!w)
        return ws_fail(WS_EMEM, "no memory for the values of a launch");
    w->registers = ws_launch_registers(launch);
    w->warps = launch->warps_per_block;
    return WS_OK;
}

void ws_value_watch_destroy(ws_value_watch *watch)
{
    if (!watch)
        return;
    ws_shared_recency_destroy(watch->ordered);
    ws_shared_recency_destroy(watch->filled);
    free(watch->row);
    free(watch->named);
    free(watch->time);
    free(watch);
}

/* Most ranges of blocks have none of the sample: memory is taken for the first. */
static int make_room(ws_value_watch *w, const ws_launch *launch)
{
    if (w->row)
        return WS_OK;
    w->row = calloc((size_t)w->warps * w->registers + 1, sizeof *w->row);
    w->time = calloc((size_t)w->warps + 1, sizeof *w->time);
    w->names = launch->code && launch->code->instrs == launch->instrs ? launch->code->registers : 0;
    w->named = calloc((size_t)w->warps * w->names + 1, sizeof *w->named);
    int status = w->row && w->time && w->named ? WS_OK : ws_fail(WS_EMEM, "no memory for the registers of a block");
    if (!status)
        status = ws_shared_recency_create(launch->shared_bytes, false, &w->ordered);
    return status ? status : ws_shared_recency_create(launch->shared_bytes, true, &w->filled);
}

int ws_value_watch_begin(ws_value_watch *w, const ws_launch *launch, uint64_t block)
{
    w->looks = ws_value_sample(launch, block);
    return w->looks ? make_room(w, launch) : WS_OK;
}

/* ------------------------------------------------------------------------------------------------ registers */

/* Lanes that are written again, or end with their block, were needed until they were read last. */
static void end_life(ws_launch_values *sum, const row *r, uint32_t lanes)
{
    if (!r->uses)
        return;
    const unsigned bin = ws_value_time_bin(r->read - r->written);
    sum->last_read[bin] += ws_popcount(lanes);
    sum->long_reads[bin] += r->uses;
}

static void count_uses(ws_launch_values *sum, const row *r)
{
    sum->uses[r->uses < WS_VALUE_USES ? r->uses : WS_VALUE_USES - 1]++;
}

static void read_row(ws_launch_values *sum, row *r, uint32_t now)
{
    sum->row_reads++;
    if (!r->lanes)
        return;
    if (!r->uses)
        sum->first_read[ws_value_time_bin(now - r->written)]++;
    r->uses++;
    r->read = now;
}

/* Lanes that the write leaves as they are count as written with it from now on: a row has one time. */
static void write_row(ws_launch_values *sum, row *r, uint32_t exec, uint32_t now)
{
    sum->row_writes++;
    sum->lane_writes += ws_popcount(exec);
    for (unsigned i = 0; i < WS_VALUE_PORTS; i++)
        sum->port_turns[i] += ws_register_turns(exec, 1u << i);
    if (r->lanes) {
        const unsigned bin = ws_value_time_bin(now - r->written);
        sum->rewritten[bin]++;
        sum->overwritten[bin] += ws_popcount(r->lanes & exec);
        count_uses(sum, r);
        end_life(sum, r, r->lanes & exec);
    }
    r->lanes |= exec;
    r->written = now;
    r->uses = 0;
}

static bool came_before(const uint16_t *reg, unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (reg[i] == reg[at])
            return true;
    return false;
}

static void see_instruction(ws_value_watch *w, const ws_instr *in, unsigned warp, uint32_t exec, uint32_t now)
{
    row *const rows = w->row + (size_t)warp * w->registers;
    for (unsigned i = 0; i < in->srcs; i++)
        if (!came_before(in->src, i))
            read_row(&w->sum, &rows[in->src[i]], now);
    for (unsigned i = 0; i < in->dsts && exec; i++) {
        if (came_before(in->dst, i))
            continue;
        w->sum.bank_writes[(in->dst[i] + warp) % WS_VALUE_BANKS]++;
        write_row(&w->sum, &rows[in->dst[i]], exec, now);
    }
}

/* What the text writes: virtual registers, of which allocation makes fewer. */
static void see_text(ws_value_watch *w, const ws_code *code, uint32_t pc, unsigned warp)
{
    uint8_t *const named = w->named + (size_t)warp * w->names;
    for (uint32_t i = code->instr[pc].operand; i < code->instr[pc + 1].operand; i++) {
        const ws_code_operand *const o = &code->operand[i];
        if (!o->is_written || o->kind != WS_CODE_REGISTER)
            continue;
        w->sum.text_writes++;
        w->sum.text_once += named[o->reg] == 0;
        w->sum.text_once -= named[o->reg] == 1;
        named[o->reg] += named[o->reg] < 2;
    }
}

/* ------------------------------------------------------------------------------------------------ events */

static void see_shared(ws_value_watch *w, const ws_launch *launch, const ws_event *e, const uint64_t *address)
{
    const unsigned bytes = ws_event_bytes(launch, e);
    const uint8_t access = launch->instr[e->pc].access;
    if (access != WS_ACCESS_STORE)
        ws_shared_recency_read(w->ordered, address, e->exec, bytes, w->block_time);
    if (access != WS_ACCESS_LOAD)
        ws_shared_recency_write(w->ordered, address, e->exec, bytes, w->block_time);
}

void ws_value_watch_events(ws_value_watch *w, const ws_launch *launch, const ws_batch *batch)
{
    for (size_t i = 0; w->looks && i < batch->events; i++) {
        const ws_event *const e = &batch->event[i];
        if (e->kind == WS_EVENT_RECONVERGE || e->warp >= w->warps)
            continue;
        for (unsigned k = 0; k < e->count; k++) {
            see_instruction(w, &launch->instr[e->pc + k], e->warp, e->exec, ++w->time[e->warp]);
            if (w->names && e->exec)
                see_text(w, launch->code, e->pc + k, e->warp);
        }
        w->sum.instructions += e->count;
        w->block_time += e->count;
        if (e->kind == WS_EVENT_MEMORY && e->space == WS_SPACE_SHARED)
            see_shared(w, launch, e, WS_ADDRESSES(batch, e));
    }
}

void ws_value_watch_value(ws_value_watch *w, const ws_value *v)
{
    if (!w->looks)
        return;
    ws_changed_bits_add(v->is_shared ? &w->sum.shared : &w->sum.registers, v);
    if (v->is_shared) {
        ws_shared_recency_value(w->filled, v);
    } else if (v->warp < w->warps && v->reg < w->registers) {
        row *const r = &w->row[(size_t)v->warp * w->registers + v->reg];
        uint64_t change = 0;
        WS_EACH_LANE (lane, v->exec)
            change |= v->before[lane] ^ v->after[lane];
        r->writes++;
        r->changes += change != 0;
    }
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void end_row(ws_launch_values *sum, row *r)
{
    sum->hottest_row = most(sum->hottest_row, r->writes);
    sum->hottest_row_changed = most(sum->hottest_row_changed, r->changes);
    if (r->lanes) {
        count_uses(sum, r);
        end_life(sum, r, r->lanes);
    }
    *r = (row){0};
}

void ws_value_watch_end(ws_value_watch *w)
{
    if (!w->looks)
        return;
    ws_launch_values *const sum = &w->sum;
    for (size_t i = 0; i < (size_t)w->warps * w->registers; i++)
        end_row(sum, &w->row[i]);
    ws_shared_recency_end(w->ordered, &sum->recency, NULL, sum->shared_age, WS_VALUE_TIMES, w->warps);
    ws_recency_counts again = {0}; /* the same, by the values' order */
    const ws_recency_block hottest = ws_shared_recency_end(w->filled, &again, &sum->modified, NULL, 0, 1);
    sum->hottest_word = most(sum->hottest_word, hottest.wrote);
    sum->hottest_word_changed = most(sum->hottest_word_changed, hottest.changed);
    sum->blocks++;
    memset(w->time, 0, w->warps * sizeof *w->time);
    memset(w->named, 0, w->warps * w->names);
    w->block_time = 0;
    w->looks = false;
}

void ws_value_watch_merge(ws_value_watch *into, const ws_value_watch *from)
{
    ws_launch_values merged = into->sum;
    const ws_launch_values *const more = &from->sum;
    uint64_t *const to = (uint64_t *)&merged;
    for (size_t i = 0; i < sizeof merged / sizeof *to; i++)
        to[i] += ((const uint64_t *)more)[i];
    merged.hottest_row = most(into->sum.hottest_row, more->hottest_row);
    merged.hottest_row_changed = most(into->sum.hottest_row_changed, more->hottest_row_changed);
    merged.hottest_word = most(into->sum.hottest_word, more->hottest_word);
    merged.hottest_word_changed = most(into->sum.hottest_word_changed, more->hottest_word_changed);
    into->sum = merged;
}

const ws_launch_values *ws_value_watch_result(const ws_value_watch *watch)
{
    return &watch->sum;
}
