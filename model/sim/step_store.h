/* step_store.h - store of steps for warps that are not ready for them: packed, in memory up to a bound, beyond it in a
 * temporary file. */
#ifndef WS_STEP_STORE_H
#define WS_STEP_STORE_H

#include "collect/wst/wst.h"

/* Steps of a warp, in order; a zeroed chain is empty. */
typedef struct ws_step_chain {
    struct ws_step_part *first, *last;
} ws_step_chain;

typedef struct ws_step_store ws_step_store;

/* Creates a store. Above memory_bytes, steps go to an unnamed file in TMPDIR [/tmp]. The launch must outlive the store.
 */
int ws_step_store_create(const ws_launch *launch, uint64_t memory_bytes, ws_step_store **out);
void ws_step_store_destroy(ws_step_store *store); /* accepts NULL; after ws_step_store_forget of all chains */

/* Lends a packer to one thread, until it is returned. */
int ws_step_store_lend(ws_step_store *store, ws_trace_packer **packer);
void ws_step_store_return(ws_step_store *store, ws_trace_packer *packer);

/* Appends the steps packed since ws_trace_pack_begin to the chain, as a part. WS_EIO of the file, with its folder. */
int ws_step_store_put(ws_step_store *store, ws_trace_packer *packer, ws_step_chain *chain);

/* Removes the first part of the chain; the batch belongs to the packer. */
int ws_step_store_get(ws_step_store *store, ws_trace_packer *packer, ws_step_chain *chain, ws_batch *batch);
void ws_step_store_forget(ws_step_store *store, ws_step_chain *chain);

/* Returns the bytes in memory and in the file. */
void ws_step_store_count(ws_step_store *store, uint64_t *memory_bytes, uint64_t *file_bytes);

#endif
