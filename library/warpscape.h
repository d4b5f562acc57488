/* warpscape.h - C library: results files, measurement of kernels and traces, statistics of frames.
 *
 *     cc example.c $(pkg-config --cflags --libs libwarpscape)
 *
 * Objects are opaque. A function named ..._open, ..._load, ..._read or ..._create, or with an `out` argument, returns
 * an object to the caller. The caller frees it with the function named in the comment, which accepts NULL. Texts and
 * numbers that a function returns belong to the object passed to it; they are valid until that object changes. Texts
 * passed in are copied.
 *
 * Functions that can fail return WARPSCAPE_OK (0), or a negative code with *out set to NULL. warpscape_message()
 * describes the thread's last failure in one line. The library prints nothing and never ends the process; printf of
 * kernels goes to stdout. One thread at a time may use an object; different threads may use different objects.
 *
 * These declarations are stable until the soname changes (docs/formats.md). */
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
    WARPSCAPE_INPUT = -1,       /* bad input: file, argument or missing values */
    WARPSCAPE_MEMORY = -2,      /* out of memory */
    WARPSCAPE_IO = -3,          /* reading or writing failed */
    WARPSCAPE_UNSUPPORTED = -4, /* the kernel needs an unsupported feature */
    WARPSCAPE_FAULT = -5,       /* the kernel performed an illegal operation */
    WARPSCAPE_LIMIT = -6,       /* a limit was reached */
    WARPSCAPE_INTERRUPTED = -7,
    WARPSCAPE_NOT_FOUND = -8,
    WARPSCAPE_BUSY = -9,           /* in use by another process */
    WARPSCAPE_VERSION_ERROR = -10, /* written by another version */
    WARPSCAPE_WRONG = -11,         /* a result is wrong */
    WARPSCAPE_NUMERIC = -12        /* the operation is impossible with these numbers */
};

/* Return the version of the library, "0.1.0", and the message of this thread's last failure. The message is "" before
 * the first failure and is valid until the next one. */
WARPSCAPE_API const char *warpscape_version(void);
WARPSCAPE_API const char *warpscape_message(void);

/* ---- frames: rows with leading labels, columns of numbers with units; NaN means missing */

typedef struct warpscape_frame warpscape_frame;

/* Read and write CSV as described in docs/formats.md. Path "-" means stdin or stdout. */
WARPSCAPE_API int warpscape_frame_read(const char *path, warpscape_frame **out);
WARPSCAPE_API int warpscape_frame_write(const warpscape_frame *frame, const char *path);
/* Creates a frame of NaN with one label column of empty texts and unnamed columns. The caller fills it. */
WARPSCAPE_API int warpscape_frame_create(size_t rows, size_t columns, const char *label_name, warpscape_frame **out);
WARPSCAPE_API int warpscape_frame_set_label(warpscape_frame *frame, size_t row, size_t label, const char *text);
WARPSCAPE_API int warpscape_frame_set_column(warpscape_frame *frame, size_t column, const char *name, const char *unit,
                                             const char *group);
WARPSCAPE_API int warpscape_frame_set_value(warpscape_frame *frame, size_t row, size_t column, double value);
WARPSCAPE_API void warpscape_frame_free(warpscape_frame *frame);

WARPSCAPE_API size_t warpscape_frame_rows(const warpscape_frame *frame);
WARPSCAPE_API size_t warpscape_frame_columns(const warpscape_frame *frame);
WARPSCAPE_API size_t warpscape_frame_labels(const warpscape_frame *frame);
/* Return NULL, or NaN, for an index out of range. A missing unit or group is "". */
WARPSCAPE_API const char *warpscape_frame_label_name(const warpscape_frame *frame, size_t label);
WARPSCAPE_API const char *warpscape_frame_label(const warpscape_frame *frame, size_t row, size_t label);
WARPSCAPE_API const char *warpscape_frame_column_name(const warpscape_frame *frame, size_t column);
WARPSCAPE_API const char *warpscape_frame_unit(const warpscape_frame *frame, size_t column);
WARPSCAPE_API const char *warpscape_frame_group(const warpscape_frame *frame, size_t column);
WARPSCAPE_API double warpscape_frame_value(const warpscape_frame *frame, size_t row, size_t column);
/* Returns the index of the column of that name, or -1. */
WARPSCAPE_API long warpscape_frame_find(const warpscape_frame *frame, const char *name);

/* ---- results files */

typedef struct warpscape_results warpscape_results;

typedef enum warpscape_per { WARPSCAPE_PER_LAUNCH, WARPSCAPE_PER_KERNEL, WARPSCAPE_PER_WORKLOAD } warpscape_per;

/* Opens an existing file. Free with warpscape_results_close. */
WARPSCAPE_API int warpscape_results_open(const char *path, warpscape_results **out);
WARPSCAPE_API void warpscape_results_close(warpscape_results *results);
/* Returns one row per launch, kernel or workload of the runs that count, as printed by `warpscape metrics`. set:
 * "performance", "study", "modern", "all" or "machines". Free with warpscape_frame_free. */
WARPSCAPE_API int warpscape_results_frame(warpscape_results *results, warpscape_per per, const char *set,
                                          warpscape_frame **out);

/* ---- measuring: a run of a workload, to which launches and traces are added */

typedef struct warpscape_recorder warpscape_recorder;

/* Begins a run in the results file. Creates a missing file. */
WARPSCAPE_API int warpscape_recorder_open(const char *results_path, const char *workload, warpscape_recorder **out);
/* Ends the run and frees the recorder. failure: NULL, or the reason to exclude the run from results. Returns
 * WARPSCAPE_NOT_FOUND for a run without any measurement; earlier results then remain. */
WARPSCAPE_API int warpscape_recorder_close(warpscape_recorder *recorder, const char *failure);
/* Adds every launch of a trace file (.wst). */
WARPSCAPE_API int warpscape_recorder_replay(warpscape_recorder *recorder, const char *trace_path);

/* ---- kernels */

typedef struct warpscape_program warpscape_program;

typedef enum warpscape_argument_kind {
    WARPSCAPE_VALUE, /* the parameter value: a number or structure */
    WARPSCAPE_IN,    /* memory whose address the kernel receives; copied to the device before the launch */
    WARPSCAPE_OUT,   /* memory zeroed before the launch and copied back after it */
    WARPSCAPE_IN_OUT /* memory copied to the device before the launch and back after it */
} warpscape_argument_kind;

typedef struct warpscape_argument {
    warpscape_argument_kind kind;
    void *data;   /* owned by the caller; only read for WARPSCAPE_VALUE and WARPSCAPE_IN */
    size_t bytes; /* must equal the parameter's size for WARPSCAPE_VALUE */
} warpscape_argument;

typedef struct warpscape_launch {
    const char *kernel;         /* name in the PTX */
    uint32_t grid[3], block[3]; /* 0 means 1 */
    uint32_t dynamic_shared;    /* bytes */
    const warpscape_argument *argument;
    size_t arguments;
    uint64_t
        most_instructions; /* limit of warp instructions; beyond it the launch returns WARPSCAPE_LIMIT. 0: no limit */
} warpscape_launch;

/* Loads the kernels of a PTX file. Free with warpscape_program_free. */
WARPSCAPE_API int warpscape_program_load(const char *ptx_path, warpscape_program **out);
WARPSCAPE_API void warpscape_program_free(warpscape_program *program);
/* Runs a launch to completion. recorder: destination of the measurements, or NULL. Kernels launched by the kernel run
 * afterwards and are not measured. */
WARPSCAPE_API int warpscape_program_launch(warpscape_program *program, const warpscape_launch *launch,
                                           warpscape_recorder *recorder);

/* ---- statistics of frames without missing values */

/* Computes principal components of the standardized columns, or of their ranks if `ranks` is not 0. Keeps the
 * components that explain the fraction `variance` (0..1) of the variance. scores: rows of the frame, columns PC1, ...;
 * loadings: one row per column used; eigenvalues. Pass NULL for outputs that are not needed. */
WARPSCAPE_API int warpscape_pca(const warpscape_frame *frame, double variance, int ranks, warpscape_frame **scores,
                                warpscape_frame **loadings, warpscape_frame **eigenvalues);
/* Clusters the rows by Euclidean distance and cuts the tree into k clusters. Sets cluster[rows] to 1..k. linkage:
 * "single", "complete", "average" or "ward". */
WARPSCAPE_API int warpscape_cluster(const warpscape_frame *frame, const char *linkage, size_t k, size_t *cluster);
/* Selects k representative rows: member[k] (from 0) and weight[k], the number of rows that each represents. method: as
 * in `warpscape subset`; NULL: "support", the best predictor. */
WARPSCAPE_API int warpscape_subset(const warpscape_frame *frame, const char *method, size_t k, size_t *member,
                                   double *weight);

#ifdef __cplusplus
}
#endif

#endif
