/* plot_inputs.h - small frames that suit the figures, one of each kind, and what a figure makes of them. */
#ifndef WS_TEST_PLOT_INPUTS_H
#define WS_TEST_PLOT_INPUTS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "plots/figure_internal.h"
#include "plots/plot.h"

#include <stdbool.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 4 };

/* A frame whose rows are called r1, r2 ..., with columns as named, of values that are all different. */
static inline ws_frame *frame_of(size_t rows, size_t columns, const char *const *name)
{
    static const char *const label[] = {"workload"};
    ws_frame *frame = ws_frame_create(rows, columns, 1, label);
    assert_non_null(frame);
    for (size_t i = 0; i < rows; i++) {
        char text[16];
        snprintf(text, sizeof text, "r%zu", i + 1);
        assert_int_equal(ws_frame_set_label(frame, i, 0, text), WS_OK);
        for (size_t j = 0; j < columns; j++)
            frame->value[i * columns + j] = (double)((i * 7 + j * 5) % 11) / 10 + 0.01 * (double)i;
    }
    for (size_t j = 0; j < columns; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", j < 2 ? "A" : "B"), WS_OK);
    return frame;
}

static inline ws_frame *components(void)
{
    static const char *const name[] = {"PC1", "PC2", "PC3", "PC4"};
    return frame_of(ROWS, COLUMNS, name);
}

/* ((1 2) 3) ((4 5) 6) */
static inline ws_frame *tree(void)
{
    static const char *const name[] = {"left", "right", "height"};
    static const double merges[] = {-1, -2, 1, -4, -5, 1.5, 1, -3, 2, 2, -6, 3, 3, 4, 5};
    ws_frame *frame = frame_of(ROWS - 1, 3, name);
    memcpy(frame->value, merges, sizeof merges);
    return frame;
}

/* (4 (1 5)) (2 (6 3)) */
static inline ws_frame *other_tree(void)
{
    static const char *const name[] = {"left", "right", "height"};
    static const double merges[] = {-1, -5, 0.1, -6, -3, 0.2, -4, 1, 0.3, -2, 2, 0.35, 3, 4, 0.6};
    ws_frame *frame = frame_of(ROWS - 1, 3, name);
    memcpy(frame->value, merges, sizeof merges);
    return frame;
}

static inline ws_frame *groups(void)
{
    static const char *const name[] = {"cluster", "representative"};
    static const double value[] = {1, 1, 1, 0, 1, 0, 2, 0, 2, 1, 2, 0};
    ws_frame *frame = frame_of(ROWS, 2, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

static inline ws_frame *eigenvalues(void)
{
    static const char *const name[] = {"eigenvalue", "share", "cumulative", "kept"};
    static const double value[] = {2, 0.5, 0.5, 1, 1.2, 0.3, 0.8, 1, 0.8, 0.2, 1, 0};
    ws_frame *frame = frame_of(3, 4, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Two nodes, two frames of time, both ways; the second frame is shorter. */
static inline ws_frame *traffic(void)
{
    static const char *const label[] = {"node", "kind", "direction"}, *const name[] = {"begin", "cycles",
                                                                                       "bytes_per_cycle"};
    ws_frame *const frame = ws_frame_create(8, 3, 3, label);
    assert_non_null(frame);
    for (size_t i = 0; i < 8; i++) {
        const double value[] = {i & 1 ? 10000 : 0, i & 1 ? 5000 : 10000, (double)i / 2};
        assert_int_equal(ws_frame_set_label(frame, i, 0, i < 4 ? "sm0" : "l2_0"), WS_OK);
        assert_int_equal(ws_frame_set_label(frame, i, 1, "all"), WS_OK);
        assert_int_equal(ws_frame_set_label(frame, i, 2, i & 2 ? "reply" : "request"), WS_OK);
        memcpy(frame->value + 3 * i, value, sizeof value);
    }
    for (size_t j = 0; j < 3; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", ""), WS_OK);
    return frame;
}

static inline ws_frame *network(void)
{
    static const char *const name[] = {"cycles",
                                       "noc_request_load_max",
                                       "noc_reply_load_max",
                                       "noc_request_latency",
                                       "noc_reply_latency",
                                       "noc_request_latency_max",
                                       "noc_reply_latency_max",
                                       "noc_request_stalls",
                                       "noc_reply_stalls"};
    ws_frame *const frame = frame_of(ROWS, sizeof name / sizeof *name, name);
    for (size_t i = 0; i < ROWS; i++)
        frame->value[i * frame->columns] = 100; /* cycles */
    return frame;
}

/* Two lines in a panel, one of them with a gap, and modes that are named by a note. */
static inline ws_frame *timeline(void)
{
    static const char *const name[] = {"time", "supply", "load", "mode"}, *const group[] = {"", "power", "power",
                                                                                            "mode"};
    static const double value[] = {1, 10, 5, 0, 2, 12, 6, 1, 3, 14, NAN, 1, 4, 16, 8, 0};
    ws_frame *const frame = frame_of(4, 4, name);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < 4; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], j == 1 || j == 2 ? "W" : "", group[j]), WS_OK);
    assert_int_equal(ws_frame_note(frame, "modes: saving full"), WS_OK);
    return frame;
}

/* Three options; the first one lacks an end, of the second both ends lie on one side. */
static inline ws_frame *tornado(void)
{
    static const char *const name[] = {"low", "high", "gain_low", "gain_high", "gain_as_is"};
    static const double value[] = {0, 1, NAN, 1.1, 1, 10, 20, 1.3, 1.2, 1, 2, 3, 1, 1, 1};
    ws_frame *const frame = frame_of(3, 5, name);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < 5; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", j < 2 ? "option" : "gain"), WS_OK);
    return frame;
}

/* Two strata, the second far dearer; the first launch of each stands for it. */
static inline ws_frame *strata(void)
{
    static const char *const name[] = {"launch", "warp_instructions", "stratum", "weight"};
    static const double value[] = {1, 1000, 1, 2, 2, 90000, 2, 1, 5, 1100, 1, 0};
    ws_frame *const frame = frame_of(3, 4, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Four points: two of them are on the front, one has what the other has besides more. */
static inline ws_frame *front(void)
{
    static const char *const name[] = {"seconds", "joules", "front"};
    static const double value[] = {1, 9, 1, 3, 2, 1, 3, 5, 0, 4, 4, 0};
    ws_frame *const frame = frame_of(4, 3, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* A die of four blocks, two small ones beside each other over two of its width. */
static inline ws_frame *floor_plan(void)
{
    static const char *const name[] = {"x", "y", "width", "height", "watts", "temperature"};
    static const double value[] = {0, 0, 8, 2, 5, 350, 0, 2, 8, 3, 9, 360, 0, 5, 4, 4, 1, 345, 4, 5, 4, 4, 1, 346};
    ws_frame *const frame = frame_of(4, 6, name);
    memcpy(frame->value, value, sizeof value);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ws_frame_set_column(frame, i, name[i], "mm", "heat"), WS_OK);
    assert_int_equal(ws_frame_set_column(frame, 5, name[5], "K", "heat"), WS_OK);
    return frame;
}

/* Names of four columns, and ((c1 c2) (c3 c4)), for a heatmap of them. */
static inline ws_frame *column_tree(void)
{
    static const char *const name[] = {"left", "right", "height"};
    static const double merges[] = {-1, -3, 0.1, -2, -4, 0.2, 1, 2, 0.9};
    ws_frame *frame = frame_of(COLUMNS - 1, 3, name);
    memcpy(frame->value, merges, sizeof merges);
    return frame;
}

/* Three characteristics; the longest arrow in the plane of PC1 and PC2 is that of the second. */
static inline ws_frame *loadings(void)
{
    static const char *const name[] = {"PC1", "PC2", "PC3", "PC4"};
    static const double value[] = {0.1, 0.1, 0, 0, -0.6, 0.8, 0, 0, 0.5, 0, 0, 0};
    ws_frame *frame = frame_of(3, COLUMNS, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Three kernels: one that touches no memory at a level, and one that computes nothing. */
static inline ws_frame *roofline(void)
{
    static const char *const name[] = {"reach", "dram_intensity", "l1_intensity"};
    static const double value[] = {100, 0.25, 0.125, 4000, 10, NAN, 0, NAN, NAN};
    ws_frame *const frame = frame_of(3, 3, name);
    memcpy(frame->value, value, sizeof value);
    assert_int_equal(ws_frame_note(frame, "roof: dram bytes 800 DRAM"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "roof: l1 bytes 8000 L1"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "roof: single flop 10000 FP32"), WS_OK);
    return frame;
}

typedef struct inputs {
    ws_frame *column_tree, *loadings, *components, *tree, *groups, *eigenvalues, *traffic, *network, *timeline,
        *tornado, *strata, *front, *roofline, *floor_plan, *other_tree;
} inputs;

static inline int make_inputs(void **state)
{
    static inputs in;
    in = (inputs){column_tree(), loadings(), components(), tree(),  groups(),   eigenvalues(), traffic(),   network(),
                  timeline(),    tornado(),  strata(),     front(), roofline(), floor_plan(),  other_tree()};
    *state = &in;
    return 0;
}

static inline int free_inputs(void **state)
{
    inputs *in = *state;
    ws_frame_destroy(in->column_tree);
    ws_frame_destroy(in->loadings);
    ws_frame_destroy(in->components);
    ws_frame_destroy(in->tree);
    ws_frame_destroy(in->groups);
    ws_frame_destroy(in->eigenvalues);
    ws_frame_destroy(in->traffic);
    ws_frame_destroy(in->network);
    ws_frame_destroy(in->timeline);
    ws_frame_destroy(in->tornado);
    ws_frame_destroy(in->strata);
    ws_frame_destroy(in->front);
    ws_frame_destroy(in->roofline);
    ws_frame_destroy(in->floor_plan);
    ws_frame_destroy(in->other_tree);
    return 0;
}

static inline ws_plot_request request_of(const inputs *in, const char *figure)
{
    return (ws_plot_request){.data = !strcmp(figure, "scree")      ? in->eigenvalues
                                     : !strcmp(figure, "traffic")  ? in->traffic
                                     : !strcmp(figure, "network")  ? in->network
                                     : !strcmp(figure, "timeline") ? in->timeline
                                     : !strcmp(figure, "tornado")  ? in->tornado
                                     : !strcmp(figure, "strata")   ? in->strata
                                     : !strcmp(figure, "front")    ? in->front
                                     : !strcmp(figure, "roofline") ? in->roofline
                                     : !strcmp(figure, "floor")    ? in->floor_plan
                                                                   : in->components,
                             .tree = in->tree,
                             .other_tree = in->other_tree,
                             .tree_name = "one.csv",
                             .other_name = "other.csv",
                             .groups = in->groups,
                             .column_tree = in->column_tree,
                             .arrows = in->loadings,
                             .variance = in->eigenvalues,
                             .cut = 4,
                             .x = 0,
                             .y = 1};
}

static inline char *script_of(const char *figure, const ws_plot_request *request)
{
    char *script = NULL;
    assert_int_equal(ws_plot_script(ws_figure_find(figure), request, WS_PLOT_SVG, "out.svg", &script), WS_OK);
    return script;
}

/* Width and height of the picture, title included, as the script sets them up. */
static inline void size_of(const char *script, double *width, double *height)
{
    const char *const size = strstr(script, "set terminal svg size ");
    assert_non_null(size);
    assert_int_equal(sscanf(size, "set terminal svg size %lf,%lf", width, height), 2);
}

static inline size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

#endif
