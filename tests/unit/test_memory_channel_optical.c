/* Stacks of memory behind links of light: times worked out by hand, what lanes carry when they are never idle, nothing
 * lost, the same whatever the steps, and what the links are made of against the numbers of the study (Goswami, 2013,
 * section 4.1). */
#include "base/status.h"
#include "model/machine/optical_channel.h"
#include "model/sim/memory/memory_channel.h"
#include "tests/unit/sim_script.h"
#include "model/machine/machine.h"

#include <string.h>

#include <gsl/gsl_rng.h>

enum { STACKS = 8, BURST = 64, INTERLEAVE = BURST, MOST = 2048, ROW = 8 * BURST, BANKS = 4, MOST_GIVEN = 8 };

/* Times that all differ, of a stack: no refresh. A burst takes two cycles down the stack. Eight wavelengths of 10 Gb/s
 * carry it in 10.24 cycles of 1.6 GHz, and four conversions of 0.2 ns, two flights of 0.61 and a command of three edges
 * of 0.1 are 2.32 ns, four cycles. */
static const ws_dram_part small = {
    .clock_mhz = 1600,
    .ranks = 1,
    .bank_groups = 1,
    .banks = BANKS,
    .rows = 16,
    .columns = 8,
    .bus = 128,
    .burst = 4,
    .rate = 2,
    .burst_cycles = 2,
    .burst_bytes = BURST,
    .command_buses = 1,
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
    .mapping = "R*4.B*2.C*3.S*6",
};

static const ws_memory_channel_ops *optical(void)
{
    return ws_memory_channel_ops_of(ws_memory_channel_kind_find("optical"));
}

typedef struct bench {
    ws_machine machine;
    ws_given given[MOST_GIVEN];
    ws_dram_part part;
    void *channel;
    uint64_t came[MOST]; /* when the read with that tag was there; 0: not yet */
    uint64_t count, last;
} bench;

/* "a=1 b=2": options of [memory]. */
static void set_options(bench *b, const char *options)
{
    static char text[256];
    snprintf(text, sizeof text, "%s", options);
    b->machine.memory = (ws_machine_options){.list = b->given};
    char *save = NULL;
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *const value = strchr(word, '=');
        *value = '\0';
        b->given[b->machine.memory.count++] = (ws_given){.name = word, .value = strtoull(value + 1, NULL, 10)};
    }
}

static bench *start(const ws_dram_part *part, const char *options)
{
    bench *const b = calloc(1, sizeof *b);
    script_machine(&b->machine, "none");
    b->machine.memory_channel = ws_memory_channel_kind_find("optical");
    set_options(b, options);
    b->part = *part;
    if (ws_optical_check(&b->machine, part) || optical()->create(&b->machine, part, &b->channel))
        fail_msg("%s: %s", options, ws_message());
    return b;
}

static void stop(bench *b)
{
    optical()->destroy(b->channel);
    free(b);
}

static void take_all(bench *b, uint64_t now)
{
    uint64_t tag;
    while (optical()->pop(b->channel, &tag)) {
        assert_true(tag < MOST && !b->came[tag]);
        b->came[tag] = now;
        b->count++;
        b->last = now;
    }
}

/* From event to event until nothing is left. */
static void drain(bench *b)
{
    for (uint64_t next; (next = optical()->next_time(b->channel)) != WS_NEVER;) {
        optical()->step(b->channel, next + 1);
        take_all(b, next + 1);
    }
    assert_int_equal(optical()->inside(b->channel), 0);
}

/* A burst of a stack; rows of its banks follow one another. */
static uint64_t place(uint32_t stack, uint32_t bank, uint32_t row, uint32_t column)
{
    const uint64_t within = ((uint64_t)row * BANKS + bank) * ROW + (uint64_t)column * BURST;
    return within / INTERLEAVE * INTERLEAVE * STACKS + stack * INTERLEAVE + within % INTERLEAVE;
}

static void want(bench *b, uint64_t address, bool write, uint64_t tag)
{
    assert_true(optical()->has_room(b->channel, address, write));
    assert_true(optical()->push(b->channel, address, write, tag));
}

static uint64_t pending(const bench *b)
{
    return optical()->sum(b->channel).pending_cycles;
}

/* --- Times by hand --- */

static void one_read(void **state)
{
    (void)state;
    for (int concurrent = 0; concurrent < 2; concurrent++) {
        bench *const b = start(&small, concurrent ? "concurrent=1" : "concurrent=0");
        want(b, place(3, 1, 2, 5), false, 7);
        drain(b);
        /* tRCDRD, tCL and two cycles down the stack: 19. 10.24 north: 29.24, seen in 30. The constant 4. */
        assert_int_equal(b->came[7], 34);
        const ws_dram_totals sum = optical()->sum(b->channel);
        assert_int_equal(sum.latency_sum, 34);
        assert_int_equal(sum.pending_cycles, 34);
        assert_int_equal(sum.data_cycles, 0); /* 10 of one of twelve lanes: less than a cycle of all */
        ws_memory_shape shape = ws_optical_shape(&b->machine, &small);
        assert_float_equal(shape.read_cycles, 8 + 7 + 10 + 2 + 10.24 + 4, 1e-9);
        stop(b);
    }
}

/* Requests are pending from the first until nothing is left, and not between: two of 34 cycles apart, and two that
 * overlap by 24. */
static void pauses(void **state)
{
    (void)state;
    bench *const b = start(&small, "");
    want(b, place(3, 1, 2, 5), false, 1);
    drain(b);
    optical()->step(b->channel, 1000);
    assert_int_equal(pending(b), 34);
    want(b, place(3, 0, 2, 5), false, 2);
    drain(b);
    assert_int_equal(b->came[2], 1034);
    assert_int_equal(pending(b), 34 + 34);
    optical()->step(b->channel, 2000);
    want(b, place(2, 0, 0, 0), false, 3);
    optical()->step(b->channel, 2010);
    want(b, place(1, 0, 0, 0), false, 4);
    drain(b);
    assert_int_equal(b->came[3], 2034);
    assert_int_equal(b->came[4], 2044);
    assert_int_equal(pending(b), 34 + 34 + 44);
    stop(b);
}

/* What time costs comes from options: the link at twice the rate, without flight and conversion. */
static void one_read_faster(void **state)
{
    (void)state;
    bench *const b = start(&small, "wavelength_rate=20000 flight=0 convert=0");
    want(b, 0, false, 1);
    drain(b);
    assert_int_equal(b->came[1], 19 + 6 + 1); /* 5.12, and three edges of 50 ps */
    stop(b);
}

static void eight_reads(void **state)
{
    (void)state;
    bench *b = start(&small, "concurrent=1");
    for (uint32_t i = 0; i < STACKS; i++)
        want(b, place(i, 0, 1, 0), false, i);
    drain(b);
    for (uint32_t i = 0; i < STACKS; i++)
        assert_int_equal(b->came[i], 34); /* eight commands a cycle, eight replies at once */
    stop(b);
    b = start(&small, "concurrent=0");
    for (uint32_t i = 0; i < STACKS; i++)
        want(b, place(i, 0, 1, 0), false, i);
    drain(b);
    /* Rows are opened in cycles 0 to 7; the last stack that had a command is asked first, so reads go out from cycle 8
     * on. */
    for (uint32_t i = 0; i < STACKS; i++)
        assert_int_equal(b->came[i], 35 + i);
    stop(b);
}

/* Two reads of one stack share its lane, two of stacks that share one too. */
static void lanes(void **state)
{
    (void)state;
    bench *b = start(&small, "concurrent=1");
    want(b, place(0, 0, 1, 0), false, 0);
    want(b, place(0, 0, 1, 3), false, 1);
    drain(b);
    assert_int_equal(b->came[0], 34);
    assert_int_equal(b->came[1], 44); /* in the stack 22; 29.24 + 10.24 = 39.48 */
    stop(b);
    b = start(&small, "concurrent=1 north_wavelengths=32");
    want(b, place(0, 0, 1, 0), false, 0);
    want(b, place(4, 0, 1, 0), false, 4);
    want(b, place(5, 0, 1, 0), false, 5);
    drain(b);
    assert_int_equal(b->came[0], 34);
    assert_int_equal(b->came[5], 34);
    assert_int_equal(b->came[4], 44); /* there since 19 */
    stop(b);
}

/* Cycles that lanes of the south link carry something are seen as pending ones: writes have no answer. */
static uint64_t writes_take(const char *options, const uint32_t *stacks, uint32_t count)
{
    bench *const b = start(&small, options);
    for (uint32_t i = 0; i < count; i++)
        want(b, place(stacks[i], 0, 1, i), true, i);
    drain(b);
    optical()->step(b->channel, 1000);
    const uint64_t cycles = pending(b);
    assert_int_equal(optical()->sum(b->channel).writes, count);
    stop(b);
    return cycles;
}

static void four_writes(void **state)
{
    (void)state;
    static const uint32_t four[] = {0, 1, 2, 3}, shared[] = {0, 4}, all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    /* tRCDWR, then 10.24 cycles. */
    assert_int_equal(writes_take("concurrent=1", four, 1), 17);
    assert_int_equal(writes_take("concurrent=1", four, 4), 17);
    /* 16.24, and the next one at once, within that cycle: 26.48. */
    assert_int_equal(writes_take("concurrent=1", shared, 2), 27);
    assert_int_equal(writes_take("concurrent=1", all, 8), 27);
    /* Sequential: rows in cycles 0 to 3; then stacks 0 to 2 in 6 to 8, and 3, whose row is the youngest, in 9. */
    assert_int_equal(writes_take("concurrent=0", four, 4), 20);
    /* As many lanes as stacks. */
    assert_int_equal(writes_take("concurrent=1 write_wavelengths=4", all, 8), 6 + 21);
}

/* One scheduler: the stack that waits for its row leaves its turn to the next one, and open rows go first. */
static void turns(void **state)
{
    (void)state;
    bench *const b = start(&small, "concurrent=0");
    want(b, place(0, 0, 1, 0), false, 0);
    want(b, place(0, 0, 2, 0), false, 1); /* the same bank, another row */
    want(b, place(0, 0, 1, 1), false, 2); /* later, but the row is open */
    want(b, place(1, 0, 1, 0), false, 3);
    drain(b);
    /* Stack 0: row 1 in 0, reads in 7 and 10, precharge in 20 (tRAS), row 2 in 30 (tRC), read in 37. Stack 1: row in 1,
     * read in 8. */
    assert_int_equal(b->came[0], 34);
    assert_int_equal(b->came[2], 44);
    assert_int_equal(b->came[3], 35);
    assert_int_equal(b->came[1], 64); /* 49 + 10.24 = 59.24 */
    const ws_dram_totals sum = optical()->sum(b->channel);
    assert_int_equal(sum.row_hits, 1);
    assert_int_equal(sum.activates, 3);
    assert_int_equal(sum.precharges, 1);
    stop(b);
}

/* The bits above a burst, or `interleave`, choose the stack: two bursts that are so far apart do not meet, nearer ones
 * and the same stack's next ones do. */
static void preamble(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        uint64_t address, came;
    } rows[] = {
        {"concurrent=1", INTERLEAVE, 34},
        {"concurrent=1", 7 * INTERLEAVE, 34},
        {"concurrent=1", 8 * INTERLEAVE, 44},
        {"concurrent=1 interleave=128", 64, 44},
        {"concurrent=1 interleave=128", 128, 34},
        {"concurrent=1 interleave=256", 128, 44},
        {"concurrent=1 subchannels=4 north_wavelengths=32 south_wavelengths=32", 4 * INTERLEAVE, 44},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench *const b = start(&small, rows[i].options);
        want(b, 0, false, 0);
        want(b, rows[i].address, false, 1);
        drain(b);
        assert_int_equal(b->came[0], 34);
        assert_int_equal(b->came[1], rows[i].came);
        stop(b);
    }
}

/* Each stack has queues of its own. */
static void room(void **state)
{
    (void)state;
    bench *const b = start(&small, "read_queue=2 write_queue=1");
    want(b, place(0, 0, 0, 0), false, 0);
    want(b, place(0, 0, 0, 1), false, 1);
    assert_false(optical()->has_room(b->channel, place(0, 0, 0, 2), false));
    assert_false(optical()->push(b->channel, place(0, 0, 0, 2), false, 2));
    assert_int_equal(optical()->sum(b->channel).refused, 1);
    assert_true(optical()->has_room(b->channel, place(1, 0, 0, 2), false));
    want(b, place(0, 0, 0, 2), true, 3);
    assert_false(optical()->has_room(b->channel, place(0, 1, 0, 2), true));
    /* What waits to be written is read without light: it is there in the next cycle. */
    want(b, place(2, 0, 0, 2), true, 4);
    want(b, place(2, 0, 0, 2), false, 5);
    drain(b);
    assert_int_equal(b->came[5], 1);
    assert_int_equal(b->count, 3);
    stop(b);
}

/* --- Never idle --- */

typedef struct load {
    uint64_t writes_of_8; /* of eight bursts */
    bool random;
} load;

/* Bytes a second that come and go while every queue is full. */
static double saturate(const char *options, load l, double *row_hits)
{
    ws_dram_part part;
    assert_int_equal(ws_dram_part_read("data/tech/dram_stack_optical.ini", &part), WS_OK);
    bench *const b = start(&part, options);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    enum { CYCLES = 60000, WARM = 10000 };
    ws_dram_totals before = {0};
    uint64_t next = 0;
    bool write = l.writes_of_8 == 8;
    for (uint64_t now = 1; now <= CYCLES; now++) {
        uint64_t tag;
        optical()->step(b->channel, now);
        while (optical()->pop(b->channel, &tag))
            continue;
        for (;;) {
            const uint64_t address = l.random ? gsl_rng_get(rng) / BURST * BURST : next * BURST;
            if (!optical()->push(b->channel, address, write, next))
                break;
            next++;
            write = gsl_rng_uniform_int(rng, 8) < l.writes_of_8;
        }
        if (now == WARM)
            before = optical()->sum(b->channel);
    }
    const ws_dram_totals sum = optical()->sum(b->channel);
    const double cycles = CYCLES - WARM, moved = (double)(sum.reads + sum.writes - before.reads - before.writes);
    *row_hits = (double)sum.row_hits / (double)(sum.reads + sum.writes);
    assert_true(sum.data_cycles <= sum.pending_cycles && sum.pending_cycles <= CYCLES);
    /* Of the bus of all lanes, 75 bytes a cycle. */
    assert_float_equal((double)(sum.data_cycles - before.data_cycles) / cycles, moved * BURST / cycles / 75, 0.005);
    gsl_rng_free(rng);
    stop(b);
    return moved * BURST / cycles * part.clock_mhz * 1e6;
}

static void bandwidth(void **state)
{
    (void)state;
    double hits;
    /* Counted when they are read, so a few more may move than lanes carry meanwhile. */
    assert_in_range(saturate("concurrent=1", (load){0, false}, &hits), 79.8e9, 80.2e9);
    assert_in_range(saturate("concurrent=0", (load){0, false}, &hits), 79.8e9, 80.2e9);
    assert_true(hits > 0.9);
    assert_in_range(saturate("concurrent=1", (load){8, false}, &hits), 39.8e9, 40.2e9);
    assert_in_range(saturate("concurrent=0", (load){8, false}, &hits), 39.8e9, 40.2e9);
    /* Rows that are not open: two commands a burst, so one a cycle is too few. */
    const double sequential = saturate("concurrent=0", (load){0, true}, &hits),
                 concurrent = saturate("concurrent=1", (load){0, true}, &hits);
    assert_true(hits < 0.3);
    assert_true(concurrent > 1.2 * sequential);
    assert_in_range(sequential, 33e9, 35e9); /* 64 bytes for three commands: activate, read, precharge */
    /* Reads and writes move at the same time: more than either link carries alone. */
    assert_true(saturate("concurrent=1", (load){3, false}, &hits) > 85e9);
}

/* --- Nothing lost, same steps, same result --- */

typedef struct outcome {
    uint64_t came[MOST];
    ws_dram_totals totals;
} outcome;

/* Random requests in bursts and pauses; `whole`: from event to event, else cycle by cycle; `kept`: the channel is saved
 * and read again by another one now and then. */
static void play(const ws_dram_part *part, const char *options, bool whole, bool kept, outcome *out)
{
    bench *b = start(part, options);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t reads = 0, now = 0;
    for (uint64_t tag = 0; tag < MOST;) {
        const uint64_t until =
            now + (gsl_rng_uniform_int(rng, 20) ? gsl_rng_uniform_int(rng, 4) : gsl_rng_uniform_int(rng, 40000));
        while (now < until) {
            const uint64_t next = whole ? optical()->next_time(b->channel) : now;
            now = next < until ? next + 1 : until;
            optical()->step(b->channel, now);
            take_all(b, now);
        }
        for (uint64_t left = 1 + gsl_rng_uniform_int(rng, 12); left && tag < MOST; left--) {
            const uint64_t address = gsl_rng_uniform_int(rng, 1 << 16) / BURST * BURST;
            const bool write = gsl_rng_uniform_int(rng, 3) == 0;
            if (!optical()->has_room(b->channel, address, write) || !optical()->push(b->channel, address, write, tag))
                break;
            reads += !write;
            tag++;
        }
        if (kept && !gsl_rng_uniform_int(rng, 10)) {
            ws_bytes bytes = {0};
            optical()->save(b->channel, &bytes);
            void *other;
            assert_int_equal(optical()->create(&b->machine, part, &other), WS_OK);
            ws_reader reader = ws_reader_of(&bytes);
            assert_int_equal(optical()->load(other, &reader), WS_OK);
            optical()->destroy(b->channel);
            b->channel = other;
            ws_bytes_fini(&bytes);
        } else if (!kept) {
            gsl_rng_uniform_int(rng, 10);
        }
    }
    drain(b);
    const ws_dram_totals sum = optical()->sum(b->channel);
    assert_int_equal(b->count, reads);
    assert_int_equal(sum.reads_in, reads);
    assert_int_equal(sum.reads_out, reads);
    assert_int_equal(sum.reads + sum.forwarded, reads);
    assert_int_equal(sum.writes + sum.merged, MOST - reads);
    assert_true(sum.data_cycles <= sum.pending_cycles);
    memcpy(out->came, b->came, sizeof out->came);
    out->totals = sum;
    gsl_rng_free(rng);
    stop(b);
}

static void same_result(void **state)
{
    (void)state;
    static const char *const options[] = {
        "concurrent=0",
        "concurrent=1",
        "concurrent=1 north_wavelengths=32 replies=2",
        "concurrent=0 read_queue=2 write_queue=2 wavelength_rate=7001",
        "concurrent=1 subchannels=1 read_wavelengths=64 write_wavelengths=32",
    };
    ws_dram_part refreshed = small;
    refreshed.tREFI = 700;
    refreshed.tRFC = 60;
    refreshed.command_buses = 2;
    outcome *const a = calloc(1, sizeof *a), *const b = calloc(1, sizeof *b);
    for (size_t i = 0; i < 2 * sizeof options / sizeof *options; i++) {
        const ws_dram_part *const part = i % 2 ? &refreshed : &small;
        play(part, options[i / 2], false, false, a);
        play(part, options[i / 2], true, true, b);
        if (i % 2)
            assert_true(a->totals.refreshes > 100);
        for (int tag = 0; tag < MOST; tag++)
            assert_int_equal(a->came[tag], b->came[tag]);
        assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    }
    free(a);
    free(b);
}

/* --- What it is made of --- */

static void links(void **state)
{
    (void)state;
    bench *b = start(&small, "concurrent=0");
    ws_memory_shape s = ws_optical_shape(&b->machine, &small);
    assert_float_equal(s.peak_bytes, 120e9, 1); /* 64 and 32 wavelengths of 10 Gb/s: 80 and 40 GB/s */
    assert_int_equal(s.parts, 8);
    assert_int_equal(s.links, 2);
    assert_int_equal(s.command_bits, 32 + 3);
    assert_int_equal(s.reads.wavelengths, 64);
    assert_int_equal(s.reads.readers * s.reads.writers, 1);
    assert_int_equal(s.writes.wavelengths, 32);
    assert_int_equal(s.writes.readers, 2);
    assert_int_equal(s.commands.wavelengths, 16);
    assert_int_equal(s.commands.readers, 8);
    stop(b);
    b = start(&small, "concurrent=1");
    s = ws_optical_shape(&b->machine, &small);
    /* Seven more schedulers have 112 wavelengths for commands: two more links, as the study says. */
    assert_int_equal(s.links, 4);
    assert_int_equal(s.commands.wavelengths, 128);
    assert_int_equal(s.commands.readers, 1);
    assert_float_equal(s.peak_bytes, 120e9, 1);
    stop(b);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *options, *says;
    } rows[] = {
        {"subchannels=6", "memory.subchannels = 6: expected a power of two"},
        {"interleave=96", "memory.interleave = 96 bytes: expected a power of two"},
        {"interleave=32", "memory.interleave = 32 bytes: expected at least a burst of the part, 64 bytes"},
        {"read_wavelengths=12", "memory.read_wavelengths = 12: expected a divisor of memory.north_wavelengths = 64"},
        {"write_wavelengths=24", "memory.write_wavelengths = 24: expected a divisor of memory.south_wavelengths = 32"},
        {"subchannels=4", "memory.north_wavelengths = 64 (default): 8 bursts at once"},
        {"write_wavelengths=2", "memory.south_wavelengths = 32 (default): 16 bursts at once"},
        {"north_wavelengths=24", "memory.north_wavelengths = 24: 3 bursts at once"},
        {"link_wavelengths=32",
         "memory.north_wavelengths = 64 (default): expected at most memory.link_wavelengths = 32"},
        {"command_wavelengths=33",
         "memory.south_wavelengths = 32 (default): with memory.command_wavelengths = 33 more than"},
        {"command_wavelengths=5", "memory.command_wavelengths = 5: a command of 35 bits takes 700 ps, longer than a "
                                  "cycle of the memory clock, 625 ps"},
        {"write_low=7 write_high=3", "write_low = 7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench b = {0};
        script_machine(&b.machine, "none");
        b.machine.memory_channel = ws_memory_channel_kind_find("optical");
        set_options(&b, rows[i].options);
        assert_int_equal(ws_optical_check(&b.machine, &small), WS_EINPUT);
        if (!strstr(ws_message(), rows[i].says))
            fail_msg("%s: %s", rows[i].options, ws_message());
    }
    /* A checkpoint of other links. */
    bench *const one = start(&small, "concurrent=0"), *const other = start(&small, "concurrent=1");
    ws_bytes bytes = {0};
    optical()->save(one->channel, &bytes);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / 50) {
        ws_reader reader = {.next = bytes.data, .end = bytes.data + length};
        assert_int_equal(optical()->load(one->channel, &reader), WS_EINPUT);
    }
    ws_reader reader = ws_reader_of(&bytes);
    assert_int_equal(optical()->load(other->channel, &reader), WS_EINPUT);
    ws_bytes_fini(&bytes);
    stop(one);
    stop(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read),    cmocka_unit_test(pauses),      cmocka_unit_test(one_read_faster),
        cmocka_unit_test(eight_reads), cmocka_unit_test(lanes),       cmocka_unit_test(four_writes),
        cmocka_unit_test(turns),       cmocka_unit_test(preamble),    cmocka_unit_test(room),
        cmocka_unit_test(bandwidth),   cmocka_unit_test(same_result), cmocka_unit_test(links),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
