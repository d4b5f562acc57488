/* wst_internal.h - the inside of trace files: how a block's events become few bytes, and the records of the file.
 *
 * A block's events are written as what a predictor did not foresee. Writer and reader run the same predictor; it starts
 * anew at every segment, so that a segment can be read without any other. A segment holds consecutive events of one
 * block, in the order in which sinks see them; most blocks are one segment. Three rows of bytes each:
 *
 *   events      0 + 4 n   n + 1 events as predicted     1 + 4 z   go to warp: z tells it from the one expected next
 *               2         an event told by its fields (WS_WST_*)
 *   addresses   of the memory events that have lanes, in their order:
 *               0 + 4 n   n + 1 accesses as predicted   1         the predicted pattern elsewhere: distance
 *               2         base and stride               3         lane by lane
 *   values      register writes and shared stores of sampled blocks, where the writer was asked for them
 *
 * All numbers are of variable length (base/bytes.h) unless said otherwise; fixed ones are little-endian. */
#ifndef WS_WST_INTERNAL_H
#define WS_WST_INTERNAL_H

#include "base/bytes.h"
#include "collect/trace/event.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "trace files are written as the memory lies");

enum {
    WS_WST_SEGMENT_EVENTS = 1 << 17,   /* at most, in a segment */
    WS_WST_SEGMENT_ACCESSES = 1 << 15, /* groups of addresses; the last access may pass it */
    WS_WST_WARPS = 1 << 16,            /* in a block, more than any machine has */
};

typedef struct ws_wst_codec ws_wst_codec; /* the predictor of one launch's blocks, and the segment in work */

/* A predictor for blocks of this launch, which must outlive it. NULL when memory is short. */
ws_wst_codec *ws_wst_codec_create(const ws_launch *launch);
void ws_wst_codec_destroy(ws_wst_codec *codec);

/* Writing: begin a segment, add events and values, end it. The segment is full when ws_wst_full says so (then end it
 * and begin the next). ws_wst_end appends the segment to `out` (which fails when memory is short). */
void ws_wst_begin(ws_wst_codec *codec);
bool ws_wst_full(const ws_wst_codec *codec);
void ws_wst_add_event(ws_wst_codec *codec, const ws_event *event, const uint64_t *address);
void ws_wst_add_value(ws_wst_codec *codec, const ws_value *value);
void ws_wst_end(ws_wst_codec *codec, uint64_t block, bool last, ws_bytes *out);

/* A segment taken apart; arrays are the codec's, valid until its next use. */
typedef struct ws_wst_segment {
    ws_batch batch;
    const ws_value *value;
    size_t values;
    uint64_t warp_instructions;
    bool last; /* of its block */
} ws_wst_segment;

/* What stands at the head of a segment, read without its events. False when the reader fails. */
typedef struct ws_wst_head {
    uint64_t block, events, accesses, values, warp_instructions;
    const uint8_t *part[3];
    size_t length[3];
    bool last;
} ws_wst_head;
bool ws_wst_read_head(ws_reader *reader, ws_wst_head *head);

/* WS_EINPUT (without a message) when the bytes are not a segment of this launch, WS_EMEM. */
int ws_wst_read(ws_wst_codec *codec, const ws_wst_head *head, ws_wst_segment *segment);

/* The same in parts: each of at most about `most` events and groups of addresses (a little more of the latter), in
 * order; *ended with the last one, which has the values and `last`. Before a further part ws_wst_read_moved says where
 * the same head and bytes lie now, if they have moved. */
#define WS_WST_ALL ((uint64_t)1 << 32)
void ws_wst_read_begin(ws_wst_codec *codec, const ws_wst_head *head);
int ws_wst_read_on(ws_wst_codec *codec, uint64_t most, ws_wst_segment *segment, bool *ended);
void ws_wst_read_moved(ws_wst_codec *codec, const ws_wst_head *head);

#endif
