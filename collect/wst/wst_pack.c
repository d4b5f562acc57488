/* wst_pack.c - how do events that a reader is not ready for wait in few bytes? By the predictor of trace files. */
#include "collect/wst/wst.h"
#include "collect/wst/wst_internal.h"

#include "base/status.h"

#include <stdlib.h>

struct ws_trace_packer {
    ws_wst_codec *codec;
};

int ws_trace_packer_create(const ws_launch *launch, ws_trace_packer **out)
{
    *out = calloc(1, sizeof **out);
    if (*out && (((*out)->codec = ws_wst_codec_create(launch)) != NULL))
        return WS_OK;
    free(*out);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory to pack events");
}

void ws_trace_packer_destroy(ws_trace_packer *packer)
{
    if (packer)
        ws_wst_codec_destroy(packer->codec);
    free(packer);
}

void ws_trace_pack_begin(ws_trace_packer *packer)
{
    ws_wst_begin(packer->codec);
}

void ws_trace_pack(ws_trace_packer *packer, const ws_event *event, const uint64_t *address)
{
    ws_wst_add_event(packer->codec, event, address);
}

int ws_trace_pack_end(ws_trace_packer *packer, ws_bytes *out)
{
    ws_wst_end(packer->codec, 0, true, out);
    return out->failed ? ws_fail(WS_EMEM, "no memory to pack events") : WS_OK;
}

int ws_trace_unpack(ws_trace_packer *packer, const void *bytes, size_t length, ws_batch *batch)
{
    ws_reader r = {.next = bytes, .end = (const uint8_t *)bytes + length};
    ws_wst_head head;
    ws_wst_segment segment;
    const int status = ws_wst_read_head(&r, &head) ? ws_wst_read(packer->codec, &head, &segment) : WS_EINPUT;
    if (status)
        return ws_fail(status, "%s", status == WS_EMEM ? "no memory to unpack events" : "events were packed wrongly");
    *batch = segment.batch;
    return WS_OK;
}
