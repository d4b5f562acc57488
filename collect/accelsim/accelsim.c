/* accelsim.c - from a folder of traces to launches: one after the other, each read whole before sinks see it.
 *
 * Sinks want to know all instructions of a launch before its first block, and a trace tells them one by one. So a
 * launch is packed into a spool first, and shown from there. */
#include "collect/accelsim/accelsim.h"

#include "base/demangle.h"
#include "base/status.h"
#include "collect/accelsim/sass_events.h"
#include "collect/accelsim/trace_folder.h"
#include "collect/accelsim/trace_reader.h"

#include <inttypes.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY_BYTES = 1 << 26, REGISTERS_MOST = 255 };

typedef struct importer {
    const ws_accelsim_import *how;
    ws_accelsim_result *result;
    regex_t kernels;
    ws_spool *spool;
    uint64_t number;   /* of the launch in work, from 1 */
    uint64_t h2d, d2h; /* bytes copied since the launch before */
    ws_copies copies;  /* where the former went */
    ws_instr_table table;
    ws_trace_target target;
    const ws_kernel_header *header; /* of the launch in work */
} importer;

/* ------------------------------------------------------------------------------------------------ a launch */

typedef struct made {
    ws_launch launch;
    ws_instr *instr;
    uint32_t *pc, *run;
    ws_place *place;
    uint32_t *place_of; /* [instrs] */
    ws_origin origin;
} made;

static int by_offset(const void *a, const void *b, void *table)
{
    const ws_static_instr *const all = ((const ws_instr_table *)table)->instr, *const x = &all[*(const uint32_t *)a],
                                 *const y = &all[*(const uint32_t *)b];
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->variant < y->variant ? -1 : x->variant > y->variant;
}

/* Instructions in the order of their offsets, and which of the table's follow one another there, too. */
static void order(made *m, ws_instr_table *t, uint32_t *sorted)
{
    for (uint32_t i = 0; i < t->n; i++)
        sorted[i] = i;
    qsort_r(sorted, t->n, sizeof *sorted, by_offset, t);
    for (uint32_t i = 0; i < t->n; i++) {
        m->instr[i] = t->instr[sorted[i]].instr;
        m->pc[sorted[i]] = i;
    }
    for (size_t i = t->n; i > 0; i--)
        m->run[i - 1] = i < t->n && m->pc[i] == m->pc[i - 1] + 1 ? m->run[i] + 1 : 1;
}

/* Tracers read attributes of kernels from where drivers of their time keep them: with a newer one, the header says
 * anything. No thread has more than 255. Then it has those that its instructions name. */
static uint32_t registers_of(const importer *im)
{
    uint32_t most = 0;
    if (im->header->registers <= REGISTERS_MOST)
        return (uint32_t)im->header->registers;
    for (size_t i = 0; i < im->table.n; i++) {
        const ws_instr *const in = &im->table.instr[i].instr;
        for (unsigned k = 0; k < in->dsts; k++)
            most = in->dst[k] < REGISTERS_MOST && in->dst[k] >= most ? in->dst[k] + 1u : most;
        for (unsigned k = 0; k < in->srcs; k++)
            most = in->src[k] < REGISTERS_MOST && in->src[k] >= most ? in->src[k] + 1u : most;
    }
    return most;
}

/* Tracers tell the number of a line, 0 where they know none, and no file. False: not one is known. */
static bool place_all(made *m, size_t instrs, const char *file)
{
    size_t places = 1;
    for (size_t i = 0; i < instrs; i++) {
        const uint32_t line = m->instr[i].line;
        if (line && m->place[places - 1].line != line)
            m->place[places++] = (ws_place){.file = file, .line = line};
        m->place_of[i] = line ? (uint32_t)(places - 1) : 0;
    }
    m->origin = (ws_origin){.place = m->place, .places = places, .instrs = instrs, .of = m->place_of};
    return places > 1;
}

static int make_launch(importer *im, made *m)
{
    ws_instr_table *const t = &im->table;
    const ws_kernel_header *const h = im->header;
    uint32_t *const sorted = calloc(t->n + 1, sizeof *sorted);
    m->instr = calloc(t->n + 1, sizeof *m->instr);
    m->pc = calloc(t->n + 1, sizeof *m->pc);
    m->run = calloc(t->n + 1, sizeof *m->run);
    m->place = calloc(t->n + 1, sizeof *m->place);
    m->place_of = calloc(t->n + 1, sizeof *m->place_of);
    if (!sorted || !m->instr || !m->pc || !m->run || !m->place || !m->place_of) {
        free(sorted);
        return ws_fail(WS_EMEM, "no memory for the instructions of kernel %s", h->name);
    }
    order(m, t, sorted);
    free(sorted);
    m->launch = (ws_launch){.kernel = h->name,
                            .sequence = im->number - 1,
                            .blocks = h->grid[0] * h->grid[1] * h->grid[2],
                            .threads_per_block = (uint32_t)(h->block[0] * h->block[1] * h->block[2]),
                            .registers = registers_of(im),
                            .shared_bytes = (uint32_t)h->shared_bytes,
                            .local_bytes = (uint32_t)(im->target.local_end - im->target.local_first),
                            .h2d_bytes = im->h2d,
                            .copied = im->copies.list,
                            .copies = im->copies.count,
                            .d2h_bytes = im->d2h,
                            .isa = h->form.version ? WS_ISA_SASS : WS_ISA_SASS_SPARSE,
                            .instr = m->instr,
                            .instrs = t->n};
    if (place_all(m, t->n, im->how->source ? im->how->source : WS_PLACE_UNNAMED)) {
        m->launch.origin = &m->origin;
        im->result->with_lines++;
    }
    for (unsigned i = 0; i < 3; i++) {
        m->launch.grid[i] = (uint32_t)h->grid[i];
        m->launch.block[i] = (uint32_t)h->block[i];
    }
    m->launch.warps_per_block = (m->launch.threads_per_block + WS_WARP - 1) / WS_WARP;
    return WS_OK;
}

static void free_launch(made *m)
{
    free(m->instr);
    free(m->pc);
    free(m->run);
    free(m->place);
    free(m->place_of);
}

static int play_blocks(importer *im, const made *m, ws_fanout *fanout, ws_sass_counts *counts)
{
    const ws_sass_program program = {.launch = &m->launch,
                                     .table = &im->table,
                                     .pc = m->pc,
                                     .run = m->run,
                                     .window = im->header->form.window,
                                     .local_first = im->target.local_first,
                                     .pairs = im->target.pairs};
    ws_sass_block *block = NULL;
    ws_range *range = NULL;
    int status = ws_sass_block_create(&program, im->spool, &block);
    if (!status)
        status = ws_range_open(fanout, 0, &range);
    for (uint64_t i = 0; i < m->launch.blocks && !status; i++) {
        status = ws_sass_block_play(block, range, i, counts);
        if (!status && im->how->progress && i % 1024 == 0 && im->how->progress(im->how->context, m->launch.kernel, 1))
            status = ws_fail(WS_EINTERRUPTED, "%s: interrupted", m->launch.kernel);
    }
    if (!status)
        status = ws_range_close(range, m->launch.blocks);
    ws_sass_block_destroy(block);
    return status;
}

static int collect(const importer *im, const made *m, ws_fanout *fanout)
{
    int status = WS_OK;
    for (size_t i = 0; im->how->collect && i < im->how->sink_count && !status; i++) {
        void *const state = ws_fanout_state(fanout, i);
        status = state ? im->how->collect(im->how->context, &m->launch, i, state)
                       : ws_fail(WS_EFAULT, "kernel %s: not all blocks were shown", m->launch.kernel);
    }
    return status;
}

static int show_launch(importer *im)
{
    made m = {0};
    ws_fanout *fanout = NULL;
    ws_sass_counts counts = {0};
    int status = make_launch(im, &m);
    if (!status)
        status = ws_fanout_create(im->how->sinks, im->how->sink_count, &m.launch, &fanout);
    if (!status)
        status = play_blocks(im, &m, fanout, &counts);
    if (!status)
        status = collect(im, &m, fanout);
    ws_fanout_destroy(fanout);
    im->result->warp_instructions += counts.warp_instructions;
    im->result->thread_instructions += counts.thread_instructions;
    if (im->how->launched)
        status = im->how->launched(im->how->context, &m.launch, counts.warp_instructions, counts.thread_instructions,
                                   status);
    free_launch(&m);
    return status;
}

/* ------------------------------------------------------------------------------------------------ what was in it */

static void add_name(ws_accelsim_result *r, const char *opcode)
{
    const size_t length = strcspn(opcode, "."), used = strlen(r->unknown_names);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, opcode);
    for (const char *p = r->unknown_names; (p = strstr(p, name)); p += length)
        if ((p == r->unknown_names || p[-1] == ' ') && (!p[length] || p[length] == ','))
            return;
    if (used + strlen(name) + 8 < sizeof r->unknown_names)
        sprintf(r->unknown_names + used, "%s%s", used ? ", " : "", name);
    else if (used && r->unknown_names[used - 1] != '.')
        strcat(r->unknown_names, ", ...");
}

static void account(importer *im)
{
    ws_accelsim_result *const r = im->result;
    for (size_t i = 0; i < im->table.n; i++) {
        const ws_static_instr *const s = &im->table.instr[i];
        if (!s->known) {
            r->unknown += s->executed;
            add_name(r, s->instr.opcode);
        }
        r->bulk += s->bulk ? s->executed : 0;
        r->bulk_bytes += s->bytes_moved;
        r->halves += s->copies && !im->target.pairs ? s->executed : 0;
    }
    r->odd_registers += im->header->registers > REGISTERS_MOST;
    r->version = im->header->form.version;
    r->binary = (unsigned)im->header->binary;
    r->launches++;
}

/* ------------------------------------------------------------------------------------------------ a kernel's file */

static int show_progress(void *context, double done)
{
    const importer *const im = context;
    return im->how->progress ? im->how->progress(im->how->context, im->header->name, done) : 0;
}

/* Does the kernel's name, mangled or as people write it, match what is asked for? */
static bool is_wanted(const importer *im, const char *kernel)
{
    if (!im->how->kernels || !regexec(&im->kernels, kernel, 0, NULL, 0))
        return true;
    char *const readable = ws_demangle(kernel);
    const bool wanted = readable && !regexec(&im->kernels, readable, 0, NULL, 0);
    free(readable);
    return wanted;
}

/* The target of a launch that is wanted; NULL for others. */
static int choose(void *context, const ws_kernel_header *header, ws_trace_target **target)
{
    importer *const im = context;
    *target = NULL;
    im->header = header;
    if (!is_wanted(im, header->name))
        return WS_OK;
    im->target = (ws_trace_target){
        .header = header, .table = &im->table, .spool = im->spool, .progress = show_progress, .context = im};
    *target = &im->target;
    ws_spool_clear(im->spool);
    return ws_instr_table_init(&im->table);
}

static int read_text(importer *im, const char *path, ws_kernel_header *header, ws_trace_target **target)
{
    ws_lines *lines;
    bool begun;
    int status = ws_lines_open(path, &lines);
    if (!status)
        status = ws_kernel_header_read(lines, header, &begun);
    if (!status)
        status = choose(im, header, target);
    if (!status && *target)
        status = ws_trace_body_read(lines, begun, header->form, *target);
    if (lines)
        im->result->text_bytes += ws_lines_bytes(lines);
    ws_lines_close(lines);
    return status;
}

static bool ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcmp(path + n - m, end);
}

static int import_kernel(importer *im, const char *path)
{
    ws_kernel_header header = {0};
    ws_trace_target *target = NULL;
    const uint64_t number = ++im->number;
    int status = WS_OK;
    im->table = (ws_instr_table){0};
    im->target.header = NULL;
    if (number < im->how->first || (im->how->last && number > im->how->last)) {
        im->result->left_out++;
    } else {
        status = ends_with(path, ".tracez") ? ws_tracez_read(path, &header, choose, im)
                                            : read_text(im, path, &header, &target);
        const bool wanted = im->target.header;
        if (!status && wanted)
            status = ws_spool_end(im->spool);
        if (!status && wanted)
            status = show_launch(im);
        if (!status && wanted)
            account(im);
        im->result->left_out += !status && !wanted;
        ws_instr_table_fini(&im->table);
        ws_kernel_header_fini(&header);
    }
    im->h2d = im->d2h = 0;
    im->copies.count = 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------ the list */

static int add_copy(importer *im, uint64_t address, uint64_t bytes)
{
    im->h2d += bytes;
    return ws_copies_add(&im->copies, address, bytes);
}

/* MemcpyHtoD,0xADDRESS,BYTES */
static int import_copy(importer *im, const ws_lines *lines, const char *line, const char *end)
{
    const char *p = memchr(line, ',', (size_t)(end - line));
    uint64_t address = 0;
    char *stop;
    if (p) {
        address = strtoull(p + 1, &stop, 16);
        p = stop > p + 1 ? stop : NULL;
    }
    const char *const at = p && *p == ',' ? p + 1 : line;
    const uint64_t bytes = strtoull(at, &stop, 10);
    while (stop < end && (*stop == ' ' || *stop == '\t'))
        stop++;
    if (at == line || *at < '0' || *at > '9' || stop != end)
        return ws_trace_fail(ws_lines_path(lines), ws_lines_number(lines), line, end, line,
                             "MemcpyHtoD,0xADDRESS,BYTES");
    if (!strncmp(line, "MemcpyHtoD", 10))
        return add_copy(im, address, bytes);
    if (!strncmp(line, "MemcpyDtoH", 10))
        im->d2h += bytes;
    return WS_OK;
}

static int import_line(importer *im, const ws_lines *lines, const char *line, const char *end)
{
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    const size_t n = (size_t)(end - line);
    if (n >= 6 && !memcmp(line, "Memcpy", 6))
        return import_copy(im, lines, line, end);
    if (n < 6 || memcmp(line, "kernel", 6)) {
        im->result->ignored += n > 0;
        return WS_OK;
    }
    const char *const list = ws_lines_path(lines), *const slash = strrchr(list, '/');
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - list) + 1 : 0, list, (int)n, line);
    if (length >= (int)sizeof path)
        return ws_trace_fail(list, ws_lines_number(lines), line, end, line, "a shorter name of a file");
    if (access(path, F_OK) && length < (int)sizeof path - 4 && access(strcat(path, ".xz"), F_OK))
        path[length] = 0; /* packed since the list was written: else it is there with .xz */
    const int status = import_kernel(im, path);
    return status == WS_EIO ? ws_fail_context(status, "%s:%" PRIu64 ":1", list, ws_lines_number(lines)) : status;
}

static int import_list(importer *im, const char *path)
{
    ws_lines *lines;
    int status = ws_lines_open(path, &lines);
    bool found = true;
    while (!status && found) {
        const char *line, *end;
        status = ws_lines_next(lines, &line, &end, &found);
        if (!status && found)
            status = import_line(im, lines, line, end);
    }
    if (!status && !im->number)
        status = ws_fail(WS_EINPUT,
                         "%s:%" PRIu64 ":1: expected a line 'kernel-1.traceg' or another name of a kernel's "
                         "trace, not the end of the file",
                         path, ws_lines_number(lines) + 1);
    ws_lines_close(lines);
    return status;
}

static int import_folder(importer *im, const char *path)
{
    ws_trace_folder folder;
    int status = ws_trace_folder_read(path, &folder);
    if (!status && folder.list)
        status = import_list(im, folder.list);
    if (!status && folder.more_lists)
        snprintf(im->result->list, sizeof im->result->list, "%s", folder.list);
    im->result->more_lists = folder.more_lists;
    im->result->without_list = folder.list ? 0 : folder.files;
    for (size_t i = 0; !status && !folder.list && i < folder.files; i++)
        status = import_kernel(im, folder.file[i]);
    ws_trace_folder_fini(&folder);
    return status;
}

static int import_path(importer *im, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return import_folder(im, path);
    return ws_trace_is_list(path) ? import_list(im, path) : import_kernel(im, path);
}

int ws_accelsim_read(const char *path, const ws_accelsim_import *how, ws_accelsim_result *result)
{
    *result = (ws_accelsim_result){0};
    importer im = {.how = how, .result = result};
    if (how->kernels) {
        const int wrong = regcomp(&im.kernels, how->kernels, REG_EXTENDED | REG_NOSUB);
        if (wrong) {
            char why[128];
            regerror(wrong, &im.kernels, why, sizeof why);
            return ws_fail(WS_EINPUT, "'%s' is no regular expression: %s", how->kernels, why);
        }
    }
    int status = ws_spool_create(how->memory_bytes ? how->memory_bytes : MEMORY_BYTES, &im.spool);
    if (!status)
        status = import_path(&im, path);
    result->h2d_bytes = im.h2d;
    result->d2h_bytes = im.d2h;
    ws_copies_fini(&im.copies);
    ws_spool_destroy(im.spool);
    if (how->kernels)
        regfree(&im.kernels);
    return status;
}
