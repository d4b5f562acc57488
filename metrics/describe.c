/* describe.c - see describe.h. */
#include "metrics/describe.h"

#include "base/status.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"

#include <stdlib.h>
#include <string.h>

static const ws_layout_column *find(const ws_layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->columns; i++)
        if (!strcmp(layout->column[i].name, name))
            return &layout->column[i];
    return NULL;
}

static bool has_note(const ws_frame *frame, const char *note)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (!strcmp(frame->note[i], note))
            return true;
    return false;
}

static bool is_described(const ws_column *c)
{
    return *c->unit || *c->group;
}

static int describe(ws_frame *frame, size_t column, const char *unit, const char *group)
{
    char *const name = strdup(frame->column[column].name);
    const int status =
        name ? ws_frame_set_column(frame, column, name, unit, group) : ws_fail(WS_EMEM, "no memory for a name");
    free(name);
    return status;
}

static int describe_by_layout(ws_frame *frame, const char *set)
{
    ws_layout layout;
    int status = ws_layout_init(set, &layout);
    const bool fractions = has_note(frame, WS_NOTE_FRACTIONS);
    for (size_t j = 0; j < frame->columns && !status; j++) {
        const ws_layout_column *const c = is_described(&frame->column[j]) ? NULL : find(&layout, frame->column[j].name);
        if (c)
            status = describe(frame, j, c->histogram && fractions ? WS_UNIT_FRACTION : c->unit, c->group);
    }
    ws_layout_fini(&layout);
    return status;
}

static int describe_features(ws_frame *frame)
{
    int status = WS_OK;
    ws_feature f;
    for (size_t i = 0; (f = ws_feature_at(i)).name && !status; i++) {
        const long j = ws_frame_find_column(frame, f.name);
        if (j >= 0 && !is_described(&frame->column[j]))
            status = describe(frame, (size_t)j, f.unit, f.group);
    }
    return status;
}

int ws_describe_columns(ws_frame *frame)
{
    int status = describe_by_layout(frame, "all");
    if (!status)
        status = describe_by_layout(frame, "machines");
    return status ? status : describe_features(frame);
}

int ws_brief_columns(const ws_frame *frame, size_t **column, size_t *n)
{
    ws_layout layout;
    *n = 0;
    *column = malloc((frame->columns + 1) * sizeof **column);
    const int status = *column ? ws_layout_init("all", &layout) : ws_fail(WS_EMEM, "no memory for a list of columns");
    for (size_t j = 0; j < frame->columns && !status; j++) {
        const ws_layout_column *const c = find(&layout, frame->column[j].name);
        if (c && c->brief)
            (*column)[(*n)++] = j;
    }
    if (!status)
        ws_layout_fini(&layout);
    return status;
}
