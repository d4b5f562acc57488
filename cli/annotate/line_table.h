/* line_table.h - what did each line of the source do? The counts of a kernel's instructions, put together by where they
 * come from. */
#ifndef WS_LINE_TABLE_H
#define WS_LINE_TABLE_H

#include "metrics/instructions.h"

/* Sums over some instructions. */
typedef struct ws_line_sums {
    uint64_t count[WS_COUNTS];
    uint64_t requests;        /* executions of those that touch sectors: global and local memory */
    uint64_t shared_requests; /* of those that need passes: shared memory */
    uint64_t branches;        /* of branches */
} ws_line_sums;

void ws_line_sums_add(ws_line_sums *sums, const ws_listed *row);

/* A line of a file that some instruction comes from. */
typedef struct ws_source_line {
    const char *file;
    uint32_t line;
    uint32_t place; /* of the first of its instructions, in ws_listing.place */
    ws_line_sums sums;
} ws_source_line;

typedef struct ws_source_lines { /* of one file */
    const char *file;
    size_t first, end; /* in ws_line_table.line */
    uint64_t issues;
} ws_source_lines;

typedef struct ws_line_table {
    const ws_listing *listing;
    ws_source_line *line;  /* [lines] in order of files' names and lines */
    ws_source_lines *file; /* [files] those with most instructions executed first */
    size_t lines, files;
    ws_line_sums all, unknown; /* of all instructions; of those whose line is not known */
} ws_line_table;

/* The listing has to stay. WS_EMEM. Free with fini, which accepts a zeroed one. */
int ws_line_table_make(const ws_listing *listing, ws_line_table *out);
void ws_line_table_fini(ws_line_table *table);

/* The line of a row, or NULL when it is not known. */
const ws_source_line *ws_line_table_of(const ws_line_table *table, const ws_listed *row);

/* How to build, and trace, for lines: "-lineinfo (nvcc) or ...". */
const char *ws_lines_wanted(ws_isa isa);

#endif
