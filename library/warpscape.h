/* warpscape.h - the C library: what results files hold, kernels run and traces replayed into them, and the statistics
 * of frames.
 *
 *     cc example.c $(pkg-config --cflags --libs libwarpscape)
 *
 * Objects are opaque. A function named ..._open, ..._load, ..._read, ..._create or that fills an `out` gives the caller
 * an object that it frees with the function named in the comment; those accept NULL. Texts and numbers that a function
 * returns belong to the object that was asked and live as long as it is not changed; texts that are passed in are
 * copied.
 *
 * Functions that can fail return WARPSCAPE_OK (0) or a negative code, and set *out to NULL then. warpscape_message()
 * says in a line what is wrong, of the thread's last failure. The library prints nothing (kernels may: their printf
 * goes to stdout) and never ends the program. Objects may be used by one thread at a time, different ones by different
 * threads.
 *
 * What is declared here stays until the soname changes (docs/formats.md). */
#ifndef WARPSCAPE_H
#define WARPSCAPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPSCAPE_API __attribute__((visibility("default")))

enum {
    WARPSCAPE_OK = 0,
    WARPSCAPE_INPUT = -1,       /* bad input: a file, an argument, missing values */
    WARPSCAPE_MEMORY = -2,      /* out of memory */
    WARPSCAPE_IO = -3,          /* reading or writing failed */
    WARPSCAPE_UNSUPPORTED = -4, /* the kernel needs what there is not */
    WARPSCAPE_FAULT = -5,       /* the kernel did something illegal */
    WARPSCAPE_LIMIT = -6,       /* a limit was reached */
    WARPSCAPE_INTERRUPTED = -7,
    WARPSCAPE_NOT_FOUND = -8,
    WARPSCAPE_BUSY = -9,           /* in use by another process */
    WARPSCAPE_VERSION_ERROR = -10, /* written by another version */
    WARPSCAPE_WRONG = -11,         /* a result is wrong */
    WARPSCAPE_NUMERIC = -12        /* the numbers do not allow it */
};

/* The version of the library, "0.1.0", and the message of this thread's last failure ("" when there was none; until the
 * next one). */
WARPSCAPE_API const char *warpscape_version(void);
WARPSCAPE_API const char *warpscape_message(void);

/* ---- frames: rows with labels in front, columns of numbers with units; NaN is missing */

typedef struct warpscape_frame warpscape_frame;

/* CSV as docs/formats.md says; path "-" is stdin or stdout. */
WARPSCAPE_API int warpscape_frame_read(const char *path, warpscape_frame **out);
WARPSCAPE_API int warpscape_frame_write(const warpscape_frame *frame, const char *path);
/* A frame of NaN with one column of labels, all "", and columns without names, to be filled. */
WARPSCAPE_API int warpscape_frame_create(size_t rows, size_t columns, const char *label_name, warpscape_frame **out);
WARPSCAPE_API int warpscape_frame_set_label(warpscape_frame *frame, size_t row, size_t label, const char *text);
WARPSCAPE_API int warpscape_frame_set_column(warpscape_frame *frame, size_t column, const char *name, const char *unit,
                                             const char *group);
WARPSCAPE_API int warpscape_frame_set_value(warpscape_frame *frame, size_t row, size_t column, double value);
WARPSCAPE_API void warpscape_frame_free(warpscape_frame *frame);

WARPSCAPE_API size_t warpscape_frame_rows(const warpscape_frame *frame);
WARPSCAPE_API size_t warpscape_frame_columns(const warpscape_frame *frame);
WARPSCAPE_API size_t warpscape_frame_labels(const warpscape_frame *frame);
/* Beyond the last row, column or label: NULL, or NaN. A unit or group is "" where there is none. */
WARPSCAPE_API const char *warpscape_frame_label_name(const warpscape_frame *frame, size_t label);
WARPSCAPE_API const char *warpscape_frame_label(const warpscape_frame *frame, size_t row, size_t label);
WARPSCAPE_API const char *warpscape_frame_column_name(const warpscape_frame *frame, size_t column);
WARPSCAPE_API const char *warpscape_frame_unit(const warpscape_frame *frame, size_t column);
WARPSCAPE_API const char *warpscape_frame_group(const warpscape_frame *frame, size_t column);
WARPSCAPE_API double warpscape_frame_value(const warpscape_frame *frame, size_t row, size_t column);
/* The column of that name, or -1. */
WARPSCAPE_API long warpscape_frame_find(const warpscape_frame *frame, const char *name);

/* ---- results files */

typedef struct warpscape_results warpscape_results;

typedef enum warpscape_per { WARPSCAPE_PER_LAUNCH, WARPSCAPE_PER_KERNEL, WARPSCAPE_PER_WORKLOAD } warpscape_per;

/* Opens a file that is there. Free with warpscape_results_close. */
WARPSCAPE_API int warpscape_results_open(const char *path, warpscape_results **out);
WARPSCAPE_API void warpscape_results_close(warpscape_results *results);
/* A row a launch, kernel or workload of the runs that count, as `warpscape metrics` prints them. set: "performance",
 * "study", "modern", "all" or "machines". Free with warpscape_frame_free. */
WARPSCAPE_API int warpscape_results_frame(warpscape_results *results, warpscape_per per, const char *set,
                                          warpscape_frame **out);

/* ---- measuring: a run of a workload, to which launches and traces add */

typedef struct warpscape_recorder warpscape_recorder;

/* Begins a run in the results file, which is made when it is not there. */
WARPSCAPE_API int warpscape_recorder_open(const char *results_path, const char *workload, warpscape_recorder **out);
/* Ends the run, which then counts, and frees the recorder. failure: NULL, or why the run is not to count. A run that
 * measured nothing is WARPSCAPE_NOT_FOUND and leaves what there was. */
WARPSCAPE_API int warpscape_recorder_close(warpscape_recorder *recorder, const char *failure);
/* Adds all launches of a trace file (.wst). */
WARPSCAPE_API int warpscape_recorder_replay(warpscape_recorder *recorder, const char *trace_path);

/* ---- kernels */

typedef struct warpscape_program warpscape_program;

typedef enum warpscape_argument_kind {
    WARPSCAPE_VALUE, /* the parameter itself: a number or structure */
    WARPSCAPE_IN,    /* memory that the kernel gets the address of: copied to the device before the launch */
    WARPSCAPE_OUT,   /* ... zero before, and copied back behind it */
    WARPSCAPE_IN_OUT /* ... both */
} warpscape_argument_kind;

typedef struct warpscape_argument {
    warpscape_argument_kind kind;
    void *data;   /* of the caller; read only for WARPSCAPE_VALUE and WARPSCAPE_IN */
    size_t bytes; /* of a WARPSCAPE_VALUE exactly those of the parameter */
} warpscape_argument;

typedef struct warpscape_launch {
    const char *kernel;         /* as the PTX calls it */
    uint32_t grid[3], block[3]; /* 0 reads as 1 */
    uint32_t dynamic_shared;    /* bytes */
    const warpscape_argument *argument;
    size_t arguments;
    uint64_t most_instructions; /* of warps; more is WARPSCAPE_LIMIT. 0: no limit */
} warpscape_launch;

/* Kernels of a PTX file. Free with warpscape_program_free. */
WARPSCAPE_API int warpscape_program_load(const char *ptx_path, warpscape_program **out);
WARPSCAPE_API void warpscape_program_free(warpscape_program *program);
/* Runs a launch to its end; recorder: NULL, or where it is measured into. Kernels that it launches run behind it,
 * unmeasured. */
WARPSCAPE_API int warpscape_program_launch(warpscape_program *program, const warpscape_launch *launch,
                                           warpscape_recorder *recorder);

/* ---- statistics of frames without missing values */

/* Principal components of the standardized columns (ranks: not 0 for ranks of their values) that explain the fraction
 * `variance` (0..1) of the variance: scores (rows as in the frame, PC1 ...), loadings (a row a column used) and
 * eigenvalues; NULL for what is not wanted. */
WARPSCAPE_API int warpscape_pca(const warpscape_frame *frame, double variance, int ranks, warpscape_frame **scores,
                                warpscape_frame **loadings, warpscape_frame **eigenvalues);
/* Cuts the tree of the rows by Euclidean distance into k clusters: cluster[rows], 1..k. linkage: "single", "complete",
 * "average" or "ward". */
WARPSCAPE_API int warpscape_cluster(const warpscape_frame *frame, const char *linkage, size_t k, size_t *cluster);
/* k rows that stand for all: member[k] (from 0), weight[k] (rows that each stands for). method as of `warpscape
 * subset`; NULL: the one that predicts best, "support". */
WARPSCAPE_API int warpscape_subset(const warpscape_frame *frame, const char *method, size_t k, size_t *member,
                                   double *weight);

#ifdef __cplusplus
}
#endif

#endif
