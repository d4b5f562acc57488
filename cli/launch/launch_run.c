/* launch_run.c - see launch_run.h. */
#include "cli/launch/launch_run.h"

#include "base/demangle.h"
#include "base/status.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/launch/launch_content.h"
#include "cli/launch/launch_texture.h"
#include "cli/launch/launch_value.h"
#include "record/check_report.h"
#include "collect/simt/grids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    uint64_t address;
    void *memory; /* host pointer to it; NULL until its step has run */
} place;

typedef struct run {
    const ws_script *script;
    const ws_module *module;
    const ws_script_options *options;
    ws_script_result *result;
    ws_device *device;
    ws_image *image;
    place *place;      /* [script->buffers] */
    uint64_t *texture; /* [script->textures] handles */
    FILE *print;       /* what the device prints, in memory */
    char *printed;
    size_t printed_bytes;
    uint64_t h2d_bytes, d2h_bytes; /* since the last launch */
    ws_copies copies, told;        /* where the former went; what the launch under way was told */
    ws_run_result last;
    ws_launch launch; /* of the launch that is being collected; kernel is ours, instr gone */
    char *kernel;
    ws_grids *grids;            /* what the kernel launched; NULL when it cannot launch */
    const ws_script_step *step; /* that launched it */
    unsigned under_way;         /* launches: above 1, kernels wait for what they launched */
    ws_progress progress;
} run;

/* ------------------------------------------------------------------------------------------------ expectations */

static void verdict(run *r, bool met)
{
    r->result->met += met;
    r->result->failed += !met;
    fputs(met ? "  ok    " : "  FAIL  ", r->options->out);
}

static void print_range(run *r, const ws_script_step *s)
{
    const ws_launch_buffer *const b = &r->script->buffer[s->buffer];
    fputs(b->name, r->options->out);
    if (s->count == b->count)
        return;
    if (s->count == 1)
        fprintf(r->options->out, "[%" PRIu64 "]", s->first);
    else
        fprintf(r->options->out, "[%" PRIu64 "..%" PRIu64 "]", s->first, s->first + s->count - 1);
}

static void *elements(const run *r, uint32_t buffer, uint64_t first)
{
    return (char *)r->place[buffer].memory + first * ws_value_bytes(r->script->buffer[buffer].type);
}

static const void *source(const run *r, const ws_script_step *s)
{
    return s->content.kind == WS_CONTENT_SAME ? elements(r, s->content.buffer, s->first) : NULL;
}

static void report_mismatch(run *r, const ws_script_step *s, const ws_mismatch *m)
{
    const ws_launch_buffer *const b = &r->script->buffer[s->buffer];
    char found[WS_VALUE_BYTES], wanted[WS_VALUE_BYTES];
    fprintf(r->options->out, "%s[%" PRIu64 "] is %s, expected %s", b->name, s->first + m->element,
            ws_value_print(b->type, m->found, found), ws_value_print(b->type, m->wanted, wanted));
    if (s->count > 1)
        fprintf(r->options->out, "; %" PRIu64 " of %" PRIu64 " values differ", m->differing, s->count);
    fprintf(r->options->out, " (%s:%u)\n", r->script->file, s->line);
}

static int expect(run *r, const ws_script_step *s)
{
    const ws_type type = r->script->buffer[s->buffer].type;
    const uint64_t bytes = s->count * ws_value_bytes(type);
    void *const wanted = malloc(bytes);
    if (!wanted)
        return ws_fail(WS_EMEM, "%s:%u:%u: no memory for the %" PRIu64 " bytes that are expected", r->script->file,
                       s->line, s->column, bytes);
    int status = ws_content_write(r->script, &s->content, type, s->count, source(r, s), wanted);
    if (status == WS_OK) {
        ws_mismatch m;
        ws_content_compare(type, elements(r, s->buffer, s->first), wanted, s->count, s->within, s->relative, &m);
        r->d2h_bytes += s->count * ws_value_bytes(type);
        verdict(r, !m.differing);
        if (m.differing) {
            report_mismatch(r, s, &m);
        } else {
            print_range(r, s);
            fprintf(r->options->out, ": %" PRIu64 " value%s\n", s->count, s->count == 1 ? "" : "s");
        }
    }
    free(wanted);
    return status;
}

/* Text as the launch file writes it. */
static void print_quoted(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n' || c == '\t')
            fputs(c == '\n' ? "\\n" : "\\t", out);
        else if (c < ' ' || c > 126)
            fprintf(out, "\\x%02x", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}

static void expect_printed(run *r, const ws_script_step *s)
{
    const bool met = strlen(s->text) == r->printed_bytes && memcmp(s->text, r->printed, r->printed_bytes) == 0;
    verdict(r, met);
    if (met) {
        fputs("printed\n", r->options->out);
        return;
    }
    fputs("printed ", r->options->out);
    print_quoted(r->options->out, r->printed, r->printed_bytes);
    fputs(", expected ", r->options->out);
    print_quoted(r->options->out, s->text, strlen(s->text));
    fprintf(r->options->out, " (%s:%u)\n", r->script->file, s->line);
}

static void expect_instructions(run *r, const ws_script_step *s)
{
    const uint64_t n = s->per_thread ? r->last.thread_instructions : r->last.warp_instructions;
    const char *const what = s->per_thread ? "thread" : "warp";
    verdict(r, n == s->instructions);
    if (n == s->instructions)
        fprintf(r->options->out, "%s instructions\n", what);
    else
        fprintf(r->options->out, "%" PRIu64 " %s instructions, expected %" PRIu64 " (%s:%u)\n", n, what,
                s->instructions, r->script->file, s->line);
}

/* In the launch file's own form, so that it can be taken over. */
static void print_elements(run *r, const ws_script_step *s)
{
    const ws_type type = r->script->buffer[s->buffer].type;
    char text[WS_VALUE_BYTES];
    fputs("  ", r->options->out);
    print_range(r, s);
    fputs(" =", r->options->out);
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t bits = ws_value_load(type, elements(r, s->buffer, s->first + i));
        fprintf(r->options->out, "%s%s", i && i % 16 == 0 ? "\n    " : " ", ws_value_print(type, bits, text));
    }
    fputc('\n', r->options->out);
    r->d2h_bytes += s->count * ws_value_bytes(type);
}

/* ------------------------------------------------------------------------------------------------ buffers */

static int find_place(run *r, const ws_launch_buffer *b, place *p)
{
    const uint64_t bytes = b->count * ws_value_bytes(b->type);
    uint64_t size = bytes;
    int status;
    if (b->is_symbol)
        status = ws_image_symbol(r->image, b->name, &p->address, &size);
    else
        status = ws_device_alloc(r->device, bytes, &p->address);
    if (status == WS_OK && size < bytes)
        status = ws_fail(WS_EINPUT, "`%s` has %" PRIu64 " bytes, not %" PRIu64, b->name, size, bytes);
    if (status == WS_OK) {
        p->memory = ws_device_pointer(r->device, p->address, bytes);
        status = p->memory ? WS_OK : WS_EINPUT;
    }
    return status ? ws_fail_context(status, "%s:%u:%u", r->script->file, b->line, b->column) : WS_OK;
}

static int set(run *r, const ws_script_step *s)
{
    const ws_launch_buffer *const b = &r->script->buffer[s->buffer];
    place *const p = &r->place[s->buffer];
    const int status = find_place(r, b, p);
    if (status)
        return status;
    if (s->content.kind == WS_CONTENT_KEEP || (s->content.kind == WS_CONTENT_ZERO && !b->is_symbol))
        return WS_OK; /* new memory is zero */
    r->h2d_bytes += b->count * ws_value_bytes(b->type);
    if (ws_copies_add(&r->copies, p->address, b->count * ws_value_bytes(b->type)))
        return WS_EMEM;
    return ws_content_write(r->script, &s->content, b->type, b->count, source(r, s), p->memory);
}

/* ------------------------------------------------------------------------------------------------ arguments */

static int wrong_argument(const run *r, const ws_argument *a, const char *what)
{
    return ws_fail(WS_EINPUT, "%s:%u:%u: %s", r->script->file, a->line, a->column, what);
}

static int put_address(const run *r, const ws_argument *a, uint64_t bytes, uint8_t *block)
{
    const uint64_t address = r->place[a->buffer].address + (uint64_t)a->offset;
    if (bytes == 4 && address > UINT32_MAX)
        return wrong_argument(r, a, "the parameter has 32 bits, and the address of the buffer does not fit");
    memcpy(block, &address, bytes);
    return WS_OK;
}

static int put_value(const run *r, const ws_argument *a, ws_type type, uint8_t *block)
{
    uint64_t bits;
    const char *const wrong = ws_value_parse(type, a->text, strlen(a->text), &bits);
    if (wrong)
        return ws_fail(WS_EINPUT, "%s:%u:%u: expected %s, found `%s`", r->script->file, a->line, a->column, wrong,
                       a->text);
    ws_value_store(type, block, bits);
    return WS_OK;
}

static int put_texture(const run *r, const ws_argument *a, const ws_variable *v, uint8_t *block)
{
    if (v->size != sizeof *r->texture)
        return wrong_argument(r, a, "the handle of a texture needs a parameter of 8 bytes");
    memcpy(block, &r->texture[a->texture], sizeof *r->texture);
    return WS_OK;
}

/* Fields at their natural alignment, as a C compiler lays them out. */
static int put_struct(const run *r, const ws_argument *a, uint64_t size, uint8_t *block)
{
    uint64_t at = 0;
    for (size_t i = 0; i < a->fields; i++) {
        const ws_argument *const f = &a->field[i];
        const uint64_t bytes = f->kind == WS_ARGUMENT_BUFFER ? r->module->address_bits / 8 : ws_value_bytes(f->type);
        at = (at + bytes - 1) / bytes * bytes;
        if (at + bytes > size)
            return wrong_argument(r, f, "the fields are larger than the parameter");
        const int status =
            f->kind == WS_ARGUMENT_BUFFER ? put_address(r, f, bytes, block + at) : put_value(r, f, f->type, block + at);
        if (status)
            return status;
        at += bytes;
    }
    return WS_OK;
}

static int put_argument(const run *r, const ws_argument *a, const ws_variable *v, uint8_t *block)
{
    const bool is_handle = ws_type_kind_of(v->type) == WS_KIND_OPAQUE;
    const ws_type own = is_handle ? WS_T_u64 : ws_value_type(ws_type_name(v->type), strlen(ws_type_name(v->type)));
    const ws_type type = a->type ? a->type : own;
    const bool is_scalar = own && ws_value_bytes(own) == v->size;
    if (a->kind == WS_ARGUMENT_STRUCT)
        return put_struct(r, a, v->size, block);
    if (a->kind == WS_ARGUMENT_TEXTURE)
        return put_texture(r, a, v, block);
    if (!is_scalar)
        return ws_fail(WS_EINPUT, "%s:%u:%u: expected { } with the fields of parameter %s, %" PRIu64 " bytes",
                       r->script->file, a->line, a->column, v->name, v->size);
    if (a->kind == WS_ARGUMENT_BUFFER) {
        if (v->size != 8 && v->size != 4)
            return wrong_argument(r, a, "the parameter is no pointer: it has neither 4 nor 8 bytes");
        return put_address(r, a, v->size, block);
    }
    if (ws_value_bytes(type) != v->size)
        return ws_fail(WS_EINPUT, "%s:%u:%u: expected a value of %" PRIu64 " bytes for parameter %s, found type %s",
                       r->script->file, a->line, a->column, v->size, v->name, ws_type_name(type));
    return put_value(r, a, type, block);
}

static int put_arguments(const run *r, const ws_script_step *s, const ws_function *f, uint8_t *block)
{
    if (s->arguments != f->params)
        return ws_fail(WS_EINPUT, "%s:%u:%u: expected %u argument%s of kernel %s, found %zu", r->script->file, s->line,
                       s->column, f->params, f->params == 1 ? "" : "s", f->name, s->arguments);
    int status = WS_OK;
    for (size_t i = 0; i < s->arguments && status == WS_OK; i++)
        status = put_argument(r, &s->argument[i], &f->param[i], block + f->param[i].offset);
    return status;
}

/* ------------------------------------------------------------------------------------------------ launches */

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    if (!r->kernel) { /* the engine's tables are gone when the numbers of the launch are known */
        r->kernel = strdup(launch->kernel);
        if (!r->kernel)
            return ws_fail(WS_EMEM, "out of memory");
        r->launch = *launch;
        r->launch.kernel = r->kernel;
        r->launch.instr = NULL;
        r->launch.instrs = 0;
    }
    return ws_listeners_collect(r->options->listeners, launch, sink, state);
}

static int show_progress(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions)
{
    run *const r = context;
    (void)warp_instructions;
    ws_progress_show(&r->progress, launch->kernel, (double)blocks_done / (double)launch->blocks);
    return ws_interrupted();
}

static int record(run *r)
{
    int status = WS_OK;
    if (r->options->store)
        status = ws_store_add_launch(r->options->store, r->options->store_run, &r->launch, r->last.seconds,
                                     r->last.warp_instructions, r->last.thread_instructions,
                                     r->options->listeners->collector);
    if (!status && r->options->store)
        status = ws_listeners_note_sources(r->options->listeners, r->options->store, r->options->store_run);
    free(r->kernel);
    r->kernel = NULL;
    return status;
}

/* Runs one grid with all who listen. */
static int start(run *r, const ws_script_step *s, ws_kernel *kernel, ws_run *how)
{
    how->sequence = r->result->launches - 1; /* this one is counted already */
    how->h2d_bytes = r->h2d_bytes;
    how->d2h_bytes = r->d2h_bytes;
    how->max_instructions = s->limit ? s->limit : r->options->limit;
    how->turns = r->options->turns;
    how->progress = show_progress;
    how->context = r;
    how->simulator = r->under_way ? NULL : r->options->simulator; /* which has one launch under way */
    if (r->options->listeners) {
        how->sinks = r->options->listeners->sink;
        how->sink_count = r->options->listeners->n;
        how->collect = collect;
    }
    r->h2d_bytes = r->d2h_bytes = 0;
    if (!r->under_way) { /* else the launch around it has been told */
        ws_copies_fini(&r->told);
        r->told = r->copies;
        r->copies = (ws_copies){0};
        how->copies = &r->told;
    }
    ws_run_result ran = {0};
    ws_progress_begin(&r->progress);
    r->under_way++;
    const int status = ws_kernel_run(kernel, how, &ran);
    r->under_way--;
    ws_progress_end(&r->progress);
    r->last = ran;
    return r->options->listeners ? ws_listeners_launched(r->options->listeners, status) : status;
}

static int start_first(run *r, const ws_script_step *s, ws_kernel *kernel, const void *params)
{
    ws_run how = {
        .dynamic_shared = s->shared_bytes, .params = params, .cooperative = s->cooperative, .grids = r->grids};
    memcpy(how.grid, s->grid, sizeof how.grid);
    memcpy(how.block, s->block, sizeof how.block);
    memcpy(how.cluster, s->cluster, sizeof how.cluster);
    return start(r, s, kernel, &how);
}

/* What kernels launched: launches like others, told below the one that the file asks for. */
static int run_children(run *r, const ws_script_step *s, ws_grids *grids)
{
    ws_grid next;
    int status;
    while ((status = ws_grids_next(grids, &next)) == WS_OK && next.kernel) {
        ws_kernel_facts facts;
        ws_kernel_get_facts(next.kernel, &facts);
        const uint64_t number = ++r->result->launches;
        status = start(r, s, next.kernel, &next.run);
        fprintf(r->options->out,
                "launch %" PRIu64 " (by %" PRIu64 "): %s: %" PRIu64 " warp instructions, %" PRIu64
                " thread instructions\n",
                number, next.run.parent + 1, facts.name, r->last.warp_instructions, r->last.thread_instructions);
        if (status == WS_OK)
            status = record(r);
        if (status != WS_OK)
            return status;
    }
    return status;
}

static int run_waited(void *context, ws_grids *waited)
{
    run *const r = context;
    return run_children(r, r->step, waited);
}

/* Finds the kernel, lays out its parameters, runs it. *started: the shape and the arguments were right. */
static int attempt(run *r, const ws_script_step *s)
{
    ws_kernel *kernel;
    ws_kernel_facts facts;
    r->last = (ws_run_result){0};
    int status = ws_image_kernel(r->image, s->kernel, &kernel);
    if (status)
        return ws_fail_context(status, "%s:%u:%u", r->script->file, s->line, s->column);
    ws_kernel_get_facts(kernel, &facts);
    uint8_t *const block = calloc(1, facts.param_bytes ? facts.param_bytes : 1);
    if (!block)
        return ws_fail(WS_EMEM, "%s:%u:%u: out of memory", r->script->file, s->line, s->column);
    status = put_arguments(r, s, facts.function, block);
    if (status == WS_OK && facts.launches)
        status = ws_grids_create(r->device, &r->grids);
    r->step = s;
    if (r->grids)
        ws_grids_set_runner(r->grids, run_waited, r);
    if (status == WS_OK)
        status = start_first(r, s, kernel, block);
    free(block);
    return status;
}

/* What the device printed since the last launch becomes r->printed. */
static int take_print(run *r)
{
    if (fflush(r->print) != 0 || ferror(r->print))
        return ws_fail(WS_EMEM, "out of memory for what the kernel prints");
    fwrite(r->printed, 1, r->printed_bytes, r->options->out);
    if (r->printed_bytes && r->printed[r->printed_bytes - 1] != '\n')
        fputc('\n', r->options->out);
    return WS_OK;
}

static int expect_fault(run *r, const ws_script_step *s, int status)
{
    const bool met = status != WS_OK && strstr(ws_message(), s->text);
    verdict(r, met);
    if (met)
        fprintf(r->options->out, "fault: %s\n", ws_message());
    else
        fprintf(r->options->out, "%s%s, expected a fault with \"%s\" (%s:%u)\n", status ? "fault: " : "no fault",
                status ? ws_message() : "", s->text, r->script->file, s->line);
    return WS_OK;
}

static int launch(run *r, const ws_script_step *s)
{
    rewind(r->print);
    const uint64_t number = ++r->result->launches;
    int status = attempt(r, s);
    fprintf(r->options->out, "launch %" PRIu64 ": %s: %" PRIu64 " warp instructions, %" PRIu64 " thread instructions\n",
            number, s->kernel, r->last.warp_instructions, r->last.thread_instructions);
    const int recorded = status == WS_OK ? record(r) : WS_OK;
    const ws_run_result asked = r->last; /* what the file's numbers are about */
    if (status == WS_OK && recorded == WS_OK && r->grids)
        status = run_children(r, s, r->grids);
    r->last = asked;
    ws_grids_destroy(r->grids);
    r->grids = NULL;
    const bool may_go_on = status != WS_EMEM && status != WS_EINTERRUPTED;
    if (recorded)
        return recorded;
    if (s->text && may_go_on)
        expect_fault(r, s, status);
    else if (status != WS_OK) {
        r->result->errors += ws_check_is_error(status);
        return take_print(r) ? WS_EMEM : status;
    }
    return take_print(r);
}

/* ------------------------------------------------------------------------------------------------ the script */

static int step(run *r, const ws_script_step *s)
{
    switch (s->kind) {
    case WS_STEP_SET:
        return set(r, s);
    case WS_STEP_TEXTURE: {
        const ws_launch_texture *const t = &r->script->texture[s->texture];
        return ws_texture_apply(r->script, t, r->device, r->image, r->place[t->buffer].address,
                                &r->texture[s->texture]);
    }
    case WS_STEP_LAUNCH:
        return launch(r, s);
    case WS_STEP_EXPECT:
        return expect(r, s);
    case WS_STEP_PRINTED:
        expect_printed(r, s);
        break;
    case WS_STEP_INSTRUCTIONS:
        expect_instructions(r, s);
        break;
    case WS_STEP_PRINT:
        print_elements(r, s);
        break;
    }
    return WS_OK;
}

static void say_note(void *context, const char *line)
{
    (void)context;
    ws_show_message(stderr, line);
}

static int prepare(run *r)
{
    const ws_device_options options = {
        .workers = r->options->workers, .low_memory = r->module->address_bits == 32, .print = r->print};
    r->place = calloc(r->script->buffers ? r->script->buffers : 1, sizeof *r->place);
    r->texture = calloc(r->script->textures ? r->script->textures : 1, sizeof *r->texture);
    if (!r->place || !r->texture || !r->print)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_device_create(&options, &r->device);
    if (status != WS_OK)
        return status;
    ws_device_set_notes(r->device, say_note, NULL);
    ws_device_set_checker(r->device, r->options->checker);
    return ws_image_load(r->device, r->module, &r->image);
}

/* Once, of all launches. */
static void say_lost_prints(const run *r)
{
    const uint64_t lost = r->device ? ws_device_lost_prints(r->device) : 0;
    if (lost)
        fprintf(stderr,
                "warpscape: %" PRIu64 " printf call%s of kernels did not fit into the FIFO of 1 MiB a launch, and %s\n",
                lost, lost == 1 ? "" : "s", lost == 1 ? "is lost" : "are lost");
}

int ws_script_run(const ws_script *script, const ws_module *module, const ws_script_options *options,
                  ws_script_result *result)
{
    run r = {.script = script, .module = module, .options = options, .result = result};
    *result = (ws_script_result){0};
    r.print = open_memstream(&r.printed, &r.printed_bytes);
    int status = prepare(&r);
    for (size_t i = 0; i < script->steps && status == WS_OK; i++)
        status = step(&r, &script->step[i]);
    if (status == WS_OK && options->store && (r.h2d_bytes || r.d2h_bytes))
        status = ws_store_add_copy(options->store, options->store_run, r.h2d_bytes, r.d2h_bytes);
    result->h2d_bytes = r.h2d_bytes;
    result->d2h_bytes = r.d2h_bytes;
    say_lost_prints(&r);
    ws_device_destroy(r.device);
    if (r.print)
        fclose(r.print);
    free(r.printed);
    ws_copies_fini(&r.copies);
    ws_copies_fini(&r.told);
    free(r.place);
    free(r.texture);
    free(r.kernel);
    return status;
}
