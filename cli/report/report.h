/* report.h - everything that the report's page shows, as frames and pictures; the command fills it, report_page.c says it. */
#ifndef WS_REPORT_H
#define WS_REPORT_H

#include "cli/report/album.h"
#include "cli/report/analysis.h"

#include <stdio.h>

typedef struct ws_report {
    const char *title;
    ws_analysis_options options;
    ws_frame *study;    /* a row a workload: the characteristics of the study, which the map is made from */
    ws_frame *all;      /* a row a workload: every characteristic */
    ws_frame *kernels;  /* a row a kernel, every characteristic */
    ws_frame *standard; /* study, in standard deviations */
    ws_frame *subsets;  /* of ws_subset_run: single and complete linkage */
    ws_frame *errors;   /* of ws_subset_evaluate, the same rows; NULL when there is nothing to judge by */
    ws_frame *quality;  /* of ws_quality_frame; NULL for two workloads */
    ws_analysis analysis;
    ws_album album;
} ws_report;

/* The frames behind the page, written as frames/<file>.csv: a table from 0 on; a NULL file behind the last. */
typedef struct ws_report_frame {
    const char *file, *meaning;
    const ws_frame *frame; /* NULL: this report has none */
} ws_report_frame;
ws_report_frame ws_report_frame_at(const ws_report *report, size_t index);

/* The study's subspaces by abbreviation and word; NULL behind the last. */
typedef struct ws_report_subspace {
    const char *group, *word;
} ws_report_subspace;
extern const ws_report_subspace ws_report_subspaces[];

/* Writes index.html. WS_EIO when the stream fails. */
int ws_report_write_page(const ws_report *report, FILE *out);

#endif
