/* microbench.c - see microbench.h. */
#include "record/microbench/microbench.h"

#include "base/input.h"
#include "base/status.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "record/microbench/microbench_internal.h"
#include "record/simulate/live_simulation.h"
#include "collect/simt/engine.h"
#include "model/machine/machine_declared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 3 }; /* that kernels get: any but 0 */
static const char *const labels[] = {"group", "benchmark", "measure", "unit", "source"};
enum { GROUP, BENCHMARK, MEASURE, UNIT, SOURCE, LABELS };
enum { VALUE, PUBLISHED, RATIO, COLUMNS };

/* What kernels get, as the parameters lie in memory. */
typedef struct parameters {
    uint64_t data;
    uint32_t number;
} parameters;

/* ------------------------------------------------------------------------------------------------ one row */

/* The places of a ring: each has the address of the next one. */
static int write_ring(ws_device *device, uint64_t at, uint64_t bytes, uint64_t stride)
{
    char *const memory = ws_device_pointer(device, at, bytes);
    if (!memory)
        return WS_EINPUT;
    for (uint64_t place = 0; place + sizeof(uint64_t) <= bytes; place += stride) {
        const uint64_t next = at + (place + stride) % bytes;
        memcpy(memory + place, &next, sizeof next);
    }
    return WS_OK;
}

static int write_data(const ws_bench *b, ws_device *device, const ws_image *image, uint64_t data)
{
    uint64_t table, bytes;
    if (!b->stride)
        return WS_OK;
    if (!strstr(b->setup, "table"))
        return write_ring(device, data, b->bytes, b->stride);
    const int status = ws_image_symbol(image, "table", &table, &bytes);
    return status ? status : write_ring(device, table, b->wrap, b->stride);
}

/* One launch on a new machine. */
static int simulate(const ws_bench *b, const ws_machine *machine, uint32_t shape, ws_kernel *kernel, uint64_t data,
                    double *cycles)
{
    const ws_simulation_options how = {.live = true, .shape = shape};
    ws_live_simulation live = {.workload = "microbench"};
    const ws_launch_simulator simulator = {.simulate = ws_live_simulate, .context = &live};
    const parameters given = {.data = data, .number = NUMBER};
    const ws_run run = {
        .grid = {b->blocks, 1, 1}, .block = {b->threads, 1, 1}, .params = &given, .simulator = &simulator};
    int status = ws_simulation_create(machine, &how, &live.simulation);
    if (status)
        return status;
    status = ws_kernel_run(kernel, &run, NULL);
    *cycles = (double)ws_simulation_now(live.simulation);
    ws_simulation_destroy(live.simulation);
    return status;
}

static double result_of(const ws_bench *b, const double *cycles)
{
    const double rounds = (double)b->rounds[1] - b->rounds[0];
    const double more = cycles[1] - cycles[0];
    return !b->body ? cycles[0] : b->work > 0 ? b->work * rounds / more : more / rounds;
}

static int run_image(const ws_bench *b, const ws_machine *machine, uint32_t shape, ws_device *device, ws_image *image,
                     double *result)
{
    double cycles[2] = {0};
    uint64_t data;
    int status = ws_device_alloc(device, b->bytes, &data);
    for (int i = 0; i < (b->body ? 2 : 1) && !status; i++) {
        ws_kernel *kernel;
        status = ws_image_kernel(image, ws_bench_entries[i], &kernel);
        if (!status)
            status = write_data(b, device, image, data);
        if (!status)
            status = simulate(b, machine, shape, kernel, data, &cycles[i]);
    }
    *result = result_of(b, cycles);
    return status;
}

static int run_module(const ws_bench *b, const ws_machine *machine, uint32_t shape, const ws_module *module,
                      double *result)
{
    ws_device *device;
    ws_image *image;
    int status = ws_device_create(&(ws_device_options){.workers = 1}, &device);
    if (status)
        return status;
    status = ws_image_load(device, module, &image);
    if (!status)
        status = run_image(b, machine, shape, device, image, result);
    ws_device_destroy(device);
    return status;
}

static int run_row(const ws_bench *b, const ws_machine *machine, uint32_t shape, double *result)
{
    char *const text = ws_bench_text(b);
    ws_module *module = NULL;
    if (!text)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_ptx_parse(b->name, text, strlen(text), &module);
    if (!status)
        status = run_module(b, machine, shape, module, result);
    ws_module_destroy(module);
    free(text);
    return status && status != WS_EINTERRUPTED ? ws_fail_context(status, "microbenchmark `%s'", b->name) : status;
}

/* ------------------------------------------------------------------------------------------------ rows that are wanted
 */

/* Is the word text[0..length) the group of a row? */
static bool is_group(const ws_bench *rows, size_t n, const char *text, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(rows[i].group) == length && !memcmp(rows[i].group, text, length))
            return true;
    return false;
}

static int no_group(const ws_bench *rows, size_t n, const char *text, size_t length)
{
    char names[256] = "";
    for (size_t i = 0; i < n; i++)
        if (!i || strcmp(rows[i].group, rows[i - 1].group))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", rows[i].group);
    return ws_fail(WS_EINPUT, "no group of microbenchmarks is called `%.*s'; there are %s", (int)length, text, names);
}

static bool is_named(const ws_bench *row, const char *const *names)
{
    for (size_t i = 0; names && names[i]; i++)
        if (!strcmp(row->name, names[i]))
            return true;
    return !names;
}

/* Leaves the rows of `groups` and of `names` alone, in their order. */
static int choose(ws_bench *rows, size_t *n, const char *groups, const char *const *names)
{
    size_t kept = 0;
    for (const char *at = groups; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!is_group(rows, *n, at, strcspn(at, ",")))
            return no_group(rows, *n, at, strcspn(at, ","));
    for (size_t i = 0; i < *n; i++) {
        bool wanted = !groups;
        for (const char *at = groups; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            wanted |= is_group(&rows[i], 1, at, strcspn(at, ","));
        if (wanted && is_named(&rows[i], names))
            rows[kept++] = rows[i];
    }
    *n = kept;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ published numbers */

static int find_label(const ws_frame *frame, const char *file, const char *name, size_t *at)
{
    const long label = ws_frame_find_label(frame, name);
    *at = (size_t)label;
    return label >= 0 ? WS_OK : ws_fail(WS_EINPUT, "%s: expected a column %s", file, name);
}

typedef struct published {
    const char *file;
    ws_frame *frame;      /* NULL: nothing is published */
    size_t *line;         /* [rows] of the file */
    size_t label[LABELS]; /* where the frame has them; it has no GROUP */
    size_t value;
} published;

static const char *told(const published *p, size_t row, int label)
{
    return p->frame->label[row * p->frame->labels + p->label[label]];
}

static bool is_about(const published *p, size_t row, const ws_bench *b)
{
    return !strcmp(told(p, row, BENCHMARK), b->name) && !strcmp(told(p, row, MEASURE), b->measure);
}

/* Every row is of a benchmark that the machine has, once, and in its unit. */
static int check_published(const published *p, const ws_bench *rows, size_t n)
{
    for (size_t row = 0; row < p->frame->rows; row++) {
        size_t i = 0;
        while (i < n && !is_about(p, row, &rows[i]))
            i++;
        if (i == n)
            return ws_fail(WS_EINPUT,
                           "%s:%zu:1: expected a benchmark of this machine and its measure, found `%s', `%s'", p->file,
                           p->line[row], told(p, row, BENCHMARK), told(p, row, MEASURE));
        if (strcmp(told(p, row, UNIT), rows[i].unit))
            return ws_fail(WS_EINPUT, "%s:%zu:1: expected the unit %s, found `%s'", p->file, p->line[row], rows[i].unit,
                           told(p, row, UNIT));
        for (size_t k = 0; k < row; k++)
            if (is_about(p, k, &rows[i]))
                return ws_fail(WS_EINPUT, "%s:%zu:1: %s of %s is published in line %zu already", p->file, p->line[row],
                               rows[i].measure, rows[i].name, p->line[k]);
    }
    return WS_OK;
}

static int load_published(published *p, const char *file)
{
    FILE *in;
    p->file = file;
    int status = ws_input_open_stream(file, &ws_frame_input, &in);
    if (!status) {
        status = ws_frame_read_lines(in, file, &p->frame, &p->line);
        fclose(in);
    }
    for (int i = BENCHMARK; i < LABELS && !status; i++)
        status = find_label(p->frame, file, labels[i], &p->label[i]);
    if (status)
        return status;
    const long value = ws_frame_find_column(p->frame, "value");
    p->value = (size_t)value;
    return value < 0 ? ws_fail(WS_EINPUT, "%s: expected a column value", file) : WS_OK;
}

static void forget_published(published *p)
{
    ws_frame_destroy(p->frame);
    free(p->line);
}

/* ------------------------------------------------------------------------------------------------ the frame */

static int add_row(ws_frame *frame, const ws_bench *b, double result, const published *p)
{
    const char *text[LABELS] = {b->group, b->name, b->measure, b->unit, ""};
    double value[COLUMNS] = {[VALUE] = result, [PUBLISHED] = NAN, [RATIO] = NAN};
    for (size_t i = 0; p->frame && i < p->frame->rows; i++)
        if (is_about(p, i, b)) {
            value[PUBLISHED] = p->frame->value[i * p->frame->columns + p->value];
            value[RATIO] = result / value[PUBLISHED];
            text[SOURCE] = told(p, i, SOURCE);
        }
    return ws_frame_add_row(frame, text, value);
}

static int begin_frame(const ws_machine *machine, ws_frame **out)
{
    static const ws_frame_column columns[COLUMNS] = {{"value", ""}, {"published", ""}, {"ratio", "ratio"}};
    ws_frame_layout layout = {.column = columns, .columns = COLUMNS, .group = ""};
    memcpy(layout.labels, labels, sizeof labels);
    const int status = ws_frame_begin(&layout, out);
    return status ? status
                  : ws_frame_note(*out, WS_MACHINE_NOTE, ws_machine_name(machine), ws_machine_protocol(machine));
}

static int run_rows(const ws_machine *machine, uint32_t shape, const ws_bench *rows, size_t n, const published *p,
                    ws_frame *frame)
{
    ws_progress progress;
    int status = WS_OK;
    ws_progress_begin(&progress);
    for (size_t i = 0; i < n && !status; i++) {
        double result = NAN;
        ws_progress_show(&progress, rows[i].name, (double)i / (double)n);
        status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted before `%s'", rows[i].name)
                                  : run_row(&rows[i], machine, shape, &result);
        if (!status)
            status = add_row(frame, &rows[i], result, p);
    }
    ws_progress_end(&progress);
    return status;
}

/* An interrupted run has the rows that are done. */
static int end_frame(int status, ws_frame **frame)
{
    if (status && status != WS_EINTERRUPTED) {
        ws_frame_destroy(*frame);
        *frame = NULL;
    }
    return status;
}

int ws_microbench(const ws_machine *machine, const ws_microbench_options *options, ws_frame **out)
{
    size_t n;
    published p = {0};
    ws_bench *const rows = ws_bench_rows(machine, &n);
    *out = NULL;
    int status = rows ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status && options->published)
        status = load_published(&p, options->published);
    if (!status && p.frame)
        status = check_published(&p, rows, n);
    if (!status)
        status = choose(rows, &n, options->groups, options->benchmarks);
    if (!status)
        status = begin_frame(machine, out);
    if (!status)
        status = run_rows(machine, options->shape, rows, n, &p, *out);
    status = end_frame(status, out);
    forget_published(&p);
    free(rows);
    return status;
}
