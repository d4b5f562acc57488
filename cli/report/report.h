/* report.h - everything that the report's page shows, as frames and pictures. The command fills in what was measured,
 * report_map.c makes the map of it, report_figures.c draws, report_page.c says it, and the script in page/ lets people
 * explore it. */
#ifndef WS_REPORT_H
#define WS_REPORT_H

#include "plots/album.h"
#include "cli/report/analysis.h"
#include "base/options/sizes.h"

#include <stdio.h>

enum {
    WS_REPORT_MAP_LEAST = 3, /* rows that make a map */
    WS_REPORT_MAP_MOST =
        1000, /* of more rows the map is of a sample, evenly spaced: trees take the square of their number */
    WS_REPORT_STILL_MOST = 200, /* more rows have no room in still pictures with a mark or a line for each */
};

/* What a word means that frames of the page use and metrics do not know. */
typedef struct ws_report_term {
    const char *name, *unit, *meaning;
} ws_report_term;

typedef struct ws_report {
    const char *title, *name; /* of the page; of what was read, for messages */
    ws_analysis_options options;
    const char *set;  /* of the characteristics that the map is made from; NULL: the columns of a frame */
    const char *unit; /* what a row of the map is: "workload", "kernel" or "row" */
    ws_sizes sizes;   /* of subsets; none: the usual ones */
    size_t random;    /* so many random subsets of each size are beside them */

    /* What was measured, owned; NULL: there is none of it. */
    ws_frame *workloads, *kernels; /* every characteristic */
    ws_frame *work;                /* launches, instructions and shape of kernels */
    ws_frame *findings, *lines;    /* what is wrong with kernels; their hot lines */
    ws_frame *roofline;            /* what bounds them at best, on the machine `machine` */
    const char *machine;           /* "none": no roofline */
    ws_frame *rows;                /* a frame that was given instead of a results file */
    const ws_report_term *term;    /* [terms] */
    size_t terms;

    /* The map, or why there is none. */
    char *no_map, *no_subsets, *no_figures; /* owned, in words; NULL: there are */
    size_t step;                            /* every step-th row is in the map */
    ws_frame *map;                          /* the characteristics that make it */
    ws_frame *all;                          /* every characteristic of its rows */
    ws_frame *standard;                     /* map, in standard deviations; NULL where rows are components already */
    ws_frame *tree[WS_LINKAGES];            /* merges by each linkage */
    ws_frame *subsets;                      /* of ws_subset_run: the default method and the study's, complete linkage */
    ws_frame *errors;  /* of ws_subset_evaluate, the same rows; NULL when there is nothing to judge by */
    ws_frame *quality; /* of ws_quality_frame */
    ws_analysis analysis;
    ws_album album;
} ws_report;

/* Frees what is owned. */
void ws_report_fini(ws_report *report);

/* Says in *why what ws_message() says, and returns WS_OK, when status is of a kind that leaves the rest of a page
 * whole: too little to go on, numbers that cannot be computed, more than there is room for. Else returns status. */
int ws_report_without(char **why, int status);

/* Leaves every n-th row of map and all, so that WS_REPORT_MAP_MOST are left at most. WS_EMEM. */
int ws_report_sample(ws_report *report);

/* Components, trees, clusters, subsets and their errors, from map and all. WS_EINPUT for clusters or sizes of subsets
 * that the rows do not allow, and what cannot be computed. `sizes_asked`: subsets that cannot be made are a failure,
 * too. */
int ws_report_analyse(ws_report *report, bool sizes_asked);

/* Draws the still pictures into the album. Without gnuplot no_figures says so. */
int ws_report_draw(ws_report *report);

/* The frames behind the page, written as frames/<file>.csv and embedded: a table from 0 on; a NULL file behind the
 * last. */
typedef struct ws_report_frame {
    const char *file, *meaning;
    const ws_frame *frame; /* NULL: this report has none */
} ws_report_frame;
ws_report_frame ws_report_frame_at(const ws_report *report, size_t index);

/* Groups of characteristics of the map, in the order in which they come there, by name and word; a NULL group behind
 * the last. */
typedef struct ws_report_subspace {
    const char *group, *word;
} ws_report_subspace;
ws_report_subspace ws_report_subspace_at(const ws_report *report, size_t index);

/* Is the column one that the map was made from, as it is or through a feature? Then it is no judge of subsets. */
bool ws_report_is_mapped(const ws_report *report, const char *column);

/* Writes index.html. WS_EIO when the stream fails. */
int ws_report_write_page(const ws_report *report, FILE *out);

#endif
