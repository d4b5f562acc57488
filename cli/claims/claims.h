/* claims.h - evaluation of a document's claims against frames: a file of claims, tables and figures (docs/claims.md).
 *
 *     ws_claims *claims;
 *     ws_claims_open("races.ini", path, paths, &claims);     loads frames, defines names
 *     ws_claims_judge(claims);                               sets texts, values and a verdict of each claim
 *     ws_claims_write_table(claims, "claims", false, out);   Markdown */
#ifndef WS_CLAIMS_H
#define WS_CLAIMS_H

#include "base/cube/expression.h"
#include "base/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Assigns the file `path` to the frame `name`. The columns of frame "" need no prefix. */
typedef struct ws_claims_path {
    const char *name, *path;
} ws_claims_path;

typedef enum ws_claim_verdict {
    WS_CLAIM_NO,
    WS_CLAIM_DIRECTION, /* the direction agrees */
    WS_CLAIM_SIZE,      /* direction and size agree */
    WS_CLAIM_UNJUDGED,
    WS_CLAIM_VERDICTS
} ws_claim_verdict;
extern const char *const ws_claim_verdict_words[WS_CLAIM_VERDICTS];

typedef struct ws_claim {
    const char *id, *claim, *theirs, *ours, *why; /* texts; "" if absent */
    const char *unjudged;                         /* reason for no verdict; "" */
    double theirs_value, ours_value;              /* NaN: absent */
    ws_claim_verdict verdict, best;               /* best: the best possible verdict of this claim */
    ws_place place;
} ws_claim;

typedef struct ws_claims ws_claims;

/* Reads a file of claims, loads its frames and defines its names. A frame missing from path[0..paths) is loaded from
 * `file =`, relative to the file of claims. WS_EINPUT with FILE:LINE:COLUMN. The caller frees *out with destroy. */
int ws_claims_open(const char *file, const ws_claims_path *path, size_t paths, ws_claims **out);
void ws_claims_destroy(ws_claims *claims); /* accepts NULL */

/* Evaluates all claims. WS_ENUMERIC for an expression without a value. WS_EINPUT for a direction that holds although
 * both values are on opposite sides of 1 or 0, and for other defects of the file. */
int ws_claims_judge(ws_claims *claims);

/* The same for frames with a part of the data. A claim that needs a missing label or value gets no verdict, "not here".
 */
int ws_claims_judge_part(ws_claims *claims);

const char *ws_claims_study(const ws_claims *claims); /* file name without folder and extension */
const ws_claim *ws_claims_list(const ws_claims *claims, size_t *n);

/* Writes one line to `out` per missing or superfluous reason. Returns their number. */
size_t ws_claims_show_reasons(const ws_claims *claims, FILE *out);

/* Writes one line to `out` per frame of a sweep that lacks points. */
void ws_claims_show_lacks(const ws_claims *claims, FILE *out);

/* Returns the claims as a frame. Labels: id, verdict, claim, theirs, ours. Columns: theirs_value, ours_value. */
int ws_claims_frame(const ws_claims *claims, ws_frame **out);

/* Returns names of tables: "claims", if the file has claims, and the names in [table NAME]; NULL behind the last. */
const char *ws_claims_table_at(const ws_claims *claims, size_t index);
/* Writes a table in Markdown. is_part: the frame holds a part of the data, such as some workloads. A table with `rows
 * =` then omits its single rows (`row =`), such as means of all. WS_EINPUT as above. */
int ws_claims_write_table(ws_claims *claims, const char *name, bool is_part, FILE *out);
/* Writes the table of claims with a verdict, without reasons. */
void ws_claims_write_verdicts(const ws_claims *claims, FILE *out);
/* Returns the text for a claim in tables: its verdict, or the reason for none. */
const char *ws_claim_verdict_text(const ws_claim *claim);

/* Draws every [figure NAME] as FOLDER/STUDY-NAME.svg. WS_EINPUT, WS_EIO, WS_ENOTFOUND without gnuplot. */
int ws_claims_draw(ws_claims *claims, const char *folder);

/* Returns the frame of a figure. WS_ENOTFOUND for an unknown figure. The caller frees it. */
int ws_claims_figure_frame(ws_claims *claims, const char *name, ws_frame **out);

#endif
