/* simulation_checkpoint.c - rows and the state of the machine as a file, and back. */
#include "record/simulate/simulation_internal.h"

#include "base/input.h"
#include "base/output.h"
#include "base/status.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The number grows whenever a part of the machine keeps its state in another way. */
static const char checkpoint_magic[] = "warpscape checkpoint 4 of " WS_VERSION "\n";

/* All numbers and names that make the machine, its memory included, and what it is given to do. */
static int identify_machine(const ws_simulation *s, uint64_t *out)
{
    const ws_machine *const m = s->machine;
    uint64_t sum = s->options.shape;
    const ws_dram_part *const part = &m->shape.part;
    sum = XXH64(&part->clock_mhz, sizeof part->clock_mhz, sum);
#define FIELD(section, name, kind, least, most, fallback, meaning) sum = XXH64(&part->name, sizeof part->name, sum);
#include "model/machine/dram_part.def"
#undef FIELD
    sum = XXH64(part->mapping, strlen(part->mapping), sum);
    const ws_machine_option *row;
    for (size_t i = 0; (row = ws_machine_option_row(i)); i++) {
        const uint32_t number = row->word ? 0 : ws_machine_number(m, i);
        const char *const word = row->word ? ws_machine_word(m, i) : NULL;
        sum = word ? XXH64(word, strlen(word), sum) : XXH64(&number, sizeof number, sum);
    }
    const ws_machine_options *list;
    const char *section;
    for (size_t i = 0; (list = ws_machine_given(m, i, &section)); i++)
        for (size_t k = 0; k < list->count; k++) {
            sum = XXH64(section, strlen(section), sum);
            sum = XXH64(list->list[k].name, strlen(list->list[k].name), sum);
            sum = XXH64(&list->list[k].value, sizeof list->list[k].value, sum);
        }
    *out = sum;
    return WS_OK;
}

uint64_t ws_simulation_identify_trace(const ws_trace *trace)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ws_trace_launches(trace); i++) {
        const ws_trace_launch *const t = ws_trace_get(trace, i);
        const uint64_t numbers[] = {t->blocks, t->stored_bytes, t->launch.threads_per_block, t->launch.instrs};
        sum = XXH64(numbers, sizeof numbers, sum);
        sum = XXH64(t->launch.kernel, strlen(t->launch.kernel), sum);
        for (size_t k = 0; k < t->launch.instrs; k++)
            sum = XXH64(t->launch.instr[k].opcode, strlen(t->launch.instr[k].opcode), sum);
    }
    return sum;
}

uint64_t ws_simulation_identify_list(const ws_listed_launch *l, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double numbers[] = {(double)l[i].number, l[i].weight, l[i].stratum, l[i].launches, l[i].spread};
        sum = XXH64(numbers, sizeof numbers, sum);
    }
    return sum;
}

static void add_rows(const ws_simulation *s, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, s->count);
    for (size_t i = 0; i < s->count; i++) {
        ws_bytes_add_text(bytes, s->rows[i].workload);
        ws_bytes_add_text(bytes, s->rows[i].kernel);
        ws_bytes_add_varint(bytes, s->rows[i].launch);
        ws_bytes_add(bytes, s->rows[i].value, ws_sim_stat_count(s->machine) * sizeof(double));
    }
}

static int write_file(const char *path, const ws_bytes *bytes)
{
    ws_output out;
    const int status = ws_output_open(&out, path);
    if (status)
        return status;
    fwrite(bytes->data, 1, bytes->length, out.stream);
    return ws_output_close(&out, WS_OK);
}

int ws_simulation_keep(ws_simulation *s)
{
    ws_bytes bytes = {0};
    uint64_t machine;
    const int known = identify_machine(s, &machine);
    if (known)
        return known;
    ws_bytes_add(&bytes, checkpoint_magic, sizeof checkpoint_magic - 1);
    ws_bytes_add_varint(&bytes, machine);
    ws_bytes_add_varint(&bytes, s->trace);
    ws_bytes_add_varint(&bytes, s->list_sum);
    ws_bytes_add_varint(&bytes, s->launch);
    ws_bytes_add(&bytes, &s->before, sizeof s->before);
    ws_bytes_add(&bytes, &s->weighted, sizeof s->weighted);
    add_rows(s, &bytes);
    int status = ws_sim_save(s->sim, &bytes);
    const uint64_t sum = bytes.failed ? 0 : XXH64(bytes.data, bytes.length, 0);
    ws_bytes_add(&bytes, &sum, sizeof sum);
    if (!status && bytes.failed)
        status = ws_fail(WS_EMEM, "no memory for a checkpoint");
    if (!status)
        status = write_file(s->options.checkpoint, &bytes);
    ws_bytes_fini(&bytes);
    return status;
}

static int read_rows(ws_simulation *s, ws_reader *reader)
{
    int status = WS_OK;
    for (uint64_t left = ws_read_varint(reader); left && !status && !reader->failed; left--) {
        size_t workload_length, kernel_length;
        const char *const workload = ws_read_text(reader, &workload_length);
        const char *const kernel = ws_read_text(reader, &kernel_length);
        const uint64_t launch = ws_read_varint(reader);
        const uint8_t *const value = ws_read_bytes(reader, ws_sim_stat_count(s->machine) * sizeof(double));
        if (!workload || !kernel || !value)
            break;
        char *const w = strndup(workload, workload_length), *const k = strndup(kernel, kernel_length);
        ws_simulation_row *r;
        status = w && k ? ws_simulation_add_row(s, w, k, "done", &r) : ws_fail(WS_EMEM, "no memory for results");
        if (!status) {
            memcpy(r->value, value, ws_sim_stat_count(s->machine) * sizeof(double));
            r->launch = launch;
        }
        free(w);
        free(k);
    }
    return status;
}

static int read_file(const char *path, ws_bytes *bytes)
{
    static const ws_input checkpoint = {.what = "a checkpoint", .source = WS_INPUT_FILES, .is_found = true};
    FILE *in;
    const int status = ws_input_open_stream(path, &checkpoint, &in);
    if (status == WS_ENOTFOUND)
        return ws_fail(WS_EIO, "%s: cannot be read; a run with --checkpoint makes it", path);
    if (status)
        return status;
    uint8_t part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        ws_bytes_add(bytes, part, n);
    const bool bad = ferror(in) || bytes->failed;
    fclose(in);
    return bad ? ws_fail(WS_EIO, "%s: cannot be read", path) : WS_OK;
}

/* Up to the state of the machine, which begins at reader->next. */
static int open_checkpoint(ws_simulation *s, const ws_bytes *bytes, ws_reader *reader)
{
    const char *const path = s->options.checkpoint;
    const size_t magic = sizeof checkpoint_magic - 1;
    uint64_t sum, machine;
    const int status = identify_machine(s, &machine);
    if (status)
        return status;
    if (bytes->length < magic + sizeof sum || memcmp(bytes->data, checkpoint_magic, magic) != 0)
        return ws_fail(WS_EINPUT,
                       "%s: not a checkpoint of this warpscape, " WS_VERSION "; start again without --resume", path);
    memcpy(&sum, bytes->data + bytes->length - sizeof sum, sizeof sum);
    if (sum != XXH64(bytes->data, bytes->length - sizeof sum, 0))
        return ws_fail(WS_EINPUT, "%s: the checkpoint is damaged; start again without --resume", path);
    *reader = (ws_reader){.next = bytes->data + magic, .end = bytes->data + bytes->length - sizeof sum};
    if (ws_read_varint(reader) != machine)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is of another machine; give the options that it was made with",
                       path);
    if (ws_read_varint(reader) != s->trace)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is of another trace", path);
    if (ws_read_varint(reader) != s->list_sum)
        return ws_fail(WS_EINPUT,
                       "%s: the checkpoint is of other launches; give the list (--launches) that it was made with",
                       path);
    s->launch = ws_read_varint(reader);
    const uint8_t *const before = ws_read_bytes(reader, sizeof s->before), *const weighted = ws_read_bytes(
                                                                               reader, sizeof s->weighted);
    if (!before || !weighted)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is too short", path);
    memcpy(&s->before, before, sizeof s->before);
    memcpy(&s->weighted, weighted, sizeof s->weighted);
    return read_rows(s, reader);
}

int ws_simulation_recall(ws_simulation *s, ws_bytes *bytes, ws_reader *reader)
{
    const int status = read_file(s->options.checkpoint, bytes);
    return status ? status : open_checkpoint(s, bytes, reader);
}
