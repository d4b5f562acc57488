/* wst.h - trace files: what the launches of a program did, written once, replayed at will.
 *
 * A file holds launches in order; each has its table of instructions and, block by block, the events of sink.h, so a
 * replay shows sinks what a live run shows them, and their results are the same bit for bit. Values of registers and
 * shared memory are there only when the writer was asked for them (then replay is exact for families that look at
 * values, too).
 *
 * Layout: 16 bytes "warpscape trace\n", then records, each with a head of 32 bytes (type, version, bytes stored, bytes
 * unpacked, checksum of all that) and a payload, packed with zstd; blocks go into chunks of about a mebibyte unpacked.
 * The last record is an index; a file without one (the writer was killed, the disk was full) is read from the front up
 * to where it breaks off. The bytes of a file do not depend on the number of workers. */
#ifndef WS_WST_H
#define WS_WST_H

#include "collect/trace/sink.h"

#include <stdbool.h>

/* ---- writing */

typedef struct ws_trace_writer ws_trace_writer;

typedef struct ws_trace_writer_options {
    const char *const *notes; /* "name=value" lines about what was run, ends with NULL; may be NULL */
    int (*sample_block)(const ws_launch *launch, uint64_t block); /* whose values to keep; NULL: none */
} ws_trace_writer_options;

/* Opens the file, over what was there. WS_EIO, WS_EMEM. Blocks that finish out of turn wait in memory, packed small. */
int ws_trace_writer_create(const char *path, const ws_trace_writer_options *options, ws_trace_writer **out);

/* The sink to run launches with, one launch at a time; owned by the writer. */
const ws_sink *ws_trace_writer_sink(const ws_trace_writer *writer);

/* After each launch that had the sink, with its status: a launch that failed is marked as cut short. */
int ws_trace_writer_end(ws_trace_writer *writer, int launch_status);

/* What stood in a source file while the program ran, in any number that the reader compares. Before close; each file
 * once. WS_EMEM. */
int ws_trace_writer_source(ws_trace_writer *writer, const char *file, uint64_t fingerprint);

/* Completes and closes the file: bytes copied after the last launch. Frees the writer in any case; accepts NULL. */
int ws_trace_writer_close(ws_trace_writer *writer, uint64_t h2d_bytes, uint64_t d2h_bytes);

/* ---- reading: one trace may be used by several threads, a cursor by one */

typedef struct ws_trace ws_trace;

/* What a launch of the file is like. */
typedef struct ws_trace_launch {
    ws_launch launch;                         /* owned by the trace */
    uint64_t blocks;                          /* that the file holds, from block 0 on */
    bool complete;                            /* all of them, and the launch went well */
    uint64_t warp_instructions, stored_bytes; /* of these blocks; the former 0 when not complete */
} ws_trace_launch;

/* WS_EIO; WS_EINPUT: not a trace file; WS_EVERSION. A file that breaks off opens: see ws_trace_damage. */
int ws_trace_open(const char *path, ws_trace **out);
void ws_trace_close(ws_trace *trace); /* accepts NULL */

const char *ws_trace_path(const ws_trace *trace);
size_t ws_trace_launches(const ws_trace *trace);
const ws_trace_launch *ws_trace_get(const ws_trace *trace, size_t i);
const char *ws_trace_notes(const ws_trace *trace); /* "name=value" lines */
bool ws_trace_has_values(const ws_trace *trace);

/* False: the file is of a format that keeps no lines of the source. */
bool ws_trace_keeps_lines(const ws_trace *trace);
/* The fingerprint of a source file when the trace was written; false: it was not there then, or the trace does not say.
 */
bool ws_trace_source(const ws_trace *trace, const char *file, uint64_t *fingerprint);

/* Bytes copied behind the last launch. */
void ws_trace_copied(const ws_trace *trace, uint64_t *h2d_bytes, uint64_t *d2h_bytes);

/* NULL, or one line: where the file breaks off, and the last block that is good. */
const char *ws_trace_damage(const ws_trace *trace);

/* Reads every byte against its checksum. WS_EINPUT with the place and the last good block. `progress` gets the share
 * done, and ends it with WS_EINTERRUPTED when it returns non-zero; NULL: not called. */
int ws_trace_check(ws_trace *trace, int (*progress)(void *context, double done), void *context);

/* ---- block by block */

typedef struct ws_trace_cursor ws_trace_cursor;

typedef struct ws_trace_segment {
    ws_batch batch;        /* consecutive events of one block; the cursor's, valid until its next use */
    const ws_value *value; /* values written meanwhile */
    size_t values;
    bool last; /* of the block */
} ws_trace_segment;

int ws_trace_cursor_create(ws_trace *trace, size_t launch, ws_trace_cursor **out);
void ws_trace_cursor_destroy(ws_trace_cursor *cursor); /* accepts NULL */

/* Chunks that are unpacked, for cursors of one trace that go through the same or return: as many as fit `bytes`, those
 * that are read in any case. Any threads. Destroy it behind its cursors; accepts NULL. */
typedef struct ws_trace_shelf ws_trace_shelf;
int ws_trace_shelf_create(ws_trace *trace, uint64_t bytes, ws_trace_shelf **out);
void ws_trace_shelf_destroy(ws_trace_shelf *shelf);

/* A cursor that takes chunks from the shelf, and whose segments are cut after about `most` events: it needs little
 * memory. */
int ws_trace_cursor_share(ws_trace *trace, size_t launch, ws_trace_shelf *shelf, uint64_t most, ws_trace_cursor **out);

/* Its chunk may leave the shelf until the next use of the cursor. */
void ws_trace_cursor_rest(ws_trace_cursor *cursor);

/* The last segment cost the unpacking of a chunk, and the shelf is short of room: better read on in it. */
bool ws_trace_cursor_fresh(const ws_trace_cursor *cursor);

/* The next segment will be in another chunk. */
bool ws_trace_cursor_between(const ws_trace_cursor *cursor);

/* The next segment will be the first of this block. WS_ENOTFOUND when the file does not hold it. */
int ws_trace_cursor_seek(ws_trace_cursor *cursor, uint64_t block);

/* *found false at the end of the launch. WS_EINPUT when the file is damaged there. */
int ws_trace_cursor_next(ws_trace_cursor *cursor, ws_trace_segment *segment, bool *found);

/* ---- events that wait: some of one block, packed as a segment of a file is; by one thread at a time */

typedef struct ws_trace_packer ws_trace_packer;

int ws_trace_packer_create(const ws_launch *launch, ws_trace_packer **out); /* the launch must outlive it */
void ws_trace_packer_destroy(ws_trace_packer *packer);                      /* accepts NULL */
void ws_trace_pack_begin(ws_trace_packer *packer);
void ws_trace_pack(ws_trace_packer *packer, const ws_event *event, const uint64_t *address);
struct ws_bytes;
int ws_trace_pack_end(ws_trace_packer *packer, struct ws_bytes *out); /* adds to it */
int ws_trace_unpack(ws_trace_packer *packer, const void *bytes, size_t length,
                    ws_batch *batch); /* the packer's, until its next use */

/* ---- replay */

typedef struct ws_replay {
    const ws_sink *const *sinks;
    size_t sink_count;
    unsigned workers; /* threads; 0: as many as processors are online */
    /* As in ws_run: called now and then on the calling thread; once for each sink at the end of a launch that went
     * well. */
    int (*progress)(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions);
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    void *context;
} ws_replay;

typedef struct ws_replay_result {
    uint64_t warp_instructions, thread_instructions;
    double seconds; /* wall time */
} ws_replay_result;

/* Shows launch i to the sinks. WS_EINPUT with the last good block when the file does not hold all of it. */
int ws_trace_replay(ws_trace *trace, size_t i, const ws_replay *replay, ws_replay_result *result);

#endif
