/* test_sync.c - do the barriers and semaphores of data/workloads/harness/warpscape_sync.cuh what they promise, in any
 * order of steps, and as many operations as they are said to need?
 *
 * The kernels of GBAR and RWSEM run step by step; a test says which block moves. */
#include "base/input.h"
#include "base/status.h"
#include "collect/simt/stepper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

enum { TREE = 1, SENSE, CPU, COOPERATIVE, HYBRID, LITERAL };
enum {
    LINE = 32,
    GLOBAL_1 = 0,
    GLOBAL_2,
    GLOBAL_SENSE,
    GLOBALS,
    LOCAL_1 = 0,
    LOCAL_2,
    LOCAL_SENSE,
    LOCALS
}; /* as in warpscape_sync.cuh */
enum { THREADS = 32, MOST_BLOCKS = 80 * 32 };

typedef struct shape { /* sync_shape.h */
    int32_t form, sms, backoff, sleep, single, hybrid;
} shape;

typedef struct barrier_params {
    uint64_t word, data, use;
    shape s;
    int32_t episodes, critical, moves;
} barrier_params;

typedef struct use { /* sync_shape.h */
    uint64_t cycles, waited, polls, waits;
} use;

typedef struct counts {
    uint64_t local_increments, local_swaps, device_increments, device_swaps, device_adds, local_fences, device_fences;
} counts;

/* What a block did in its last step. */
typedef enum did { DID_OTHER, DID_INCREMENT, DID_ADD, DID_SWAP, DID_EXCHANGE, DID_LOOK, DID_END } did;

typedef struct block {
    did last;
    uint64_t address; /* of the last access of global memory */
    uint64_t instructions, increments, swaps;
    bool ended;
} block;

typedef struct grid {
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    ws_run run;
    ws_stepper *stepper;
    const ws_launch *launch;
    barrier_params p;
    uint32_t sms, blocks;
    counts counts;
    block block[MOST_BLOCKS];
} grid;

static grid g;

static void check(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

/* ------------------------------------------------------------------------------------------------ a grid step by step
 */

static void open_kernel(const char *file, const char *name)
{
    char *text;
    size_t length;
    check(ws_input_read(file, &(ws_input){.what = "PTX", .most_bytes = 1 << 24}, &text, &length));
    check(ws_ptx_parse(file, text, length, &g.module));
    free(text);
    check(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 26}, &g.device));
    check(ws_image_load(g.device, g.module, &g.image));
    check(ws_image_kernel(g.image, name, &g.kernel));
}

/* Device words that are zero. */
static uint64_t zeroed(size_t words)
{
    uint64_t at;
    check(ws_device_alloc(g.device, 4 * words, &at));
    memset(ws_device_pointer(g.device, at, 4 * words), 0, 4 * words);
    return at;
}

static void begin(const void *params)
{
    g.run = (ws_run){.grid = {g.blocks, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .cooperative = true};
    check(ws_stepper_create(g.kernel, &g.run, &g.stepper));
    g.launch = ws_stepper_launch(g.stepper);
    for (uint32_t b = 0; b < g.blocks; b++)
        check(ws_stepper_begin(g.stepper, b, b));
}

static void open_barrier_of(const char *kernel, shape s, uint32_t blocks_of_sm, int32_t episodes)
{
    memset(&g, 0, sizeof g);
    open_kernel("data/workloads/gridbarrier/gridbarrier.ptx", kernel);
    g.sms = (uint32_t)s.sms;
    g.blocks = g.sms * blocks_of_sm;
    assert_true(g.blocks <= MOST_BLOCKS);
    g.p = (barrier_params){.word = zeroed(LINE * (GLOBALS + LOCALS * (size_t)s.sms)),
                           .data = zeroed((size_t)g.blocks * THREADS),
                           .use = zeroed((size_t)g.blocks * sizeof(use) / 4),
                           .s = s,
                           .episodes = episodes,
                           .critical = 1,
                           .moves = 1};
    begin(&g.p);
}

static void open_barrier(shape s, uint32_t blocks_of_sm, int32_t episodes)
{
    open_barrier_of("gridbarrier", s, blocks_of_sm, episodes);
}

static void close_grid(bool ended)
{
    const int status = ws_stepper_close(g.stepper, ended ? WS_OK : WS_EINTERRUPTED, NULL);
    if (ended)
        check(status);
    ws_device_destroy(g.device);
    ws_module_destroy(g.module);
}

static int32_t *word_at(uint64_t address)
{
    return ws_device_pointer(g.device, address, 4);
}

static int32_t *global_word(int which)
{
    return word_at(g.p.word + (uint64_t)which * LINE * 4);
}

static int32_t *local_word(uint32_t sm, int which)
{
    return word_at(g.p.word + (GLOBALS + LOCALS * (uint64_t)sm + (uint64_t)which) * LINE * 4);
}

static did count_atomic(block *b, const ws_instr *in)
{
    const bool local = in->scope == WS_SCOPE_CTA;
    counts *const c = &g.counts;
    switch ((ws_atomic)in->atomic) {
    case WS_ATOMIC_INC:
        *(local ? &c->local_increments : &c->device_increments) += 1;
        b->increments++;
        return DID_INCREMENT;
    case WS_ATOMIC_CAS:
        *(local ? &c->local_swaps : &c->device_swaps) += 1;
        b->swaps++;
        return DID_SWAP;
    case WS_ATOMIC_EXCH:
        return DID_EXCHANGE;
    default:
        c->device_adds++;
        return DID_ADD;
    }
}

static void count_fences(const ws_event *ev)
{
    for (uint32_t pc = ev->pc; pc < ev->pc + ev->count; pc++)
        if (g.launch->instr[pc].fence)
            *(g.launch->instr[pc].scope == WS_SCOPE_CTA ? &g.counts.local_fences : &g.counts.device_fences) += 1;
}

static void see(block *b, const ws_batch *batch, const ws_event *ev)
{
    const ws_instr *const in = &g.launch->instr[ev->pc];
    b->instructions += ev->count;
    if (ev->kind == WS_EVENT_RUN)
        count_fences(ev);
    if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL || !ev->exec)
        return;
    b->address = WS_ADDRESSES(batch, ev)[__builtin_ctz(ev->exec)];
    if (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE)
        b->last = count_atomic(b, in);
    else if (ws_instr_is_poll(in))
        b->last = DID_LOOK;
}

static did move(uint32_t number)
{
    block *const b = &g.block[number];
    ws_batch batch;
    b->last = DID_OTHER;
    if (ws_stepper_warp(g.stepper, number, 0) == WS_WARP_ENDED) {
        b->ended = true;
        return DID_END;
    }
    check(ws_stepper_step(g.stepper, number, 0, &batch));
    for (size_t i = 0; i < batch.events; i++)
        see(b, &batch, &batch.event[i]);
    return b->last;
}

static bool all_ended(void)
{
    for (uint32_t b = 0; b < g.blocks; b++)
        if (!g.block[b].ended)
            return false;
    return true;
}

static uint64_t polls(void)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < g.blocks; b++)
        sum += ((const use *)ws_device_pointer(g.device, g.p.use, g.blocks * sizeof(use)))[b].polls;
    return sum;
}

/* ------------------------------------------------------------------------------------------------ counts of operations
 */

/* Who arrives at a counter that others have yet to come to is held there; the last one goes on alone for a while, and
 * then all do. */
enum { ALONE = 200, TURNS = 1 << 20 };

typedef struct arrivals {
    uint64_t counter[MOST_BLOCKS]; /* 0: not held */
    uint64_t look[MOST_BLOCKS];    /* looked at this word twice in a row: is held until it is not `seen` any more */
    uint64_t looked[MOST_BLOCKS];  /* the word that it looked at last */
    int32_t seen[MOST_BLOCKS];
    bool one_poll; /* is held after its first poll in vain, not before; one goes on until it is */
} arrivals;

static int32_t expected_at(uint64_t counter)
{
    const uint64_t line = (counter - g.p.word) / (LINE * 4);
    if (line >= GLOBALS)
        return (int32_t)(g.blocks / g.sms);
    return (int32_t)(g.p.s.form == CPU ? g.blocks : g.sms);
}

static bool is_held(arrivals *a, uint32_t b)
{
    if (a->counter[b] && *word_at(a->counter[b]) == 0)
        a->counter[b] = 0;
    if (a->look[b] && *word_at(a->look[b]) != a->seen[b])
        a->look[b] = 0;
    return a->counter[b] || a->look[b];
}

static void go_alone(arrivals *a, uint32_t b);

static void move_held(arrivals *a, uint32_t b)
{
    const did what = move(b);
    const uint64_t address = g.block[b].address;
    if (what == DID_LOOK) {
        const bool again = a->looked[b] == address && a->seen[b] == *word_at(address);
        a->look[b] = again ? address : 0;
        a->looked[b] = address;
        a->seen[b] = *word_at(address);
    } else if (what != DID_OTHER)
        a->looked[b] = 0;
    if (what == DID_INCREMENT && *word_at(address) == expected_at(address))
        go_alone(a, b);
    else if (what == (a->one_poll ? DID_SWAP : DID_INCREMENT) && *word_at(address))
        a->counter[b] = address;
}

/* To its next counter, or until it only looks. */
static void go_alone(arrivals *a, uint32_t b)
{
    for (int i = 0; i < ALONE && !is_held(a, b); i++)
        if (g.block[b].ended)
            return;
        else {
            const did what = move(b);
            if (what == DID_INCREMENT && *word_at(g.block[b].address) == expected_at(g.block[b].address))
                i = 0;
            else if (what == DID_INCREMENT) {
                if (!a->one_poll)
                    a->counter[b] = g.block[b].address;
                return;
            }
        }
}

static void run_in_order(bool one_poll)
{
    static arrivals a;
    memset(&a, 0, sizeof a);
    a.one_poll = one_poll;
    for (int turn = 0; turn < TURNS && !all_ended(); turn++)
        for (uint32_t b = 0; b < g.blocks; b++)
            do {
                if (!g.block[b].ended && !is_held(&a, b))
                    move_held(&a, b);
            } while (one_poll && !g.block[b].ended && !is_held(&a, b));
    assert_true(all_ended());
}

typedef struct row {
    uint32_t sms, blocks; /* T: blocks of an SM */
} row;

static void minimum_of_the_tree(void **state)
{
    static const struct {
        row r;
        uint64_t local_increments, local_swaps, device_increments, device_swaps, total;
    } rows[] = {{{80, 2}, 640, 960, 160, 162, 1922},
                {{80, 8}, 2560, 2880, 160, 162, 5762},
                {{80, 32}, 10240, 10560, 160, 162, 21122},
                {{68, 16}, 4352, 4624, 136, 138, 9250},
                {{82, 16}, 5248, 5576, 164, 166, 11154}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t s = rows[i].r.sms, t = rows[i].r.blocks;
        open_barrier((shape){.form = TREE, .sms = (int32_t)s, .hybrid = 8}, (uint32_t)t, 1);
        run_in_order(false);
        assert_int_equal(g.counts.local_increments, rows[i].local_increments);
        assert_int_equal(g.counts.local_swaps, rows[i].local_swaps);
        assert_int_equal(g.counts.device_increments, rows[i].device_increments);
        assert_int_equal(g.counts.device_swaps, rows[i].device_swaps);
        assert_int_equal(g.counts.local_increments + g.counts.local_swaps + g.counts.device_increments +
                             g.counts.device_swaps,
                         rows[i].total);
        assert_int_equal(g.counts.device_fences, 4 * s);
        assert_int_equal(g.counts.local_fences, 8 * s * t);
        assert_int_equal(polls(), 0);
        close_grid(true);
    }
}

static void minimum_of_senses(void **state)
{
    static const struct {
        row r;
        uint64_t least, one_poll, cooperative;
    } rows[] = {{{80, 2}, 321, 480, 160},
                {{80, 8}, 801, 1440, 640},
                {{80, 32}, 2721, 5280, 2560},
                {{68, 16}, 1225, 2312, 1088},
                {{82, 16}, 1477, 2788, 1312}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t s = rows[i].r.sms, t = rows[i].r.blocks;
        for (int poll = 0; poll < 2; poll++) {
            open_barrier((shape){.form = SENSE, .sms = (int32_t)s, .hybrid = 8}, (uint32_t)t, 1);
            run_in_order(poll);
            const counts *const c = &g.counts;
            assert_int_equal(c->local_increments + c->local_swaps + c->device_increments + c->device_swaps,
                             poll ? rows[i].one_poll : rows[i].least);
            assert_int_equal(c->local_increments, s * t);
            assert_int_equal(c->device_increments, s);
            assert_int_equal(c->device_fences, s + 1);
            assert_int_equal(polls(), poll ? s * t - s + s - 1 : 0);
            close_grid(true);
        }
        open_barrier((shape){.form = CPU, .sms = (int32_t)s, .hybrid = 8}, (uint32_t)t, 1);
        run_in_order(false);
        assert_int_equal(g.counts.device_increments, s * t);
        assert_int_equal(g.counts.device_swaps, 1);
        assert_int_equal(g.counts.local_increments + g.counts.local_swaps, 0);
        assert_int_equal(g.counts.device_fences, s * t + 1);
        close_grid(true);
        open_barrier((shape){.form = COOPERATIVE, .sms = (int32_t)s, .hybrid = 8}, (uint32_t)t, 1);
        run_in_order(false);
        assert_int_equal(g.counts.device_adds, rows[i].cooperative);
        assert_int_equal(g.counts.device_fences, 2 * s * t);
        close_grid(true);
    }
}

/* ------------------------------------------------------------------------------------------------ any order */

static void run_at_random(unsigned seed, uint64_t most)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed);
    for (uint64_t i = 0; i < most && !all_ended(); i++) {
        const uint32_t b = (uint32_t)gsl_rng_uniform_int(rng, g.blocks);
        const uint64_t stay = 1 + gsl_rng_uniform_int(rng, 40);
        for (uint64_t k = 0; k < stay && !g.block[b].ended; k++)
            move(b);
    }
    gsl_rng_free(rng);
}

/* What threads leave, as GBAR's own check has it. */
static void check_data(void)
{
    enum { EPISODES = 16 };
    static uint32_t want[MOST_BLOCKS];
    memset(want, 0, sizeof want);
    for (int e = 0; e < g.p.episodes; e++)
        for (uint32_t b = 0; b < g.blocks; b++) {
            uint32_t *const at = &want[(b + (uint32_t)e) % g.blocks];
            *at = 5 * *at + b + (uint32_t)e;
        }
    for (uint32_t b = 0; b < g.blocks; b++)
        for (uint32_t t = 0; t < THREADS; t++)
            assert_int_equal((uint32_t)*word_at(g.p.data + 4 * (b * THREADS + t)), want[b]);
}

/* Operations are the minimum and those in vain, whatever the order; nobody goes too early; the words are ready for the
 * next launch. */
static void any_order(void **state)
{
    (void)state;
    for (int form = TREE; form <= HYBRID; form++)
        for (unsigned seed = 1; seed <= 12; seed++) {
            const uint64_t s = 1 + seed % 3, t = 1 + seed / 3 % 4, e = 3;
            open_barrier((shape){.form = form,
                                 .sms = (int32_t)s,
                                 .backoff = seed % 2 ? 7 : 0,
                                 .single = seed % 4 == 3 ? 4 : 0,
                                 .hybrid = 3},
                         (uint32_t)t, e);
            run_at_random(seed, 4000000);
            assert_true(all_ended());
            check_data();
            const counts *const c = &g.counts;
            const uint64_t atomics = c->local_increments + c->local_swaps + c->device_increments + c->device_swaps;
            const bool hybrid = form == HYBRID, single = (form == SENSE || hybrid) && seed % 4 == 3 && t <= 4;
            const uint64_t tree = t == 1 ? 4 * s + 2 : 8 * s * t + 8 * s + 2,
                           sense = single ? s * t + 1 : s * t + 2 * s + 1, cpu = s * t + 1;
            if (form == COOPERATIVE || (hybrid && t < 3))
                assert_int_equal(c->device_adds, e * s * t);
            else
                assert_int_equal(atomics, e * (form == TREE ? tree : form == CPU ? cpu : sense) + polls());
            assert_int_equal(*global_word(GLOBAL_1), 0);
            for (uint32_t sm = 0; sm < s; sm++) {
                assert_int_equal(*local_word(sm, LOCAL_1), 0);
                assert_int_equal(*local_word(sm, LOCAL_2), 0);
            }
            close_grid(true);
        }
}

/* G-SRB with words of the SMs: in any order as right, with as many atomics and fences as with one word; each SM's word
 * is the sense in the end. */
static void words_of_sms(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 12; seed++) {
        const uint64_t s = 1 + seed % 3, t = 1 + seed / 3 % 4, e = 3;
        open_barrier_of("gridbarrier_own",
                        (shape){.form = SENSE, .sms = (int32_t)s, .backoff = seed % 2 ? 7 : 0, .hybrid = 8},
                        (uint32_t)t, e);
        run_at_random(seed, 4000000);
        assert_true(all_ended());
        check_data();
        const counts *const c = &g.counts;
        assert_int_equal(c->local_increments + c->local_swaps + c->device_increments + c->device_swaps,
                         e * (s * t + 2 * s + 1) + polls());
        assert_int_equal(c->device_fences, e * (s + 1));
        for (uint32_t sm = 0; sm < s; sm++) {
            assert_int_equal(*local_word(sm, LOCAL_1), 0);
            assert_int_equal(*local_word(sm, LOCAL_2), e % 2);
            assert_int_equal(*local_word(sm, LOCAL_SENSE), e % 2);
        }
        close_grid(true);
    }
}

/* Who is not first of its SM looks at its SM's word alone: not at the one of all. */
static void nobody_looks_at_the_word_of_all(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        open_barrier_of(own ? "gridbarrier_own" : "gridbarrier", (shape){.form = SENSE, .sms = 2, .hybrid = 8}, 4, 2);
        const uint64_t all = g.p.word + (uint64_t)GLOBAL_SENSE * LINE * 4;
        uint64_t looks = 0;
        for (int turn = 0; turn < 100000 && !all_ended(); turn++)
            for (uint32_t b = 0; b < g.blocks; b++)
                if (!g.block[b].ended && move(b) == DID_LOOK)
                    looks += b >= g.sms && g.block[b].address == all;
        assert_true(all_ended());
        assert_int_equal(looks == 0, own);
        close_grid(true);
    }
}

/* ------------------------------------------------------------------------------------------------ one block is held */

enum { HELD = 2, SMS = 2, OF_SM = 2 }; /* the second block of SM 0 */

static void move_others(int turns)
{
    for (int i = 0; i < turns; i++)
        for (uint32_t b = 0; b < g.blocks; b++)
            if (b != HELD && !g.block[b].ended)
                move(b);
}

/* `other`: the sense of SM 1, whose blocks may be in the next episode. */
static void assert_senses(int32_t sense, int32_t other)
{
    assert_int_equal(*global_word(GLOBAL_SENSE), sense);
    assert_int_equal(*local_word(0, LOCAL_SENSE), sense);
    assert_int_equal(*local_word(1, LOCAL_SENSE), other);
}

static void a_block_is_held(void **state)
{
    (void)state;
    open_barrier((shape){.form = SENSE, .sms = SMS, .hybrid = 8}, OF_SM, 3);
    while (g.block[HELD].increments < 1)
        move(HELD);
    move_others(2000);
    assert_senses(1, 0);                         /* the others have left the first episode, and wait in the second */
    assert_int_equal(*global_word(GLOBAL_1), 1); /* SM 1 */
    assert_int_equal(*local_word(0, LOCAL_1), 1);
    for (uint32_t b = 0; b < g.blocks; b++)
        assert_false(g.block[b].ended);
    const uint64_t swaps = g.block[HELD].swaps;
    while (g.block[HELD].increments < 2)
        move(HELD); /* it leaves at once: it asks no counter */
    assert_int_equal(g.block[HELD].swaps, swaps);
    move_others(2000);
    assert_senses(0, 1); /* the second is over; in the third all but the one wait */
    assert_int_equal(*local_word(0, LOCAL_1), 1);
    assert_int_equal(*global_word(GLOBAL_1), 1);
    run_at_random(1, 1000000);
    assert_true(all_ended());
    assert_senses(1, 1);
    assert_int_equal(*global_word(GLOBAL_1), 0);
    assert_int_equal(*local_word(0, LOCAL_1), 0);
    check_data();
    close_grid(true);
}

/* With the exit test as it is printed only who resets a counter leaves. */
static void the_printed_exit_test(void **state)
{
    (void)state;
    for (uint32_t sms = 1; sms <= 2; sms++)
        for (uint32_t blocks = 1; blocks <= 2; blocks++) {
            open_barrier((shape){.form = LITERAL, .sms = (int32_t)sms, .hybrid = 8}, blocks, 1);
            run_at_random(1, 100000);
            assert_int_equal(all_ended(), sms * blocks == 1);
            close_grid(sms * blocks == 1);
        }
}

/* ------------------------------------------------------------------------------------------------ backing off */

/* A block that waits for one that does not come: instructions between its attempts are a line over 1, 3, 7, ... 1023,
 * 1023. */
static void back_off(void **state)
{
    enum { ATTEMPTS = 12 };
    static const uint64_t turns[] = {1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 1023, 1023};
    uint64_t at[ATTEMPTS + 1] = {0}, sum = 0;
    (void)state;
    open_barrier((shape){.form = CPU, .sms = 2, .backoff = 1023, .hybrid = 8}, 1, 1);
    for (unsigned n = 0; n <= ATTEMPTS;)
        if (move(0) == DID_SWAP)
            at[n++] = g.block[0].instructions;
    for (unsigned i = 0; i < 10; i++)
        sum += turns[i];
    assert_int_equal(sum, 2036);
    const uint64_t turn = (at[2] - 2 * at[1] + at[0]) / (turns[1] - turns[0]);
    assert_true(turn >= 2);
    for (unsigned i = 0; i < ATTEMPTS; i++)
        assert_int_equal(at[i + 1] - at[i], at[1] - at[0] + turn * (turns[i] - turns[0]));
    close_grid(false);
}

/* ------------------------------------------------------------------------------------------------ semaphores */

enum { SPIN, SPIN_BACKOFF, PRIORITY, PRIORITY_BACKOFF };
enum { LOCK = 0, FREE_UNITS = LINE, LEAVERS = 2 * LINE, WRITER = 3 * LINE, WORDS = 4 * LINE };

typedef struct section { /* semaphore.cu */
    int32_t sms, size, form, backoff, sleep, counts, writer_waits, rounds, critical, audit;
} section;

static struct {
    uint64_t word, data, records, use;
    section s;
} sem;

static void open_semaphore(section s, uint32_t blocks)
{
    memset(&g, 0, sizeof g);
    open_kernel("data/workloads/semaphore/semaphore.ptx", "semaphore");
    g.sms = (uint32_t)s.sms;
    g.blocks = blocks;
    sem.s = s;
    sem.word = zeroed((size_t)s.sms * WORDS);
    sem.data = zeroed((size_t)s.sms * (size_t)s.critical * THREADS);
    sem.records = zeroed((size_t)s.sms * 4);
    sem.use = zeroed((size_t)blocks * sizeof(use) / 4);
    for (uint32_t sm = 0; sm < g.sms; sm++)
        *word_at(sem.word + 4 * (sm * WORDS + FREE_UNITS)) = s.size;
    begin(&sem);
}

static void check_semaphores(void)
{
    for (uint32_t sm = 0; sm < g.sms; sm++) {
        const int32_t *const word = word_at(sem.word + 4 * sm * WORDS), *const record = word_at(sem.records + 16 * sm);
        assert_int_equal(word[LOCK], 0);
        assert_int_equal(word[FREE_UNITS], sem.s.size);
        assert_int_equal(word[LEAVERS], 0);
        assert_int_equal(word[WRITER], 0);
        assert_int_equal(record[0], 0);             /* nobody is inside */
        assert_true(record[1] <= sem.s.size);       /* the most readers */
        assert_int_equal(record[2] + record[3], 0); /* entries without room; words that a writer was changing */
    }
}

static void conserve(void **state)
{
    (void)state;
    for (int32_t form = SPIN; form <= PRIORITY_BACKOFF; form++)
        for (unsigned seed = 1; seed <= 16; seed++) {
            open_semaphore((section){.sms = 1 + seed % 2,
                                     .size = 1 + (int32_t)(seed % 5),
                                     .form = form,
                                     .backoff = seed % 3 ? 15 : 0,
                                     .counts = seed / 2 % 2,
                                     .writer_waits = seed / 4 % 2,
                                     .rounds = 2,
                                     .critical = 3,
                                     .audit = 1},
                           2 + seed % 7);
            run_at_random(seed, 4000000);
            assert_true(all_ended());
            check_semaphores();
            close_grid(true);
        }
}

/* To the critical section of its first round: it has the semaphore, and the lock is free. */
static void let_in(uint32_t b)
{
    while (move(b) != DID_EXCHANGE)
        ;
}

/* How often block 0 takes the lock until it has left, if `before` others are past the test of who leaves when it begins
 * to, and take the lock first. */
static uint64_t locks_to_leave(int32_t form, uint32_t before)
{
    open_semaphore((section){.sms = 1, .size = 1, .form = form, .counts = 1, .rounds = 1, .critical = 1}, 1 + before);
    const uint64_t lock = sem.word + 4 * LOCK;
    uint64_t attempts = 0;
    let_in(0);
    for (uint32_t b = 1; b <= before; b++) /* the leavers' word is asked by a compare-and-swap */
        while (form >= PRIORITY && !(move(b) == DID_SWAP && g.block[b].address == sem.word + 4 * LEAVERS))
            ;
    if (form >= PRIORITY)
        while (*word_at(sem.word + 4 * LEAVERS) == 0)
            move(0);
    for (uint32_t b = 1;; b++) {
        for (; b <= before && !(move(b) == DID_SWAP && g.block[b].address == lock);)
            ;
        while (!(move(0) == DID_SWAP && g.block[0].address == lock))
            ;
        attempts++;
        if (b > before)
            break;
        while (*word_at(lock))
            move(b); /* finds no room, and gives the lock back */
        for (int i = 0; i < 100; i++)
            move(b); /* with priority it does not come to the lock again */
        if (form >= PRIORITY)
            assert_int_equal(*word_at(lock), 0);
        else
            while (*word_at(lock))
                move(b);
    }
    run_at_random(1, 1000000);
    assert_true(all_ended());
    check_semaphores();
    close_grid(true);
    return attempts;
}

static void leavers_go_first(void **state)
{
    (void)state;
    assert_int_equal(locks_to_leave(PRIORITY, 0), 1);
    for (uint32_t before = 1; before <= 3; before++) {
        assert_int_equal(locks_to_leave(PRIORITY, before), 1 + before);
        assert_int_equal(locks_to_leave(PRIORITY_BACKOFF, before), 1 + before);
    }
}

/* Two that want to enter keep the lock busy: each time the third, who wants to leave, asks, one of them has it. */
static void spinning_starves(void **state)
{
    (void)state;
    open_semaphore((section){.sms = 1, .size = 1, .form = SPIN, .rounds = 1, .critical = 1}, 3);
    const uint64_t lock = sem.word + 4 * LOCK;
    let_in(0);
    uint64_t attempts = 0;
    for (uint32_t other = 1; attempts < 100; other = 3 - other) {
        while (*word_at(lock) == 0)
            move(other);
        while (!(move(0) == DID_SWAP && g.block[0].address == lock))
            ;
        attempts++;
        while (*word_at(lock))
            move(other);
    }
    assert_int_equal(*word_at(sem.word + 4 * FREE_UNITS), 0); /* it has not left */
    run_at_random(1, 1000000);
    assert_true(all_ended());
    check_semaphores();
    close_grid(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimum_of_the_tree),
        cmocka_unit_test(minimum_of_senses),
        cmocka_unit_test(any_order),
        cmocka_unit_test(words_of_sms),
        cmocka_unit_test(nobody_looks_at_the_word_of_all),
        cmocka_unit_test(a_block_is_held),
        cmocka_unit_test(the_printed_exit_test),
        cmocka_unit_test(back_off),
        cmocka_unit_test(conserve),
        cmocka_unit_test(leavers_go_first),
        cmocka_unit_test(spinning_starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
