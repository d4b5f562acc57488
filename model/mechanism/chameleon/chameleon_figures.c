/* chameleon_figures.c - the pictures of a study of power modes: bars as figures 5-5 to 5-11 of Goswami (2013), the
 * course of one run, what constants change. */
#include "model/mechanism/chameleon/chameleon.h"

#include "plots/album.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Bars that are drawn for each supply, and once more with a cluster for each supply. */
static const struct {
    const char *file, *title;
    size_t outcome;
    bool relative; /* to the base, whose bars would all be 1 */
} charts[] = {
    {"utilization", "Energy from the supply that is used, over that of", WS_OUTCOME_utilization_relative, true},
    {"battery", "Share of the consumed energy from the battery", WS_OUTCOME_battery_share, false},
    {"throughput", "Throughput over that of", WS_OUTCOME_throughput_relative, true},
    {"mtbf", "Mean time between failures over that of", WS_OUTCOME_mtbf_relative, true},
    {"regret", "Part of the optimum's throughput that is missing", WS_OUTCOME_regret, false},
};
enum { CHARTS = sizeof charts / sizeof *charts, MOST_POLICIES = 8 };

typedef struct drawing {
    const ws_chameleon *chameleon;
    const ws_experiment_result *result;
    ws_album album;
} drawing;

static const char no_caption[] = "";

static int draw_frame(drawing *d, const char *figure, const char *file, const char *title, const ws_frame *frame)
{
    const ws_plot_request request = {.data = frame, .cut = NAN, .title = title};
    int status = ws_album_save_frame(&d->album, frame, file);
    if (!status)
        status = ws_album_draw(&d->album, figure, "control", file, true, no_caption, &request);
    return status;
}

static bool is_shown(const drawing *d, size_t policy, size_t chart)
{
    const char *const name = d->chameleon->policy[policy]->name;
    return !(charts[chart].relative && !strcmp(name, d->chameleon->request->base)) &&
           !(charts[chart].outcome == WS_OUTCOME_regret && !strcmp(name, "optimum"));
}

/* Columns a policy: the mean, and with several seeds the ends of its interval. */
static size_t bar_width(const drawing *d)
{
    return d->chameleon->request->seeds > 1 ? 3 : 1;
}

/* Columns: the policies that are shown, their number in `policy`. */
static int open_bars(const drawing *d, size_t chart, size_t rows, size_t policy[MOST_POLICIES], ws_frame **out)
{
    size_t n = 0;
    for (size_t p = 0; p < d->chameleon->policies && n < MOST_POLICIES; p++)
        if (is_shown(d, p, chart))
            policy[n++] = p;
    const size_t width = bar_width(d);
    *out = n ? ws_frame_create(rows, n * width, 1, (const char *const[]){"workload"}) : NULL;
    if (!*out)
        return n ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
    int status = WS_OK;
    for (size_t i = 0; i < n * width && !status; i++) {
        static const char *const ends[] = {"", "_low", "_high"};
        char name[80];
        snprintf(name, sizeof name, "%s%s", d->chameleon->policy[policy[i / width]]->name, ends[i % width]);
        status = ws_frame_set_column(*out, i, name, "", "");
    }
    return status;
}

static int fill_bars(const drawing *d, size_t chart, ws_frame *frame, size_t row, long source, long load,
                     const char *name, const size_t policy[MOST_POLICIES])
{
    const size_t width = bar_width(d);
    for (size_t i = 0; i < frame->columns; i += width) {
        ws_estimate all[WS_OUTCOMES];
        ws_experiment_estimate(d->result, source, load, policy[i / width], all);
        const ws_estimate *const e = &all[charts[chart].outcome];
        const double value[] = {e->mean, e->low, e->high};
        memcpy(&frame->value[row * frame->columns + i], value, width * sizeof *value);
    }
    return ws_frame_set_label(frame, row, 0, name);
}

/* A picture needs a bar. */
static bool has_bars(const ws_frame *frame)
{
    for (size_t i = 0; frame && i < frame->rows * frame->columns; i++)
        if (isfinite(frame->value[i]) && frame->value[i] != 0)
            return true;
    return false;
}

static int draw_bars(drawing *d, size_t chart, const char *supply, const ws_frame *frame)
{
    char title[160], file[64];
    const char *const base = charts[chart].relative ? d->chameleon->request->base : "";
    snprintf(title, sizeof title, "%s%s%s, %.60s", charts[chart].title, *base ? " " : "", base, supply);
    snprintf(file, sizeof file, "%s-%.24s", charts[chart].file, supply);
    for (char *c = file; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '-';
    return has_bars(frame) ? draw_frame(d, "bars", file, title, frame) : WS_OK;
}

/* A cluster for each workload of a supply, or for each supply (WS_EXPERIMENT_ALL) with the mean of its workloads; and
 * one for the mean of all. */
static int draw_chart(drawing *d, size_t chart, long source)
{
    const ws_chameleon *const c = d->chameleon;
    const bool all = source == WS_EXPERIMENT_ALL;
    const size_t n = all ? c->sources : c->loads, clusters = n + (n > 1);
    size_t policy[MOST_POLICIES];
    ws_frame *frame;
    int status = open_bars(d, chart, clusters, policy, &frame);
    for (size_t i = 0; frame && i < clusters && !status; i++) {
        const bool mean = i == n;
        const long one = mean ? WS_EXPERIMENT_ALL : (long)i;
        status = fill_bars(d, chart, frame, i, all ? one : source, all ? WS_EXPERIMENT_ALL : one,
                           mean  ? "mean"
                           : all ? c->source[i].name
                                 : c->load[i].name,
                           policy);
    }
    if (!status)
        status = draw_bars(d, chart, all ? "all" : c->source[source].name, frame);
    ws_frame_destroy(frame);
    return status;
}

static int draw_result(drawing *d)
{
    const size_t sources = d->chameleon->sources;
    int status = WS_OK;
    for (size_t chart = 0; chart < CHARTS; chart++) {
        for (size_t s = 0; s < sources && !status; s++)
            status = draw_chart(d, chart, (long)s);
        if (!status && sources > 1)
            status = draw_chart(d, chart, WS_EXPERIMENT_ALL);
    }
    return status;
}

static int draw_run(drawing *d, const ws_frame *frame, const char *file)
{
    const ws_chameleon *const c = d->chameleon;
    char title[200];
    snprintf(title, sizeof title, "%s on %s, policy %s", c->load[0].name, c->source[0].name, c->policy[0]->name);
    return draw_frame(d, "timeline", file, title, frame);
}

int ws_chameleon_draw(const ws_chameleon *c, const ws_chameleon_pictures *pictures)
{
    drawing d = {.chameleon = c, .result = pictures->result};
    int status = ws_album_open(&d.album, c->request->directory);
    if (!status && pictures->timeline)
        status = draw_run(&d, pictures->timeline, "timeline");
    if (!status && pictures->learning)
        status = draw_run(&d, pictures->learning, "learning");
    if (!status && pictures->sensitivity)
        status = draw_frame(&d, "tornado", "sensitivity", "Gains of a policy, one constant changed at a time",
                            pictures->sensitivity);
    else if (!status && pictures->result && !pictures->timeline)
        status = draw_result(&d);
    ws_album_fini(&d.album);
    return status;
}
