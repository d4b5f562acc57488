/* step_store.h - steps of warps that are not ready for them: packed, in memory up to a bound, then in a temporary file.
 */
#ifndef WS_STEP_STORE_H
#define WS_STEP_STORE_H

#include "collect/wst/wst.h"

/* What is kept for a warp, in order; zeroed is nothing. */
typedef struct ws_step_chain {
    struct ws_step_part *first, *last;
} ws_step_chain;

typedef struct ws_step_store ws_step_store;

/* Beyond memory_bytes steps go to the file, which has no name, in TMPDIR [/tmp]. The launch must outlive the store. */
int ws_step_store_create(const ws_launch *launch, uint64_t memory_bytes, ws_step_store **out);
void ws_step_store_destroy(ws_step_store *store); /* accepts NULL; behind ws_step_store_forget of all chains */

/* A packer for one thread, until it is returned. */
int ws_step_store_lend(ws_step_store *store, ws_trace_packer **packer);
void ws_step_store_return(ws_step_store *store, ws_trace_packer *packer);

/* What was given to the packer since ws_trace_pack_begin becomes the last part of the chain. WS_EIO: the file, with its
 * folder. */
int ws_step_store_put(ws_step_store *store, ws_trace_packer *packer, ws_step_chain *chain);

/* The first part leaves the chain; the batch is the packer's. */
int ws_step_store_get(ws_step_store *store, ws_trace_packer *packer, ws_step_chain *chain, ws_batch *batch);
void ws_step_store_forget(ws_step_store *store, ws_step_chain *chain);

/* Bytes in memory and in the file. */
void ws_step_store_count(ws_step_store *store, uint64_t *memory_bytes, uint64_t *file_bytes);

#endif
