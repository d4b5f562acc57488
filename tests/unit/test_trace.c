/* Does a trace file give back every event it was given, in any split of the blocks, and what does a broken one do? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/wst/wst_file_internal.h"
#include "tests/unit/synthetic_events.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

/* ---- a launch of all kinds of events, by a seed */

enum { BLOCKS = 12, THREADS = 100, SHARED_BYTES = 4096, LOCAL_BYTES = 512, EVENTS = 400, VALUES = 5 };

static char folder[64], path[96], other[96];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/warpscape-trace-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/a.wst", folder);
    snprintf(other, sizeof other, "%s/b.wst", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
}

static uint32_t some_mask(gsl_rng *r)
{
    static const uint32_t mask[] = {UINT32_MAX, UINT32_MAX, 0xffff, 1, 0x80000000u, 0x0f0f0f0f, 0};
    const unsigned long i = gsl_rng_uniform_int(r, 8);
    return i < 7 ? mask[i] : (uint32_t)gsl_rng_get(r);
}

/* Up to eight texels a lane: groups of addresses behind each other. */
static void some_texels(synthetic *s, gsl_rng *r, uint64_t block, unsigned warp, uint32_t pc)
{
    const unsigned further = (unsigned)gsl_rng_uniform_int(r, WS_EVENT_ADDRESSES);
    const uint32_t exec = some_mask(r);
    uint64_t address[WS_WARP];
    for (unsigned group = 0; group <= further; group++) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            address[lane] = 4096 + (gsl_rng_get(r) % 4 ? lane : gsl_rng_get(r) % 500) * 16 + group * 1024;
        syn_block *const b = &s->block[block];
        if (group == 0) {
            ws_event *const ev = syn_access(s, block, warp, pc, exec, address);
            ev->texel = 16;
            ev->further = further & 7;
            continue;
        }
        b->address = realloc(b->address, (b->accesses + 1) * WS_WARP * sizeof *b->address);
        assert_non_null(b->address);
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            b->address[b->accesses * WS_WARP + lane] = exec >> lane & 1 ? address[lane] : 0;
        b->accesses++;
    }
}

static void some_access(synthetic *s, gsl_rng *r, uint64_t block, unsigned warp, uint32_t first)
{
    const uint32_t pc = first + (uint32_t)gsl_rng_uniform_int(r, 5);
    const uint64_t room = s->instr[pc].space == WS_SPACE_SHARED  ? SHARED_BYTES - 8
                          : s->instr[pc].space == WS_SPACE_LOCAL ? LOCAL_BYTES - 8
                                                                 : UINT64_MAX;
    uint64_t address[WS_WARP];
    const unsigned long how = gsl_rng_uniform_int(r, 4);
    if (s->instr[pc].space == WS_SPACE_TEXTURE) {
        some_texels(s, r, block, warp, pc);
        return;
    }
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        if (how == 0)
            address[lane] = (lane % 16) * 4 + lane / 16 * 400 + block * 8;
        else if (how == 1)
            address[lane] = 64 + lane * 4ull;
        else if (how == 2)
            address[lane] = gsl_rng_uniform_int(r, 1 << 20) << (gsl_rng_uniform_int(r, 30));
        else
            address[lane] = ((uint64_t)gsl_rng_get(r) << 32 | gsl_rng_get(r)) * (gsl_rng_get(r) % 2 ? 1 : 16);
        address[lane] = room == UINT64_MAX ? address[lane] : address[lane] % room;
    }
    syn_access(s, block, warp, pc, some_mask(r), address);
}

static void make_launch(synthetic *s, unsigned long seed)
{
    gsl_rng *const r = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(r, seed);
    syn_init(s, BLOCKS, THREADS);
    s->launch.shared_bytes = SHARED_BYTES;
    s->launch.local_bytes = LOCAL_BYTES;
    s->launch.h2d_bytes = 1000 + seed;
    static const ws_copy copied[] = {{UINT64_MAX, 1}, {0, 5}};
    s->launch.copied = copied;
    s->launch.copies = seed % 3;
    s->launch.sequence = seed;
    for (unsigned i = 0; i < 8; i++)
        syn_instr(s, i % 2 ? WS_CLASS_INTEGER : WS_CLASS_FLOAT);
    const uint32_t branch = syn_instr(s, WS_CLASS_BRANCH), barrier = syn_instr(s, WS_CLASS_BARRIER);
    const uint32_t memory = syn_memory_instr(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    syn_memory_instr(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 8);
    syn_memory_instr(s, WS_SPACE_LOCAL, WS_ACCESS_STORE, 4);
    syn_memory_instr(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 8);
    syn_memory_instr(s, WS_SPACE_TEXTURE, WS_ACCESS_LOAD, 0);
    s->instr[0].dsts = 2;
    s->instr[0].dst[1] = 77;
    s->instr[branch].reconverge = 3;
    for (uint64_t block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < (block == 5 ? 0 : EVENTS); i++) { /* one block does nothing */
            const unsigned warp = (unsigned)gsl_rng_uniform_int(r, s->launch.warps_per_block);
            const uint32_t active = some_mask(r);
            const unsigned long kind = gsl_rng_uniform_int(r, 8);
            if (kind < 3)
                syn_run(s, block, warp, (uint32_t)kind, 1 + (unsigned)gsl_rng_uniform_int(r, 5), active);
            else if (kind < 5)
                some_access(s, r, block, warp, memory);
            else if (kind == 5)
                syn_branch(s, block, warp, branch, active, active & some_mask(r), i % 3);
            else if (kind == 6)
                syn_reconverge(s, block, warp, branch, (uint32_t)gsl_rng_get(r) >> gsl_rng_uniform_int(r, 32));
            else
                syn_barrier(s, block, warp, barrier, active)->barrier = i % 2 ? 3 : UINT32_MAX;
        }
    gsl_rng_free(r);
}

/* ---- values: a function of the block alone */

static int odd_block(const ws_launch *launch, uint64_t block)
{
    (void)launch;
    return block % 2;
}

static uint64_t before[WS_WARP], after[WS_WARP], offset[WS_WARP];

static ws_value value_of(uint64_t block, unsigned i)
{
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        before[lane] = block * 11 + lane;
        after[lane] = before[lane] + i;
        offset[lane] = lane * 4 % SHARED_BYTES;
    }
    return (ws_value){.pc = i,
                      .warp = (uint16_t)(i % 3),
                      .is_shared = i % 2,
                      .bytes = 4,
                      .exec = UINT32_MAX,
                      .reg = i % 2 ? 0 : i,
                      .before = before,
                      .after = after,
                      .address = i % 2 ? offset : NULL};
}

/* ---- a sink that compares what comes with the launch it came from */

typedef struct seen {
    uint64_t next[BLOCKS]; /* event expected next of each block */
    uint64_t value[BLOCKS];
    uint64_t events, ended;
} seen;

static const synthetic *expected; /* by the checker below; set before its launches run */

static int check_events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    seen *const s = p;
    const syn_block *const b = &expected->block[batch->block];
    (void)launch;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const got = &batch->event[i], *const want = &b->event[s->next[batch->block]++];
        assert_int_equal(got->pc, want->pc);
        assert_int_equal(got->warp, want->warp);
        assert_int_equal(got->count, want->count);
        assert_int_equal(got->active, want->active);
        assert_int_equal(got->exec, want->exec);
        assert_int_equal(got->kind, want->kind);
        assert_int_equal(got->depth, want->depth);
        assert_int_equal(got->space, want->space);
        assert_int_equal(got->texel, want->texel);
        assert_int_equal(got->further, want->further);
        if (got->kind == WS_EVENT_MEMORY)
            assert_memory_equal(WS_ADDRESSES(batch, got), b->address + (size_t)want->addresses * WS_WARP,
                                (1u + want->further) * WS_WARP * sizeof(uint64_t));
        else if (got->kind != WS_EVENT_RUN)
            assert_int_equal(got->taken, want->taken);
    }
    s->events += batch->events;
    return WS_OK;
}

static int check_values(void *p, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    seen *const s = p;
    (void)launch;
    for (size_t i = 0; i < n; i++) {
        const ws_value want = value_of(block, (unsigned)s->value[block]++);
        assert_int_equal(value[i].pc, want.pc);
        assert_int_equal(value[i].warp, want.warp);
        assert_int_equal(value[i].is_shared, want.is_shared);
        assert_int_equal(value[i].reg, want.reg);
        assert_int_equal(value[i].exec, want.exec);
        assert_memory_equal(value[i].before, want.before, sizeof before);
        assert_memory_equal(value[i].after, want.after, sizeof after);
        if (want.is_shared)
            assert_memory_equal(value[i].address, want.address, sizeof offset);
    }
    return WS_OK;
}

static int check_end(void *p, const ws_launch *launch, uint64_t block)
{
    seen *const s = p;
    (void)launch;
    assert_int_equal(s->next[block], expected->block[block].events);
    s->ended++;
    return WS_OK;
}

static int check_merge(void *into, void *from, const ws_launch *launch)
{
    seen *const a = into;
    const seen *const b = from;
    (void)launch;
    a->events += b->events;
    a->ended += b->ended;
    return WS_OK;
}

static const ws_sink checker = {.name = "checker",
                                .wants = WS_WANT_ALL,
                                .state_size = sizeof(seen),
                                .events = check_events,
                                .block_end = check_end,
                                .merge = check_merge,
                                .sample_block = odd_block,
                                .values = check_values};

/* ---- writing a launch in ranges of some blocks, in some order */

static void deliver(const synthetic *s, ws_range *range, uint64_t block, bool with_values)
{
    const syn_block *const b = &s->block[block];
    assert_int_equal(ws_range_block_begin(range, block), WS_OK);
    for (size_t from = 0; from < b->events; from += 7) {
        const size_t n = b->events - from < 7 ? b->events - from : 7;
        const ws_batch batch = {.block = block, .event = b->event + from, .events = n, .address = b->address};
        assert_int_equal(ws_range_events(range, &batch), WS_OK);
    }
    for (unsigned i = 0; with_values && block % 2 && i < VALUES; i++) {
        const ws_value value = value_of(block, i);
        assert_int_equal(ws_range_values(range, block, &value, 1), WS_OK);
    }
    assert_int_equal(ws_range_block_end(range, block), WS_OK);
}

static void write_launch(ws_trace_writer *writer, const synthetic *s, uint64_t step, bool backwards, bool with_values)
{
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    ws_fanout *fanout;
    ws_range *range[BLOCKS];
    size_t n = 0;
    assert_int_equal(ws_fanout_create(&sink, 1, &s->launch, &fanout), WS_OK);
    for (uint64_t first = 0; first < BLOCKS; first += step)
        assert_int_equal(ws_range_open(fanout, first, &range[n++]), WS_OK);
    for (size_t i = 0; i < n; i++) {
        const size_t k = backwards ? n - 1 - i : i;
        const uint64_t first = k * step, end = first + step < BLOCKS ? first + step : BLOCKS;
        for (uint64_t block = first; block < end; block++)
            deliver(s, range[k], block, with_values);
        assert_int_equal(ws_range_close(range[k], end), WS_OK);
    }
    assert_non_null(ws_fanout_state(fanout, 0));
    ws_fanout_destroy(fanout);
    assert_int_equal(ws_trace_writer_end(writer, WS_OK), WS_OK);
}

static void write_file(const char *file, const synthetic *launch, size_t launches, uint64_t step, bool backwards,
                       bool with_values)
{
    const char *const notes[] = {"workload=synthetic", "seed=1", NULL};
    const ws_trace_writer_options how = {.notes = notes, .sample_block = with_values ? odd_block : NULL};
    ws_trace_writer *writer;
    assert_int_equal(ws_trace_writer_create(file, &how, &writer), WS_OK);
    for (size_t i = 0; i < launches; i++)
        write_launch(writer, &launch[i], step, backwards, with_values);
    assert_int_equal(ws_trace_writer_close(writer, 11, 22), WS_OK);
}

static char *slurp(const char *file, size_t *size)
{
    FILE *const in = fopen(file, "rb");
    struct stat about;
    assert_non_null(in);
    assert_int_equal(fstat(fileno(in), &about), 0);
    *size = (size_t)about.st_size;
    char *const bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void spill(const char *file, const char *bytes, size_t size)
{
    FILE *const out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* ---- replay */

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)launch, (void)sink;
    *(seen *)context = *(const seen *)state;
    return WS_OK;
}

static int replay(ws_trace *trace, size_t i, const synthetic *s, unsigned workers, seen *total)
{
    const ws_sink *const sinks[] = {&checker};
    ws_replay_result result;
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = workers, .collect = collect, .context = total};
    expected = s;
    return ws_trace_replay(trace, i, &how, &result);
}

static uint64_t events_of(const synthetic *s)
{
    uint64_t n = 0;
    for (size_t b = 0; b < BLOCKS; b++)
        n += s->block[b].events;
    return n;
}

static void everything_comes_back(void **state)
{
    (void)state;
    synthetic s[3];
    for (size_t i = 0; i < 3; i++)
        make_launch(&s[i], 1 + i % 2); /* the third has the table of the first */
    write_file(path, s, 3, 5, false, true);
    ws_trace *trace;
    uint64_t h2d, d2h;
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_null(ws_trace_damage(trace));
    assert_int_equal(ws_trace_launches(trace), 3);
    assert_string_equal(ws_trace_notes(trace), "workload=synthetic\nseed=1\n");
    assert_true(ws_trace_has_values(trace));
    ws_trace_copied(trace, &h2d, &d2h);
    assert_int_equal(h2d, 11);
    assert_int_equal(d2h, 22);
    for (size_t i = 0; i < 3; i++) {
        const ws_trace_launch *const l = ws_trace_get(trace, i);
        seen total = {0};
        assert_true(l->complete);
        assert_int_equal(l->launch.blocks, BLOCKS);
        assert_int_equal(l->launch.h2d_bytes, s[i].launch.h2d_bytes);
        assert_int_equal(l->launch.copies, s[i].launch.copies);
        for (size_t k = 0; k < l->launch.copies; k++)
            assert_memory_equal(&l->launch.copied[k], &s[i].launch.copied[k], sizeof(ws_copy));
        assert_int_equal(l->launch.sequence, s[i].launch.sequence);
        assert_int_equal(l->launch.instr[0].dst[1], 77);
        assert_int_equal(l->launch.instr[8].reconverge, 3);
        assert_int_equal(replay(trace, i, &s[i], 3, &total), WS_OK);
        assert_int_equal(total.events, events_of(&s[i]));
        assert_int_equal(total.ended, BLOCKS);
        assert_int_equal(total.value[1], 1 * VALUES); /* the first range holds it */
    }
    assert_int_equal(ws_trace_check(trace, NULL, NULL), WS_OK);
    ws_trace_close(trace);
    for (size_t i = 0; i < 3; i++)
        syn_fini(&s[i]);
}

static void bytes_do_not_depend_on_the_order_of_blocks(void **state)
{
    (void)state;
    synthetic s;
    size_t size, n;
    make_launch(&s, 7);
    write_file(path, &s, 1, BLOCKS, false, false);
    char *const first = slurp(path, &size);
    for (uint64_t step = 1; step <= 5; step++) {
        write_file(other, &s, 1, step, step % 2, false);
        char *const again = slurp(other, &n);
        assert_int_equal(n, size);
        assert_memory_equal(again, first, size);
        free(again);
    }
    free(first);
    syn_fini(&s);
}

static void cursors_find_blocks(void **state)
{
    (void)state;
    synthetic s;
    ws_trace *trace;
    ws_trace_cursor *cursor;
    ws_trace_segment segment;
    bool found;
    make_launch(&s, 3);
    write_file(path, &s, 1, 4, true, false);
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_int_equal(ws_trace_cursor_create(trace, 0, &cursor), WS_OK);
    for (unsigned i = 0; i < 2 * BLOCKS; i++) {
        const uint64_t block = i * 7 % BLOCKS;
        assert_int_equal(ws_trace_cursor_seek(cursor, block), WS_OK);
        assert_int_equal(ws_trace_cursor_next(cursor, &segment, &found), WS_OK);
        assert_true(found && segment.last);
        assert_int_equal(segment.batch.block, block);
        assert_int_equal(segment.batch.events, s.block[block].events);
    }
    assert_int_equal(ws_trace_cursor_seek(cursor, BLOCKS), WS_ENOTFOUND);
    ws_trace_cursor_destroy(cursor);
    ws_trace_close(trace);
    syn_fini(&s);
}

/* More events than a segment holds, and more bytes than a chunk. */
static void long_blocks_are_cut(void **state)
{
    (void)state;
    enum { ACCESSES = 150 * 1000 };
    synthetic s;
    gsl_rng *const r = gsl_rng_alloc(gsl_rng_taus2);
    syn_init(&s, BLOCKS, 64);
    const uint32_t load = syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    syn_block *const b = &s.block[2];
    b->event = calloc(ACCESSES, sizeof *b->event);
    b->address = calloc((size_t)ACCESSES * WS_WARP, sizeof *b->address);
    for (; b->events < ACCESSES; b->events++) {
        b->event[b->events] = (ws_event){.pc = load,
                                         .warp = b->events / 1000 % 2,
                                         .count = 1,
                                         .active = 0xff,
                                         .exec = 0xff,
                                         .kind = WS_EVENT_MEMORY,
                                         .space = WS_SPACE_GLOBAL,
                                         .addresses = (uint32_t)b->accesses};
        for (unsigned lane = 0; lane < 8; lane++)
            b->address[b->accesses * WS_WARP + lane] = gsl_rng_get(r);
        b->accesses++;
    }
    write_file(path, &s, 1, 3, false, false);
    ws_trace *trace;
    seen total = {0};
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_true(ws_trace_get(trace, 0)->stored_bytes > 3 << 20);
    assert_int_equal(replay(trace, 0, &s, 2, &total), WS_OK);
    assert_int_equal(total.events, ACCESSES);
    ws_trace_close(trace);
    gsl_rng_free(r);
    syn_fini(&s);
}

/* Cut anywhere: what opens is right as far as it goes, and says how far that is. */
static void files_that_break_off(void **state)
{
    (void)state;
    synthetic s[2];
    size_t size, good = 0;
    make_launch(&s[0], 4);
    make_launch(&s[1], 5);
    write_file(path, s, 2, BLOCKS, false, false);
    char *const bytes = slurp(path, &size);
    for (size_t n = 0; n < size; n += n < 1200 || n > size - 400 ? 1 : 211) {
        ws_trace *trace;
        spill(other, bytes, n);
        const int status = ws_trace_open(other, &trace);
        assert_true(status == WS_OK || status == WS_EINPUT);
        if (status) {
            assert_non_null(strstr(ws_message(), other));
            continue;
        }
        size_t complete = 0;
        for (size_t i = 0; i < ws_trace_launches(trace); i++) {
            seen total = {0};
            const bool whole = ws_trace_get(trace, i)->complete;
            assert_int_equal(replay(trace, i, &s[i], 1, &total), whole ? WS_OK : WS_EINPUT);
            complete += whole;
        }
        assert_true(complete >= good); /* never less for a longer file */
        good = complete;
        if (complete < 2)
            assert_non_null(ws_trace_damage(trace));
        ws_trace_close(trace);
    }
    assert_int_equal(good, 2);
    free(bytes);
    syn_fini(&s[0]);
    syn_fini(&s[1]);
}

static void write_until_killed(bool launches)
{
    synthetic s;
    ws_trace_writer *writer;
    make_launch(&s, 4);
    const pid_t child = fork();
    if (!child) {
        if (ws_trace_writer_create(path, NULL, &writer))
            _exit(1);
        if (launches)
            write_launch(writer, &s, BLOCKS, false, false);
        _exit(0);
    }
    int how;
    assert_true(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    syn_fini(&s);
}

/* A trace stands under its name when something of it can be read: whoever is killed before leaves what was there, and
 * nothing when the next one has written. */
static void killed_writers_leave_what_can_be_read(void **state)
{
    (void)state;
    ws_trace *trace;
    synthetic s;
    unlink(path);
    write_until_killed(false);
    assert_int_equal(access(path, F_OK), -1);
    write_until_killed(true);
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_non_null(ws_trace_damage(trace));
    ws_trace_close(trace);
    make_launch(&s, 5);
    write_file(path, &s, 1, BLOCKS, false, false);
    write_until_killed(false);
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_null(ws_trace_damage(trace));
    ws_trace_close(trace);
    write_file(path, &s, 1, BLOCKS, false, false); /* and cleans up: the folder is empty when it is removed */
    spill(other, "", 0);
    assert_int_equal(ws_trace_open(other, &trace), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "empty, not a trace"));
    syn_fini(&s);
}

/* A bit that is wrong is found, wherever it is, and blocks before it are still good. */
static void wrong_bits_are_found(void **state)
{
    (void)state;
    synthetic s;
    size_t size;
    make_launch(&s, 6);
    write_file(path, &s, 1, BLOCKS, false, false);
    char *const bytes = slurp(path, &size);
    for (size_t at = 0; at < size; at += at < 300 || at > size - 300 ? 1 : 97) {
        ws_trace *trace;
        seen total = {0};
        bytes[at] ^= 0x10;
        spill(other, bytes, size);
        bytes[at] ^= 0x10;
        int status = ws_trace_open(other, &trace);
        if (status) {
            assert_true(status == WS_EINPUT || status == WS_EVERSION);
            continue;
        }
        status = ws_trace_check(trace, NULL, NULL);
        if (status == WS_OK) /* only what nobody needs may be wrong: the index, or the trailer */
            assert_int_equal(replay(trace, 0, &s, 1, &total), WS_OK);
        else
            assert_int_equal(status, WS_EINPUT);
        ws_trace_close(trace);
    }
    free(bytes);
    syn_fini(&s);
}

/* A launch that fails half-way is not shown as whole, and the next one is not harmed. */
static void launches_that_fail(void **state)
{
    (void)state;
    synthetic s;
    ws_trace_writer *writer;
    ws_fanout *fanout;
    ws_range *range;
    make_launch(&s, 8);
    assert_int_equal(ws_trace_writer_create(path, NULL, &writer), WS_OK);
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    assert_int_equal(ws_fanout_create(&sink, 1, &s.launch, &fanout), WS_OK);
    assert_int_equal(ws_range_open(fanout, 0, &range), WS_OK);
    deliver(&s, range, 0, false);
    deliver(&s, range, 1, false);
    ws_fanout_destroy(fanout);
    assert_int_equal(ws_trace_writer_end(writer, WS_EFAULT), WS_OK);
    write_launch(writer, &s, 4, true, false);
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_OK);
    ws_trace *trace;
    seen total = {0};
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_null(ws_trace_damage(trace));
    assert_int_equal(ws_trace_launches(trace), 2);
    assert_false(ws_trace_get(trace, 0)->complete);
    assert_int_equal(ws_trace_get(trace, 0)->blocks, 2);
    assert_int_equal(replay(trace, 0, &s, 1, &total), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "last good block is 1 of 12"));
    assert_int_equal(replay(trace, 1, &s, 1, &total), WS_OK);
    assert_int_equal(total.events, events_of(&s));
    ws_trace_close(trace);
    syn_fini(&s);
}

static void files_that_are_none(void **state)
{
    (void)state;
    ws_trace *trace;
    ws_trace_writer *writer;
    spill(path, "this is a text and no trace\n", 28);
    assert_int_equal(ws_trace_open(path, &trace), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "not a trace file"));
    assert_int_equal(ws_trace_open("/nowhere/x.wst", &trace), WS_EIO);
    assert_int_equal(ws_trace_open(folder, &trace), WS_EINPUT);
    assert_int_equal(ws_trace_writer_create("/nowhere/x.wst", NULL, &writer), WS_EIO);
    assert_int_equal(ws_trace_writer_create("/dev/full", NULL, &writer), WS_OK);
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_EIO);
    assert_non_null(strstr(ws_message(), "No space left"));
}

/* ---- bombs: files that a writer does not make, with good checksums */

static void bomb_record(ws_bytes *file, ws_bytes *index, uint32_t type, const ws_bytes *raw)
{
    const size_t room = ZSTD_compressBound(raw->length);
    uint8_t *const packed = malloc(room);
    assert_non_null(packed);
    const size_t n = ZSTD_compress(packed, room, raw->data, raw->length, 3);
    assert_false(ZSTD_isError(n));
    ws_wst_record head = {.type = type, .version = WS_WST_VERSION, .stored = n, .raw = raw->length};
    head.checksum = ws_wst_checksum(&head, packed);
    ws_bytes_add(file, &head, sizeof head);
    ws_bytes_add(file, packed, n);
    if (index)
        ws_wst_index_add(index, &head, NULL);
    free(packed);
}

/* A kernel "k" of so many instructions, each of 12 zeros. */
static void bomb_kernel(ws_bytes *file, ws_bytes *index, size_t instrs)
{
    ws_bytes raw = {0};
    ws_bytes_add_text(&raw, "k");
    ws_bytes_add_varint(&raw, instrs);
    assert_true(ws_bytes_reserve(&raw, (12 + WS_WST_FACTS) * instrs));
    memset(raw.data + raw.length, 0, (12 + WS_WST_FACTS) * instrs);
    raw.length += (12 + WS_WST_FACTS) * instrs;
    ws_wst_code_add(&raw, NULL);
    ws_wst_origin_add(&raw, NULL, instrs);
    bomb_record(file, index, WS_WST_KERNEL, &raw);
    ws_bytes_fini(&raw);
}

static void bomb_begin(ws_bytes *file, ws_bytes *index)
{
    ws_bytes raw = {0};
    ws_bytes_add(file, WS_WST_MAGIC, WS_WST_MAGIC_BYTES);
    ws_bytes_add_varint(&raw, 0);
    bomb_record(file, index, WS_WST_NOTES, &raw);
    ws_bytes_fini(&raw);
}

static void bomb_end(ws_bytes *file, const ws_bytes *index)
{
    const ws_wst_trailer trailer = {.index = file->length, .magic = WS_WST_TRAILER_MAGIC};
    bomb_record(file, NULL, WS_WST_INDEX, index);
    ws_bytes_add(file, &trailer, sizeof trailer);
    assert_false(file->failed);
    spill(path, (const char *)file->data, file->length);
}

/* Ten tables of 12 MiB in 12 KiB would stay in memory, ten times as large. */
static void tables_that_unpack_to_much(void **state)
{
    (void)state;
    ws_bytes file = {0}, index = {0};
    ws_trace *trace;
    bomb_begin(&file, &index);
    for (unsigned i = 0; i < 10; i++)
        bomb_kernel(&file, &index, 1 << 20);
    bomb_end(&file, &index);
    assert_true(file.length < 1 << 18);
    assert_int_equal(ws_trace_open(path, &trace), WS_ELIMIT);
    assert_non_null(strstr(ws_message(), "its tables of instructions unpack to more than 3"));
    ws_bytes_fini(&file);
    ws_bytes_fini(&index);
}

/* An index that names four million chunks in a file that has room for a few. */
static void an_index_that_unpacks_to_much(void **state)
{
    (void)state;
    static const uint8_t launch[] = {0, 0, 1, 1, 1, 32, 1, 1, 1, 0, 0, 0, 0, 0},
                         chunk[] = {WS_WST_CHUNK, 0, 0, 0, 1, 0, 0};
    ws_bytes file = {0}, index = {0}, raw = {0};
    bomb_begin(&file, &index);
    bomb_kernel(&file, &index, 1);
    ws_bytes_add(&raw, launch, sizeof launch);
    bomb_record(&file, &index, WS_WST_LAUNCH, &raw);
    for (unsigned i = 0; i < 1 << 22; i++)
        ws_bytes_add(&index, chunk, sizeof chunk);
    bomb_end(&file, &index);
    ws_bytes_fini(&raw);
    ws_bytes_fini(&file);
    ws_bytes_fini(&index);
    const pid_t child = fork();
    if (!child) {
        struct rusage then, now;
        ws_trace *trace;
        getrusage(RUSAGE_SELF, &then);
        const int status = ws_trace_open(path, &trace);
        getrusage(RUSAGE_SELF, &now);
        const bool whole = status == WS_OK && ws_trace_launches(trace) == 1 && !ws_trace_get(trace, 0)->blocks;
        _exit(!whole ? 1 : now.ru_maxrss - then.ru_maxrss > 200 << 10 ? 2 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- lines of the source */

enum { LINED = 4, PLACES = 5 };

static const ws_place place[PLACES] = {
    {0},
    {.file = "a.cu", .line = 28, .column = 3},
    {.file = "deep.cuh", .function = "_Z1fv", .line = 6, .inlined_at = 1},
    {.file = "a.cu", .function = "_Z1gv", .line = UINT32_MAX, .column = UINT32_MAX, .inlined_at = 2},
    {.line = 7}}; /* of a file that has no number */
static const uint32_t place_of[LINED] = {1, 3, 0, 2};
static const char *const statement[LINED] = {"mov.u32 %r1, 1;", "", "ret;", "add.f32 %f1, %f2, %f3;"};

static bool is_same_text(const char *a, const char *b)
{
    return !a == !b && (!a || !strcmp(a, b));
}

static void assert_lines(const ws_origin *o, bool has_text)
{
    assert_non_null(o);
    assert_int_equal(o->places, PLACES);
    assert_int_equal(o->instrs, LINED);
    for (size_t i = 0; i < PLACES; i++) {
        assert_true(is_same_text(o->place[i].file, place[i].file));
        assert_true(is_same_text(o->place[i].function, place[i].function));
        assert_int_equal(o->place[i].line, place[i].line);
        assert_int_equal(o->place[i].column, place[i].column);
        assert_int_equal(o->place[i].inlined_at, place[i].inlined_at);
    }
    assert_memory_equal(o->of, place_of, sizeof place_of);
    assert_int_equal(o->text != NULL, has_text);
    for (size_t i = 0; has_text && i < LINED; i++)
        assert_string_equal(o->text[i], statement[i]);
}

static const ws_origin lines = {.place = place, .places = PLACES, .instrs = LINED, .of = place_of, .text = statement};

/* Of a kernel with lines, of one without their text, and of one without lines; and what stood in the files. */
static void lines_come_back(void **state)
{
    (void)state;
    ws_origin bare = lines;
    bare.text = NULL;
    const ws_origin *const of[] = {&lines, &bare, NULL};
    ws_trace_writer *writer;
    ws_trace *trace;
    uint64_t fingerprint;
    assert_int_equal(ws_trace_writer_create(path, NULL, &writer), WS_OK);
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        synthetic s;
        ws_fanout *fanout;
        syn_init(&s, 1, 32);
        for (unsigned k = 0; k < LINED; k++)
            syn_instr(&s, WS_CLASS_INTEGER);
        s.launch.origin = of[i];
        ws_range *range;
        assert_int_equal(ws_fanout_create(&sink, 1, &s.launch, &fanout), WS_OK);
        assert_int_equal(ws_range_open(fanout, 0, &range), WS_OK);
        assert_int_equal(ws_range_block_begin(range, 0), WS_OK);
        assert_int_equal(ws_range_block_end(range, 0), WS_OK);
        assert_int_equal(ws_range_close(range, 1), WS_OK);
        ws_fanout_destroy(fanout);
        assert_int_equal(ws_trace_writer_end(writer, WS_OK), WS_OK);
        syn_fini(&s);
    }
    assert_int_equal(ws_trace_writer_source(writer, "a.cu", UINT64_MAX - 1), WS_OK);
    assert_int_equal(ws_trace_writer_source(writer, "", 0), WS_OK);
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_OK);
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    assert_true(ws_trace_keeps_lines(trace));
    assert_int_equal(ws_trace_launches(trace), 3);
    assert_lines(ws_trace_get(trace, 0)->launch.origin, true);
    assert_lines(ws_trace_get(trace, 1)->launch.origin, false);
    assert_null(ws_trace_get(trace, 2)->launch.origin);
    assert_true(ws_trace_source(trace, "a.cu", &fingerprint));
    assert_int_equal(fingerprint, UINT64_MAX - 1);
    assert_true(ws_trace_source(trace, "", &fingerprint));
    assert_int_equal(fingerprint, 0);
    assert_false(ws_trace_source(trace, "deep.cuh", &fingerprint));
    ws_trace_close(trace);
}

/* Any byte missing, or any byte another: refused, or places that are all within their lists. */
static void lines_that_are_damaged(void **state)
{
    (void)state;
    ws_bytes good = {0};
    ws_wst_origin_add(&good, &lines, LINED);
    assert_false(good.failed);
    for (size_t n = 0; n < good.length; n++) {
        const ws_origin *made;
        ws_arena *const arena = ws_arena_create();
        ws_reader cut = {.next = good.data, .end = good.data + n};
        assert_false(ws_wst_origin_read(&cut, arena, LINED, &made));
        ws_arena_destroy(arena);
    }
    for (size_t n = 0; n < 256 * good.length; n++) {
        const ws_origin *made = NULL;
        ws_arena *const arena = ws_arena_create();
        const uint8_t right = good.data[n / 256];
        good.data[n / 256] = (uint8_t)n;
        ws_reader r = ws_reader_of(&good);
        const bool is_read = ws_wst_origin_read(&r, arena, LINED, &made);
        char words[64];
        for (uint32_t pc = 0; is_read && made && pc < LINED; pc++)
            assert_int_equal(ws_origin_words(made, pc, words, sizeof words), made->of[pc] != 0);
        good.data[n / 256] = right;
        ws_arena_destroy(arena);
    }
    ws_bytes_fini(&good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back),         cmocka_unit_test(bytes_do_not_depend_on_the_order_of_blocks),
        cmocka_unit_test(cursors_find_blocks),           cmocka_unit_test(killed_writers_leave_what_can_be_read),
        cmocka_unit_test(long_blocks_are_cut),           cmocka_unit_test(files_that_break_off),
        cmocka_unit_test(wrong_bits_are_found),          cmocka_unit_test(launches_that_fail),
        cmocka_unit_test(files_that_are_none),           cmocka_unit_test(tables_that_unpack_to_much),
        cmocka_unit_test(an_index_that_unpacks_to_much), cmocka_unit_test(lines_come_back),
        cmocka_unit_test(lines_that_are_damaged),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
