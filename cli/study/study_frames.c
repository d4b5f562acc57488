/* study_frames.c - the frames of the report: those of the steps, and what claims are judged by (data/claims/study.ini).
 */
#include "base/status.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPLETE = 1 }; /* of ws_study_linkages */

/* ---------------------------------------------------------------- maps in one frame */

/* The maps that claims are about: of all dimensions by what is kept, and of each subspace. */
typedef struct map {
    const char *name;
    const ws_analysis *analysis;
} map;
enum { MAPS = WS_STUDY_KEEPS + WS_STUDY_SUBSPACES };

static map map_at(const ws_study *s, size_t i)
{
    if (i < WS_STUDY_KEEPS)
        return (map){ws_study_keep_names[i], &s->map[i][COMPLETE]};
    return (map){ws_study_subspaces[i - WS_STUDY_KEEPS].group, &s->subspace[i - WS_STUDY_KEEPS]};
}

/* Eigenvalues of all maps. */
static int add_components(const ws_study *s, ws_frame *to)
{
    int status = WS_OK;
    for (size_t i = 0; i < MAPS; i++) {
        const map m = map_at(s, i);
        const ws_frame *const e = m.analysis->pca.eigenvalues;
        for (size_t c = 0; e && c < e->rows && !status; c++)
            status =
                ws_frame_add_row(to, (const char *const[]){m.name, e->label[c * e->labels]}, e->value + c * e->columns);
    }
    return status;
}

/* Scores of all maps. */
static int add_points(const ws_study *s, ws_frame *to)
{
    int status = WS_OK;
    for (size_t i = 0; i < MAPS; i++) {
        const map m = map_at(s, i);
        const ws_frame *const p = m.analysis->points;
        for (size_t c = 0; p && c < p->rows * p->columns && !status; c++)
            status = ws_frame_add_row(
                to, (const char *const[]){m.name, p->label[c / p->columns * p->labels], p->column[c % p->columns].name},
                &p->value[c]);
    }
    return status;
}

/* ---------------------------------------------------------------- members of subsets */

/* The place of a name in a list separated by blanks, from 1; NaN: it is not in it. */
static double place_in(const char *list, const char *name)
{
    double place = 1;
    for (size_t length; *list; list += length + (list[length] == ' '), place++) {
        length = strcspn(list, " ");
        if (length == strlen(name) && !strncmp(list, name, length))
            return place;
    }
    return NAN;
}

static int add_members(const ws_study *s, ws_frame *to)
{
    int status = WS_OK;
    for (size_t keep = WS_STUDY_70; keep <= WS_STUDY_90; keep++) {
        const ws_frame *const f = s->subsets[keep];
        for (size_t i = 0; i < f->rows * s->matrix->rows && !status; i++) {
            const char *const *const subset = (const char *const *)f->label + i / s->matrix->rows * f->labels;
            const char *const name = s->matrix->label[i % s->matrix->rows * s->matrix->labels];
            const double place = place_in(subset[2], name);
            status = ws_frame_add_row(to, (const char *const[]){ws_study_keep_names[keep], subset[1], subset[0], name},
                                      &place);
        }
    }
    return status;
}

/* ---------------------------------------------------------------- what the document says of workloads */

static int add_published(const ws_study *s, ws_frame *to)
{
    int status = WS_OK;
    for (size_t i = 0; i < s->matrix->rows && !status; i++) {
        const char *const name = s->matrix->label[i * s->matrix->labels];
        const ws_study_member *const m = ws_study_find(name);
        status = ws_frame_add_row(to, (const char *const[]){name, ws_suite_find(name)->suite},
                                  (const double[]){m->threads, m->intensity});
    }
    return status;
}

/* ---------------------------------------------------------------- saved */

/* Frames that are made for the report's folder alone. */
static int save_made(const ws_study *s)
{
    static const ws_frame_column component[] = {{"eigenvalue", ""},
                                                {"share", "ratio"},
                                                {"cumulative", "ratio"},
                                                {"kept", ""}},
                                 point[] = {{"score", ""}}, member[] = {{"place", ""}},
                                 fact[] = {{"threads", "threads"}, {"intensity", "ratio"}};
    static const struct {
        const char *file;
        ws_frame_layout layout;
        int (*add)(const ws_study *, ws_frame *);
    } frames[] = {
        {"components", {.labels = {"map", "component"}, .column = component, .columns = 4}, add_components},
        {"points", {.labels = {"map", "workload", "component"}, .column = point, .columns = 1}, add_points},
        {"members", {.labels = {"map", "method", "size", "workload"}, .column = member, .columns = 1}, add_members},
        {"published", {.labels = {"workload", "suite"}, .column = fact, .columns = 2}, add_published},
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof frames / sizeof *frames && !status; i++) {
        ws_frame *frame;
        status = ws_frame_begin(&frames[i].layout, &frame);
        if (!status)
            status = frames[i].add(s, frame);
        if (!status)
            status = ws_frame_add_notes(frame, s->matrix);
        if (!status)
            status = ws_album_save_frame(&s->album, frame, frames[i].file);
        ws_frame_destroy(frame);
    }
    return status;
}

static int save_map(const ws_study *s, size_t keep)
{
    char file[40];
    const ws_analysis *a = &s->map[keep][COMPLETE];
    snprintf(file, sizeof file, "scores-%s", ws_study_keep_names[keep]);
    int status = ws_album_save_frame(&s->album, a->points, file);
    snprintf(file, sizeof file, "loadings-%s", ws_study_keep_names[keep]);
    if (!status)
        status = ws_album_save_frame(&s->album, a->pca.loadings, file);
    for (size_t l = 0; !status && keep != WS_STUDY_KAISER && l < WS_STUDY_LINKAGES; l++) {
        snprintf(file, sizeof file, "tree-%s-%s", ws_linkage_name(ws_study_linkages[l]), ws_study_keep_names[keep]);
        status = ws_album_save_frame(&s->album, s->map[keep][l].merges, file);
    }
    return status;
}

int ws_study_save_frames(ws_study *s)
{
    const struct {
        const char *file;
        const ws_frame *frame;
    } frames[] = {
        {"study", s->matrix},
        {"beside", s->beside},
        {"modern", s->modern},
        {"metrics", s->every},
        {"costs", s->costs},
        {"dropped", s->dropped},
        {"eigenvalues", s->map[WS_STUDY_90][COMPLETE].pca.eigenvalues},
        {"groups", s->map[WS_STUDY_90][COMPLETE].groups},
        {"subsets-70", s->subsets[0]},
        {"subsets-90", s->subsets[1]},
        {"errors", s->errors},
        {"errors-weighted", s->weighted},
        {"linkages", s->choice},
        {"quality", s->quality},
        {"agreement", s->agreement},
        {"stability", s->stability.rows},
        {"machines", s->machine_table},
        {"stability-cuts", s->stability.sizes},
        {"simulated", s->simulated},
    };
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof frames / sizeof frames[0]; i++) {
        if (frames[i].frame)
            status = ws_album_save_frame(&s->album, frames[i].frame, frames[i].file);
    }
    for (size_t keep = 0; !status && keep < WS_STUDY_KEEPS; keep++)
        status = save_map(s, keep);
    for (size_t i = 0; !status && i < WS_STUDY_SUBSPACES; i++) {
        char file[40];
        snprintf(file, sizeof file, "tree-%s", ws_study_subspaces[i].group);
        if (s->subspace[i].merges)
            status = ws_album_save_frame(&s->album, s->subspace[i].merges, file);
    }
    return status ? status : save_made(s);
}
