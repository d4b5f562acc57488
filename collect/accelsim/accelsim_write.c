/* accelsim_write.c - how does Accel-Sim's tracer write what a launch of ours did?
 *
 * A block's events come warp by warp in turns; the tracer's syntax wants warps one after the other, each with the
 * number of its instructions in front. So a block goes through a spool. */
#include "collect/accelsim/accelsim_write.h"

#include "base/output.h"
#include "base/status.h"
#include "collect/accelsim/instruction.h"
#include "collect/accelsim/register_names.h"
#include "collect/sass/sass.h"
#include "collect/accelsim/sass_spelling.h"
#include "collect/accelsim/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MEMORY_BYTES = 1 << 26,
    LINE_BYTES = 2048, /* 32 addresses of 19 characters, and the rest */
    OFFSET_BYTES = 16, /* of an instruction */
    MACHINE = 80       /* whose header of opcodes the names are from: Ampere */
};

/* Where generic addresses of shared and local memory lie in what we write: above all device addresses. */
static const uint64_t window[2] = {UINT64_C(0x00fe000000000000), UINT64_C(0x00ff000000000000)};

/* An instruction as it stands in every line. */
typedef struct spelling {
    uint32_t offset;
    char line[16];                     /* of the source, and a blank; "" where the launch's lines are not known */
    char front[WS_SASS_SPELLING + 48]; /* registers, opcode, width */
    char exit[WS_SASS_SPELLING + 48];  /* the same when lanes end there; "" when they never do */
    char bare[WS_SASS_SPELLING + 48];  /* of an access whose addresses are not known (constants, textures): width 0 */
    unsigned immediate;
    bool memory, generic;
} spelling;

/* What a warp of the block in work did last. */
typedef struct warp {
    uint64_t records;
    uint64_t last[WS_WARP]; /* number of the last record that each lane was in, from 1 */
    ws_record held;         /* a memory access whose other parts may follow */
    uint64_t address[WS_WARP];
    bool holds;
} warp;

typedef struct writer {
    ws_trace *trace;
    const char *folder;
    const ws_launch *launch;
    spelling *spelling; /* [instrs] */
    unsigned registers;
    bool has_lines; /* the launch's are known */
    warp *warp;     /* [warps_per_block] */
    ws_spool *spool;
    FILE *out;
    uint64_t warp_instructions;
} writer;

/* ------------------------------------------------------------------------------------------------ instructions */

static void add_registers(char *text, size_t room, const ws_register_names *n, const char *opcode, unsigned width)
{
    int at = n->dsts ? snprintf(text, room, "1 R%u %s %u", n->dst, opcode, n->srcs)
                     : snprintf(text, room, "0 %s %u", opcode, n->srcs);
    for (unsigned k = 0; k < n->srcs; k++)
        at += snprintf(text + at, room - (size_t)at, " R%u", n->src[k]);
    snprintf(text + at, room - (size_t)at, " %u", width);
}

/* The end of a kernel is `ret' in PTX, too. */
static bool may_end(const ws_launch *l, const ws_instr *in)
{
    return l->isa == WS_ISA_PTX && (!strncmp(in->opcode, "ret", 3) || !strncmp(in->opcode, "exit", 4));
}

/* 0 where there is none, as the tracer writes. */
static uint32_t line_of(const ws_origin *origin, uint32_t pc)
{
    const ws_place *const place = ws_origin_place(origin, pc);
    return place ? place->line : 0;
}

static bool knows_lines(const ws_launch *l)
{
    for (uint32_t pc = 0; pc < l->instrs; pc++)
        if (line_of(l->origin, pc))
            return true;
    return false;
}

static int spell_all(writer *w)
{
    const ws_launch *const l = w->launch;
    ws_register_names *const names = calloc(l->instrs + 1, sizeof *names);
    w->has_lines = knows_lines(l);
    w->spelling = calloc(l->instrs + 1, sizeof *w->spelling);
    int status = names && w->spelling ? ws_register_names_make(l, names, &w->registers)
                                      : ws_fail(WS_EMEM, "no memory for the instructions of kernel %s", l->kernel);
    for (size_t i = 0; i < l->instrs && !status; i++) {
        spelling *const s = &w->spelling[i];
        const ws_instr *const in = &l->instr[i];
        char name[WS_SASS_SPELLING];
        ws_sass_spell(l->isa, in, name);
        s->offset = ws_isa_is_sass(l->isa) ? in->column : (uint32_t)i * OFFSET_BYTES;
        if (w->has_lines)
            snprintf(s->line, sizeof s->line, "%" PRIu32 " ", line_of(l->origin, (uint32_t)i));
        s->memory = in->cls == WS_CLASS_MEMORY && in->access && !ws_sass_is_move(in);
        s->generic = in->space == WS_SPACE_GENERIC;
        add_registers(s->front, sizeof s->front, &names[i], name, s->memory ? in->bytes ? in->bytes : 4u : 0);
        if (s->memory)
            add_registers(s->bare, sizeof s->bare, &names[i], name, 0);
        if (may_end(l, in))
            add_registers(s->exit, sizeof s->exit, &names[i], "EXIT", 0);
    }
    free(names);
    return status;
}

/* ------------------------------------------------------------------------------------------------ lines */

static char *put_text(char *to, const char *text)
{
    const size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

static char *put_hex(char *to, uint64_t value, unsigned least)
{
    static const char digits[] = "0123456789abcdef";
    unsigned n = value ? (67 - (unsigned)__builtin_clzll(value)) / 4 : 1;
    n = n < least ? least : n;
    for (unsigned i = n; i > 0; i--, value >>= 4)
        to[i - 1] = digits[value & 15];
    return to + n;
}

static char *put_decimal(char *to, int64_t value)
{
    char text[24], *p = text + sizeof text;
    uint64_t v = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    if (value < 0)
        *--p = '-';
    memcpy(to, p, (size_t)(text + sizeof text - p));
    return to + (text + sizeof text - p);
}

/* A base and a stride, where lanes lie side by side and there are two or more. */
static char *put_stride(char *to, const ws_record *r)
{
    const uint32_t run = r->mask >> ws_lowest(r->mask);
    if (r->form != WS_ADDRESS_STRIDE || (run & (run + 1)) || run == 1 || r->stride != (int32_t)r->stride)
        return NULL;
    to = put_hex(put_text(to, " 1 0x"), r->base, 1);
    *to++ = ' ';
    return put_decimal(to, r->stride);
}

static char *put_deltas(char *to, const ws_record *r)
{
    const unsigned lanes = ws_popcount(r->mask);
    to = put_hex(put_text(to, " 2 0x"), r->base, 1);
    for (unsigned i = 1; i < lanes; i++) {
        *to++ = ' ';
        to = put_decimal(to, r->form == WS_ADDRESS_LIST ? r->delta[i] : r->stride);
    }
    return to;
}

static char *put_list(char *to, const ws_record *r)
{
    uint64_t address[WS_WARP];
    ws_record_spread(r, address);
    to = put_text(to, " 0");
    WS_EACH_LANE (lane, r->mask) {
        to = put_hex(put_text(to, " 0x"), address[lane], 16);
    }
    return to;
}

/* The shortest of the modes. */
static char *put_addresses(char *to, const ws_record *r)
{
    char list[LINE_BYTES];
    if (!r->mask)
        return put_text(to, " 1 0x0 0"); /* as the tracer writes for nobody */
    char *const stride = put_stride(to, r);
    if (stride)
        return stride;
    char *const deltas = put_deltas(to, r);
    const size_t n = (size_t)(put_list(list, r) - list);
    if ((size_t)(deltas - to) <= n)
        return deltas;
    memcpy(to, list, n);
    return to + n;
}

static int put_line(writer *w, const warp *of, uint64_t number, const ws_record *r)
{
    const spelling *const s = &w->spelling[r->id];
    char line[LINE_BYTES], *p = put_hex(put_text(line, s->line), s->offset, 4);
    bool ends = *s->exit;
    WS_EACH_LANE (lane, r->mask) {
        ends &= of->last[lane] == number;
    }
    *p++ = ' ';
    p = put_hex(p, r->mask, 8);
    *p++ = ' ';
    const bool bare = s->memory && r->mask && r->form == WS_ADDRESS_NONE;
    p = put_text(p, ends && r->mask ? s->exit : bare ? s->bare : s->front);
    if (s->memory && !bare)
        p = put_addresses(p, r);
    *p++ = ' ';
    p = put_decimal(p, s->immediate);
    p = put_text(p, " \n");
    return fwrite(line, 1, (size_t)(p - line), w->out) == (size_t)(p - line)
               ? WS_OK
               : ws_fail(WS_EIO, "%s: writing failed: %s", w->folder, strerror(errno));
}

static int put_warp(writer *w, uint32_t number, ws_spool_cursor *cursor)
{
    const warp *const of = &w->warp[number];
    fprintf(w->out, "\nwarp = %" PRIu32 "\ninsts = %" PRIu64 "\n", number, of->records);
    int status = ws_spool_open(w->spool, number, cursor);
    uint64_t done = 0;
    while (!status) {
        ws_record r;
        unsigned run;
        status = ws_spool_next(w->spool, cursor, &r, &run);
        if (status || !run)
            break;
        for (; run > 0 && !status; run--, r.id++)
            status = put_line(w, of, ++done, &r);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ events */

static int add_record(writer *w, uint32_t number, const ws_record *r, bool plain)
{
    warp *const of = &w->warp[number];
    of->records++;
    w->warp_instructions++;
    WS_EACH_LANE (lane, r->mask) {
        of->last[lane] = of->records;
    }
    return ws_spool_add(w->spool, number, r, plain);
}

/* Addresses of lanes as a base and what follows from it. */
static void compress(ws_record *r, const uint64_t *address)
{
    uint64_t before = 0;
    unsigned n = 0;
    bool regular = true;
    WS_EACH_LANE (lane, r->mask) {
        if (n)
            r->delta[n] = (int64_t)(address[lane] - before);
        else
            r->base = address[lane];
        regular &= n < 2 || r->delta[n] == r->delta[1];
        before = address[lane];
        n++;
    }
    r->form = !n ? WS_ADDRESS_NONE : regular ? WS_ADDRESS_STRIDE : WS_ADDRESS_LIST;
    r->stride = n > 1 ? r->delta[1] : 0;
}

static int let_go(writer *w, uint32_t number)
{
    warp *const of = &w->warp[number];
    if (!of->holds)
        return WS_OK;
    of->holds = false;
    compress(&of->held, of->address);
    return add_record(w, number, &of->held, false);
}

/* Parts of an access in other spaces belong to it when they are of other lanes: one generic instruction. (An
 * asynchronous copy has the same lanes again, where they write; the tracer's lines have where they read.) */
static int see_memory(writer *w, const ws_event *ev, const uint64_t *address)
{
    warp *const of = &w->warp[ev->warp];
    const bool more = !ev->count && of->holds && of->held.id == ev->pc;
    if (!more) {
        const int status = let_go(w, ev->warp);
        if (status)
            return status;
        of->held = (ws_record){.id = ev->pc};
        of->holds = true;
    }
    const uint64_t first = !w->spelling[ev->pc].generic   ? 0
                           : ev->space == WS_SPACE_SHARED ? window[0]
                           : ev->space == WS_SPACE_LOCAL  ? window[1]
                                                          : 0;
    WS_EACH_LANE (lane, ev->exec & ~of->held.mask) {
        of->address[lane] = first + address[lane];
    }
    of->held.mask |= ev->exec;
    return WS_OK;
}

static unsigned immediate_of(uint32_t barrier)
{
    return barrier == UINT32_MAX ? 0 : barrier >> 8 ? (barrier >> 8) * WS_WARP : barrier & 0xff;
}

static int see_event(writer *w, const ws_batch *batch, const ws_event *ev)
{
    if (ev->kind == WS_EVENT_RECONVERGE)
        return WS_OK;
    if (ev->kind == WS_EVENT_MEMORY)
        return see_memory(w, ev, WS_ADDRESSES(batch, ev));
    if (ev->kind == WS_EVENT_BARRIER)
        w->spelling[ev->pc].immediate = immediate_of(ev->barrier);
    int status = let_go(w, ev->warp);
    ws_record r = {.id = ev->pc, .mask = ev->exec};
    if (ev->kind == WS_EVENT_BRANCH) /* a jump's mask is of the lanes that take it */
        r.mask = ev->taken & ev->active;
    for (unsigned i = 0; i < ev->count && !status; i++, r.id++)
        status = add_record(w, ev->warp, &r, !w->spelling[r.id].memory);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a launch */

static int put_block(writer *w, uint64_t block, ws_spool_cursor *cursor)
{
    const ws_launch *const l = w->launch;
    int status = WS_OK;
    for (uint32_t i = 0; i < l->warps_per_block && !status; i++)
        status = let_go(w, i);
    if (!status)
        status = ws_spool_end(w->spool);
    fprintf(w->out, "\n#BEGIN_TB\n\nthread block = %" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", block % l->grid[0],
            block / l->grid[0] % l->grid[1], block / l->grid[0] / l->grid[1]);
    for (uint32_t i = 0; i < l->warps_per_block && !status; i++)
        status = put_warp(w, i, cursor);
    fputs("\n#END_TB\n", w->out);
    ws_spool_clear(w->spool);
    memset(w->warp, 0, l->warps_per_block * sizeof *w->warp);
    return status;
}

static void put_header(const writer *w, size_t number)
{
    const ws_launch *const l = w->launch;
    fprintf(w->out,
            "-kernel name = %s\n-kernel id = %zu\n-grid dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32
            ")\n-block dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n-shmem = %" PRIu32
            "\n-nregs = %u\n-binary version = %d\n-cuda stream id = 0\n"
            "-shmem base_addr = 0x%016" PRIx64 "\n-local mem base_addr = 0x%016" PRIx64 "\n-nvbit version = none\n"
            "-accelsim tracer version = 5\n-enable lineinfo = %d\n\n#traces format = [line_num] PC mask dest_num "
            "[reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n",
            l->kernel, number, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
            l->shared_bytes, ws_isa_is_sass(l->isa) || l->registers > w->registers ? l->registers : w->registers,
            MACHINE, window[0], window[1], w->has_lines);
}

typedef struct shown {
    int (*progress)(void *context, const char *kernel, double done);
    void *context;
} shown;

static int put_blocks(writer *w, size_t index, const shown *show)
{
    ws_trace_cursor *cursor = NULL;
    ws_spool_cursor lines = {.chunk = NULL};
    ws_trace_segment segment;
    bool found = true;
    int status = ws_trace_cursor_create(w->trace, index, &cursor);
    while (!status) {
        status = ws_trace_cursor_next(cursor, &segment, &found);
        if (status || !found)
            break;
        for (size_t i = 0; i < segment.batch.events && !status; i++)
            status = see_event(w, &segment.batch, &segment.batch.event[i]);
        if (!status && segment.last)
            status = put_block(w, segment.batch.block, &lines);
        if (!status && segment.last && show->progress &&
            show->progress(show->context, w->launch->kernel, (double)segment.batch.block / (double)w->launch->blocks))
            status = ws_fail(WS_EINTERRUPTED, "%s: interrupted", w->folder);
    }
    ws_spool_close(&lines);
    ws_trace_cursor_destroy(cursor);
    return status;
}

static int put_kernel(writer *w, size_t index, const shown *show)
{
    char path[PATH_MAX];
    ws_output out;
    snprintf(path, sizeof path, "%s/kernel-%zu.traceg", w->folder, index + 1);
    const ws_trace_launch *const about = ws_trace_get(w->trace, index);
    if (!about->complete)
        return ws_fail(WS_EINPUT, "%s: launch %zu (%s) was cut short", ws_trace_path(w->trace), index + 1,
                       about->launch.kernel);
    w->launch = &about->launch;
    w->warp_instructions = 0;
    w->warp = calloc(w->launch->warps_per_block, sizeof *w->warp);
    int status = w->warp ? ws_output_open(&out, path) : ws_fail(WS_EMEM, "no memory for the warps of a block");
    if (!status) {
        w->out = out.stream;
        status = spell_all(w);
        put_header(w, index + 1);
        if (!status)
            status = put_blocks(w, index, show);
        status = ws_output_close(&out, status);
    }
    ws_spool_clear(w->spool);
    free(w->warp);
    free(w->spelling);
    w->spelling = NULL;
    return status;
}

/* ------------------------------------------------------------------------------------------------ the folder */

/* Addresses of copies are not in our traces; Accel-Sim looks at them only to fill its L2 before a launch. */
static int put_lines(const writer *w, size_t index, FILE *list, FILE *stats)
{
    const ws_launch *const l = w->launch;
    uint64_t said = 0;
    for (size_t i = 0; i < l->copies; said += l->copied[i++].bytes)
        fprintf(list, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", l->copied[i].address, l->copied[i].bytes);
    if (l->h2d_bytes > said)
        fprintf(list, "MemcpyHtoD,0x%016x,%" PRIu64 "\n", 0, l->h2d_bytes - said);
    fprintf(list, "kernel-%zu.traceg\n", index + 1);
    fprintf(stats,
            "kernel-%zu.traceg, %s, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu64 ", %" PRIu32 ", %" PRIu32
            ", %" PRIu32 ", %" PRIu32 ", %" PRIu64 ",%" PRIu64 "\n",
            index + 1, l->kernel, l->grid[0], l->grid[1], l->grid[2], l->blocks, l->block[0], l->block[1], l->block[2],
            l->threads_per_block, w->warp_instructions, w->warp_instructions);
    return WS_OK;
}

static int put_all(writer *w, FILE *list, FILE *stats, const shown *show)
{
    int status = ws_spool_create(MEMORY_BYTES, &w->spool);
    fputs(
        "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, block_dimY, block_dimZ, "
        "#threads, total_insts, total_reported_insts\n",
        stats);
    for (size_t i = 0; i < ws_trace_launches(w->trace) && !status; i++) {
        status = put_kernel(w, i, show);
        if (!status)
            status = put_lines(w, i, list, stats);
    }
    ws_spool_destroy(w->spool);
    if (!status && ws_trace_damage(w->trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(w->trace));
    return status;
}

/* The list and the statistics are there also when a launch was damaged: they name those before it. */
static int close_both(ws_output *list, ws_output *stats, int status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    const bool keep = !status || status == WS_EINPUT;
    const int listed = ws_output_close(list, keep ? WS_OK : status),
              counted = ws_output_close(stats, keep ? WS_OK : status);
    return status ? ws_fail(status, "%s", message) : listed ? listed : counted;
}

int ws_accelsim_write(ws_trace *trace, const char *folder,
                      int (*progress)(void *context, const char *kernel, double done), void *context)
{
    const shown how = {.progress = progress, .context = context};
    writer w = {.trace = trace, .folder = folder};
    ws_output list, stats;
    char path[PATH_MAX];
    if (ws_output_make_folder(folder))
        return ws_fail(WS_EIO, "cannot make the folder %s: %s", folder, strerror(errno));
    snprintf(path, sizeof path, "%s/kernelslist.g", folder);
    int status = ws_output_open(&list, path);
    if (status)
        return status;
    snprintf(path, sizeof path, "%s/stats.csv", folder);
    status = ws_output_open(&stats, path);
    if (status)
        return ws_output_close(&list, status);
    return close_both(&list, &stats, put_all(&w, list.stream, stats.stream, &how));
}
