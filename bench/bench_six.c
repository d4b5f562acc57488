/* bench_six.c - how fast do the six kernels run bare, counted, and with all metrics?
 *
 * Each line of the table is one kernel under one set of sinks, run in a child process of its own so that its peak
 * memory is its own. Times are CPU seconds of the launches (user + system, all threads), the median of some
 * repetitions; results are checked against the CPU each time. The last column compares with a plain C matrix product
 * timed in the same run.
 *
 *     bench_six [--csv] [--workers N] [--repeat N] [--kernel NAME] [--sinks none|count|study|all] [--ptx FOLDER] */
#include "bench/six/six.h"
#include "metrics/collector.h"

#include <getopt.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct options {
    bool csv;
    unsigned workers;
    int repeat;
    const char *kernel, *sinks, *folder;
} options;

/* What a child reports. */
typedef struct measurement {
    double cpu_s, wall_s;
    uint64_t thread_instructions, warp_instructions;
    uint64_t counted; /* by the counting sink: has to equal thread_instructions */
    double peak_mb;
} measurement;

/* ---- a sink that counts: executions of each instruction, per thread ---- */

typedef struct tally {
    uint64_t *change; /* [instrs + 1] a run of count instructions is +n at its first and -n behind its last */
    size_t instrs;
} tally;

static int tally_init(void *p, const ws_launch *launch)
{
    tally *const t = p;
    t->instrs = launch->instrs;
    t->change = calloc(launch->instrs + 1, sizeof *t->change);
    return t->change ? WS_OK : ws_fail(WS_EMEM, "counting %zu instructions", launch->instrs);
}

static int tally_events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    uint64_t *const change = ((tally *)p)->change;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        const uint64_t lanes = ws_popcount(ev->exec);
        change[ev->pc] += lanes;
        change[ev->pc + ev->count] -= lanes;
    }
    return WS_OK;
}

static int tally_merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    const tally *const source = from;
    for (size_t i = 0; i <= source->instrs; i++)
        ((tally *)into)->change[i] += source->change[i];
    return WS_OK;
}

static void tally_fini(void *p)
{
    free(((tally *)p)->change);
}

static const ws_sink counting = {
    .name = "count",
    .wants = WS_WANT_INSTRUCTIONS,
    .state_size = sizeof(tally),
    .init = tally_init,
    .events = tally_events,
    .merge = tally_merge,
    .fini = tally_fini,
};

/* Thread instructions by class. */
typedef struct counts {
    uint64_t of_class[WS_CLASSES];
} counts;

static int counts_collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)sink;
    counts *const c = context;
    const tally *const t = state;
    uint64_t running = 0;
    for (size_t pc = 0; pc < t->instrs; pc++) {
        running += t->change[pc];
        c->of_class[launch->instr[pc].cls] += running;
    }
    return WS_OK;
}

/* ---- measuring ---- */

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

enum { MOST_REPEATS = 101 };

static int measure(const six_kernel *kernel, const char *sinks, const options *o, measurement *m)
{
    six_job job;
    ws_collector *collector = NULL;
    const ws_sink *const counting_alone[] = {&counting};
    counts c = {{0}};
    ws_run run = {.workers = o->workers};
    int status = six_open(&job, kernel, o->folder, o->workers);
    if (!status && strcmp(sinks, "count") == 0) {
        run.sinks = counting_alone;
        run.sink_count = 1;
        run.collect = counts_collect;
        run.context = &c;
    } else if (!status && strcmp(sinks, "none") != 0) {
        status = ws_collector_create(sinks, &collector);
        if (!status)
            run.sinks = ws_collector_sinks(collector, &run.sink_count);
        run.collect = ws_collector_collect;
        run.context = collector;
    }
    double cpu[MOST_REPEATS], wall[MOST_REPEATS];
    for (int r = 0; r < o->repeat && !status; r++) {
        ws_run_result result;
        memset(&c, 0, sizeof c);
        six_prepare(&job, &run);
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        status = ws_kernel_run(job.code, &run, &result);
        cpu[r] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (!status)
            status = six_verify(&job);
        wall[r] = result.seconds;
        m->thread_instructions = result.thread_instructions;
        m->warp_instructions = result.warp_instructions;
    }
    ws_collector_destroy(collector);
    six_close(&job);
    if (status)
        return status;
    m->cpu_s = median(cpu, o->repeat);
    m->wall_s = median(wall, o->repeat);
    for (int k = 0; k < WS_CLASSES; k++)
        m->counted += c.of_class[k];
    return WS_OK;
}

/* The child writes its measurement into the pipe and exits with 1 when something is wrong. */
static void child(int out, const six_kernel *kernel, const char *sinks, const options *o)
{
    measurement m = {0};
    if (measure(kernel, sinks, o, &m)) {
        fprintf(stderr, "bench_six: %s with sinks %s: %s\n", kernel->name, sinks, ws_message());
        _exit(1);
    }
    if (strcmp(sinks, "count") == 0 && m.counted != m.thread_instructions) {
        fprintf(stderr, "bench_six: %s: counted %llu thread instructions, the engine %llu\n", kernel->name,
                (unsigned long long)m.counted, (unsigned long long)m.thread_instructions);
        _exit(1);
    }
    _exit(write(out, &m, sizeof m) == sizeof m ? 0 : 1);
}

static int measure_in_child(const six_kernel *kernel, const char *sinks, const options *o, measurement *m)
{
    int ends[2], status = 0;
    struct rusage usage;
    fflush(NULL);
    if (pipe(ends))
        return -1;
    const pid_t pid = fork();
    if (pid == 0)
        child(ends[1], kernel, sinks, o);
    close(ends[1]);
    const bool read_all = pid > 0 && read(ends[0], m, sizeof *m) == sizeof *m;
    close(ends[0]);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || !read_all || status != 0)
        return -1;
    m->peak_mb = (double)usage.ru_maxrss / 1024.0;
    return 0;
}

/* CPU seconds of the plain C matrix product, median of nine. */
static double calibrate(void)
{
    void *host[SIX_BUFFERS];
    double cpu[9];
    for (int i = 0; i < SIX_BUFFERS; i++)
        host[i] = malloc(SIX_MATRIX);
    if (!host[0] || !host[1] || !host[2])
        exit(1);
    six_fill_product(host);
    for (int r = 0; r < 9; r++) {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        six_multiply(host[0], host[1], host[2]);
        __asm__ volatile("" ::"r"(host[2]) : "memory");
        cpu[r] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    for (int i = 0; i < SIX_BUFFERS; i++)
        free(host[i]);
    return median(cpu, 9);
}

static void print_line(const options *o, const char *kernel, const char *sinks, const measurement *m,
                       double calibration_s)
{
    const double millions = (double)m->thread_instructions / 1e6;
    const char *const format =
        o->csv ? "%s,%s,%.6g,%.6g,%.6g,%.6g,%.4g,%.4g\n" : "%-13s %-6s %9.2f %9.4f %9.4f %9.1f %8.1f %9.2f\n";
    printf(format, kernel, sinks, millions, m->cpu_s, m->wall_s, millions / m->cpu_s, m->peak_mb,
           m->cpu_s / calibration_s);
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_six [--csv] [--workers N] [--repeat N] [--kernel NAME] [--sinks "
                    "none|count|study|all] [--ptx FOLDER]\n");
    return 2;
}

static int parse(int argc, char **argv, options *o)
{
    static const struct option names[] = {{"csv", no_argument, NULL, 'c'},
                                          {"workers", required_argument, NULL, 'w'},
                                          {"repeat", required_argument, NULL, 'r'},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"sinks", required_argument, NULL, 's'},
                                          {"ptx", required_argument, NULL, 'p'},
                                          {NULL, 0, NULL, 0}};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        switch (c) {
        case 'c':
            o->csv = true;
            break;
        case 'w':
            o->workers = (unsigned)atoi(optarg);
            break;
        case 'r':
            o->repeat = atoi(optarg);
            break;
        case 'k':
            o->kernel = optarg;
            break;
        case 's':
            o->sinks = optarg;
            break;
        case 'p':
            o->folder = optarg;
            break;
        default:
            return usage();
        }
    if (optind < argc || o->repeat < 1 || o->repeat > MOST_REPEATS || o->workers < 1 || o->workers > 1024)
        return usage();
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const sets[] = {"none", "count", "study", "all"};
    options o = {.workers = 1, .repeat = 5, .folder = "bench/six"};
    const int bad = parse(argc, argv, &o);
    if (bad)
        return bad;
    const double calibration_s = calibrate();
    int lines = 0;
    if (o.csv)
        printf("kernel,sinks,thread_instructions_m,cpu_s,wall_s,m_per_s,peak_mb,x_calibration\n");
    else
        printf(
            "# plain C matrix product 256 x 256: %.4f CPU seconds; %u worker%s\n%-13s %-6s %9s %9s %9s %9s %8s %9s\n",
            calibration_s, o.workers, o.workers == 1 ? "" : "s", "kernel", "sinks", "M instr", "CPU s", "wall s",
            "M/CPU s", "peak MB", "x plain C");
    for (int k = 0; k < SIX_KERNELS; k++)
        for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
            measurement m;
            if ((o.kernel && strcmp(o.kernel, six_kernels[k].name) != 0) || (o.sinks && strcmp(o.sinks, sets[s]) != 0))
                continue;
            if (measure_in_child(&six_kernels[k], sets[s], &o, &m))
                return 1;
            print_line(&o, six_kernels[k].name, sets[s], &m, calibration_s);
            fflush(stdout);
            lines++;
        }
    return lines ? 0 : usage();
}
