/* semaphore.c - RWSEM: what does a semaphore with readers and a writer cost? Host side of semaphore.cu. */
#include "data/workloads/harness/sync_shape.h"

enum { FORM_SPIN = 1, FORM_SPIN_BACKOFF, FORM_PRIORITY, FORM_PRIORITY_BACKOFF };
enum {
    LINE = 32,
    LOCK = 0,
    FREE_UNITS = LINE,
    LEAVERS = 2 * LINE,
    WRITER = 3 * LINE,
    WORDS = 4 * LINE
}; /* as in warpscape_sync.cuh */

static const harness_size input_sizes[] = {
    {"form", "0: all, 1: SpinSem, 2: SpinSemEBO, 3: PriorSem, 4: PriorSemEBO", {0, 0, 0}, 0, FORM_PRIORITY_BACKOFF, 1},
    {"size", "readers that may be inside at once", {1, 10, 120}, 1, 10000, 1},
    SYNC_BACKOFF_SIZES,
    {"counts", "1: PriorSem counts who leaves, 0: they raise a flag", {1, 1, 1}, 0, 1, 1},
    {"writer", "1: no reader enters while the writer waits for others to leave", {0, 0, 0}, 0, 1, 1},
    SYNC_GRID_SIZES(2, 4, 16, 4, 8, 16),
    {"rounds", "times that a block enters and leaves", {2, 5, 10}, 1, 10000, 1},
    {"critical", "loads and stores of a thread of the writer; readers have a part each", {8, 50, 50}, 1, 4096, 1},
    {"audit", "1: blocks count who is inside", {1, 1, 1}, 0, 1, 1},
    {0},
};

typedef struct section { /* as in semaphore.cu */
    int sms, size, form, backoff, sleep, counts, writer_waits, rounds, critical, audit;
} section;

typedef struct record { /* as in semaphore.cu */
    int inside, most, wrong, torn;
} record;

static void check_words(harness *h, const section *s, const int *word)
{
    for (int sm = 0; sm < s->sms; sm++, word += WORDS)
        if (word[LOCK] || word[FREE_UNITS] != s->size || word[LEAVERS] || word[WRITER])
            harness_wrong(h, "semaphore %d ends with lock %d, %d of %d units free, %d leavers, writer waits %d", sm,
                          word[LOCK], word[FREE_UNITS], s->size, word[LEAVERS], word[WRITER]);
}

static void check_records(harness *h, const section *s, const record *r)
{
    for (int sm = 0; sm < s->sms; sm++)
        if (r[sm].inside || r[sm].wrong || r[sm].torn || r[sm].most > s->size)
            harness_wrong(h,
                          "SM %d: %d entries while there was no room, up to %d readers of %d, %d words that a writer "
                          "was changing",
                          sm, r[sm].wrong, r[sm].most, s->size, r[sm].torn);
}

static void run_form(harness *h, const sync_grid *g, section s, int form)
{
    static const char *const names[] = {"", "SpinSem", "SpinSemEBO", "PriorSem", "PriorSemEBO"};
    const size_t words = (size_t)s.sms * WORDS, n = (size_t)s.sms * (size_t)s.critical * g->threads;
    int *const word = harness_host(h, words, sizeof *word), *const got = harness_host(h, n, sizeof *got),
               *const want = harness_host(h, n, sizeof *want);
    record *const records = harness_host(h, (size_t)s.sms, sizeof *records);
    for (size_t sm = 0; sm < (size_t)s.sms; sm++)
        word[sm * WORDS + FREE_UNITS] = s.size;
    s.form = form - 1;
    CUdeviceptr d_word = harness_upload(h, word, words * sizeof *word), data = sync_zeroed(h, n), use = sync_uses(h, g);
    CUdeviceptr d_records = harness_upload(h, records, (size_t)s.sms * sizeof *records);
    SYNC_LAUNCH(h, harness_kernel(h, "semaphore"), g, &d_word, &data, &d_records, &use, &s);
    harness_download(h, word, d_word, words * sizeof *word);
    harness_download(h, records, d_records, (size_t)s.sms * sizeof *records);
    harness_download(h, got, data, n * sizeof *got);
    check_words(h, &s, word);
    check_records(h, &s, records);
    for (size_t i = 0; i < n; i++)
        want[i] = s.rounds;
    harness_check_ints(h, names[form], got, want, n);
    sync_report(h, names[form], g, use);
}

static void run(harness *h)
{
    const sync_grid g = sync_get_grid(h);
    const long form = harness_get_size(h, "form");
    const section s = {.sms = (int)g.sms,
                       .size = (int)harness_get_size(h, "size"),
                       .backoff = sync_get_backoff(h),
                       .sleep = (int)harness_get_size(h, "sleep"),
                       .counts = (int)harness_get_size(h, "counts"),
                       .writer_waits = (int)harness_get_size(h, "writer"),
                       .rounds = (int)harness_get_size(h, "rounds"),
                       .critical = (int)harness_get_size(h, "critical"),
                       .audit = (int)harness_get_size(h, "audit")};
    for (int f = FORM_SPIN; f <= FORM_PRIORITY_BACKOFF; f++)
        if (f == form || !form)
            run_form(h, &g, s, f);
}

HARNESS_WORKLOAD_OF("RWSEM", "data/workloads/semaphore/semaphore.ptx", run, input_sizes)
