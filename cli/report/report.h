/* report.h - content of the report's page, as frames and pictures. The command supplies the measurements, report_map.c
 * computes the map, report_figures.c draws, report_page.c writes the page, and the script in page/ makes it
 * interactive. */
#ifndef WS_REPORT_H
#define WS_REPORT_H

#include "plots/album.h"
#include "cli/report/analysis.h"
#include "base/options/sizes.h"

#include <stdio.h>

enum {
    WS_REPORT_MAP_LEAST = 3, /* least number of rows of a map */
    WS_REPORT_MAP_MOST =
        1000, /* a larger map uses an evenly spaced sample, because trees take quadratic time and memory */
    WS_REPORT_STILL_MOST = 200, /* limit of rows in still pictures with a mark or a line per row */
};

/* Definition of a word in frames of the page that is not a metric. */
typedef struct ws_report_term {
    const char *name, *unit, *meaning;
} ws_report_term;

typedef struct ws_report {
    const char *title, *name; /* of the page; of the input, for messages */
    ws_analysis_options options;
    const char *set;  /* metric set of the map; NULL: the columns of a frame */
    const char *unit; /* meaning of a row of the map: "workload", "kernel" or "row" */
    ws_sizes sizes;   /* of subsets; empty: the default sizes */
    size_t random;    /* number of random subsets of each size to compare with */

    /* Measurements, owned; NULL if absent. */
    ws_frame *workloads, *kernels; /* all characteristics */
    ws_frame *work;                /* launches, instructions and shape of kernels */
    ws_frame *findings, *lines;    /* problems of kernels; their hot lines */
    ws_frame *roofline;            /* performance bounds on the machine `machine` */
    const char *machine;           /* "none": no roofline */
    ws_frame *rows;                /* a frame given instead of a results file */
    const ws_report_term *term;    /* [terms] */
    size_t terms;

    /* The map, or the reason for its absence. */
    char *no_map, *no_subsets, *no_figures; /* reasons, owned; NULL if present */
    size_t step;                            /* the map has every step-th row */
    ws_frame *map;                          /* the characteristics of the map */
    ws_frame *all;                          /* all characteristics of its rows */
    ws_frame *standard;                     /* map in standard deviations; NULL if rows are already components */
    ws_frame *tree[WS_LINKAGES];            /* merges for each linkage */
    ws_frame *subsets; /* from ws_subset_run: the default method and the study's, complete linkage */
    ws_frame *errors;  /* from ws_subset_evaluate, in the same rows; NULL without metrics to evaluate by */
    ws_frame *quality; /* from ws_quality_frame */
    ws_analysis analysis;
    ws_album album;
} ws_report;

/* Frees owned members. */
void ws_report_fini(ws_report *report);

/* If status allows the rest of a page (too little data, numbers that cannot be computed, exceeded limits), copies
 * ws_message() to *why and returns WS_OK. Else returns status. */
int ws_report_without(char **why, int status);

/* Samples every n-th row of map and all, leaving at most WS_REPORT_MAP_MOST rows. WS_EMEM. */
int ws_report_sample(ws_report *report);

/* Computes components, trees, clusters, subsets and their errors from map and all. WS_EINPUT for invalid numbers of
 * clusters or subset sizes, and failures of the computations. `sizes_asked`: impossible subsets are also a failure. */
int ws_report_analyse(ws_report *report, bool sizes_asked);

/* Draws the still pictures into the album. Without gnuplot, sets no_figures. */
int ws_report_draw(ws_report *report);

/* Frames of the page, written as frames/<file>.csv and embedded: a table from index 0; a NULL file behind the last. */
typedef struct ws_report_frame {
    const char *file, *meaning;
    const ws_frame *frame; /* NULL: absent from this report */
} ws_report_frame;
ws_report_frame ws_report_frame_at(const ws_report *report, size_t index);

/* Groups of characteristics of the map in order of appearance, with a readable word; a NULL group behind the last. */
typedef struct ws_report_subspace {
    const char *group, *word;
} ws_report_subspace;
ws_report_subspace ws_report_subspace_at(const ws_report *report, size_t index);

/* Returns whether the map uses the column, directly or through a feature. Such columns are not used to evaluate
 * subsets. */
bool ws_report_is_mapped(const ws_report *report, const char *column);

/* Writes index.html. WS_EIO when the stream fails. */
int ws_report_write_page(const ws_report *report, FILE *out);

#endif
