/* wst_internal.h - internals of trace files: encoding of a block's events, and records of the file.
 *
 * The encoder stores mispredictions of a predictor. Writer and reader run the same predictor, which restarts at every
 * segment, so that each segment can be read alone. A segment holds consecutive events of one block, in the order seen
 * by sinks; most blocks are one segment. It has three rows of bytes:
 *
 *   events      0 + 4 n   n + 1 predicted events      1 + 4 z   switch to a warp: z encodes it relative to the expected
 * one 2         an event with its fields (WS_WST_*) addresses   of the memory events with active lanes, in order: 0 + 4
 * n   n + 1 predicted accesses    1   the predicted pattern elsewhere: distance 2         base and stride             3
 * lane by lane values      register writes and shared stores of sampled blocks, if requested by the writer
 *
 * All numbers are of variable length (base/bytes.h) unless stated otherwise; fixed ones are little-endian. */
#ifndef WS_WST_INTERNAL_H
#define WS_WST_INTERNAL_H

#include "base/bytes.h"
#include "collect/trace/event.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "trace files are written as the memory lies");

enum {
    WS_WST_SEGMENT_EVENTS = 1 << 17,   /* limit of events in a segment */
    WS_WST_SEGMENT_ACCESSES = 1 << 15, /* limit of groups of addresses; the last access may exceed it */
    WS_WST_WARPS = 1 << 16,            /* limit in a block, above any machine's */
};

typedef struct ws_wst_codec ws_wst_codec; /* the predictor for one launch's blocks, and the current segment */

/* Creates a predictor for blocks of this launch, which must outlive it. NULL when memory is short. */
ws_wst_codec *ws_wst_codec_create(const ws_launch *launch);
void ws_wst_codec_destroy(ws_wst_codec *codec);

/* Writing: begin a segment, add events and values, end it. When ws_wst_full returns true, end the segment and begin the
 * next. ws_wst_end appends the segment to `out` (which fails when memory is short). */
void ws_wst_begin(ws_wst_codec *codec);
bool ws_wst_full(const ws_wst_codec *codec);
void ws_wst_add_event(ws_wst_codec *codec, const ws_event *event, const uint64_t *address);
void ws_wst_add_value(ws_wst_codec *codec, const ws_value *value);
void ws_wst_end(ws_wst_codec *codec, uint64_t block, bool last, ws_bytes *out);

/* A decoded segment; the codec owns the arrays, which are valid until its next use. */
typedef struct ws_wst_segment {
    ws_batch batch;
    const ws_value *value;
    size_t values;
    uint64_t warp_instructions;
    bool last; /* of its block */
} ws_wst_segment;

/* Header of a segment, read without its events. Returns false when the reader fails. */
typedef struct ws_wst_head {
    uint64_t block, events, accesses, values, warp_instructions;
    const uint8_t *part[3];
    size_t length[3];
    bool last;
} ws_wst_head;
bool ws_wst_read_head(ws_reader *reader, ws_wst_head *head);

/* WS_EINPUT (without a message) when the bytes are not a segment of this launch, WS_EMEM. */
int ws_wst_read(ws_wst_codec *codec, const ws_wst_head *head, ws_wst_segment *segment);

/* Decoding in parts: each has at most about `most` events and groups of addresses (slightly more of the latter), in
 * order. *ended is set with the last part, which has the values and `last`. If the header and bytes have moved, call
 * ws_wst_read_moved with their new place before the next part. */
#define WS_WST_ALL ((uint64_t)1 << 32)
void ws_wst_read_begin(ws_wst_codec *codec, const ws_wst_head *head);
int ws_wst_read_on(ws_wst_codec *codec, uint64_t most, ws_wst_segment *segment, bool *ended);
void ws_wst_read_moved(ws_wst_codec *codec, const ws_wst_head *head);

#endif
