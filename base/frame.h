/* frame.h - labelled matrix with units and provenance: the data type of everything above the collectors.
 *
 * Rows are measured objects (launches, kernels, workloads); columns are characteristics. A missing value is NaN. On
 * disk a frame is CSV (RFC 4180 quoting) after comment lines that start with '#':
 *
 *     # warpscape frame 1
 *     # KEY: VALUE                          provenance, any number (version, inputs, seed, command ...)
 *     # column NAME unit=UNIT group=GROUP   for each column with a unit or a group; percent-encoded where needed
 *     # labels: 2                           number of leading text columns
 *     workload,kernel,I_total,D_bra_0       header
 *     BFS,bfs_kernel,480,0.5
 *
 * R reads it with read.csv(comment.char = "#"). Doubles are written with the digits needed to read back bit-identical;
 * NaN is written NA, infinities Inf and -Inf. Without a "# labels" line, as in frames of other tools, label columns are
 * inferred. The first column holds labels if any of its cells is not a number; each following column, if none of its
 * cells is a number. */
#ifndef WS_FRAME_H
#define WS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ws_column {
    char *name;  /* unique in the frame */
    char *unit;  /* "" for none; "instr", "bytes", "ratio" ... */
    char *group; /* "", or its subspace or set, such as "DV" */
} ws_column;

typedef struct ws_frame {
    size_t rows, columns, labels; /* labels: leading text columns, at least 1 */
    char **label_names;           /* [labels] header of each label column */
    char **label;                 /* [rows * labels], row-major, never NULL */
    ws_column *column;            /* [columns] */
    double *value;                /* [rows * columns], row-major */
    char **note;                  /* [notes] provenance, "KEY: VALUE" without the '#' */
    size_t notes, note_room;
    size_t row_room; /* rows that label and value have room for; used by ws_frame_add_row */
} ws_frame;

/* Creates a frame of NaN with empty labels and column names "", to be filled with the setters below. With NULL
 * label_names, the label name is "row". Returns NULL when memory is short. The caller frees the frame with
 * ws_frame_destroy. */
ws_frame *ws_frame_create(size_t rows, size_t columns, size_t labels, const char *const *label_names);
void ws_frame_destroy(ws_frame *frame);

/* Finishes the construction of a frame: sets *out = frame when status is WS_OK, else destroys the frame. Returns
 * status. */
int ws_frame_give(int status, ws_frame *frame, ws_frame **out);

/* Layout of a frame without rows: names of at least one label, and columns of one group. */
enum { WS_FRAME_LABELS_MOST = 8 };
typedef struct ws_frame_column {
    const char *name, *unit;
} ws_frame_column;
typedef struct ws_frame_layout {
    const char *labels[WS_FRAME_LABELS_MOST + 1]; /* NULL after the last */
    const ws_frame_column *column;                /* [columns] */
    size_t columns;
    const char *group; /* NULL for none */
} ws_frame_layout;

/* Creates a frame of that layout without rows. The caller frees it with ws_frame_destroy. On WS_EMEM, *out is NULL. */
int ws_frame_begin(const ws_frame_layout *layout, ws_frame **out);

/* Adds a row with copies of label[labels] and value[columns]. Adding n rows takes O(n) time. On WS_EMEM the frame is
 * unchanged. */
int ws_frame_add_row(ws_frame *frame, const char *const *label, const double *value);

/* Adds the notes of `from`, in their order; `from` may be NULL. Returns WS_OK or WS_EMEM. */
int ws_frame_add_notes(ws_frame *frame, const ws_frame *from);

/* Setters copy their strings. Each returns WS_OK or WS_EMEM. */
int ws_frame_set_label(ws_frame *frame, size_t row, size_t label, const char *text);
int ws_frame_set_column(ws_frame *frame, size_t column, const char *name, const char *unit, const char *group);
int ws_frame_note(ws_frame *frame, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes how many points of a plan the rows come from. WS_EMEM. */
int ws_frame_note_points(ws_frame *frame, const char *plan, size_t done, size_t points);
/* Reads that note. Returns false without one. */
bool ws_frame_points(const ws_frame *frame, size_t *done, size_t *points);

/* Create a frame with the listed rows (columns), in that order, and with all notes, units and labels. WS_EMEM. */
int ws_frame_pick_rows(const ws_frame *frame, const size_t *row, size_t n, ws_frame **out);
int ws_frame_pick_columns(const ws_frame *frame, const size_t *column, size_t n, ws_frame **out);

/* Returns the number of the column with that name, or -1. */
long ws_frame_find_column(const ws_frame *frame, const char *name);

/* Returns the number of the label column with that name, or -1. */
long ws_frame_find_label(const ws_frame *frame, const char *name);

/* Fails with WS_EINPUT: "NAME: there is no column 'COLUMN'", followed by `behind` and, if a column is similar, a
 * suggestion. */
int ws_frame_refuse_column(const ws_frame *frame, const char *name, const char *column, const char *behind);

/* Returns whether the column is X_low or X_high of a column X that has both: a limit of the range of X. */
bool ws_frame_is_limit(const ws_frame *frame, size_t column);

/* Label column with the mangled name of a kernel; column "kernel" has the demangled name. It adds no information, so
 * names of rows do not contain it. */
#define WS_FRAME_MANGLED "mangled"

/* Returns whether names of rows contain that label. */
bool ws_frame_label_names(const ws_frame *frame, size_t label);

/* Writes the non-empty labels of a row, joined by '/' ("BFS/kernel/3"), for messages and figures. Writes at most size
 * bytes. */
void ws_frame_row_name(const ws_frame *frame, size_t row, char *text, size_t size);

/* Reads a frame; `name` is the name of the stream in messages. Returns WS_EINPUT with "name:line:column: expected ..."
 * for a defect. Defects are text in place of a number, a ragged line, a duplicate column and an empty file. NaN, NA,
 * Inf, an empty cell (missing) and a frame without rows are valid. */
int ws_frame_read(FILE *in, const char *name, ws_frame **out);

/* Reads a frame and the lines on which its rows begin, (*line)[rows], for messages with positions. The caller frees
 * *line. */
int ws_frame_read_lines(FILE *in, const char *name, ws_frame **out, size_t **line);

extern const struct ws_input ws_frame_input; /* limits of a frame file (base/input.h) */

/* Reads a frame from a path, or from stdin when path is "-"; errors as above. */
int ws_frame_load(const char *path, ws_frame **out);

/* Writes the frame. Returns WS_EIO when the stream's error state is set; the caller checks it again at the end. */
int ws_frame_write(const ws_frame *frame, FILE *out);

/* Writes the frame without the lines that define columns, for readers that know columns by name (metrics/describe.h) or
 * need no units. */
int ws_frame_write_short(const ws_frame *frame, FILE *out);

/* Writes to path (or stdout for "-") through a temporary file in the same folder, so that a full disk leaves the old
 * file. */
int ws_frame_save(const ws_frame *frame, const char *path);

/* Returns WS_EINPUT with row and column named when any value is NaN or infinite, else WS_OK. */
int ws_frame_require_finite(const ws_frame *frame, const char *name);

#endif
