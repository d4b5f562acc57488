/* microbench_rows.c - microbench.def as a list. */
#include "record/microbench/microbench_internal.h"
#include "model/machine/machine.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    LANES = 32,
    WORDS = 4 * LANES,
    LINE = 128,
    MOST_THREADS = 1024,
    REGISTERS = 16
}; /* the last: of a thread, and more than one has */
enum { ONE_SM, ALL_SMS, ALL_SMS_A_WARP };

typedef struct list {
    ws_bench *row;
    size_t n, room;
    bool failed;
} list;

static void add(list *l, ws_bench row)
{
    if (l->n == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        ws_bench *const more = realloc(l->row, room * sizeof *more);
        if (!more) {
            l->failed = true;
            return;
        }
        l->row = more;
        l->room = room;
    }
    l->row[l->n++] = row;
}

static uint32_t most_threads(const ws_machine *m)
{
    const uint32_t fit = m->sm_registers / REGISTERS < m->sm_threads ? m->sm_registers / REGISTERS : m->sm_threads;
    return fit < MOST_THREADS ? fit / LANES * LANES : MOST_THREADS;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_latency(list *l, ws_bench row)
{
    row.measure = "latency";
    row.unit = "cycles";
    row.blocks = row.chains = 1;
    row.rounds[0] = 32; /* more than any row has places that it goes round */
    row.rounds[1] = 32 + 256;
    row.bytes = most(row.wrap ? row.wrap : row.stride * row.rounds[1], sizeof(uint32_t) * row.threads);
    add(l, row);
}

/* `work` is that of one warp. */
static void add_throughput(list *l, const ws_machine *m, int span, ws_bench row)
{
    row.measure = "throughput";
    row.setup = "";
    row.blocks = span == ONE_SM ? 1 : ws_machine_sms(m);
    row.threads = span == ALL_SMS_A_WARP ? LANES : most_threads(m);
    row.chains = WS_BENCH_CHAINS;
    row.rounds[0] = span == ONE_SM ? 24 : 2;
    row.rounds[1] = (span == ONE_SM ? 5 : 4) * row.rounds[0];
    row.work *= (double)row.blocks * (row.threads / LANES) * row.chains;
    row.bytes =
        (row.wrap ? row.wrap : row.step * row.chains * row.rounds[1]) + sizeof(uint32_t) * row.blocks * row.threads;
    add(l, row);
}

static void add_launch(list *l, const char *name, uint32_t blocks)
{
    add(l, (ws_bench){.group = "launch",
                      .name = name,
                      .measure = "time",
                      .unit = "cycles",
                      .setup = "",
                      .blocks = blocks,
                      .threads = LANES,
                      .bytes = sizeof(uint32_t)});
}

ws_bench *ws_bench_rows(const ws_machine *m, size_t *n)
{
    list l = {0};
/* Bytes of one body of all threads; of `bytes` a cycle, in GB/s. */
#define ALL_WORDS           ((uint64_t)sizeof(uint32_t) * ws_machine_sms(m) * most_threads(m))
#define GIGABYTES(m, bytes) ((bytes)*1e3 * (m)->chip_core_clock / 1e9)
/* Each lane has the address of its word, and so has the word. */
#define POOL_STRIDE(stride) "mad.lo.u32 %r0, %r6, " stride ", %r7; st.shared.u32 [%r0], %r0;"
#define BOTH(called, of, amount, text) \
    add_latency(&l, (ws_bench){.group = "instruction", .name = called, .threads = LANES, .setup = "", .body = text}); \
    add_throughput(&l, m, ONE_SM, \
                   (ws_bench){.group = "instruction", .name = called, .unit = of, .work = amount, .body = text});
#define INSTRUCTION(amount, called, text) BOTH(called, "results/cycle/SM", amount, text)
#define PRODUCT(has, amount, called, text) \
    if (has) { \
        BOTH(called, "multiply-adds/cycle/SM", amount, text) \
    }
#define LATENCY(has, set, called, block, apart, round, prepare, text) \
    if (has) \
        add_latency(&l, (ws_bench){.group = set, \
                                   .name = called, \
                                   .threads = block, \
                                   .stride = apart, \
                                   .wrap = round, \
                                   .setup = prepare, \
                                   .body = text});
#define THROUGHPUT(has, set, called, of, span, amount, apart, round, text) \
    if (has) \
        add_throughput(&l, m, span, \
                       (ws_bench){.group = set, \
                                  .name = called, \
                                  .unit = of, \
                                  .work = amount, \
                                  .step = apart, \
                                  .wrap = round, \
                                  .body = text});
#define LAUNCH(called, blocks) add_launch(&l, called, blocks);
#include "record/microbench/microbench.def"
    if (l.failed) {
        free(l.row);
        return NULL;
    }
    *n = l.n;
    return l.row;
}
