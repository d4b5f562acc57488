/* wst.h - trace files: the launches of a program, written once and replayed any number of times.
 *
 * A file holds launches in order. Each has its table of instructions and, block by block, the events of sink.h. A
 * replay shows sinks the same events as a live run, and gives bit-identical results. Values of registers and shared
 * memory are stored only on request; replay is then also exact for families that use values.
 *
 * Layout: 16 bytes "warpscape trace
 * ", then records. A record has a header of 32 bytes and a payload, compressed with
 * zstd. The header has type, version, bytes stored, bytes unpacked, and the checksum of these and the payload. Blocks
 * are grouped into chunks of about a mebibyte unpacked. The last record is an index. A file without it (after a crash
 * or on a full disk) is read from the front up to the truncation. The bytes of a file do not depend on the number of
 * workers. */
#ifndef WS_WST_H
#define WS_WST_H

#include "collect/trace/sink.h"

#include <stdbool.h>

/* ---- writing */

typedef struct ws_trace_writer ws_trace_writer;

typedef struct ws_trace_writer_options {
    const char *const *notes; /* "name=value" lines about the run, terminated by NULL; may be NULL */
    int (*sample_block)(const ws_launch *launch, uint64_t block); /* selects blocks whose values are kept; NULL: none */
} ws_trace_writer_options;

/* Creates the file, or overwrites it. WS_EIO, WS_EMEM. Blocks that finish out of order wait in memory, compressed. */
int ws_trace_writer_create(const char *path, const ws_trace_writer_options *options, ws_trace_writer **out);

/* Returns the sink for launches, one launch at a time; owned by the writer. */
const ws_sink *ws_trace_writer_sink(const ws_trace_writer *writer);

/* Call after each launch that had the sink, with its status. A failed launch is marked as truncated. */
int ws_trace_writer_end(ws_trace_writer *writer, int launch_status);

/* Records the fingerprint of a source file at run time, any number that readers compare. Call before close, once per
 * file. WS_EMEM. */
int ws_trace_writer_source(ws_trace_writer *writer, const char *file, uint64_t fingerprint);

/* Completes and closes the file; the arguments are bytes copied after the last launch. Always frees the writer; accepts
 * NULL. */
int ws_trace_writer_close(ws_trace_writer *writer, uint64_t h2d_bytes, uint64_t d2h_bytes);

/* ---- reading: several threads may share a trace, but not a cursor */

typedef struct ws_trace ws_trace;

/* A launch in the file. */
typedef struct ws_trace_launch {
    ws_launch launch;                         /* owned by the trace */
    uint64_t blocks;                          /* number of blocks in the file, from block 0 on */
    bool complete;                            /* the file has all blocks, and the launch succeeded */
    uint64_t warp_instructions, stored_bytes; /* of these blocks; warp_instructions is 0 if incomplete */
} ws_trace_launch;

/* WS_EIO; WS_EINPUT: not a trace file; WS_EVERSION. A truncated file opens: see ws_trace_damage. */
int ws_trace_open(const char *path, ws_trace **out);
void ws_trace_close(ws_trace *trace); /* accepts NULL */

const char *ws_trace_path(const ws_trace *trace);
size_t ws_trace_launches(const ws_trace *trace);
const ws_trace_launch *ws_trace_get(const ws_trace *trace, size_t i);
const char *ws_trace_notes(const ws_trace *trace); /* "name=value" lines */
bool ws_trace_has_values(const ws_trace *trace);

/* Returns false for a file format without source lines. */
bool ws_trace_keeps_lines(const ws_trace *trace);
/* Returns the fingerprint of a source file at the time of tracing; false if it was missing then, or is not recorded. */
bool ws_trace_source(const ws_trace *trace, const char *file, uint64_t *fingerprint);

/* Returns the bytes copied after the last launch. */
void ws_trace_copied(const ws_trace *trace, uint64_t *h2d_bytes, uint64_t *d2h_bytes);

/* Returns NULL, or one line with the place of the truncation and the last good block. */
const char *ws_trace_damage(const ws_trace *trace);

/* Verifies the checksums of the whole file. WS_EINPUT with the place and the last good block. `progress` receives the
 * share done; non-zero ends with WS_EINTERRUPTED. NULL: not called. */
int ws_trace_check(ws_trace *trace, int (*progress)(void *context, double done), void *context);

/* ---- block by block */

typedef struct ws_trace_cursor ws_trace_cursor;

typedef struct ws_trace_segment {
    ws_batch batch;        /* consecutive events of one block; owned by the cursor, valid until its next use */
    const ws_value *value; /* values written during these events */
    size_t values;
    bool last; /* of the block */
} ws_trace_segment;

int ws_trace_cursor_create(ws_trace *trace, size_t launch, ws_trace_cursor **out);
void ws_trace_cursor_destroy(ws_trace_cursor *cursor); /* accepts NULL */

/* Cache of unpacked chunks, for cursors of one trace that read the same ones or return to them. It keeps as many as fit
 * `bytes`, and always those in use. Thread-safe. Destroy it after its cursors; accepts NULL. */
typedef struct ws_trace_shelf ws_trace_shelf;
int ws_trace_shelf_create(ws_trace *trace, uint64_t bytes, ws_trace_shelf **out);
void ws_trace_shelf_destroy(ws_trace_shelf *shelf);

/* Creates a cursor that takes chunks from the shelf, with segments of about `most` events at most, to limit memory. */
int ws_trace_cursor_share(ws_trace *trace, size_t launch, ws_trace_shelf *shelf, uint64_t most, ws_trace_cursor **out);

/* Lets the cursor's chunk leave the shelf until the next use of the cursor. */
void ws_trace_cursor_rest(ws_trace_cursor *cursor);

/* Returns whether the last segment required unpacking a chunk while the shelf is nearly full: the caller should
 * continue with this chunk. */
bool ws_trace_cursor_fresh(const ws_trace_cursor *cursor);

/* Returns whether the next segment is in another chunk. */
bool ws_trace_cursor_between(const ws_trace_cursor *cursor);

/* Makes the first segment of this block the next one. WS_ENOTFOUND if the file lacks the block. */
int ws_trace_cursor_seek(ws_trace_cursor *cursor, uint64_t block);

/* Returns the next segment; sets *found to false at the end of the launch. WS_EINPUT for damage at this place. */
int ws_trace_cursor_next(ws_trace_cursor *cursor, ws_trace_segment *segment, bool *found);

/* ---- pending events: events of one block, packed in the format of a file's segment; one thread at a time */

typedef struct ws_trace_packer ws_trace_packer;

int ws_trace_packer_create(const ws_launch *launch, ws_trace_packer **out); /* the launch must outlive the packer */
void ws_trace_packer_destroy(ws_trace_packer *packer);                      /* accepts NULL */
void ws_trace_pack_begin(ws_trace_packer *packer);
void ws_trace_pack(ws_trace_packer *packer, const ws_event *event, const uint64_t *address);
struct ws_bytes;
int ws_trace_pack_end(ws_trace_packer *packer, struct ws_bytes *out); /* appends the segment */
int ws_trace_unpack(ws_trace_packer *packer, const void *bytes, size_t length,
                    ws_batch *batch); /* owned by the packer, valid until its next use */

/* ---- replay */

typedef struct ws_replay {
    const ws_sink *const *sinks;
    size_t sink_count;
    unsigned workers; /* threads; 0: number of online processors */
    /* As in ws_run: progress is called occasionally on the calling thread; collect once per sink after a successful
     * launch. */
    int (*progress)(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions);
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    void *context;
} ws_replay;

typedef struct ws_replay_result {
    uint64_t warp_instructions, thread_instructions;
    double seconds; /* wall time */
} ws_replay_result;

/* Sends launch i to the sinks. WS_EINPUT with the last good block for an incomplete launch. */
int ws_trace_replay(ws_trace *trace, size_t i, const ws_replay *replay, ws_replay_result *result);

#endif
