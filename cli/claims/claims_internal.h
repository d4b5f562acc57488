/* claims_internal.h - an open file of claims, shared by the files of this folder. */
#ifndef WS_CLAIMS_INTERNAL_H
#define WS_CLAIMS_INTERNAL_H

#include "base/texts.h"
#include "cli/claims/claims.h"
#include "cli/claims/claims_file.h"

/* A loaded frame. */
typedef struct ws_claims_loaded {
    const char *name, *path;
    ws_frame *frame;
    ws_claims_section *section; /* NULL: not named in the file of claims */
    bool is_shown;              /* used only by figures */
} ws_claims_loaded;

struct ws_claims {
    ws_claims_file file;
    ws_scope *scope;
    ws_frame *part;  /* part of the command line's frame in the scope; NULL: all of it */
    ws_arena *arena; /* of texts */
    char *study;
    bool is_numbered;        /* tables of claims begin with the claims' names */
    ws_claims_loaded *frame; /* [frames] */
    size_t frames, frame_room;
    ws_claim *claim; /* [claims] */
    size_t claims, claim_room;
};

/* Returns the first section of this kind, or the next one after `after`; NULL at the end. */
ws_claims_section *ws_claims_next_section(const ws_claims *claims, const char *kind, const ws_claims_section *after);
ws_claims_section *ws_claims_find_section(const ws_claims *claims, const char *kind, const char *name);

/* Loads the frames. The command line's frame, path[i] with the name "", comes first. */
int ws_claims_load_frames(ws_claims *claims, const ws_claims_path *path, size_t paths);
/* Returns the rows that match the entry's labels AXIS=LABEL..., without these axes, and without labels that become NA.
 * The caller frees it. */
int ws_claims_narrow(ws_arena *arena, const ws_frame *frame, const ws_claims_entry *only, ws_frame **out);
/* Adds the labels of an axis in frames, or in a set. WS_EMEM. */
int ws_claims_add_labels(const ws_claims *claims, const char *axis, ws_texts *to);

/* Replaces the scope by one with only these rows of the command line's frame: AXIS=LABEL..., without these axes (NULL:
 * those of [frame], or all). */
int ws_claims_open_scope(ws_claims *claims, ws_claims_entry *only);

/* Evaluates an expression to a cube. */
int ws_claims_evaluate(ws_claims *claims, const ws_claims_entry *entry, ws_arena *arena, const ws_cube **out);

/* Evaluates a template without coordinates to a text; "" without an entry. */
int ws_claims_text(ws_claims *claims, const ws_claims_entry *entry, const char **out);

/* Evaluates one claim. */
int ws_claims_judge_one(ws_claims *claims, const ws_claims_section *section, ws_claim *out);

/* Rows of a table or figure: all combinations of labels of the axes that an entry lists between bars, for which the
 * condition holds (NULL: all). Allocated in the arena. */
typedef struct ws_claims_rows {
    const char *axis[WS_AXES_MOST];
    size_t axes;
    ws_coordinate *at; /* [rows * axes] */
    size_t rows;
} ws_claims_rows;
int ws_claims_find_rows(ws_claims *claims, const ws_claims_entry *rows, const ws_claims_entry *where, ws_arena *arena,
                        ws_claims_rows *out);

/* Returns the cell of a cube at these coordinates, which may omit some axes; NULL if they do not select a single one.
 */
const ws_cell *ws_claims_cell(const ws_cube *cube, const ws_coordinate *at, size_t coordinates);

#endif
