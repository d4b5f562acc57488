/* line_table.h - counts per source line: a kernel's instructions grouped by their locations. */
#ifndef WS_LINE_TABLE_H
#define WS_LINE_TABLE_H

#include "metrics/instructions.h"

/* Sums over a set of instructions. */
typedef struct ws_line_sums {
    uint64_t count[WS_COUNTS];
    uint64_t requests;        /* executions of instructions that touch sectors: global and local memory */
    uint64_t shared_requests; /* executions of instructions that need passes: shared memory */
    uint64_t branches;        /* executions of branches */
} ws_line_sums;

void ws_line_sums_add(ws_line_sums *sums, const ws_listed *row);

/* A line of a file with at least one instruction. */
typedef struct ws_source_line {
    const char *file;
    uint32_t line;
    uint32_t place; /* index in ws_listing.place of its first instruction */
    ws_line_sums sums;
} ws_source_line;

typedef struct ws_source_lines { /* lines of one file */
    const char *file;
    size_t first, end; /* range in ws_line_table.line */
    uint64_t issues;
} ws_source_lines;

typedef struct ws_line_table {
    const ws_listing *listing;
    ws_source_line *line;  /* [lines] sorted by file name and line */
    ws_source_lines *file; /* [files] in decreasing order of instructions executed */
    size_t lines, files;
    ws_line_sums all, unknown; /* sums of all instructions, and of instructions without a known line */
} ws_line_table;

/* Builds the table from a listing, which must outlive it. WS_EMEM. Free with fini, which accepts a zeroed one. */
int ws_line_table_make(const ws_listing *listing, ws_line_table *out);
void ws_line_table_fini(ws_line_table *table);

/* Returns the line of a row, or NULL if unknown. */
const ws_source_line *ws_line_table_of(const ws_line_table *table, const ws_listed *row);

/* Returns instructions for building and tracing with line information: "-lineinfo (nvcc) or ...". */
const char *ws_lines_wanted(ws_isa isa);

#endif
