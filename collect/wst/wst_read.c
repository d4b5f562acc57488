/* wst_read.c - what is in a trace file, and how far can it be trusted?
 *
 * Opening reads the index, or without one walks from record to record. Payloads are read and checked when they are
 * needed: small ones at once, chunks when a cursor comes to them (wst_shelf.c, wst_cursor.c). */
#include "collect/wst/wst_trace_internal.h"

#include "base/arena.h"
#include "base/bounds.h"
#include "base/grow.h"
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/sass/sass.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
    MOST_RAW = 1 << 26, /* bytes that a record may unpack to: a chunk and its largest segment fit well */
    MOST_INSTRS = 1 << 24,
    MOST_WARPS = 2048,     /* of a block: 64 times what machines allow */
    FREE_TABLES = 1 << 25, /* bytes that tables of instructions may unpack to, whatever the file's size */
    TABLES_GROWTH = 16     /* and beyond that, in bytes of the file: they stay in memory, ten times as large */
};

/* ------------------------------------------------------------------------------------------------ bytes */

int ws_wst_no_memory(const ws_trace *t)
{
    return ws_fail(WS_EMEM, "%s: no memory to read the trace", t->path);
}

static int fail_damaged(const ws_trace *t, uint64_t offset)
{
    return ws_fail(WS_EINPUT, "%s: the trace is damaged at byte %" PRIu64, t->path, offset);
}

static int fail_short(const ws_trace *t, uint64_t offset)
{
    return ws_fail(WS_EINPUT, "%s: the trace breaks off at byte %" PRIu64, t->path, offset);
}

static int read_at(const ws_trace *t, uint64_t offset, void *to, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = pread(t->file, (char *)to + done, length - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ws_fail(WS_EIO, "%s: reading failed: %s", t->path, strerror(errno));
        if (n == 0)
            return fail_short(t, offset + done);
        done += (size_t)n;
    }
    return WS_OK;
}

int ws_wst_read_stored(const ws_trace *t, const ws_wst_entry *e, ws_bytes *stored)
{
    ws_wst_record head;
    int status = read_at(t, e->offset, &head, sizeof head);
    if (status)
        return status;
    if (head.type != e->head.type || head.version != t->version || head.stored != e->head.stored ||
        head.raw != e->head.raw || head.raw > MOST_RAW ||
        !ws_range_within(e->offset + sizeof head, head.stored, t->bytes))
        return fail_damaged(t, e->offset);
    stored->length = 0;
    if (!ws_bytes_reserve(stored, head.stored + 1))
        return ws_wst_no_memory(t);
    status = read_at(t, e->offset + sizeof head, stored->data, head.stored);
    if (status)
        return status;
    stored->length = head.stored;
    return ws_wst_intact(&head, stored->data) ? WS_OK : fail_damaged(t, e->offset);
}

int ws_wst_unpack(const ws_trace *t, const ws_wst_entry *e, const ws_bytes *stored, size_t plain, ws_bytes *raw)
{
    raw->length = 0;
    if (!ws_bytes_reserve(raw, e->head.raw + 1))
        return ws_wst_no_memory(t);
    const size_t n = ZSTD_decompress(raw->data, e->head.raw, stored->data + plain, stored->length - plain);
    if (ZSTD_isError(n) || n != e->head.raw)
        return fail_damaged(t, e->offset);
    raw->length = n;
    return WS_OK;
}

static int read_record(const ws_trace *t, const ws_wst_entry *e, ws_bytes *raw)
{
    ws_bytes stored = {0};
    int status = ws_wst_read_stored(t, e, &stored);
    if (!status)
        status = ws_wst_unpack(t, e, &stored, 0, raw);
    ws_bytes_fini(&stored);
    return status;
}

/* ------------------------------------------------------------------------------------------------ what is in it */

static bool copy_text(ws_reader *r, ws_trace *t, const char **to)
{
    size_t length;
    const char *const text = ws_read_text(r, &length);
    *to = text ? ws_arena_strndup(t->arena, text, length) : NULL;
    r->failed |= !*to;
    return *to;
}

static void read_instruction(ws_reader *r, ws_trace *t, ws_instr *in)
{
    (void)copy_text(r, t, &in->opcode);
    in->line = (uint32_t)ws_read_up_to(r, UINT32_MAX);
    in->column = (uint32_t)ws_read_up_to(r, UINT32_MAX);
    in->reconverge = (uint32_t)ws_read_up_to(r, UINT32_MAX);
    const uint8_t *const fixed = ws_read_bytes(r, 8);
    if (!fixed || fixed[0] >= WS_CLASSES || fixed[1] >= WS_SPACES || fixed[2] > WS_ACCESS_REDUCE ||
        fixed[6] > WS_INSTR_DST || fixed[7] > WS_INSTR_SRC) {
        r->failed = true;
        return;
    }
    in->cls = fixed[0];
    in->space = fixed[1];
    in->access = fixed[2];
    in->bytes = fixed[3];
    in->guarded = fixed[4];
    in->conditional = fixed[5];
    in->dsts = fixed[6];
    in->srcs = fixed[7];
    if (t->version > 1) {
        const uint8_t *const facts = ws_read_bytes(r, WS_WST_FACTS);
        r->failed |= !facts || !ws_wst_set_facts(facts, in);
    }
    for (unsigned i = 0; i < in->dsts; i++)
        in->dst[i] = (uint16_t)ws_read_up_to(r, UINT16_MAX);
    for (unsigned i = 0; i < in->srcs; i++)
        in->src[i] = (uint16_t)ws_read_up_to(r, UINT16_MAX);
}

static bool read_kernel(ws_reader *r, ws_trace *t)
{
    if (WS_GROW(t->kernel, t->kernel_room, t->kernels, 1))
        return false;
    ws_wst_kernel *const k = &t->kernel[t->kernels];
    *k = (ws_wst_kernel){0};
    (void)copy_text(r, t, &k->name);
    k->instrs = ws_read_up_to(r, MOST_INSTRS);
    k->has_facts = t->version > 1;
    if (r->failed || k->instrs > (size_t)(r->end - r->next)) /* each takes more than a byte */
        return false;
    k->instr = ws_arena_alloc(t->arena, (k->instrs + 1) * sizeof *k->instr);
    for (size_t i = 0; k->instr && i < k->instrs && !r->failed; i++)
        read_instruction(r, t, &k->instr[i]);
    if (k->instr && !r->failed && t->version > 2 && !ws_wst_code_read(r, t->arena, k->instrs, &k->code))
        return false;
    if (k->instr && !r->failed && t->version >= WS_WST_WITH_LINES &&
        !ws_wst_origin_read(r, t->arena, k->instrs, &k->origin))
        return false;
    if (!k->instr || r->failed || r->next != r->end)
        return false;
    t->kernels++;
    return true;
}

static void decode_facts(ws_wst_kernel *k, uint8_t isa)
{
    for (size_t i = 0; i < k->instrs; i++)
        if (ws_isa_is_sass(isa))
            ws_sass_facts(k->instr[i].opcode, &k->instr[i]);
        else
            ws_ptx_facts_of_text(k->instr[i].opcode, &k->instr[i]);
    k->has_facts = true;
}

static bool read_copies(ws_reader *r, ws_trace *t, size_t copies, ws_copy **out)
{
    if (r->failed || copies > (size_t)(r->end - r->next) / 2) /* a copy has two bytes at least */
        return false;
    ws_copy *const list = copies ? ws_arena_alloc(t->arena, copies * sizeof *list) : NULL;
    for (size_t i = 0; list && i < copies && !r->failed; i++) {
        list[i].address = ws_read_varint(r);
        list[i].bytes = ws_read_varint(r);
    }
    *out = list;
    return !r->failed && (list || !copies);
}

static bool read_launch(ws_reader *r, ws_trace *t)
{
    enum { KERNEL, SEQUENCE, GRID, BLOCK = GRID + 3, REGISTERS = BLOCK + 3, SHARED, LOCAL, CONSTANT, H2D, D2H, FIELDS };
    uint64_t field[FIELDS];
    for (unsigned i = 0; i < FIELDS; i++)
        field[i] = i == SEQUENCE || i >= H2D ? ws_read_varint(r) : ws_read_up_to(r, UINT32_MAX);
    const uint64_t isa = r->next < r->end ? ws_read_up_to(r, WS_ISAS - 1) : WS_ISA_PTX; /* files had none at first */
    ws_copy *copied = NULL;
    const size_t copies = r->next < r->end ? ws_read_up_to(r, WS_COPIES_MOST) : 0; /* nor these */
    if (!read_copies(r, t, copies, &copied) || r->next != r->end || field[KERNEL] >= t->kernels)
        return false;
    if (WS_GROW(t->launch, t->launch_room, t->launches, 1))
        return false;
    ws_wst_launch *const made = &t->launch[t->launches];
    ws_wst_kernel *const k = &t->kernel[field[KERNEL]];
    if (!k->has_facts)
        decode_facts(k, (uint8_t)isa);
    *made = (ws_wst_launch){.first = t->entries, .end = t->entries};
    ws_launch *const l = &made->about.launch;
    *l = (ws_launch){.kernel = k->name,
                     .sequence = field[SEQUENCE],
                     .registers = (uint32_t)field[REGISTERS],
                     .shared_bytes = (uint32_t)field[SHARED],
                     .local_bytes = (uint32_t)field[LOCAL],
                     .const_bytes = (uint32_t)field[CONSTANT],
                     .h2d_bytes = field[H2D],
                     .d2h_bytes = field[D2H],
                     .copied = copied,
                     .copies = copies,
                     .isa = (uint8_t)isa,
                     .instr = k->instr,
                     .instrs = k->instrs,
                     .code = k->code,
                     .origin = k->origin};
    unsigned __int128 threads = 1, blocks = 1;
    for (unsigned i = 0; i < 3; i++) {
        l->grid[i] = (uint32_t)field[GRID + i];
        l->block[i] = (uint32_t)field[BLOCK + i];
        blocks *= l->grid[i];
        threads *= l->block[i];
    }
    if (!threads || !blocks || threads > (unsigned)MOST_WARPS * WS_WARP || blocks > UINT64_MAX / 2)
        return false;
    l->blocks = (uint64_t)blocks;
    l->threads_per_block = (uint32_t)threads;
    l->warps_per_block = (uint32_t)((threads + WS_WARP - 1) / WS_WARP);
    t->launches++;
    return true;
}

static bool read_notes(ws_reader *r, ws_trace *t)
{
    ws_bytes all = {0};
    t->has_values = ws_read_varint(r) != 0;
    while (r->next < r->end && !r->failed) {
        size_t length;
        const char *const text = ws_read_text(r, &length);
        if (text) {
            ws_bytes_add(&all, text, length);
            ws_bytes_add(&all, "\n", 1);
        }
    }
    ws_bytes_add(&all, "", 1);
    free(t->notes); /* of a record before it, in a file that no writer makes */
    t->notes = (char *)all.data;
    return !r->failed && !all.failed;
}

static bool read_end(ws_reader *r, ws_trace *t)
{
    const bool well = ws_read_varint(r) != 0;
    const uint64_t warp_instructions = ws_read_varint(r);
    if (!t->launches || r->failed)
        return false;
    ws_trace_launch *const about = &t->launch[t->launches - 1].about;
    about->complete = well && about->blocks == about->launch.blocks && about->warp_instructions == warp_instructions;
    return true;
}

static bool read_tail(ws_reader *r, ws_trace *t)
{
    t->h2d_bytes = ws_read_varint(r);
    t->d2h_bytes = ws_read_varint(r);
    return !r->failed;
}

/* All of a record or nothing of it: a file that is cut within one has no sources. */
static bool read_sources(ws_reader *r, ws_trace *t)
{
    const size_t most = (size_t)(r->end - r->next) / (1 + sizeof(uint64_t));
    ws_wst_source *const source = ws_arena_alloc(t->arena, (most + 1) * sizeof *source);
    size_t n = 0;
    for (; source && r->next < r->end && n < most; n++) {
        const uint8_t *bytes;
        if (!copy_text(r, t, &source[n].file) || !(bytes = ws_read_bytes(r, sizeof source[n].fingerprint)))
            return false;
        memcpy(&source[n].fingerprint, bytes, sizeof source[n].fingerprint);
    }
    if (!source || r->failed || r->next < r->end)
        return false;
    t->source = source;
    t->sources = n;
    return true;
}

static bool (*const read_type[WS_WST_TYPES])(ws_reader *, ws_trace *) = {
    [WS_WST_NOTES] = read_notes, [WS_WST_KERNEL] = read_kernel, [WS_WST_LAUNCH] = read_launch,
    [WS_WST_END] = read_end,     [WS_WST_TAIL] = read_tail,     [WS_WST_SOURCES] = read_sources,
};

/* A chunk has to begin where the one before it ended. */
static bool place_chunk(ws_trace *t, const ws_wst_entry *e)
{
    if (!t->launches)
        return false;
    ws_wst_launch *const l = &t->launch[t->launches - 1];
    const ws_wst_chunk *const before = l->end > l->first ? &t->entry[l->end - 1].chunk : NULL;
    const uint64_t block = before ? before->first + before->blocks : 0;
    if (e->chunk.first != block || !e->chunk.segments || e->chunk.blocks > e->chunk.segments ||
        e->chunk.blocks > l->about.launch.blocks - block || (e->chunk.continues && !before))
        return false;
    l->end = t->entries; /* the chunk is already among them, as the last */
    l->about.blocks += e->chunk.blocks;
    l->about.warp_instructions += e->chunk.warp_instructions;
    l->about.stored_bytes += e->head.stored + sizeof e->head;
    return true;
}

/* Before a table of instructions is unpacked. */
static int count_table(ws_trace *t, const ws_wst_entry *e)
{
    const uint64_t most = FREE_TABLES + TABLES_GROWTH * t->bytes;
    t->tables += e->head.raw < MOST_RAW ? e->head.raw : MOST_RAW;
    return t->tables <= most ? WS_OK
                             : ws_fail(WS_ELIMIT,
                                       "%s: its tables of instructions unpack to more than %" PRIu64
                                       " bytes, the most for a file of %" PRIu64 " bytes",
                                       t->path, most, t->bytes);
}

/* Takes in the record of the last entry. */
static int take(ws_trace *t)
{
    const ws_wst_entry e = t->entry[t->entries - 1];
    if (e.head.type == WS_WST_CHUNK)
        return place_chunk(t, &e) ? WS_OK : fail_damaged(t, e.offset);
    if (e.head.type >= WS_WST_TYPES || !read_type[e.head.type])
        return fail_damaged(t, e.offset);
    ws_bytes raw = {0};
    int status = e.head.type == WS_WST_KERNEL ? count_table(t, &e) : WS_OK;
    if (!status)
        status = read_record(t, &e, &raw);
    if (!status) {
        ws_reader r = ws_reader_of(&raw);
        if (!read_type[e.head.type](&r, t))
            status = fail_damaged(t, e.offset);
    }
    ws_bytes_fini(&raw);
    return status;
}

static int add_entry(ws_trace *t, const ws_wst_entry *e)
{
    if (WS_GROW(t->entry, t->entry_room, t->entries, 1))
        return ws_wst_no_memory(t);
    t->entry[t->entries++] = *e;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ opening */

static void forget(ws_trace *t)
{
    free(t->notes);
    t->notes = NULL;
    t->entries = t->kernels = t->launches = t->sources = 0;
    t->h2d_bytes = t->d2h_bytes = t->tables = 0;
}

/* By the index at the end; false when it is not there or not right. */
static bool open_by_index(ws_trace *t)
{
    ws_wst_trailer trailer;
    ws_wst_entry e = {0};
    if (t->bytes < WS_WST_MAGIC_BYTES + sizeof e.head + sizeof trailer ||
        read_at(t, t->bytes - sizeof trailer, &trailer, sizeof trailer) ||
        memcmp(trailer.magic, WS_WST_TRAILER_MAGIC, sizeof trailer.magic) != 0 ||
        !ws_range_within(trailer.index, sizeof e.head, t->bytes - sizeof trailer))
        return false;
    e.offset = trailer.index;
    ws_bytes raw = {0};
    bool good =
        !read_at(t, e.offset, &e.head, sizeof e.head) && e.head.type == WS_WST_INDEX && !read_record(t, &e, &raw);
    ws_reader r = ws_reader_of(&raw);
    uint64_t offset = WS_WST_MAGIC_BYTES;
    while (good && r.next < r.end) {
        ws_wst_entry next = {.offset = offset, .head = {.version = t->version}};
        next.head.type = (uint32_t)ws_read_up_to(&r, WS_WST_TYPES);
        next.head.stored = ws_read_varint(&r);
        next.head.raw = ws_read_varint(&r);
        if (next.head.type == WS_WST_CHUNK)
            ws_wst_chunk_read(&r, &next.chunk);
        good = !r.failed && ws_range_within(offset + sizeof next.head, next.head.stored, trailer.index) &&
               !add_entry(t, &next) && !take(t);
        offset += sizeof next.head + next.head.stored;
    }
    ws_bytes_fini(&raw);
    return good && offset == trailer.index;
}

/* The plain part of a chunk, unchecked; the rest is checked when it is read. */
static int read_chunk_plain(const ws_trace *t, ws_wst_entry *e)
{
    uint8_t plain[4 * WS_VARINT_BYTES];
    const size_t n = e->head.stored < sizeof plain ? e->head.stored : sizeof plain;
    const int status = read_at(t, e->offset + sizeof e->head, plain, n);
    ws_reader r = {.next = plain, .end = plain + n};
    if (!status)
        ws_wst_chunk_read(&r, &e->chunk);
    return status ? status : r.failed ? fail_damaged(t, e->offset) : WS_OK;
}

static int damaged(ws_trace *t)
{
    const ws_trace_launch *const l = t->launches ? &t->launch[t->launches - 1].about : NULL;
    int n;
    if (l && l->blocks)
        n = asprintf(&t->damage, "%s; the last good block is %" PRIu64 " of launch %zu (%s)", ws_message(),
                     l->blocks - 1, t->launches, l->launch.kernel);
    else
        n = asprintf(&t->damage, "%s, before the first block of launch %zu", ws_message(),
                     t->launches ? t->launches : 1);
    if (n < 0)
        t->damage = NULL;
    return n < 0 ? ws_wst_no_memory(t) : WS_OK;
}

/* From record to record, each checked whole, up to the first that is not there or not right. */
static int open_by_walk(ws_trace *t)
{
    ws_bytes stored = {0};
    uint64_t offset = WS_WST_MAGIC_BYTES;
    int status = WS_OK;
    while (!status) {
        ws_wst_entry e = {.offset = offset};
        status = read_at(t, offset, &e.head, sizeof e.head);
        if (!status && e.head.type >= WS_WST_TYPES)
            status = fail_damaged(t, offset);
        if (!status && !ws_range_within(offset + sizeof e.head, e.head.stored, t->bytes))
            status = fail_short(t, t->bytes);
        if (!status)
            status = ws_wst_read_stored(t, &e, &stored);
        if (!status && e.head.type == WS_WST_INDEX)
            break; /* all is there but the trailer */
        if (!status && e.head.type == WS_WST_CHUNK)
            status = read_chunk_plain(t, &e);
        if (!status)
            status = add_entry(t, &e);
        if (!status && (status = take(t)) != WS_OK)
            t->entries--;
        offset += sizeof e.head + e.head.stored;
    }
    ws_bytes_fini(&stored);
    return status == WS_EINPUT || status == WS_OK ? (status ? damaged(t) : WS_OK) : status;
}

static int open_file(ws_trace *t)
{
    struct stat about;
    char magic[WS_WST_MAGIC_BYTES];
    t->file = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
    if (t->file < 0 || fstat(t->file, &about))
        return ws_fail(WS_EIO, "%s: cannot open the trace: %s", t->path, strerror(errno));
    t->bytes = (uint64_t)about.st_size;
    if (S_ISREG(about.st_mode) && !t->bytes)
        return ws_fail(WS_EINPUT, "%s: empty, not a trace: remove it, or write it again", t->path);
    if (!S_ISREG(about.st_mode) || t->bytes < sizeof magic || read_at(t, 0, magic, sizeof magic) ||
        memcmp(magic, WS_WST_MAGIC, sizeof magic) != 0)
        return ws_fail(WS_EINPUT, "%s: not a trace file of warpscape", t->path);
    ws_wst_record first;
    t->version = WS_WST_VERSION;
    if (t->bytes >= sizeof magic + sizeof first && !read_at(t, sizeof magic, &first, sizeof first) &&
        first.type == WS_WST_NOTES)
        t->version = first.version;
    if (t->version < WS_WST_OLDEST || t->version > WS_WST_VERSION)
        return ws_fail(WS_EVERSION,
                       "%s: written by another version of warpscape (trace format %u, this one reads %d to %d): make "
                       "it anew, or use "
                       "that version",
                       t->path, t->version, WS_WST_OLDEST, WS_WST_VERSION);
    if (open_by_index(t))
        return WS_OK;
    forget(t);
    return open_by_walk(t);
}

int ws_trace_open(const char *path, ws_trace **out)
{
    *out = NULL;
    ws_trace *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "%s: no memory to read the trace", path);
    t->file = -1;
    t->path = strdup(path);
    t->arena = ws_arena_create();
    const int status = t->path && t->arena ? open_file(t) : ws_fail(WS_EMEM, "%s: no memory to read the trace", path);
    if (status) {
        ws_trace_close(t);
        return status;
    }
    *out = t;
    return WS_OK;
}

void ws_trace_close(ws_trace *t)
{
    if (!t)
        return;
    if (t->file >= 0)
        close(t->file);
    ws_arena_destroy(t->arena);
    free(t->path);
    free(t->entry);
    free(t->kernel);
    free(t->launch);
    free(t->notes);
    free(t->damage);
    free(t);
}

const char *ws_trace_path(const ws_trace *trace)
{
    return trace->path;
}

size_t ws_trace_launches(const ws_trace *trace)
{
    return trace->launches;
}

const ws_trace_launch *ws_trace_get(const ws_trace *trace, size_t i)
{
    return &trace->launch[i].about;
}

const char *ws_trace_notes(const ws_trace *trace)
{
    return trace->notes ? trace->notes : "";
}

bool ws_trace_has_values(const ws_trace *trace)
{
    return trace->has_values;
}

bool ws_trace_keeps_lines(const ws_trace *trace)
{
    return trace->version >= WS_WST_WITH_LINES;
}

bool ws_trace_source(const ws_trace *trace, const char *file, uint64_t *fingerprint)
{
    for (size_t i = 0; i < trace->sources; i++)
        if (!strcmp(trace->source[i].file, file)) {
            *fingerprint = trace->source[i].fingerprint;
            return true;
        }
    return false;
}

void ws_trace_copied(const ws_trace *trace, uint64_t *h2d_bytes, uint64_t *d2h_bytes)
{
    *h2d_bytes = trace->h2d_bytes;
    *d2h_bytes = trace->d2h_bytes;
}

const char *ws_trace_damage(const ws_trace *trace)
{
    return trace->damage;
}

/* ------------------------------------------------------------------------------------------------ for replay */

uint64_t *ws_wst_starts(const ws_trace *t, size_t number, size_t *n)
{
    const ws_wst_launch *const l = &t->launch[number];
    uint64_t *const start = malloc((l->end - l->first + 1) * sizeof *start);
    *n = 0;
    for (size_t e = l->first; start && e < l->end; e++)
        if (!t->entry[e].chunk.continues)
            start[(*n)++] = t->entry[e].chunk.first;
    return start;
}
