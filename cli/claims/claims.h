/* claims.h - what a document claims, judged by frames: a file of claims, tables and figures (docs/claims.md).
 *
 *     ws_claims *claims;
 *     ws_claims_open("races.ini", path, paths, &claims);     frames are loaded, names defined
 *     ws_claims_judge(claims);                               each claim has texts, values and a verdict
 *     ws_claims_write_table(claims, "claims", false, out);   Markdown
 */
#ifndef WS_CLAIMS_H
#define WS_CLAIMS_H

#include "base/cube/expression.h"
#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The frame `name` is in the file `path`; "" is that whose columns need no name in front of them. */
typedef struct ws_claims_path {
    const char *name, *path;
} ws_claims_path;

typedef enum ws_claim_verdict {
    WS_CLAIM_NO,
    WS_CLAIM_DIRECTION, /* the direction holds */
    WS_CLAIM_SIZE,      /* ... and the size does */
    WS_CLAIM_UNJUDGED,
    WS_CLAIM_VERDICTS
} ws_claim_verdict;
extern const char *const ws_claim_verdict_words[WS_CLAIM_VERDICTS];

typedef struct ws_claim {
    const char *id, *claim, *theirs, *ours, *why; /* texts; "" for none */
    const char *unjudged;                         /* why it is not judged; "" */
    double theirs_value, ours_value;              /* NaN: none */
    ws_claim_verdict verdict, best;               /* best: the best that it can have */
    ws_place place;
} ws_claim;

typedef struct ws_claims ws_claims;

/* Reads a file of claims, loads its frames and defines its names. A frame that is not among path[0..paths) is that of
 * `file =`, beside the file of claims. WS_EINPUT with FILE:LINE:COLUMN. The caller frees *out with destroy. */
int ws_claims_open(const char *file, const ws_claims_path *path, size_t paths, ws_claims **out);
void ws_claims_destroy(ws_claims *claims); /* accepts NULL */

/* Evaluates all claims. WS_ENUMERIC for an expression without a value, WS_EINPUT for a direction that holds while ours
 * is on the other side of 1 or 0 than theirs, and other defects of the file. */
int ws_claims_judge(ws_claims *claims);

/* The same for frames of a part of what the file speaks of: a claim that needs a label or a value which they lack is
 * not judged, "not here". */
int ws_claims_judge_part(ws_claims *claims);

const char *ws_claims_study(const ws_claims *claims); /* the file's name without folder and ending */
const ws_claim *ws_claims_list(const ws_claims *claims, size_t *n);

/* Reasons that are missing, or stand where none is needed: one line each to `out`. Returns how many. */
size_t ws_claims_show_reasons(const ws_claims *claims, FILE *out);

/* The claims as a frame: labels id, verdict, claim, theirs, ours; columns theirs_value, ours_value. */
int ws_claims_frame(const ws_claims *claims, ws_frame **out);

/* Names of tables: "claims", if there are any, and those of [table NAME]; NULL behind the last. */
const char *ws_claims_table_at(const ws_claims *claims, size_t index);
/* A table in Markdown. is_part: the frame is that of some workloads, say; a table with `rows =` is written without its
 * single rows (`row =`), such as means of all. WS_EINPUT as above. */
int ws_claims_write_table(ws_claims *claims, const char *name, bool is_part, FILE *out);
/* The table of claims that were judged, without reasons. */
void ws_claims_write_verdicts(const ws_claims *claims, FILE *out);
/* What a table says of a claim: its verdict, or why it is not judged. */
const char *ws_claim_verdict_text(const ws_claim *claim);

/* Draws all [figure NAME] as FOLDER/STUDY-NAME.svg. WS_EINPUT, WS_EIO, WS_ENOTFOUND without gnuplot. */
int ws_claims_draw(ws_claims *claims, const char *folder);

/* The frame that a figure shows. WS_ENOTFOUND if there is no such figure. The caller frees it. */
int ws_claims_figure_frame(ws_claims *claims, const char *name, ws_frame **out);

#endif
