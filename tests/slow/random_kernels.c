/* random_kernels.c - does the engine compute what a plain interpreter computes, and the same on any number of workers,
 * at any level of vector instructions, and with its warps in any order?
 *
 *     random_kernels [FIRST [COUNT]]      seeds FIRST .. FIRST + COUNT - 1 [1, 1000]
 *     random_kernels print SEED           the PTX of a seed
 *
 * Each random kernel runs at every level the processor has, with one worker and with two. Memory has to be what the
 * interpreter says, and the events of all runs have to be the same. Once more with turns before stores, and with the
 * warps in random order: the same memory, though not as many turns around a spin lock. */
#include "random_program.h"

#include "base/status.h"
#include "record/interleave.h"
#include "collect/simt/engine.h"
#include "collect/simt/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DIFFERENT = 1, EXIT_MISUSE = 2, MAX_FAILURES = 10 };

/* ------------------------------------------------------------------------------------------------ digest of events */

/* A polynomial in BASE over all words, so that two ranges of blocks can be put together in order. */
typedef struct digest {
    uint64_t hash, power; /* power: BASE to the number of words */
} digest;

static const uint64_t BASE = 0x9e3779b97f4a7c15;

static int digest_init(void *state, const ws_launch *launch)
{
    (void)launch;
    *(digest *)state = (digest){.hash = 0, .power = 1};
    return WS_OK;
}

static void digest_word(digest *d, uint64_t word)
{
    d->hash = d->hash * BASE + (word ^ word >> 31) + 1;
    d->power *= BASE;
}

static int digest_events(void *state, const ws_launch *launch, const ws_batch *batch)
{
    digest *const d = state;
    (void)launch;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        digest_word(d, (uint64_t)ev->pc << 32 | (uint32_t)ev->warp << 16 | ev->count);
        digest_word(d, (uint64_t)ev->active << 32 | ev->exec);
        digest_word(d, (uint64_t)ev->kind << 16 | (uint32_t)ev->depth << 8 | ev->space);
        if (ev->kind == WS_EVENT_MEMORY) {
            WS_EACH_LANE (lane, ev->exec)
                digest_word(d, WS_ADDRESSES(batch, ev)[lane]);
        } else if (ev->kind != WS_EVENT_RUN) {
            digest_word(d, ev->taken); /* taken, section or barrier */
        }
    }
    return WS_OK;
}

static int digest_merge(void *into, void *from, const ws_launch *launch)
{
    digest *const a = into;
    const digest *const b = from;
    (void)launch;
    a->hash = a->hash * b->power + b->hash;
    a->power *= b->power;
    return WS_OK;
}

static const ws_sink digest_sink = {
    .name = "digest",
    .wants = WS_WANT_ALL,
    .state_size = sizeof(digest),
    .init = digest_init,
    .events = digest_events,
    .merge = digest_merge,
};

/* ------------------------------------------------------------------------------------------------ one run */

/* How a launch runs: on so many workers, with turns at barriers or before stores, or with the warps in random order. */
typedef struct manner {
    unsigned workers;
    ws_turns turns;
    const ws_launch_simulator *simulator;
} manner;

typedef struct run_facts {
    digest events;
    uint64_t thread_instructions;
} run_facts;

static int take_digest(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run_facts *const facts = context;
    (void)launch, (void)sink;
    facts->events = *(const digest *)state;
    return WS_OK;
}

static int upload(ws_device *device, const void *from, size_t bytes, uint64_t *address)
{
    const int rc = ws_device_alloc(device, bytes, address);
    if (rc)
        return rc;
    void *const to = ws_device_pointer(device, *address, bytes);
    if (!to)
        return WS_EFAULT;
    memcpy(to, from, bytes);
    return WS_OK;
}

static int download(ws_device *device, void *to, size_t bytes, uint64_t address)
{
    const void *const from = ws_device_pointer(device, address, bytes);
    if (!from)
        return WS_EFAULT;
    memcpy(to, from, bytes);
    return WS_OK;
}

static int launch(ws_device *device, const ws_module *module, const program *p, const uint64_t *params,
                  const manner *how, run_facts *facts)
{
    ws_image *image = NULL;
    ws_kernel *kernel = NULL;
    int rc = ws_image_load(device, module, &image);
    if (!rc)
        rc = ws_image_kernel(image, "random_kernel", &kernel);
    if (rc)
        return rc;
    const ws_sink *const sinks[] = {&digest_sink};
    const ws_run run = {
        .grid = {p->grid[0], p->grid[1], p->grid[2]},
        .block = {p->block[0], p->block[1], p->block[2]},
        .params = params,
        .sinks = sinks,
        .sink_count = 1,
        .workers = how->workers,
        .turns = how->turns,
        .collect = take_digest,
        .context = facts,
        .simulator = how->simulator,
    };
    ws_run_result result;
    rc = ws_kernel_run(kernel, &run, &result);
    facts->thread_instructions = result.thread_instructions;
    return rc;
}

/* Runs the kernel on the memory in m, in place. */
static int run_engine(const program *p, const ws_module *module, memory_image *m, const manner *how, run_facts *facts)
{
    const ws_device_options options = {.workers = how->workers, .memory_bytes = 1 << 26};
    const size_t records = m->threads * RECORD_BYTES, cells = m->cell_count * sizeof *m->cells;
    ws_device *device = NULL;
    uint64_t params[4];
    int rc = ws_device_create(&options, &device);
    if (rc)
        return rc;
    if ((rc = upload(device, m->input, records, &params[0])) || (rc = upload(device, m->output, records, &params[1])) ||
        (rc = upload(device, m->scratch, m->threads * SCRATCH_BYTES, &params[2])) ||
        (rc = upload(device, m->cells, cells, &params[3])) || (rc = launch(device, module, p, params, how, facts)) ||
        (rc = download(device, m->output, records, params[1])) ||
        (rc = download(device, m->scratch, m->threads * SCRATCH_BYTES, params[2])))
        goto done;
    rc = download(device, m->cells, cells, params[3]);
done:
    ws_device_destroy(device);
    return rc;
}

/* ------------------------------------------------------------------------------------------------ comparison */

static bool same_value(unsigned of, slot a, slot b)
{
    switch (of) {
    case KIND_l:
        return a.l == b.l;
    case KIND_f:
        return a.u == b.u || (isnan(a.f) && isnan(b.f)); /* PTX does not say which NaN */
    case KIND_d:
        return a.l == b.l || (isnan(a.d) && isnan(b.d));
    default:
        return a.u == b.u;
    }
}

/* Whether the engine's memory is the interpreter's; says where not. */
static bool compare(const memory_image *got, const memory_image *want, const char *where)
{
    static const char *const name[KINDS] = {"r", "rd", "f", "fd", "p"};
    for (size_t t = 0; t < want->threads; t++)
        for (unsigned of = 0; of < KINDS; of++)
            for (unsigned reg = 0; reg < REGISTERS; reg++) {
                const slot a = record_get(got->output + t * RECORD_BYTES, of, reg);
                const slot b = record_get(want->output + t * RECORD_BYTES, of, reg);
                if (!same_value(of, a, b)) {
                    printf("%s: thread %zu: %%%s%u is 0x%llx, the interpreter has 0x%llx\n", where, t, name[of], reg,
                           (unsigned long long)a.l, (unsigned long long)b.l);
                    return false;
                }
            }
    for (size_t i = 0; i < want->threads * SCRATCH_BYTES; i++)
        if (got->scratch[i] != want->scratch[i]) {
            printf("%s: own byte %zu of thread %zu is %u, the interpreter has %u\n", where, i % SCRATCH_BYTES,
                   i / SCRATCH_BYTES, got->scratch[i], want->scratch[i]);
            return false;
        }
    for (size_t i = 0; i < want->cell_count; i++)
        if (got->cells[i] != want->cells[i]) {
            printf("%s: cell %zu is %u, the interpreter has %u\n", where, i, got->cells[i], want->cells[i]);
            return false;
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------ seeds */

static int fail(const char *where, const char *what)
{
    printf("%s: %s\n", where, what);
    return -1;
}

static int try_once(const program *p, const ws_module *module, const memory_image *want, const manner *how,
                    const char *where, run_facts *facts)
{
    memory_image got;
    if (program_memory_create(p, &got))
        return fail(where, "out of memory");
    const int rc = run_engine(p, module, &got, how, facts);
    const bool same = rc == WS_OK && compare(&got, want, where);
    program_memory_destroy(&got);
    return rc ? fail(where, ws_message()) : same ? 0 : -1;
}

static int try_turns(const program *p, const ws_module *module, const memory_image *want)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        run_facts facts = {.thread_instructions = 0};
        char where[96];
        snprintf(where, sizeof where, "seed %llu, turns before stores, workers %u", (unsigned long long)p->seed,
                 workers);
        if (try_once(p, module, want, &(manner){.workers = workers, .turns = WS_TURNS_STORES}, where, &facts))
            return -1;
    }
    return 0;
}

static int try_stepped(const program *p, const ws_module *module, const memory_image *want)
{
    uint64_t seed = p->seed;
    const ws_launch_simulator interleaver = {.simulate = ws_interleave, .context = &seed};
    run_facts facts = {.thread_instructions = 0};
    char where[96];
    snprintf(where, sizeof where, "seed %llu, warps in random order", (unsigned long long)p->seed);
    return try_once(p, module, want, &(manner){.workers = 1, .simulator = &interleaver}, where, &facts);
}

static int try_everywhere(const program *p, const ws_module *module, const memory_image *want)
{
    static const char *const levels[] = {"plain", "avx2", "avx512"};
    run_facts first = {.thread_instructions = 0};
    bool have_first = false;
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        if (ws_lanes_set_level(levels[l]) != WS_OK)
            continue; /* not on this processor */
        for (unsigned workers = 1; workers <= 2; workers++) {
            char where[96];
            run_facts facts = {.thread_instructions = 0};
            snprintf(where, sizeof where, "seed %llu, %s, workers %u", (unsigned long long)p->seed, levels[l], workers);
            if (try_once(p, module, want, &(manner){.workers = workers}, where, &facts))
                return -1;
            if (!have_first)
                first = facts;
            have_first = true;
            if (facts.events.hash != first.events.hash || facts.events.power != first.events.power ||
                facts.thread_instructions != first.thread_instructions)
                return fail(where, "its events differ from those of the first run");
        }
    }
    if (!have_first)
        return fail("levels", "the engine has none of plain, avx2, avx512");
    return try_turns(p, module, want) ? -1 : try_stepped(p, module, want);
}

static int try_seed(uint64_t seed)
{
    program *const p = program_create(seed);
    memory_image want = {0};
    ws_module *module = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    int rc = -1;
    if (!p || !out || program_memory_create(p, &want) || program_interpret(p, &want)) {
        if (out)
            fclose(out);
        fail("random_kernels", "out of memory");
        goto done;
    }
    program_print(p, out);
    fclose(out);
    if (ws_ptx_parse("random.ptx", text, length, &module) != WS_OK) {
        printf("seed %llu: %s\n", (unsigned long long)seed, ws_message());
        goto done;
    }
    rc = try_everywhere(p, module, &want);
done:
    ws_module_destroy(module);
    program_memory_destroy(&want);
    program_destroy(p);
    free(text);
    return rc;
}

static bool read_number(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 1000, failures = 0;
    const bool print = argc > 1 && strcmp(argv[1], "print") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* who stops a run that hangs sees how far it came */
    if ((print && argc != 3) || argc > 3 || (argc > 1 && !print && !read_number(argv[1], &first)) ||
        (argc > 2 && !read_number(argv[2], print ? &first : &count))) {
        fprintf(stderr, "usage: random_kernels [FIRST [COUNT]] | print SEED\n");
        return EXIT_MISUSE;
    }
    if (print) {
        program *const p = program_create(first);
        if (p)
            program_print(p, stdout);
        program_destroy(p);
        return p ? 0 : EXIT_DIFFERENT;
    }
    uint64_t tried = 0;
    for (; tried < count && failures < MAX_FAILURES; tried++)
        failures += try_seed(first + tried) != 0;
    printf("random-kernels: %llu passed, %llu failed\n", (unsigned long long)(tried - failures),
           (unsigned long long)failures);
    return failures ? EXIT_DIFFERENT : 0;
}
