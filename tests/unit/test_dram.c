/* Memory channels: schedules of a few requests worked out by hand, every timing rule held against long random runs by a
 * checker of its own, nothing lost, and the bandwidth of DRAMsim3. */
#include "base/status.h"
#include "tests/unit/dram_traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

/* A part whose times all differ: 2 groups of 4 banks. */
static const ws_dram_part small = {
    .clock_mhz = 1000,
    .ranks = 1,
    .bank_groups = 2,
    .banks = 4,
    .rows = 16,
    .columns = 8,
    .bus = 32,
    .burst = 8,
    .rate = 4,
    .burst_cycles = 2,
    .burst_bytes = 32,
    .tCL = 10,
    .tCWL = 5,
    .tRCDRD = 7,
    .tRCDWR = 6,
    .tRP = 8,
    .tRAS = 20,
    .tRC = 30,
    .tRRDS = 3,
    .tRRDL = 4,
    .tCCDS = 2,
    .tCCDL = 3,
    .tWR = 9,
    .tWTRS = 4,
    .tWTRL = 6,
    .tRTP = 5,
    .tRTW = 1,
    .tRFC = 40,
};

static ws_dram *create(const char *name, const ws_dram_part *part, const ws_given *given, size_t count)
{
    ws_dram *dram;
    if (ws_dram_create(name, part, given, count, &dram))
        fail_msg("%s", ws_message());
    return dram;
}

enum { LOG = 1 << 16 };
typedef struct record {
    ws_dram_command list[LOG];
    size_t count;
} record;

static void see(void *user, const ws_dram_command *command)
{
    record *const log = user;
    if (log->count < LOG)
        log->list[log->count++] = *command;
}

/* --- Schedules by hand --- */

/* "ACT 0.1.3 at 5" reads: activate in group 0, bank 1, row 3, in cycle 5. */
static void expect(const record *log, const char *schedule)
{
    static const char *const words[] = {"ACT", "PRE", "RD", "WR", "REF"};
    char got[1024] = "";
    size_t length = 0;
    for (size_t i = 0; i < log->count; i++) {
        const ws_dram_command *const c = &log->list[i];
        length += (size_t)snprintf(got + length, sizeof got - length, "%s%s %u.%u.%u at %d", i ? ", " : "",
                                   words[c->command], c->group, c->bank, c->row, (int)c->cycle);
    }
    assert_string_equal(got, schedule);
}

typedef struct sent {
    uint32_t group, bank, row, column;
    bool write;
    uint64_t at;
} sent;

/* Goes from one time at which something happens to the next; these times must not lie behind a reply's. */
static void advance(ws_dram *dram, uint64_t until, uint64_t *finished)
{
    while (ws_dram_next_time(dram) < until) {
        ws_dram_request reply;
        ws_dram_step(dram, ws_dram_next_time(dram) + 1);
        while (ws_dram_pop(dram, &reply)) {
            assert_int_equal(reply.finished, ws_dram_now(dram));
            *finished = reply.finished;
        }
    }
}

static void play(const char *controller, const ws_dram_part *part, const ws_given *given, size_t options,
                 const sent *requests, size_t count, const char *schedule, uint64_t last_data)
{
    ws_dram *const dram = create(controller, part, given, options);
    record *const log = calloc(1, sizeof *log);
    ws_dram_watch(dram, see, log);
    uint64_t finished = 0;
    for (size_t i = 0; i < count; i++) {
        const sent *const s = &requests[i];
        const ws_dram_request r = {
            .tag = i, .address = i * 64, .write = s->write, .at = {0, s->group, s->bank, s->row, s->column}};
        advance(dram, s->at, &finished);
        ws_dram_step(dram, s->at);
        assert_true(ws_dram_push(dram, &r));
    }
    advance(dram, WS_NEVER, &finished);
    expect(log, schedule);
    assert_int_equal(finished, last_data);
    assert_int_equal(ws_dram_inside(dram), 0);
    free(log);
    ws_dram_destroy(dram);
}

#define PLAY(controller, part, schedule, last, ...) \
    do { \
        static const sent requests[] = {__VA_ARGS__}; \
        play(controller, part, NULL, 0, requests, sizeof requests / sizeof *requests, schedule, last); \
    } while (0)

static void reads_by_hand(void **state)
{
    (void)state;
    /* tRCDRD, then tCL and the burst. */
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, RD 0.0.1 at 7", 7 + 10 + 2, {0, 0, 1, 0, false, 0});
    /* Same row: tCCDL. Other bank of the group: tRRDL. Other group: tRRDS; the reads are tCCDS apart at least. */
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, RD 0.0.1 at 7, RD 0.0.1 at 10", 22, {0, 0, 1, 0, false, 0},
         {0, 0, 1, 1, false, 0});
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, ACT 0.1.1 at 4, RD 0.0.1 at 7, RD 0.1.1 at 11", 23, {0, 0, 1, 0, false, 0},
         {0, 1, 1, 0, false, 0});
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, ACT 1.0.1 at 3, RD 0.0.1 at 7, RD 1.0.1 at 10", 22, {0, 0, 1, 0, false, 0},
         {1, 0, 1, 0, false, 0});
    /* Another row: precharge after tRAS, activate after tRC (tRAS + tRP would be 28). */
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, RD 0.0.1 at 7, PRE 0.0.1 at 20, ACT 0.0.2 at 30, RD 0.0.2 at 37", 49,
         {0, 0, 1, 0, false, 0}, {0, 0, 2, 0, false, 0});
    /* A late read holds the row open for tRTP. */
    PLAY("frfcfs", &small,
         "ACT 0.0.1 at 0, RD 0.0.1 at 7, RD 0.0.1 at 30, PRE 0.0.1 at 35, ACT 0.0.2 at 43, RD 0.0.2 at 50", 62,
         {0, 0, 1, 0, false, 0}, {0, 0, 1, 1, false, 30}, {0, 0, 2, 0, false, 31});
}

static void writes_by_hand(void **state)
{
    (void)state;
    /* Write data in cycles 11 and 12; a read of the group tWTRL after it, of the other group tWTRS. */
    PLAY("fcfs", &small, "ACT 0.0.1 at 0, WR 0.0.1 at 6, RD 0.0.1 at 19", 31, {0, 0, 1, 0, true, 0},
         {0, 0, 1, 1, false, 0});
    PLAY("fcfs", &small, "ACT 0.0.1 at 0, WR 0.0.1 at 6, ACT 1.0.1 at 7, RD 1.0.1 at 17", 29, {0, 0, 1, 0, true, 0},
         {1, 0, 1, 1, false, 0});
    /* Read data in 17 and 18, the bus idle in 19, write data from 20: the write 5 cycles before. */
    PLAY("fcfs", &small, "ACT 0.0.1 at 0, RD 0.0.1 at 7, WR 0.0.1 at 15", 19, {0, 0, 1, 0, false, 0},
         {0, 0, 1, 1, true, 0});
    /* tWR after the last write data (13), then tRP, then tRCDRD. */
    PLAY("fcfs", &small, "ACT 0.0.1 at 0, WR 0.0.1 at 6, PRE 0.0.1 at 22, ACT 0.0.2 at 30, RD 0.0.2 at 37", 49,
         {0, 0, 1, 0, true, 0}, {0, 0, 2, 1, false, 0});
}

static void order_by_hand(void **state)
{
    (void)state;
    /* Row 1, row 2, row 1: the third goes before the second, or not. */
    PLAY("frfcfs", &small,
         "ACT 0.0.1 at 0, RD 0.0.1 at 7, RD 0.0.1 at 10, PRE 0.0.1 at 20, ACT 0.0.2 at 30, RD 0.0.2 at 37", 49,
         {0, 0, 1, 0, false, 0}, {0, 0, 2, 0, false, 0}, {0, 0, 1, 1, false, 0});
    PLAY("fcfs", &small,
         "ACT 0.0.1 at 0, RD 0.0.1 at 7, PRE 0.0.1 at 20, ACT 0.0.2 at 30, RD 0.0.2 at 37, PRE 0.0.2 at 50, "
         "ACT 0.0.1 at 60, RD 0.0.1 at 67",
         79, {0, 0, 1, 0, false, 0}, {0, 0, 2, 0, false, 0}, {0, 0, 1, 1, false, 0});
    /* A write waits as long as there are reads. */
    PLAY("frfcfs", &small, "ACT 0.0.1 at 0, RD 0.0.1 at 7, WR 0.0.1 at 15", 19, {0, 0, 1, 0, true, 0},
         {0, 0, 1, 1, false, 0});
}

static void windows_by_hand(void **state)
{
    (void)state;
    ws_dram_part part = small;
    part.tFAW = 20; /* the fifth activate */
    PLAY("frfcfs", &part,
         "ACT 0.0.1 at 0, ACT 1.0.1 at 3, ACT 0.1.1 at 6, RD 0.0.1 at 7, ACT 1.1.1 at 9, RD 1.0.1 at 10, "
         "RD 0.1.1 at 13, RD 1.1.1 at 16, ACT 0.2.1 at 20, RD 0.2.1 at 27",
         39, {0, 0, 1, 0, false, 0}, {1, 0, 1, 0, false, 0}, {0, 1, 1, 0, false, 0}, {1, 1, 1, 0, false, 0},
         {0, 2, 1, 0, false, 0});
}

static void refresh_by_hand(void **state)
{
    (void)state;
    ws_dram_part part = small;
    part.tREFI = 100;
    /* Due at 100: the row is closed, tRP, refresh, tRFC; the read of 105 has to wait. */
    PLAY("frfcfs", &part,
         "ACT 0.0.1 at 0, RD 0.0.1 at 7, PRE 0.0.1 at 100, REF 0.0.0 at 108, ACT 0.0.1 at 148, RD 0.0.1 at 155", 167,
         {0, 0, 1, 0, false, 0}, {0, 0, 1, 1, false, 105});
}

static void statistics_by_hand(void **state)
{
    (void)state;
    ws_dram *const dram = create("frfcfs", &small, NULL, 0);
    assert_true(isnan(ws_dram_efficiency(dram)) && isnan(ws_dram_row_locality(dram)));
    ws_dram_request r = {.at = {0, 0, 0, 1, 0}}, reply;
    for (int i = 0; i < 3; i++) { /* 7, 10, 13; data until 25 */
        r.address = (uint64_t)i;
        assert_true(ws_dram_push(dram, &r));
    }
    ws_dram_step(dram, 100);
    r.at.row = 2; /* 100: precharge, 108 activate, 115 read, data until 127 */
    assert_true(ws_dram_push(dram, &r));
    ws_dram_step(dram, 110);
    assert_int_equal(ws_dram_sum(dram).pending_cycles, 25 + 10);
    ws_dram_step(dram, 500);
    const ws_dram_totals sum = ws_dram_sum(dram);
    assert_int_equal(sum.data_cycles, 8);
    assert_int_equal(sum.pending_cycles, 25 + 27);
    assert_float_equal(ws_dram_efficiency(dram), 8.0 / 52, 1e-12);
    assert_float_equal(ws_dram_row_locality(dram), 2, 1e-12);
    assert_int_equal(sum.row_hits, 2);
    assert_int_equal(sum.activates, 2);
    assert_int_equal(sum.precharges, 1);
    assert_int_equal(sum.latency_sum, 19 + 22 + 25 + 27);
    assert_int_equal(sum.latency_max, 27);
    for (int i = 0; i < 4; i++)
        assert_true(ws_dram_pop(dram, &reply));
    assert_false(ws_dram_pop(dram, &reply));
    ws_dram_destroy(dram);
}

/* --- Queues --- */

static void writes_in_the_queue_answer_reads(void **state)
{
    (void)state;
    ws_dram *const dram = create("frfcfs", &small, NULL, 0);
    const ws_dram_request write = {.address = 64, .at = {0, 0, 0, 1, 2}, .write = true};
    ws_dram_request read = {.tag = 9, .address = 64, .at = {0, 0, 0, 1, 2}}, reply;
    assert_true(ws_dram_push(dram, &write));
    assert_true(ws_dram_push(dram, &write)); /* takes the place of the first */
    assert_true(ws_dram_push(dram, &read));
    assert_int_equal(ws_dram_next_time(dram), 0);
    ws_dram_step(dram, 1);
    assert_true(ws_dram_pop(dram, &reply));
    assert_int_equal(reply.tag, 9);
    assert_int_equal(reply.finished, 1);
    ws_dram_step(dram, 100);
    const ws_dram_totals sum = ws_dram_sum(dram);
    assert_true(sum.writes == 1 && sum.merged == 1 && sum.forwarded == 1 && sum.reads == 0);
    assert_true(ws_dram_push(dram, &read)); /* written by now: from the bank */
    ws_dram_step(dram, 200);
    assert_int_equal(ws_dram_sum(dram).reads, 1);
    ws_dram_destroy(dram);
}

static void a_full_queue_of_writes_is_drained(void **state)
{
    (void)state;
    const ws_given given[] = {{"write_queue", 8, NULL}, {"write_high", 6, NULL}, {"write_low", 2, NULL}};
    ws_dram *const dram = create("frfcfs", &small, given, 3);
    record *const log = calloc(1, sizeof *log);
    ws_dram_watch(dram, see, log);
    for (uint32_t i = 0; i < 6; i++) {
        const ws_dram_request write = {.address = i, .at = {0, 0, 0, 1, i}, .write = true};
        const ws_dram_request read = {.address = 100 + i, .at = {0, 0, 0, 1, i}};
        assert_true(ws_dram_push(dram, &read) && ws_dram_push(dram, &write));
    }
    ws_dram_step(dram, 1000);
    /* 4 writes, then all reads, then the last 2 writes. */
    char order[32] = "";
    for (size_t i = 0; i < log->count; i++)
        strcat(order, log->list[i].command == WS_DRAM_READ ? "r" : log->list[i].command == WS_DRAM_WRITE ? "w" : "");
    assert_string_equal(order, "wwwwrrrrrrww");
    free(log);
    ws_dram_destroy(dram);
}

/* Two writes for two rows of bank 0 are drained; between them, long enough for the bus to turn round twice, a read. */
static void reads_go_while_no_write_can(void **state)
{
    (void)state;
    const ws_given given[] = {{"write_queue", 2, NULL}};
    static const sent requests[] = {{0, 0, 1, 0, true, 0}, {0, 0, 2, 0, true, 0}, {1, 0, 1, 0, false, 0}};
    play("frfcfs", &small, given, 1, requests, 3,
         "ACT 0.0.1 at 0, ACT 1.0.1 at 3, WR 0.0.1 at 6, RD 1.0.1 at 17, PRE 0.0.1 at 22, ACT 0.0.2 at 30, "
         "WR 0.0.2 at 36",
         17 + 12);
}

/* An endless stream of hits must not keep a request for another row of the bank away for ever. */
static void no_request_starves(void **state)
{
    (void)state;
    static const ws_given guards[][1] = {{{"row_hits", 6, NULL}}, {{"starvation", 100, NULL}}};
    static const uint64_t latest[] = {80, 220};
    for (int g = 0; g < 2; g++) {
        ws_dram *const dram = create("frfcfs", &small, guards[g], 1);
        const ws_dram_request other = {.tag = 1, .address = 1, .at = {0, 0, 0, 2, 0}};
        uint64_t finished = 0;
        for (uint64_t cycle = 0; cycle < 2000; cycle++) {
            const ws_dram_request hit = {.address = 100 + cycle, .at = {0, 0, 0, 1, cycle % 8}};
            if (cycle == 10)
                assert_true(ws_dram_push(dram, &other));
            if (ws_dram_inside(dram) < 30)
                ws_dram_push(dram, &hit);
            ws_dram_step(dram, cycle + 1);
            ws_dram_request reply;
            while (ws_dram_pop(dram, &reply))
                finished = reply.tag == 1 ? reply.finished : finished;
        }
        assert_in_range(finished, 11, latest[g]);
        ws_dram_destroy(dram);
    }
}

/* --- Every rule, against a checker that knows nothing but the list of commands --- */

typedef struct checker {
    const ws_dram_part *part;
    const record *log;
} checker;

static bool same(const ws_dram_command *a, const ws_dram_command *b, int level)
{
    return (level < 1 || a->rank == b->rank) && (level < 2 || a->group == b->group) &&
           (level < 3 || a->bank == b->bank);
}

/* From each command `first` to each later `second` in the same rank (level 1), group (2), bank (3) at least
 * `cycles`. */
static void apart(const checker *c, int first, int second, int level, uint64_t cycles)
{
    for (size_t i = 0; i < c->log->count; i++)
        for (size_t k = i + 1; k < c->log->count; k++) {
            const ws_dram_command *const a = &c->log->list[i], *const b = &c->log->list[k];
            if (b->cycle >= a->cycle + cycles)
                break;
            if (a->command == first && b->command == second && same(a, b, level))
                fail_msg("command %d at %d, command %d at %d: less than %d apart", first, (int)a->cycle, second,
                         (int)b->cycle, (int)cycles);
        }
}

static void check_distances(const checker *c)
{
    const ws_dram_part *const p = c->part;
    enum { ACT = WS_DRAM_ACTIVATE, PRE = WS_DRAM_PRECHARGE, REF = WS_DRAM_REFRESH };
    enum { RD = WS_DRAM_READ, WR = WS_DRAM_WRITE };
    apart(c, ACT, RD, 3, p->tRCDRD);
    apart(c, ACT, WR, 3, p->tRCDWR);
    apart(c, ACT, PRE, 3, p->tRAS);
    apart(c, ACT, ACT, 3, p->tRC);
    apart(c, ACT, ACT, 2, p->tRRDL);
    apart(c, ACT, ACT, 1, p->tRRDS);
    apart(c, PRE, ACT, 3, p->tRP);
    apart(c, PRE, REF, 1, p->tRP);
    apart(c, PRE, PRE, 1, p->tPPD);
    apart(c, RD, RD, 2, p->tCCDL);
    apart(c, RD, RD, 1, p->tCCDS);
    apart(c, WR, WR, 2, p->tCCDL);
    apart(c, WR, WR, 1, p->tCCDS);
    apart(c, RD, PRE, 3, p->tRTP);
    apart(c, WR, PRE, 3, p->tCWL + p->burst_cycles + p->tWR);
    apart(c, WR, RD, 2, p->tCWL + p->burst_cycles + p->tWTRL);
    apart(c, WR, RD, 1, p->tCWL + p->burst_cycles + p->tWTRS);
    apart(c, REF, ACT, 1, p->tRFC);
}

/* No activates n and n+count of a rank within the window. */
static void check_window(const checker *c, size_t count, uint64_t window)
{
    for (uint32_t r = 0; window && r < c->part->ranks; r++) {
        uint64_t at[64];
        size_t n = 0;
        for (size_t i = 0; i < c->log->count; i++) {
            if (c->log->list[i].command != WS_DRAM_ACTIVATE || c->log->list[i].rank != r)
                continue;
            if (n >= count)
                assert_true(c->log->list[i].cycle >= at[n % count] + window);
            at[n++ % count] = c->log->list[i].cycle;
        }
    }
}

/* One command a cycle; column commands find their row open; bursts do not overlap and leave tRTW when the bus turns. */
static void check_states(const checker *c)
{
    uint32_t open[64];
    memset(open, 0xff, sizeof open);
    const ws_dram_part *const p = c->part;
    uint64_t data_end = 0;
    int last = -1;
    uint32_t last_rank = 0;
    for (size_t i = 0; i < c->log->count; i++) {
        const ws_dram_command *const k = &c->log->list[i];
        assert_true(!i || k->cycle > c->log->list[i - 1].cycle);
        uint32_t *const row = &open[(k->rank * p->bank_groups + k->group) * p->banks + k->bank];
        if (k->command == WS_DRAM_ACTIVATE) {
            assert_int_equal(*row, UINT32_MAX);
            *row = k->row;
        } else if (k->command == WS_DRAM_PRECHARGE) {
            assert_int_not_equal(*row, UINT32_MAX);
            *row = UINT32_MAX;
        } else if (k->command == WS_DRAM_REFRESH) {
            for (uint32_t b = 0; b < p->bank_groups * p->banks; b++)
                assert_int_equal(open[k->rank * p->bank_groups * p->banks + b], UINT32_MAX);
        } else {
            assert_int_equal(*row, k->row);
            const uint64_t data = k->cycle + (k->command == WS_DRAM_READ ? p->tCL : p->tCWL);
            /* Writes to two ranks need no pause: the controller drives both. */
            const bool both_write = last == WS_DRAM_WRITE && k->command == WS_DRAM_WRITE;
            const bool turn = (last == WS_DRAM_READ && k->command == WS_DRAM_WRITE) ||
                              (last >= 0 && k->rank != last_rank && !both_write);
            assert_true(data >= data_end + (turn ? p->tRTW : 0));
            data_end = data + p->burst_cycles;
            last = k->command;
            last_rank = k->rank;
        }
    }
}

enum { REQUESTS = 6000 };
typedef struct run {
    gsl_rng *rng;
    ws_dram_map map;
    uint64_t range;
    uint32_t sent, replies;
    uint64_t hash;
    uint8_t seen[REQUESTS], kind[REQUESTS];
    ws_dram_request waiting;
    bool has_waiting;
} run;

/* Mostly near each other, so that there are hits, conflicts, and reads of what waits to be written. */
static ws_dram_request random_request(run *r)
{
    const uint64_t near = gsl_rng_uniform_int(r->rng, 64) * 32, far = gsl_rng_get(r->rng) * (uint64_t)4096;
    ws_dram_request q = {.tag = r->sent, .write = gsl_rng_uniform(r->rng) < 0.4};
    q.address = (gsl_rng_uniform(r->rng) < 0.5 ? near : far + near) % r->range;
    ws_dram_map_place(&r->map, q.address, &q.at);
    return q;
}

static void offer(run *r, ws_dram *dram, int tries)
{
    for (; tries && r->sent < REQUESTS; tries--) {
        if (!r->has_waiting)
            r->waiting = random_request(r);
        r->has_waiting = !ws_dram_push(dram, &r->waiting);
        if (r->has_waiting)
            return;
        r->kind[r->sent++] = r->waiting.write ? 'w' : 'r';
    }
}

static void collect(run *r, ws_dram *dram)
{
    ws_dram_request reply;
    while (gsl_rng_uniform(r->rng) < 0.7 && ws_dram_pop(dram, &reply)) {
        assert_int_equal(r->kind[reply.tag], 'r');
        assert_int_equal(r->seen[reply.tag]++, 0);
        assert_true(reply.arrived < reply.finished && reply.finished <= ws_dram_now(dram));
        r->replies++;
        r->hash = (r->hash ^ (reply.tag + reply.finished * REQUESTS)) * 0x9e3779b97f4a7c15u;
    }
}

static void run_to(run *r, ws_dram *dram, uint64_t until, bool one_by_one)
{
    while (ws_dram_now(dram) < until) {
        const bool busy = ws_dram_now(dram) / 4096 % 3 != 2; /* pauses, in which writes are drained and rows closed */
        if (busy)
            offer(r, dram, 3);
        const uint64_t next = ws_dram_now(dram) + 8;
        while (one_by_one && ws_dram_now(dram) < next)
            ws_dram_step(dram, ws_dram_now(dram) + 1);
        ws_dram_step(dram, next);
        collect(r, dram);
    }
}

static const ws_given tight[] = {{"read_queue", 12, NULL}, {"write_queue", 10, NULL}, {"replies", 6, NULL}};
enum { TIGHT = sizeof tight / sizeof *tight, LONG_ENOUGH = 900000 };

static run start_run(const ws_dram_part *part)
{
    run r = {.rng = gsl_rng_alloc(gsl_rng_mt19937), .range = ws_dram_part_bytes(part)};
    gsl_rng_set(r.rng, 7);
    assert_int_equal(ws_dram_map_parse(part->mapping, NULL, part, 1, &r.map), WS_OK);
    return r;
}

static uint64_t whole_run(const char *controller, const ws_dram_part *part, bool one_by_one, record *log)
{
    ws_dram *const dram = create(controller, part, tight, TIGHT);
    run r = start_run(part);
    ws_dram_watch(dram, see, log);
    run_to(&r, dram, LONG_ENOUGH, one_by_one);
    const ws_dram_totals sum = ws_dram_sum(dram);
    assert_int_equal(r.sent, REQUESTS);
    assert_int_equal(ws_dram_inside(dram), 0);
    assert_int_equal(sum.reads_in, r.replies);
    assert_int_equal(sum.reads_out, r.replies);
    assert_int_equal(sum.reads_in + sum.writes_in, REQUESTS);
    assert_int_equal(sum.reads, sum.reads_in - sum.forwarded);
    assert_int_equal(sum.writes, sum.writes_in - sum.merged);
    assert_int_equal(sum.data_cycles, (sum.reads + sum.writes) * part->burst_cycles);
    assert_true(sum.refused > 0 && sum.forwarded > 0 && sum.merged > 0);
    const uint64_t due = part->tREFI ? LONG_ENOUGH / (part->tREFI / part->ranks) : 0;
    assert_in_range(sum.refreshes, due ? due - 1 : 0, due); /* the last may be unfinished */
    gsl_rng_free(r.rng);
    ws_dram_destroy(dram);
    return r.hash;
}

static const char *const parts[] = {
    "data/tech/dram_gddr3.ini",     "data/tech/dram_gddr5_gtx480.ini", "data/tech/dram_gddr6_rtx2060.ini",
    "data/tech/dram_gddr5_8gb.ini", "data/tech/dram_gddr6_8gb.ini",    "data/tech/dram_ddr4_3200.ini",
};
enum { PARTS = sizeof parts / sizeof *parts };

static ws_dram_part read_part(const char *file)
{
    ws_dram_part part;
    if (ws_dram_part_read(file, &part))
        fail_msg("%s", ws_message());
    return part;
}

static void all_rules_hold(void **state)
{
    (void)state;
    record *const log = malloc(sizeof *log);
    for (size_t i = 0; i < PARTS; i++)
        for (size_t k = 0; ws_dram_controller_kind_at(k); k++) {
            const ws_dram_part part = read_part(parts[i]);
            log->count = 0;
            const uint64_t hash = whole_run(ws_dram_controller_kind_at(k)->name, &part, false, log);
            assert_true(log->count > REQUESTS / 2 && log->count < LOG);
            const checker c = {&part, log};
            check_states(&c);
            check_distances(&c);
            check_window(&c, 4, part.tFAW);
            check_window(&c, 32, part.t32AW);
            if (i == 5)
                assert_int_equal(hash, whole_run(ws_dram_controller_kind_at(k)->name, &part, true, log));
        }
    free(log);
}

/* Parts that nobody makes: rules must hold whatever the times are. */
static ws_dram_part random_part(gsl_rng *rng)
{
    ws_dram_part p = small;
    static const size_t least_1[] = {
        offsetof(ws_dram_part, tCL),    offsetof(ws_dram_part, tCWL),  offsetof(ws_dram_part, tRCDRD),
        offsetof(ws_dram_part, tRCDWR), offsetof(ws_dram_part, tRP),   offsetof(ws_dram_part, tRAS),
        offsetof(ws_dram_part, tRC),    offsetof(ws_dram_part, tRRDS), offsetof(ws_dram_part, tRRDL),
        offsetof(ws_dram_part, tCCDS),  offsetof(ws_dram_part, tCCDL), offsetof(ws_dram_part, tWR),
        offsetof(ws_dram_part, tWTRS),  offsetof(ws_dram_part, tWTRL), offsetof(ws_dram_part, tRTP),
        offsetof(ws_dram_part, tRTW),   offsetof(ws_dram_part, tFAW),  offsetof(ws_dram_part, tPPD),
        offsetof(ws_dram_part, tRFC),
    };
    for (size_t i = 0; i < sizeof least_1 / sizeof *least_1; i++) {
        const uint32_t value = 1 + (uint32_t)gsl_rng_uniform_int(rng, 40);
        memcpy((char *)&p + least_1[i], &value, sizeof value);
    }
    p.t32AW = (uint32_t)gsl_rng_uniform_int(rng, 600);
    p.tREFI = gsl_rng_uniform(rng) < 0.5 ? 0 : 700 + (uint32_t)gsl_rng_uniform_int(rng, 3000);
    p.ranks = 1u << gsl_rng_uniform_int(rng, 3);
    p.rate = 1u << gsl_rng_uniform_int(rng, 4);
    p.burst_cycles = (p.burst + p.rate - 1) / p.rate;
    static const char *const mappings[] = {
        [1] = "R*4.G.B*2.C*3.S*5", [2] = "R*4.G.B*2.K.C*3.S*5", [4] = "R*4.K*2.G.B*2.C*3.S*5"};
    strcpy(p.mapping, mappings[p.ranks]);
    return p;
}

static void all_rules_hold_for_any_times(void **state)
{
    (void)state;
    record *const log = malloc(sizeof *log);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 16; k++) {
        const ws_dram_part part = random_part(rng);
        log->count = 0;
        whole_run(ws_dram_controller_kind_at((size_t)k % 2)->name, &part, false, log);
        assert_true(log->count > REQUESTS / 2 && log->count < LOG);
        const checker c = {&part, log};
        check_states(&c);
        check_distances(&c);
        check_window(&c, 4, part.tFAW);
        check_window(&c, 32, part.t32AW);
    }
    gsl_rng_free(rng);
    free(log);
}

typedef struct census {
    const run *run;
    uint64_t count;
} census;

static void count_request(void *user, const ws_dram_request *request)
{
    census *const c = user;
    assert_true(request->tag < c->run->sent && !c->run->seen[request->tag]);
    assert_true(!request->finished || !request->write);
    c->count++;
}

static void checkpoint_goes_on_the_same(void **state)
{
    (void)state;
    const ws_dram_part part = read_part(parts[5]), other = read_part(parts[4]);
    record *const log = calloc(1, sizeof *log);
    for (size_t k = 0; ws_dram_controller_kind_at(k); k++) {
        const char *const name = ws_dram_controller_kind_at(k)->name;
        run r = start_run(&part);
        ws_dram *dram = create(name, &part, tight, TIGHT);
        run_to(&r, dram, 2000, false);
        assert_true(ws_dram_inside(dram) > 5);
        census c = {.run = &r};
        ws_dram_each(dram, count_request, &c);
        assert_int_equal(c.count, ws_dram_inside(dram));
        ws_bytes bytes = {0};
        ws_dram_save(dram, &bytes);
        ws_dram_destroy(dram);
        dram = create(name, &part, tight, TIGHT);
        ws_reader reader = {bytes.data, bytes.data + bytes.length, false};
        assert_int_equal(ws_dram_load(dram, &reader), WS_OK);
        run_to(&r, dram, LONG_ENOUGH, false);
        assert_int_equal(r.hash, whole_run(name, &part, false, log));
        ws_dram_destroy(dram);
        dram = create(name, &other, tight, TIGHT);
        reader = (ws_reader){bytes.data, bytes.data + bytes.length, false};
        assert_int_equal(ws_dram_load(dram, &reader), WS_EINPUT);
        ws_dram_destroy(dram);
        ws_bytes_fini(&bytes);
        gsl_rng_free(r.rng);
    }
    free(log);
}

/* Long idle times cost nothing, and every refresh of them is counted. */
static void idle_time_is_skipped(void **state)
{
    (void)state;
    const ws_dram_part part = read_part("data/tech/dram_ddr4_3200.ini");
    ws_dram *const dram = create("frfcfs", &part, NULL, 0);
    const ws_dram_request read = {.at = {1, 2, 1, 77, 3}};
    assert_true(ws_dram_push(dram, &read));
    ws_dram_step(dram, 1000000000000);
    assert_int_equal(ws_dram_sum(dram).refreshes, (1000000000000 - 1) / 6240);
    ws_dram_request reply;
    assert_true(ws_dram_pop(dram, &reply));
    assert_true(ws_dram_next_time(dram) == WS_NEVER);
    ws_dram_destroy(dram);
}

/* --- DRAMsim3 --- */

/* Its own report after 10^6 cycles, GB/s (--stream stream or random -c 1000000); it holds 32 reads and 8 more for each
 * bank where we hold 64. */
static void bandwidth_is_dramsim3s(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double stream, random;
    } known[] = {
        {"data/tech/dram_gddr5_8gb.ini", 77.24, 16.31},
        {"data/tech/dram_gddr6_8gb.ini", 114.06, 29.33},
        {"data/tech/dram_ddr4_3200.ini", 17.26, 18.67},
    };
    const ws_given given[] = {{"read_queue", 64, NULL}, {"row_hits", 4, NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int stream = 0; stream < 2; stream++) {
            const ws_dram_part part = read_part(known[i].file);
            ws_dram_map map;
            assert_int_equal(ws_dram_map_parse(part.mapping, NULL, &part, 1, &map), WS_OK);
            ws_dram *const dram = create("frfcfs", &part, given, 2);
            const double got = measure_bandwidth(dram, &part, &map, stream, 1000000);
            const double want = stream ? known[i].stream : known[i].random;
            printf("%-32s %s %7.2f GB/s, DRAMsim3 %7.2f, efficiency %.3f, accesses a row %.1f\n", known[i].file,
                   stream ? "stream" : "random", got, want, ws_dram_efficiency(dram), ws_dram_row_locality(dram));
            assert_true(fabs(got / want - 1) < 0.05);
            ws_dram_destroy(dram);
        }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ws_given given[2];
        const char *message;
    } bad[] = {
        {"lifo", {{NULL, 0, NULL}}, "no memory controller is called 'lifo'; there are: frfcfs fcfs"},
        {"frfcfs", {{"read_queue", 0, "x:1:2"}}, "x:1:2: frfcfs: read_queue = 0, expected 1 to 4096"},
        {"fcfs", {{"row_hits", 4, NULL}}, "fcfs has no option row_hits"},
        {"frfcfs", {{"write_high", 33, NULL}}, "write_high = 33, write_queue = 32"},
        {"frfcfs", {{"write_high", 4, NULL}, {"write_low", 4, NULL}}, "write_low = 4, write_high = 4"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_dram *dram;
        const size_t count = bad[i].given[0].name ? bad[i].given[1].name ? 2 : 1 : 0;
        assert_int_equal(ws_dram_create(bad[i].name, &small, bad[i].given, count, &dram), WS_EINPUT);
        assert_null(dram);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
    for (size_t i = 0; ws_dram_controller_kind_at(i); i++)
        assert_true(ws_dram_controller_kind_at(i)->summary && ws_dram_controller_kind_at(i)->options);
    assert_null(ws_dram_controller_kind_find("lifo"));
    ws_dram_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_by_hand),
        cmocka_unit_test(writes_by_hand),
        cmocka_unit_test(order_by_hand),
        cmocka_unit_test(windows_by_hand),
        cmocka_unit_test(refresh_by_hand),
        cmocka_unit_test(statistics_by_hand),
        cmocka_unit_test(writes_in_the_queue_answer_reads),
        cmocka_unit_test(a_full_queue_of_writes_is_drained),
        cmocka_unit_test(reads_go_while_no_write_can),
        cmocka_unit_test(no_request_starves),
        cmocka_unit_test(all_rules_hold),
        cmocka_unit_test(all_rules_hold_for_any_times),
        cmocka_unit_test(checkpoint_goes_on_the_same),
        cmocka_unit_test(idle_time_is_skipped),
        cmocka_unit_test(bandwidth_is_dramsim3s),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
