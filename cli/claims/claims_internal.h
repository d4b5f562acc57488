/* claims_internal.h - an open file of claims, for the files of this folder. */
#ifndef WS_CLAIMS_INTERNAL_H
#define WS_CLAIMS_INTERNAL_H

#include "base/texts.h"
#include "cli/claims/claims.h"
#include "cli/claims/claims_file.h"

/* A frame that was loaded. */
typedef struct ws_claims_loaded {
    const char *name, *path;
    ws_frame *frame;
    ws_claims_section *section; /* NULL: the file of claims does not name it */
    bool is_shown;              /* by figures alone */
} ws_claims_loaded;

struct ws_claims {
    ws_claims_file file;
    ws_scope *scope;
    ws_frame *part;  /* of the frame of the command line, that the scope has; NULL: all of it */
    ws_arena *arena; /* of texts */
    char *study;
    bool is_numbered;        /* tables of claims begin with their names */
    ws_claims_loaded *frame; /* [frames] */
    size_t frames, frame_room;
    ws_claim *claim; /* [claims] */
    size_t claims, claim_room;
};

/* The first section of this kind, or that behind `after`; NULL: there is none. */
ws_claims_section *ws_claims_next_section(const ws_claims *claims, const char *kind, const ws_claims_section *after);
ws_claims_section *ws_claims_find_section(const ws_claims *claims, const char *kind, const char *name);

/* Loads the frames: that of the command line, which is path[i] with the name "", first. */
int ws_claims_load_frames(ws_claims *claims, const ws_claims_path *path, size_t paths);
/* Rows of the labels AXIS=LABEL... of the entry, without these axes, and without labels that are NA then. The caller
 * frees it. */
int ws_claims_narrow(ws_arena *arena, const ws_frame *frame, const ws_claims_entry *only, ws_frame **out);
/* Adds the labels that an axis has in frames, or as a set. WS_EMEM. */
int ws_claims_add_labels(const ws_claims *claims, const char *axis, ws_texts *to);

/* Replaces the scope by one in which the frame of the command line has only these rows: AXIS=LABEL..., whose axes are
 * gone (NULL: those that [frame] names, or all). */
int ws_claims_open_scope(ws_claims *claims, ws_claims_entry *only);

/* The cube of an expression. */
int ws_claims_evaluate(ws_claims *claims, const ws_claims_entry *entry, ws_arena *arena, const ws_cube **out);

/* The text of a template, evaluated without coordinates; "" where there is no entry. */
int ws_claims_text(ws_claims *claims, const ws_claims_entry *entry, const char **out);

/* Evaluates one claim. */
int ws_claims_judge_one(ws_claims *claims, const ws_claims_section *section, ws_claim *out);

/* Rows of a table or figure: the labels of axes that an entry names between bars, all combinations, those for which the
 * condition holds (NULL: all). Lives in the arena. */
typedef struct ws_claims_rows {
    const char *axis[WS_AXES_MOST];
    size_t axes;
    ws_coordinate *at; /* [rows * axes] */
    size_t rows;
} ws_claims_rows;
int ws_claims_find_rows(ws_claims *claims, const ws_claims_entry *rows, const ws_claims_entry *where, ws_arena *arena,
                        ws_claims_rows *out);

/* The cell of a cube at these coordinates, of which it need not have all; NULL if they fix no single one. */
const ws_cell *ws_claims_cell(const ws_cube *cube, const ws_coordinate *at, size_t coordinates);

#endif
