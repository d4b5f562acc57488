/* trace_fixture.h - traces written by hand, in a folder of their own, and what sinks see of them. */
#ifndef WS_TEST_TRACE_FOLDER_H
#define WS_TEST_TRACE_FOLDER_H

#include "base/status.h"
#include "collect/accelsim/accelsim.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_PATH = 256, FOLDER_FILES = 8 };

typedef struct folder {
    char path[FOLDER_PATH];
    char file[FOLDER_FILES][FOLDER_PATH];
    unsigned files;
} folder;

static inline folder folder_create(void)
{
    folder f = {.path = "/tmp/test_accelsim-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    return f;
}

static inline void folder_destroy(folder *f)
{
    for (unsigned i = 0; i < f->files; i++)
        unlink(f->file[i]);
    assert_int_equal(rmdir(f->path), 0);
}

static inline const char *folder_write(folder *f, const char *name, const void *data, size_t length)
{
    char place[FOLDER_PATH / 2], *const path = f->file[f->files++];
    snprintf(place, sizeof place, "%s", f->path);
    snprintf(path, FOLDER_PATH, "%s/%.100s", place, name);
    FILE *const out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
    return path;
}

static inline const char *folder_write_xz(folder *f, const char *name, const char *text)
{
    static uint8_t packed[1 << 16];
    size_t length = 0;
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, strlen(text), packed,
                                             &length, sizeof packed),
                     LZMA_OK);
    return folder_write(f, name, packed, length);
}

/* ---- a sink that writes down what it sees, a line an event */

enum { SEEN_BYTES = 1 << 18 };

typedef struct seen {
    char text[SEEN_BYTES];
    size_t length;
    unsigned launches, failed;
    char kernel[64], opcodes[1024];
    ws_launch launch; /* the last; its tables are gone */
    ws_instr instr[64];
} seen;

typedef struct seen_state {
    seen *to;
} seen_state;

static inline void seen_add(seen *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void seen_add(seen *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    s->length += (size_t)vsnprintf(s->text + s->length, sizeof s->text - s->length, format, list);
    va_end(list);
    assert_true(s->length < sizeof s->text);
}

static inline void seen_attach(void *state, void *context)
{
    ((seen_state *)state)->to = context;
}

static inline int seen_init(void *state, const ws_launch *launch)
{
    seen *const s = ((seen_state *)state)->to;
    s->launch = *launch;
    s->opcodes[0] = 0;
    for (size_t i = 0; i < launch->instrs && i < 64; i++) {
        s->instr[i] = launch->instr[i];
        s->instr[i].opcode = NULL;
        snprintf(s->opcodes + strlen(s->opcodes), sizeof s->opcodes - strlen(s->opcodes), "%s ",
                 launch->instr[i].opcode);
    }
    snprintf(s->kernel, sizeof s->kernel, "%s", launch->kernel);
    return WS_OK;
}

static inline void seen_addresses(seen *s, const ws_event *ev, const uint64_t *address)
{
    static const char *const spaces[WS_SPACES] = {"none",  "generic", "global", "shared",
                                                  "local", "const",   "param",  "tex"};
    seen_add(s, " %s", spaces[ev->space]);
    WS_EACH_LANE (lane, ev->exec)
        seen_add(s, " %" PRIx64, address[lane]);
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        assert_true((ev->exec >> lane & 1) || !address[lane]);
}

/* "w0 run 3 x2 mask", "w0 mem 1 mask space addresses", "w0 bra 4 active taken", "w0 join 4 length", "w0 bar 5 number";
 * d1: at depth 1; mask/active where they differ. */
static inline int seen_events(void *state, const ws_launch *launch, const ws_batch *batch)
{
    static const char *const kinds[] = {"run", "mem", "bra", "join", "bar"};
    seen *const s = ((seen_state *)state)->to;
    (void)launch;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        seen_add(s, "w%u %s %u", ev->warp, kinds[ev->kind], ev->pc);
        if (ev->kind == WS_EVENT_RUN || ev->count != 1)
            seen_add(s, " x%u", ev->count);
        if (ev->kind != WS_EVENT_RECONVERGE)
            seen_add(s, " %x", ev->exec);
        if (ev->exec != ev->active)
            seen_add(s, "/%x", ev->active);
        if (ev->depth)
            seen_add(s, " d%u", ev->depth);
        if (ev->kind == WS_EVENT_MEMORY)
            seen_addresses(s, ev, WS_ADDRESSES(batch, ev));
        else if (ev->kind == WS_EVENT_BRANCH)
            seen_add(s, " taken %x", ev->taken);
        else if (ev->kind == WS_EVENT_RECONVERGE)
            seen_add(s, " after %u", ev->section);
        else if (ev->kind == WS_EVENT_BARRIER)
            seen_add(s, " no %x", ev->barrier);
        seen_add(s, "\n");
    }
    return WS_OK;
}

static inline int seen_block(void *state, const ws_launch *launch, uint64_t block)
{
    (void)launch;
    seen_add(((seen_state *)state)->to, "block %" PRIu64 "\n", block);
    return WS_OK;
}

static inline int seen_merge(void *into, void *from, const ws_launch *launch)
{
    (void)into, (void)from, (void)launch;
    return WS_OK;
}

static inline int seen_launched(void *context, const ws_launch *launch, uint64_t warps, uint64_t threads, int status)
{
    seen *const s = context;
    (void)launch, (void)warps, (void)threads;
    s->launches += !status;
    s->failed += status != 0;
    return status;
}

static inline int see(const char *path, seen *s, ws_accelsim_import *how, ws_accelsim_result *result)
{
    *s = (seen){.length = 0};
    const ws_sink sink = {.name = "seen",
                          .wants = WS_WANT_ALL,
                          .state_size = sizeof(seen_state),
                          .context = s,
                          .attach = seen_attach,
                          .init = seen_init,
                          .block_begin = seen_block,
                          .events = seen_events,
                          .merge = seen_merge};
    const ws_sink *const sinks[] = {&sink};
    how->sinks = sinks;
    how->sink_count = 1;
    how->launched = seen_launched;
    how->context = s;
    return ws_accelsim_read(path, how, result);
}

#endif
