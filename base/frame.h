/* frame.h - a labelled matrix with units and provenance: the one thing that travels above the collectors.
 *
 * Rows are things measured (launches, kernels, workloads), columns are characteristics. A missing value is NaN.
 * On disk a frame is CSV (RFC 4180 quoting) after comment lines that start with '#':
 *
 *     # warpscape frame 1
 *     # KEY: VALUE                          provenance, any number (version, inputs, seed, command ...)
 *     # column NAME unit=UNIT group=GROUP   for each column that has a unit or a group; percent-encoded where needed
 *     # labels: 2                           how many leading columns are text
 *     workload,kernel,I_total,D_bra_0       header
 *     BFS,bfs_kernel,480,0.5
 *
 * R reads it with read.csv(comment.char = "#"). Doubles are written with as many digits as they need to come back
 * bit-identical; NaN is written NA, infinities Inf and -Inf. Without a "# labels" line (a frame that somebody else
 * wrote) the leading columns in which any cell of the first, or every cell of a later one, is not a
 * number are labels. */
#ifndef WS_FRAME_H
#define WS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ws_column {
    char *name;  /* unique in the frame */
    char *unit;  /* "" when it has none: "instr", "bytes", "ratio" ... */
    char *group; /* "" or the subspace or set it belongs to, such as "DV" */
} ws_column;

typedef struct ws_frame {
    size_t rows, columns, labels; /* labels: text columns in front, at least 1 */
    char **label_names;           /* [labels] header of each label column */
    char **label;                 /* [rows * labels], row-major, never NULL */
    ws_column *column;            /* [columns] */
    double *value;                /* [rows * columns], row-major */
    char **note;                  /* [notes] provenance, "KEY: VALUE" without the '#' */
    size_t notes, note_room;
    size_t row_room; /* rows that labels and values have room for; of ws_frame_add_row */
} ws_frame;

/* A frame of NaN with empty labels ("row" as label name when label_names is NULL) and column names "" - fill them
 * with the setters below. NULL when memory is short. The caller frees it with ws_frame_destroy. */
ws_frame *ws_frame_create(size_t rows, size_t columns, size_t labels, const char *const *label_names);
void ws_frame_destroy(ws_frame *frame);

/* The end of what makes a frame: *out = frame when status is WS_OK, else frame is destroyed. Returns status. */
int ws_frame_give(int status, ws_frame *frame, ws_frame **out);

/* What a frame is made of before it has rows: names of its labels, at least one, and its columns, all of one group. */
enum { WS_FRAME_LABELS_MOST = 8 };
typedef struct ws_frame_column {
    const char *name, *unit;
} ws_frame_column;
typedef struct ws_frame_layout {
    const char *labels[WS_FRAME_LABELS_MOST + 1]; /* NULL behind the last */
    const ws_frame_column *column;                /* [columns] */
    size_t columns;
    const char *group; /* NULL: none */
} ws_frame_layout;

/* A frame of that layout without rows, which the caller frees with ws_frame_destroy. WS_EMEM: *out is NULL. */
int ws_frame_begin(const ws_frame_layout *layout, ws_frame **out);

/* Adds a row with label[labels] and value[columns], which are copied. n rows cost n steps. WS_EMEM: the frame is as it
 * was. */
int ws_frame_add_row(ws_frame *frame, const char *const *label, const double *value);

/* Adds the notes of `from`, in their order, or none where it is NULL. WS_EMEM. */
int ws_frame_add_notes(ws_frame *frame, const ws_frame *from);

/* Setters copy their strings. Each returns WS_OK or WS_EMEM. */
int ws_frame_set_label(ws_frame *frame, size_t row, size_t label, const char *text);
int ws_frame_set_column(ws_frame *frame, size_t column, const char *name, const char *unit, const char *group);
int ws_frame_note(ws_frame *frame, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A new frame with the rows (columns) listed, in that order; notes, units and labels come along. WS_EMEM. */
int ws_frame_pick_rows(const ws_frame *frame, const size_t *row, size_t n, ws_frame **out);
int ws_frame_pick_columns(const ws_frame *frame, const size_t *column, size_t n, ws_frame **out);

/* The column of that name, or -1. */
long ws_frame_find_column(const ws_frame *frame, const char *name);

/* The label column of that name, or -1. */
long ws_frame_find_label(const ws_frame *frame, const char *name);

/* WS_EINPUT: "NAME: there is no column 'COLUMN'", with what comes behind that and, where a column is like it, which may
 * be meant. */
int ws_frame_refuse_column(const ws_frame *frame, const char *name, const char *column, const char *behind);

/* Is the column X_low or X_high of a column X that has both: a limit of what X may be? */
bool ws_frame_is_limit(const ws_frame *frame, size_t column);

/* The label column with the name that a kernel has in its program, beside that of column "kernel" as people write it.
 * It names nothing more, so rows are not called by it. */
#define WS_FRAME_MANGLED "mangled"

/* Is a row called by that label? */
bool ws_frame_label_names(const ws_frame *frame, size_t label);

/* Label cells of one row, but for empty ones, joined by '/' ("BFS/kernel/3"), for messages and figures: writes at most
 * size bytes. */
void ws_frame_row_name(const ws_frame *frame, size_t row, char *text, size_t size);

/* Reads a frame; `name` is what messages call the stream. A defect is WS_EINPUT with "name:line:column: what was
 * expected". Text where a number belongs, a ragged line, a duplicate column and an empty file are defects; NaN, NA,
 * Inf, an empty cell (missing) and a frame without rows are not. */
int ws_frame_read(FILE *in, const char *name, ws_frame **out);

/* The same for who has to say where something stands: (*line)[rows], lines on which rows begin. The caller frees it. */
int ws_frame_read_lines(FILE *in, const char *name, ws_frame **out, size_t **line);

extern const struct ws_input ws_frame_input; /* what a file of a frame may be (base/input.h) */

/* As above from a path, or from stdin when path is "-". */
int ws_frame_load(const char *path, ws_frame **out);

/* Writes the frame; the stream's error state is the caller's to check at the end, WS_EIO is returned when it is set. */
int ws_frame_write(const ws_frame *frame, FILE *out);

/* The same without the lines that define columns: what reads it knows them by name (metrics/describe.h), or needs no
 * unit. */
int ws_frame_write_short(const ws_frame *frame, FILE *out);

/* Writes to path (or stdout for "-") through a temporary file beside it, so that a full disk leaves the old file. */
int ws_frame_save(const ws_frame *frame, const char *path);

/* WS_EINPUT with row and column named when any value is NaN or infinite, else WS_OK. */
int ws_frame_require_finite(const ws_frame *frame, const char *name);

#endif
