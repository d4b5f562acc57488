/* wst_write.c - how do blocks that finish in any order become a file that does not show it?
 *
 * Workers turn the events of their blocks into segments by themselves. A range's segments wait until every block before
 * them is written; then whoever finished the last of those appends them to the chunk in work, cut at fixed sizes. */
#include "collect/wst/wst_file_internal.h"

#include "base/grow.h"
#include "base/hush.h"
#include "base/output.h"
#include "base/status.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    CHUNK_BYTES = 1 << 20, /* unpacked, at which a chunk is closed */
    LEVEL = 6              /* of zstd: about as quick as the encoder before it */
};

/* A launch in work. One may begin before the one around it has ended, whose kernel waits for it: its records come
 * behind those of that one, and wait in memory for it. */
typedef struct work {
    const ws_launch *launch; /* NULL: none */
    ws_wst_codec **idle;     /* codecs of this launch that no range uses */
    size_t idle_count, idle_room;
    uint64_t next; /* block that the file waits for */
    ws_bytes chunk;
    ws_wst_chunk about; /* of the chunk in work */
    bool block_open;    /* the chunk's last segment was not the last of its block */
    uint64_t warp_instructions;
    ws_bytes records, index;       /* within another launch: what is written of it; */
    ws_bytes behind, behind_index; /* ... of those within it, which have ended */
    struct work *around;           /* NULL: its records go into the file */
} work;

struct ws_trace_writer {
    ws_sink sink;
    ws_trace_writer_options options;
    char *path;
    ws_output out;
    bool in_place; /* once a record of a launch is in the file: a killed process leaves one that can be read, or none */
    pthread_mutex_t lock; /* guards all below */
    uint64_t offset;
    ws_bytes index, packed, scratch;
    ZSTD_CCtx *zstd;
    uint64_t *kernel; /* hashes of the kernel records written */
    size_t kernels, kernel_room;
    ws_bytes sources;     /* names and fingerprints */
    work outermost, *now; /* now: the launch that runs */
    int status;           /* first failure; what was written stays */
    char message[512];    /* of the status */
};

typedef struct state {
    ws_trace_writer *writer;
    const ws_launch *launch;
    ws_wst_codec *codec;
    uint64_t first, end; /* blocks whose segments are in `done`, the last perhaps not whole */
    bool begun;
    ws_bytes done;
} state;

/* ------------------------------------------------------------------------------------------------ records */

/* What failed in one thread fails in all, with the same message. */
static int keep(ws_trace_writer *w, int status)
{
    snprintf(w->message, sizeof w->message, "%s", ws_message());
    return w->status = status;
}

static int status_of(const ws_trace_writer *w)
{
    return w->status ? ws_fail(w->status, "%s", w->message) : WS_OK;
}

static int fail_write(ws_trace_writer *w)
{
    return keep(w, ws_fail(WS_EIO, "%s: writing the trace failed: %s", w->path, strerror(errno)));
}

static int no_memory(ws_trace_writer *w)
{
    return keep(w, ws_fail(WS_EMEM, "%s: no memory to write the trace", w->path));
}

static int put(ws_trace_writer *w, const void *data, size_t length)
{
    if (w->now->around) {
        ws_bytes_add(&w->now->records, data, length);
        return w->now->records.failed ? no_memory(w) : WS_OK;
    }
    const ws_hush hush = ws_hush_begin();
    const bool whole = !length || fwrite(data, 1, length, w->out.stream) == length;
    ws_hush_end(&hush);
    if (!whole)
        return fail_write(w);
    w->offset += length;
    return WS_OK;
}

/* Puts the file in its place with the first record of a launch. */
static int put_in_place(ws_trace_writer *w)
{
    if (w->in_place || w->now->around)
        return WS_OK;
    const ws_hush hush = ws_hush_begin();
    const int status = ws_output_place(&w->out);
    ws_hush_end(&hush);
    w->in_place = !status;
    return status ? keep(w, status) : WS_OK;
}

/* A record: `plain` stands before what is packed. */
static int put_record(ws_trace_writer *w, ws_wst_type type, const ws_bytes *plain, const ws_bytes *raw)
{
    if (w->status)
        return status_of(w);
    w->packed.length = 0;
    ws_bytes_add(&w->packed, plain ? plain->data : NULL, plain ? plain->length : 0);
    if (!ws_bytes_reserve(&w->packed, ZSTD_compressBound(raw->length)) || raw->failed || (plain && plain->failed))
        return no_memory(w);
    const size_t packed = ZSTD_compressCCtx(w->zstd, w->packed.data + w->packed.length,
                                            w->packed.capacity - w->packed.length, raw->data, raw->length, LEVEL);
    if (ZSTD_isError(packed))
        return keep(w, ws_fail(WS_EIO, "%s: packing the trace failed: %s", w->path, ZSTD_getErrorName(packed)));
    w->packed.length += packed;
    ws_wst_record head = {
        .type = (uint32_t)type, .version = WS_WST_VERSION, .stored = w->packed.length, .raw = raw->length};
    head.checksum = ws_wst_checksum(&head, w->packed.data);
    if (put(w, &head, sizeof head) || put(w, w->packed.data, w->packed.length))
        return status_of(w);
    ws_wst_index_add(w->now->around ? &w->now->index : &w->index, &head, plain);
    return type == WS_WST_NOTES ? WS_OK : put_in_place(w);
}

static int put_chunk(ws_trace_writer *w)
{
    if (!w->now->about.segments)
        return status_of(w);
    ws_bytes *const plain = &w->scratch;
    plain->length = 0;
    ws_wst_chunk_add(plain, &w->now->about);
    put_record(w, WS_WST_CHUNK, plain, &w->now->chunk);
    w->now->chunk.length = 0;
    w->now->about = (ws_wst_chunk){.continues = w->now->block_open};
    return status_of(w);
}

/* ------------------------------------------------------------------------------------------------ launches */

static void add_instruction(ws_bytes *to, const ws_instr *in)
{
    const uint8_t fixed[] = {in->cls,     in->space,       in->access, in->bytes,
                             in->guarded, in->conditional, in->dsts,   in->srcs};
    const uint8_t facts[WS_WST_FACTS] = {in->order, in->scope, in->atomic,      in->number,
                                         in->unit,  in->work,  ws_wst_flags(in)};
    ws_bytes_add_text(to, in->opcode);
    ws_bytes_add_varint(to, in->line);
    ws_bytes_add_varint(to, in->column);
    ws_bytes_add_varint(to, in->reconverge);
    ws_bytes_add(to, fixed, sizeof fixed);
    ws_bytes_add(to, facts, sizeof facts);
    for (unsigned i = 0; i < in->dsts; i++)
        ws_bytes_add_varint(to, in->dst[i]);
    for (unsigned i = 0; i < in->srcs; i++)
        ws_bytes_add_varint(to, in->src[i]);
}

/* The number of the kernel record with this name and table; writes it when there is none. */
static int put_kernel(ws_trace_writer *w, const ws_launch *launch, size_t *number)
{
    ws_bytes *const table = &w->scratch;
    table->length = 0;
    ws_bytes_add_text(table, launch->kernel);
    ws_bytes_add_varint(table, launch->instrs);
    for (size_t i = 0; i < launch->instrs; i++)
        add_instruction(table, &launch->instr[i]);
    ws_wst_code_add(table, launch->code);
    ws_wst_origin_add(table, launch->origin, launch->instrs);
    if (table->failed)
        return no_memory(w);
    const uint64_t hash = XXH3_64bits(table->data, table->length);
    for (*number = 0; *number < w->kernels; ++*number)
        if (w->kernel[*number] == hash)
            return WS_OK;
    if (WS_GROW(w->kernel, w->kernel_room, w->kernels, 1))
        return no_memory(w);
    w->kernel[w->kernels++] = hash;
    return put_record(w, WS_WST_KERNEL, NULL, table);
}

static int put_launch(ws_trace_writer *w, const ws_launch *l)
{
    size_t kernel = 0;
    if (put_kernel(w, l, &kernel))
        return status_of(w);
    const uint64_t field[] = {kernel,         l->sequence,    l->grid[0],   l->grid[1],   l->grid[2],
                              l->block[0],    l->block[1],    l->block[2],  l->registers, l->shared_bytes,
                              l->local_bytes, l->const_bytes, l->h2d_bytes, l->d2h_bytes};
    ws_bytes *const about = &w->scratch;
    about->length = 0;
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        ws_bytes_add_varint(about, field[i]);
    if (l->isa || l->copies)
        ws_bytes_add_varint(about, l->isa);
    if (l->copies)
        ws_bytes_add_varint(about, l->copies);
    for (size_t i = 0; i < l->copies; i++) {
        ws_bytes_add_varint(about, l->copied[i].address);
        ws_bytes_add_varint(about, l->copied[i].bytes);
    }
    return put_record(w, WS_WST_LAUNCH, NULL, about);
}

static void drop_codecs(ws_trace_writer *w)
{
    while (w->now->idle_count)
        ws_wst_codec_destroy(w->now->idle[--w->now->idle_count]);
}

static void move_bytes(ws_bytes *to, ws_bytes *from)
{
    ws_bytes_add(to, from->data, from->length);
    to->failed = to->failed || from->failed;
    ws_bytes_fini(from);
    *from = (ws_bytes){0};
}

/* The launch around it goes on, and keeps what is to come behind its own records. */
static void leave(ws_trace_writer *w)
{
    work *const done = w->now, *const around = done->around;
    move_bytes(&around->behind, &done->records);
    move_bytes(&around->behind, &done->behind);
    move_bytes(&around->behind_index, &done->index);
    move_bytes(&around->behind_index, &done->behind_index);
    ws_bytes_fini(&done->chunk);
    free(done->idle);
    free(done);
    w->now = around;
}

static void put_behind(ws_trace_writer *w)
{
    work *const o = &w->outermost;
    if (o->behind.failed || o->behind_index.failed)
        no_memory(w);
    else if (o->behind.length && !w->status && !put(w, o->behind.data, o->behind.length))
        ws_bytes_add(&w->index, o->behind_index.data, o->behind_index.length);
    ws_bytes_fini(&o->behind);
    ws_bytes_fini(&o->behind_index);
    o->behind = o->behind_index = (ws_bytes){0};
}

static void end_launch(ws_trace_writer *w, int launch_status)
{
    put_chunk(w);
    ws_bytes *const total = &w->scratch;
    total->length = 0;
    ws_bytes_add_varint(total, launch_status == WS_OK);
    ws_bytes_add_varint(total, w->now->warp_instructions);
    put_record(w, WS_WST_END, NULL, total);
    drop_codecs(w);
    w->now->launch = NULL;
    if (w->now->around)
        leave(w);
    else
        put_behind(w);
}

int ws_trace_writer_end(ws_trace_writer *w, int launch_status)
{
    pthread_mutex_lock(&w->lock);
    if (w->now->launch)
        end_launch(w, launch_status);
    const int status = status_of(w);
    pthread_mutex_unlock(&w->lock);
    return status;
}

static int begin_launch(ws_trace_writer *w, const ws_launch *launch)
{
    if (w->now->launch == launch)
        return status_of(w);
    if (w->now->launch) {
        work *const within = calloc(1, sizeof *within);
        if (!within)
            return no_memory(w);
        within->around = w->now;
        w->now = within;
    }
    work *const now = w->now;
    now->launch = launch;
    now->next = now->warp_instructions = 0;
    now->block_open = false;
    now->chunk.length = 0;
    now->about = (ws_wst_chunk){0};
    return put_launch(w, launch);
}

/* ------------------------------------------------------------------------------------------------ the sink */

/* Takes the range's segments when it is their turn. The lock is held. */
static int take(ws_trace_writer *w, state *s)
{
    if (w->status || s->first != w->now->next)
        return status_of(w);
    ws_reader r = ws_reader_of(&s->done);
    while (r.next < r.end) {
        const uint8_t *const from = r.next;
        ws_wst_head head;
        if (!ws_wst_read_head(&r, &head))
            return no_memory(w); /* a row that ran out of memory is the only one that we cannot read */
        if (!w->now->about.segments)
            w->now->about.first = head.block;
        ws_bytes_add(&w->now->chunk, from, (size_t)(r.next - from));
        w->now->about.segments++;
        w->now->about.blocks += head.last;
        w->now->about.warp_instructions += head.warp_instructions;
        w->now->warp_instructions += head.warp_instructions;
        w->now->block_open = !head.last;
        if (w->now->chunk.length >= CHUNK_BYTES && put_chunk(w))
            return status_of(w);
    }
    s->done.length = 0;
    s->first = w->now->next = s->end;
    return status_of(w);
}

static int hand_over(state *s)
{
    ws_trace_writer *const w = s->writer;
    if (s->done.failed)
        return ws_fail(WS_EMEM, "%s: no memory to write the trace", w->path);
    pthread_mutex_lock(&w->lock);
    const int status = take(w, s);
    pthread_mutex_unlock(&w->lock);
    return status;
}

static void attach(void *p, void *context)
{
    ((state *)p)->writer = context;
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->launch = launch;
    pthread_mutex_lock(&s->writer->lock);
    const int status = begin_launch(s->writer, launch);
    pthread_mutex_unlock(&s->writer->lock);
    return status;
}

static ws_wst_codec *take_codec(ws_trace_writer *w, const ws_launch *launch)
{
    ws_wst_codec *codec = NULL;
    pthread_mutex_lock(&w->lock);
    if (w->now->idle_count)
        codec = w->now->idle[--w->now->idle_count];
    pthread_mutex_unlock(&w->lock);
    return codec ? codec : ws_wst_codec_create(launch);
}

static void give_codec(ws_trace_writer *w, ws_wst_codec *codec)
{
    pthread_mutex_lock(&w->lock);
    const bool kept = w->now->launch && !WS_GROW(w->now->idle, w->now->idle_room, w->now->idle_count, 1);
    if (kept)
        w->now->idle[w->now->idle_count++] = codec;
    pthread_mutex_unlock(&w->lock);
    if (!kept)
        ws_wst_codec_destroy(codec);
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    if (!s->begun)
        s->first = s->end = block;
    s->begun = true;
    s->codec = take_codec(s->writer, launch);
    if (!s->codec)
        return ws_fail(WS_EMEM, "%s: no memory to write the trace", s->writer->path);
    ws_wst_begin(s->codec);
    return WS_OK;
}

/* Closes the segment in the middle of the block and begins the next. */
static int cut(state *s)
{
    ws_wst_end(s->codec, s->end, false, &s->done);
    ws_wst_begin(s->codec);
    return hand_over(s);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    int status = WS_OK;
    (void)launch;
    for (size_t i = 0; i < batch->events && status == WS_OK; i++) {
        const ws_event *const ev = &batch->event[i];
        ws_wst_add_event(s->codec, ev, ev->kind == WS_EVENT_MEMORY ? WS_ADDRESSES(batch, ev) : NULL);
        if (ws_wst_full(s->codec))
            status = cut(s);
    }
    return status;
}

static int values(void *p, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    state *const s = p;
    int status = WS_OK;
    (void)launch;
    (void)block;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        ws_wst_add_value(s->codec, &value[i]);
        if (ws_wst_full(s->codec))
            status = cut(s);
    }
    return status;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    ws_wst_end(s->codec, block, true, &s->done);
    give_codec(s->writer, s->codec);
    s->codec = NULL;
    s->end = block + 1;
    return hand_over(s);
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into, *const b = from;
    (void)launch;
    if (!b->begun)
        return WS_OK;
    if (!a->begun) {
        a->first = b->first;
        a->begun = true;
    }
    if (!a->done.length) /* nothing of ours waits: what waits begins where b's does */
        a->first = b->first;
    ws_bytes_add(&a->done, b->done.data, b->done.length);
    a->end = b->end;
    return hand_over(a);
}

static void fini(void *p)
{
    state *const s = p;
    ws_wst_codec_destroy(s->codec);
    ws_bytes_fini(&s->done);
}

/* ------------------------------------------------------------------------------------------------ life */

static void destroy(ws_trace_writer *w)
{
    drop_codecs(w);
    free(w->outermost.idle);
    free(w->kernel);
    ws_bytes_fini(&w->index);
    ws_bytes_fini(&w->packed);
    ws_bytes_fini(&w->scratch);
    ws_bytes_fini(&w->sources);
    ws_bytes_fini(&w->outermost.chunk);
    ZSTD_freeCCtx(w->zstd);
    pthread_mutex_destroy(&w->lock);
    free(w->path);
    free(w);
}

static int put_notes(ws_trace_writer *w)
{
    w->scratch.length = 0;
    ws_bytes_add_varint(&w->scratch, w->options.sample_block != NULL);
    for (const char *const *note = w->options.notes; note && *note; note++)
        ws_bytes_add_text(&w->scratch, *note);
    return put_record(w, WS_WST_NOTES, NULL, &w->scratch);
}

static int start(ws_trace_writer *w)
{
    char *path = NULL, *const here = *w->path == '/'
                                         ? NULL
                                         : getcwd(NULL, 0); /* the program may go elsewhere before its first launch */
    const int length = here ? asprintf(&path, "%s/%s", here, w->path) : 0;
    free(here);
    if (length < 0)
        return ws_fail(WS_EMEM, "%s: no memory to write the trace", w->path);
    const int status = ws_output_open(&w->out, path ? path : w->path);
    free(path);
    if (status)
        return status;
    put(w, WS_WST_MAGIC, WS_WST_MAGIC_BYTES);
    return w->status ? w->status : put_notes(w);
}

int ws_trace_writer_create(const char *path, const ws_trace_writer_options *options, ws_trace_writer **out)
{
    *out = NULL;
    ws_trace_writer *const w = calloc(1, sizeof *w);
    if (!w)
        return ws_fail(WS_EMEM, "%s: no memory to write the trace", path);
    pthread_mutex_init(&w->lock, NULL);
    w->now = &w->outermost;
    if (options)
        w->options = *options;
    w->sink = (ws_sink){.name = "trace",
                        .wants = WS_WANT_ALL,
                        .state_size = sizeof(state),
                        .context = w,
                        .attach = attach,
                        .init = init,
                        .block_begin = block_begin,
                        .events = events,
                        .block_end = block_end,
                        .merge = merge,
                        .fini = fini,
                        .sample_block = w->options.sample_block,
                        .values = w->options.sample_block ? values : NULL};
    w->path = strdup(path);
    w->zstd = ZSTD_createCCtx();
    const int status = w->path && w->zstd ? start(w) : ws_fail(WS_EMEM, "%s: no memory to write the trace", path);
    w->options.notes = NULL;
    if (status) {
        if (w->out.stream)
            ws_output_close(&w->out, status);
        destroy(w);
        return status;
    }
    *out = w;
    return WS_OK;
}

const ws_sink *ws_trace_writer_sink(const ws_trace_writer *writer)
{
    return &writer->sink;
}

int ws_trace_writer_source(ws_trace_writer *w, const char *file, uint64_t fingerprint)
{
    ws_bytes_add_text(&w->sources, file);
    ws_bytes_add(&w->sources, &fingerprint, sizeof fingerprint);
    return w->sources.failed ? no_memory(w) : WS_OK;
}

/* The index, and behind it where it begins. */
static int put_index(ws_trace_writer *w)
{
    const ws_wst_trailer trailer = {.index = w->offset, .magic = WS_WST_TRAILER_MAGIC};
    ws_bytes index = w->index;
    w->index = (ws_bytes){0};
    put_record(w, WS_WST_INDEX, NULL, &index);
    ws_bytes_fini(&index);
    return w->status ? w->status : put(w, &trailer, sizeof trailer);
}

int ws_trace_writer_close(ws_trace_writer *w, uint64_t h2d_bytes, uint64_t d2h_bytes)
{
    if (!w)
        return WS_OK;
    while (w->now->launch)
        ws_trace_writer_end(w, WS_EINTERRUPTED);
    if (w->sources.length)
        put_record(w, WS_WST_SOURCES, NULL, &w->sources);
    w->scratch.length = 0;
    ws_bytes_add_varint(&w->scratch, h2d_bytes);
    ws_bytes_add_varint(&w->scratch, d2h_bytes);
    put_record(w, WS_WST_TAIL, NULL, &w->scratch);
    if (!w->status)
        put_index(w);
    const ws_hush hush = ws_hush_begin();
    const int closed = ws_output_close(&w->out, w->status);
    ws_hush_end(&hush);
    if (closed && !w->status)
        keep(w, closed);
    const int status = status_of(w);
    destroy(w);
    return status;
}
