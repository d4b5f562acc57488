/* work_rows.c - see work_rows.h. */
#include "model/mechanism/work_rows.h"

#include "base/demangle.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_row(const ws_work_row *row)
{
    free(row->workload);
    free(row->kernel);
    free(row->mangled);
    free(row->kept);
}

void ws_work_rows_fini(ws_work_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free_row(&rows->row[i]);
    free(rows->row);
}

void *ws_work_rows_add(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch)
{
    if (WS_GROW(rows->row, rows->room, rows->count, 1))
        return NULL;
    ws_work_row *const r = &rows->row[rows->count];
    *r = (ws_work_row){.workload = strdup(workload),
                       .kernel = ws_demangle(kernel),
                       .mangled = strdup(kernel),
                       .launch = launch,
                       .kept = calloc(1, rows->bytes)};
    if (r->workload && r->kernel && r->mangled && r->kept)
        return rows->row[rows->count++].kept;
    free_row(r);
    ws_fail(WS_EMEM, "out of memory");
    return NULL;
}

void *ws_work_rows_find(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch, bool scattered)
{
    for (size_t i = rows->count; i-- > rows->first;) {
        const ws_work_row *const r = &rows->row[i];
        const bool same = !strcmp(r->workload, workload);
        if (same && r->launch == launch && !strcmp(r->mangled, kernel))
            return r->kept;
        if (!same && !scattered)
            break;
    }
    return ws_work_rows_add(rows, workload, kernel, launch);
}

void *ws_work_rows_kernel(ws_work_rows *rows, const char *workload, const char *kernel)
{
    return ws_work_rows_find(rows, workload, kernel, 0, true);
}

const char *ws_launch_label(size_t launch, char text[WS_LAUNCH_LABEL])
{
    text[0] = '\0';
    if (launch)
        snprintf(text, WS_LAUNCH_LABEL, "%zu", launch);
    return text;
}
