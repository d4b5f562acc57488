/* performance.c - which rates and logarithms say how a workload will fare? */
#include "metrics/performance.h"

#include "base/status.h"
#include "metrics/family.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum shape { PLAIN, LOG } shape;

typedef struct feature {
    const char *name, *unit, *group;
    shape shape;
    const char *column;
    unsigned bins;
    const char *over, *meaning;
} feature;

static const feature features[] = {
#define FEATURE(name, unit, group, shape, column, bins, over, meaning) \
    {#name, unit, group, shape, column, bins, over, meaning},
#include "metrics/performance.def"
#undef FEATURE
};

enum { FEATURES = sizeof features / sizeof features[0] };

ws_feature ws_feature_at(size_t index)
{
    if (index >= FEATURES)
        return (ws_feature){0};
    const feature *const f = &features[index];
    return (ws_feature){f->name, f->unit, f->group, f->meaning, f->column};
}

/* Is `name` the column, or one of its bins? */
static bool is_of(const ws_metric_column *column, const char *name)
{
    const size_t n = strlen(column->name);
    if (strncmp(name, column->name, n))
        return false;
    return column->count > 1 ? name[n] == '_' && strspn(name + n + 1, "0123456789") == strlen(name + n + 1) : !name[n];
}

bool ws_performance_needs(const ws_metric *metric)
{
    for (const ws_metric_column *c = metric->columns; c->name; c++)
        for (size_t i = 0; i < FEATURES; i++)
            if (is_of(c, features[i].column) || is_of(c, features[i].over))
                return true;
    return false;
}

static double feature_of(const feature *f, const ws_frame *all, size_t row)
{
    const double *const value = all->value + row * all->columns;
    const long from = ws_frame_find_column(all, f->column), over = *f->over ? ws_frame_find_column(all, f->over) : -1;
    assert(from >= 0 && (over >= 0 || !*f->over));
    double sum = 0;
    for (unsigned i = 0; i < f->bins; i++)
        sum += value[(size_t)from + i];
    if (over >= 0)
        sum = ws_ratio(sum, value[over], 0);
    return f->shape == LOG ? log1p(sum) : sum;
}

static int copy_rows(const ws_frame *all, ws_frame *out)
{
    int status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < all->notes; i++)
        status = ws_frame_note(out, "%s", all->note[i]);
    for (size_t i = 0; status == WS_OK && i < all->rows * all->labels; i++)
        status = ws_frame_set_label(out, i / all->labels, i % all->labels, all->label[i]);
    return status;
}

int ws_performance_frame(const ws_frame *all, ws_frame **out)
{
    const long seconds = ws_frame_find_column(all, "seconds");
    const size_t lead = seconds >= 0;
    ws_frame *const frame =
        ws_frame_create(all->rows, lead + FEATURES, all->labels, (const char *const *)all->label_names);
    int status = frame ? copy_rows(all, frame) : WS_EMEM;
    if (status == WS_OK && lead)
        status = ws_frame_set_column(frame, 0, "seconds", "s", "time");
    for (size_t i = 0; status == WS_OK && lead && i < all->rows; i++)
        frame->value[i * frame->columns] = all->value[i * all->columns + (size_t)seconds];
    for (size_t j = 0; status == WS_OK && j < FEATURES; j++) {
        status = ws_frame_set_column(frame, lead + j, features[j].name, features[j].unit, features[j].group);
        for (size_t i = 0; status == WS_OK && i < all->rows; i++)
            frame->value[i * frame->columns + lead + j] = feature_of(&features[j], all, i);
    }
    if (status != WS_OK) {
        ws_frame_destroy(frame);
        return ws_fail(WS_EMEM, "no memory for the features of %zu rows", all->rows);
    }
    *out = frame;
    return WS_OK;
}
