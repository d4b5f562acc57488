/* rule.h - performance advice: problems of a kernel, their place and remedies, from rows of rules.def. */
#ifndef WS_RULE_H
#define WS_RULE_H

#include "base/frame.h"
#include "cli/annotate/line_table.h"

/* Inputs of the rules. */
typedef struct ws_facts {
    const ws_line_table *table;
    const ws_line_sums *all;
    ws_line_sums loads, stores, local, shared; /* loads, stores: global memory; all four exclude atomics */
    ws_line_sums shared_atomics;
    ws_line_sums plain, barriers; /* plain: loads that are neither volatile nor ordered; barriers: of the block */
    const ws_frame *frame;        /* metrics by kernel; NULL: unavailable */
    size_t row;                   /* row of the kernel in `frame` */
    uint64_t blocks, blocks_most, threads_most; /* blocks of all launches; of the largest launch; threads of a block */
} ws_facts;

/* Fills the sums; the caller sets the rest. */
void ws_facts_sum(ws_facts *facts, const ws_line_table *table);

typedef struct ws_finding {
    const char *name, *column, *remedy;
    char said[256];
    double loss;
    const ws_source_line *line; /* line responsible; NULL: none, or unknown */
    bool of_line;               /* the text concerns that line alone, not the kernel */
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

/* Finds the rules that apply, in decreasing order of loss. Returns their number. */
size_t ws_findings(const ws_facts *facts, ws_finding finding[WS_RULES]);

#endif
