/* rule.h - what is wrong with a kernel, where, and what to try: rows of rules.def. */
#ifndef WS_RULE_H
#define WS_RULE_H

#include "base/frame.h"
#include "cli/annotate/line_table.h"

/* What rules look at. */
typedef struct ws_facts {
    const ws_line_table *table;
    const ws_line_sums *all;
    ws_line_sums loads, stores, local, shared; /* of global memory the first two; all without atomics */
    ws_line_sums shared_atomics;
    ws_line_sums plain, barriers; /* of loads those that are not volatile, nor ordered; barriers of the block */
    const ws_frame *frame;        /* metrics by kernel; NULL: none */
    size_t row;                   /* the kernel's */
    uint64_t blocks, blocks_most, threads_most; /* of all launches; of the largest; threads of a block */
} ws_facts;

/* Sums of the kinds; the rest is the caller's to set. */
void ws_facts_sum(ws_facts *facts, const ws_line_table *table);

typedef struct ws_finding {
    const char *name, *column, *remedy;
    char said[256];
    double loss;
    const ws_source_line *line; /* to blame; NULL: none, or it is not known */
    bool of_line;               /* what is said is about that line alone, not about the kernel */
} ws_finding;

typedef enum ws_rule {
#define RULE(name, column, definition, condition, loss, say, remedy, kind, blame) WS_RULE_##name,
#include "cli/annotate/rules.def"
#undef RULE
    WS_RULES
} ws_rule;

/* Names and columns, [WS_RULES]. */
typedef struct ws_rule_about {
    const char *name, *column, *definition, *remedy;
} ws_rule_about;
extern const ws_rule_about ws_rule_table[WS_RULES];

/* What holds, the largest loss first: as many as are returned. */
size_t ws_findings(const ws_facts *facts, ws_finding finding[WS_RULES]);

#endif
