/* load_report.c - see load_report.h. */
#include "record/simulate/load_report.h"

#include "base/grow.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    char *workload, *kernel;
    size_t launch;
    uint32_t pc;
    ws_load_use use, all; /* all: of its launch */
} row;

struct ws_load_report {
    row *row;
    size_t rows, room;
};

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

ws_load_report *ws_load_report_create(void)
{
    return calloc(1, sizeof(ws_load_report));
}

void ws_load_report_destroy(ws_load_report *r)
{
    for (size_t i = 0; r && i < r->rows; i++) {
        free(r->row[i].workload);
        free(r->row[i].kernel);
    }
    if (r)
        free(r->row);
    free(r);
}

static int add_row(ws_load_report *r, const row *from, const char *workload, const char *kernel)
{
    if (WS_GROW(r->row, r->room, r->rows, 1))
        return WS_EMEM;
    row *const to = &r->row[r->rows++];
    *to = *from;
    to->workload = strdup(workload);
    to->kernel = strdup(kernel);
    return to->workload && to->kernel ? WS_OK : ws_fail(WS_EMEM, "no memory for loads");
}

int ws_load_report_add(ws_load_report *r, const char *workload, const ws_launch *what, size_t launch, const ws_sim *sim)
{
    ws_load_use all = {0};
    int status = WS_OK;
    for (uint32_t pc = 0; pc < what->instrs; pc++) {
        const ws_load_use use = ws_sim_load_use(sim, pc);
        ws_load_use_add(&all, &use);
    }
    for (uint32_t pc = 0; pc < what->instrs && !status; pc++) {
        const row one = {.launch = launch, .pc = pc, .use = ws_sim_load_use(sim, pc), .all = all};
        status = one.use.executions ? add_row(r, &one, workload, what->kernel) : WS_OK;
    }
    return status;
}

static int set_columns(ws_frame *frame)
{
    static const char *const column[][3] = {
#define COLUMN(name, unit, value, meaning) {#name, unit, meaning},
#include "record/simulate/load_columns.def"
#undef COLUMN
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof column / sizeof *column && !status; i++)
        status = ws_frame_set_column(frame, i, column[i][0], column[i][1], "load");
    for (size_t i = 0; i < sizeof column / sizeof *column && !status; i++)
        status = ws_frame_note(frame, "%s: %s", column[i][0], column[i][2]);
    return status;
}

static int fill(ws_frame *frame, size_t at, const row *r)
{
    const ws_load_use *const u = &r->use, *const all = &r->all;
    const double value[] = {
#define COLUMN(name, unit, value, meaning) value,
#include "record/simulate/load_columns.def"
#undef COLUMN
    };
    char launch[24], pc[24];
    snprintf(launch, sizeof launch, "%zu", r->launch);
    snprintf(pc, sizeof pc, "%" PRIu32, r->pc);
    const char *const label[] = {r->workload, r->kernel, launch, pc};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof label / sizeof *label && !status; i++)
        status = ws_frame_set_label(frame, at, i, label[i]);
    memcpy(frame->value + at * frame->columns, value, sizeof value);
    return status;
}

int ws_load_report_frame(const ws_load_report *r, ws_frame **out)
{
    static const char *const labels[] = {"workload", "kernel", "launch", "pc"};
    enum {
        COLUMNS = 0
#define COLUMN(name, unit, value, meaning) +1
#include "record/simulate/load_columns.def"
#undef COLUMN
    };
    *out = ws_frame_create(r->rows, COLUMNS, sizeof labels / sizeof *labels, labels);
    int status = *out ? set_columns(*out) : ws_fail(WS_EMEM, "no memory for loads");
    for (size_t i = 0; i < r->rows && !status; i++)
        status = fill(*out, i, &r->row[i]);
    return status;
}
