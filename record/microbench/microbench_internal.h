/* microbench_internal.h - rows of microbench.def as data, and their text. */
#ifndef WS_MICROBENCH_INTERNAL_H
#define WS_MICROBENCH_INTERNAL_H

#include "model/machine/machine_declared.h"

#include <stddef.h>
#include <stdint.h>

enum {
    WS_BENCH_CHAINS = 4,
    WS_BENCH_POOL = 8192,
    WS_BENCH_TABLE = 256
}; /* chains of a throughput; bytes of shared and of constant memory */

typedef struct ws_bench {
    const char *group, *name, *measure, *unit;
    const char *setup, *body; /* microbench.def; the latter NULL: an empty kernel */
    uint32_t blocks, threads; /* of the launch */
    uint32_t chains;
    uint32_t rounds[2];          /* bodies of each chain in the short text and in the long one */
    double work;                 /* of all warps by a body of each chain, in `unit`; 0: the result are cycles */
    uint64_t stride, step, wrap; /* bytes */
    uint64_t bytes;              /* of data that the long text touches */
} ws_bench;

/* The rows that machine `m` has. NULL: out of memory. The caller frees them; their strings are static. */
ws_bench *ws_bench_rows(const ws_machine *m, size_t *n);

/* The module of a row. Its two entries, the short text and the long one, take the address of the data and a number
 * other than 0. NULL: out of memory. The caller frees it. */
extern const char *const ws_bench_entries[2];
char *ws_bench_text(const ws_bench *bench);

#endif
