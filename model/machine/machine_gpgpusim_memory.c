/* machine_gpgpusim_memory.c - what do GPGPU-Sim's options of the memory and the network say? */
#include "model/machine/machine_gpgpusim_internal.h"

#include "base/input.h"
#include "base/settings.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000000, UNLIMITED = 4096 };

static int whole_of(ws_theirs *t, int row, uint32_t least, uint32_t most, uint32_t *value)
{
    ws_cursor c = ws_theirs_open(t, row);
    const int rc = ws_cursor_whole(&c, least, most, value);
    return rc ? rc : ws_cursor_end(&c);
}

/* --- Queues --- */

int ws_theirs_take_controller(ws_theirs *t, int row)
{
    uint32_t which;
    const int rc = whole_of(t, row, 0, 1, &which);
    return rc ? rc : ws_theirs_put(t, row, 0, "memory", "controller", which ? "frfcfs" : "fcfs");
}

int ws_theirs_take_dram_queue(ws_theirs *t, int row)
{
    uint32_t size;
    int rc = whole_of(t, row, 0, UNLIMITED, &size);
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, "memory", "read_queue", size ? size : UNLIMITED, "");
    return rc ? rc : ws_theirs_put_number(t, row, 0, "memory", "write_queue", size ? size : UNLIMITED, "");
}

int ws_theirs_take_dram_replies(ws_theirs *t, int row)
{
    uint32_t size;
    const int rc = whole_of(t, row, 0, UNLIMITED, &size);
    return rc ? rc : ws_theirs_put_number(t, row, 0, "memory", "replies", size ? size : UNLIMITED, "");
}

/* SIZE:HIGH:LOW. In a file they count when the other option switches them on. */
int ws_theirs_take_write_queue(ws_theirs *t, int row)
{
    static const char *const names[] = {"write_queue", "write_high", "write_low"};
    const int size_row = ws_theirs_row("-dram_write_queue_size");
    uint32_t enabled = 1, value = 0;
    int rc = row == size_row && !t->text
                 ? WS_OK
                 : whole_of(t, ws_theirs_row("-dram_seperate_write_queue_enable"), 0, 1, &enabled);
    if (row != size_row)
        return rc || t->text ? rc : ws_theirs_fail(t, row, 0, "set memory.write_queue, write_high and write_low");
    if (!rc && !enabled)
        return WS_OK; /* switched off */
    ws_cursor c = ws_theirs_open(t, row);
    for (size_t i = 0; !rc && i < 3; i++) {
        rc = i ? ws_cursor_expect(&c, ':') : WS_OK;
        if (!rc)
            rc = ws_cursor_whole(&c, 0, UNLIMITED, &value);
        if (!rc)
            rc = ws_theirs_put_number(t, row, c.began, "memory", names[i], value, "");
    }
    return rc ? rc : ws_cursor_end(&c);
}

/* Theirs is counted in core cycles. */
int ws_theirs_take_dram_latency(ws_theirs *t, int row)
{
    uint32_t cycles;
    ws_dram_part part = {.clock_mhz = t->machine->chip_memory_clock / 1000.0};
    int rc = whole_of(t, row, 0, MOST, &cycles);
    if (!rc && !t->machine->chip_memory_clock)
        rc = ws_machine_part(t->machine, &part);
    const double ours = round(cycles * part.clock_mhz * 1000 / t->machine->chip_core_clock);
    return rc ? rc : ws_theirs_put_number(t, row, 0, "memory", "latency", ours, "memory cycles");
}

/* --- The part --- */

/* Names of -gpgpu_dram_timing_opt in the order in which they come without names. */
enum { NBK, CCD, RRD, RCD, RAS, RP, RC, CL, WL, CDLR, WR, NBKGRP, CCDL, RTPL, TIMINGS };
static const char *const timing_names[TIMINGS] = {"nbk", "CCD", "RRD",  "RCD", "RAS",    "RP",   "RC",
                                                  "CL",  "WL",  "CDLR", "WR",  "nbkgrp", "CCDL", "RTPL"};

static int timing_at(const char *text, size_t *length)
{
    for (int i = 0; i < TIMINGS; i++) {
        *length = strlen(timing_names[i]);
        if (!strncmp(text, timing_names[i], *length) && text[*length] == '=')
            return i;
    }
    return -1;
}

/* NAME=NUMBER or, without names, NUMBER, each behind a colon but the first. */
static int read_timing(ws_theirs *t, int row, uint32_t timing[TIMINGS])
{
    ws_cursor c = ws_theirs_open(t, row);
    bool seen[TIMINGS] = {false};
    int rc = WS_OK;
    for (int i = 0; !rc && i < TIMINGS && (!i || ws_cursor_skip(&c, ':')); i++) {
        size_t length;
        c.at += strspn(c.text + c.at, " \t\r\n");
        const bool named = strspn(c.text + c.at, "0123456789") == 0;
        const int which = named ? timing_at(c.text + c.at, &length) : i;
        if (which < 0)
            return ws_theirs_fail(t, row, c.at,
                                  "expected a number, or one of nbk= CCD= RRD= RCD= RAS= RP= RC= CL= WL= "
                                  "CDLR= WR= nbkgrp= CCDL= RTPL=");
        if (seen[which])
            return ws_theirs_fail(t, row, c.at, "%s appears twice", timing_names[which]);
        seen[which] = true;
        c.at += named ? length + 1 : 0;
        rc = ws_cursor_whole(&c, 0, 10000, &timing[which]);
    }
    if (!rc)
        rc = ws_cursor_end(&c);
    for (int i = 0; !rc && i < NBKGRP; i++)
        if (!seen[i])
            rc = ws_theirs_fail(t, row, strlen(c.text), "%s is missing", timing_names[i]);
    timing[NBKGRP] += !timing[NBKGRP];
    timing[CCDL] = timing[CCDL] ? timing[CCDL] : timing[CCD];
    timing[RTPL] += !timing[RTPL];
    return rc;
}

static uint32_t count_of(const char *text, char letter)
{
    uint32_t n = 0;
    for (; *text; text++)
        n += *text == letter;
    return n;
}

static uint32_t log2_of(uint32_t value)
{
    uint32_t bits = 0;
    while (value >> bits > 1)
        bits++;
    return bits;
}

/* The map as ours: the lowest B become G when they are the bank group; the highest are without saying so. */
static void write_mapping(const char *theirs, uint32_t group_bits, bool lowest, char *out)
{
    const size_t length = strlen(theirs);
    memcpy(out, theirs, length + 1);
    for (size_t i = length; lowest && group_bits && i-- > 0;)
        if (out[i] == 'B') {
            out[i] = 'G';
            group_bits--;
        }
}

/* Consecutive bytes of one slice: theirs are told apart by the lowest bits of the bank, channels by what follows the
 * number behind dramid@ or by D. */
static uint32_t stripe_of(const char *mapping, bool slices)
{
    uint32_t bit = 0, bank = 63, channel = 63;
    for (size_t i = strlen(mapping); i-- > 0 && mapping[i] != ';';) {
        bank = strchr("BG", mapping[i]) && bank == 63 ? bit : bank;
        channel = mapping[i] == 'D' && channel == 63 ? bit : channel;
        bit += strchr(".| ", mapping[i]) == NULL;
    }
    if (!strncmp(mapping, "dramid@", 7))
        channel = (uint32_t)strtoul(mapping + 7, NULL, 10);
    const uint32_t lowest = slices && bank < channel ? bank : channel;
    return lowest < 16 ? 1u << lowest : 65536;
}

typedef struct description {
    uint32_t timing[TIMINGS], width, chips, burst, rate, policy, hash, dual;
    char mapping[128];
} description;

static int read_description(ws_theirs *t, description *d)
{
    int rc = read_timing(t, ws_theirs_row("-gpgpu_dram_timing_opt"), d->timing);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-gpgpu_dram_buswidth"), 1, 512, &d->width);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-gpgpu_n_mem_per_ctrlr"), 1, 64, &d->chips);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-gpgpu_dram_burst_length"), 1, 64, &d->burst);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-dram_data_command_freq_ratio"), 1, 64, &d->rate);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-dram_bnkgrp_indexing_policy"), 0, 1, &d->policy);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-dram_bnk_indexing_policy"), 0, 1, &d->hash);
    if (!rc)
        rc = whole_of(t, ws_theirs_row("-dram_dual_bus_interface"), 0, 1, &d->dual);
    const int row = ws_theirs_row("-gpgpu_mem_addr_mapping");
    const char *const mapping = ws_theirs_value(t, row);
    if (!rc && strlen(mapping) >= sizeof d->mapping)
        return ws_theirs_fail(t, row, 0, "expected at most %zu characters", sizeof d->mapping - 1);
    if (!rc && (count_of(mapping, 'R') > 24 || count_of(mapping, 'C') > 16))
        return ws_theirs_fail(t, row, 0, "expected at most 24 R and 16 C");
    if (!rc && d->timing[NBK] % d->timing[NBKGRP])
        return ws_theirs_fail(t, ws_theirs_row("-gpgpu_dram_timing_opt"), 0, "nbk is no multiple of nbkgrp");
    if (!rc)
        write_mapping(mapping, log2_of(d->timing[NBKGRP]), d->policy == 1, d->mapping);
    return rc;
}

/* As a file of data/tech; tRCDWR and tRTW as GPGPU-Sim works them out. */
static int build_part(ws_theirs *t, const description *d)
{
    const uint32_t *const v = d->timing;
    const uint32_t to_write = v[RCD] > v[WL] + 1 ? v[RCD] - (v[WL] + 1) : 1;
    char file[512];
    snprintf(file, sizeof file, "%.400s: -gpgpu_dram_timing_opt and the rest as a part", t->file);
    const char *const text = ws_machine_text(
        t->machine,
        "[part]\nclock = %.15g MHz\nbank_groups = %" PRIu32 "\nbanks = %" PRIu32 "\nrows = %u\ncolumns = %u\n"
        "command_buses = %" PRIu32 "\nbank_xor = %" PRIu32 "\nbus = %" PRIu32 " bits\nburst = %" PRIu32
        " beats\nrate = %" PRIu32 " beats/cycle\nmapping = X\n"
        "[timing]\ntCL = %u cycles\ntCWL = %u cycles\ntRCDRD = %u cycles\ntRCDWR = %u cycles\ntRP = %u cycles\n"
        "tRAS = %u cycles\ntRC = %u cycles\ntRRDS = %u cycles\ntRRDL = %u cycles\ntCCDS = %u cycles\n"
        "tCCDL = %u cycles\ntWR = %u cycles\ntWTRS = %u cycles\ntWTRL = %u cycles\ntRTP = %u cycles\n"
        "tRTW = 2 cycles\ntREFI = 0 cycles\ntRFC = 1 cycles\n",
        t->machine->chip_memory_clock / 1000.0, v[NBKGRP], v[NBK] / v[NBKGRP], 1u << count_of(d->mapping, 'R'),
        1u << count_of(d->mapping, 'C'), d->dual + 1, d->hash, d->width * d->chips * 8, d->burst, d->rate, v[CL], v[WL],
        v[RCD], to_write, v[RP], v[RAS], v[RC], v[RRD], v[RRD], v[CCD], v[CCDL], v[WR], v[CDLR], v[CDLR], v[RTPL]);
    if (!text)
        return ws_fail(WS_EMEM, "%s: out of memory", t->file);
    const int rc = ws_dram_part_parse(file, text, strlen(text), &t->machine->part);
    if (rc)
        return rc;
    strcpy(t->machine->part.mapping, d->mapping);
    t->machine->has_part = true;
    t->machine->memory_part[0] = '\0';
    return WS_OK;
}

/* All options of the part at once, with the first of them. */
int ws_theirs_take_part(ws_theirs *t, int row)
{
    description d = {0};
    if (!t->text)
        return ws_theirs_fail(t, row, 0, "a part has more than this; set memory.part");
    if (t->part_done)
        return WS_OK;
    t->part_done = true;
    int rc = read_description(t, &d);
    if (!rc)
        rc = build_part(t, &d);
    if (rc)
        return rc;
    const uint32_t stripe = stripe_of(d.mapping, t->machine->l2_slices > 1), line = t->machine->l2_line;
    return ws_theirs_put_number(t, row, 0, "l2", "stripe", stripe > line ? stripe : line, "bytes");
}

/* --- The network --- */

/* Options of the built-in crossbar; in a file they count in mode 2. */
int ws_theirs_take_crossbar(ws_theirs *t, int row)
{
    static const struct {
        const char *theirs, *ours, *unit;
    } names[] = {{"-icnt_flit_size", "flit_bytes", "bytes"},
                 {"-icnt_in_buffer_limit", "injection_flits", "flits"},
                 {"-icnt_out_buffer_limit", "ejection_packets", "packets"}};
    uint32_t value;
    size_t i = 0;
    while (ws_theirs_row(names[i].theirs) != row)
        i++;
    if (t->text && strcmp(ws_theirs_value(t, ws_theirs_row("-network_mode")), "2"))
        return WS_OK; /* the other file counts */
    const int rc = whole_of(t, row, 0, MOST, &value);
    return rc ? rc : ws_theirs_put_number(t, row, 0, "network", names[i].ours, value, names[i].unit);
}

/* Fields of the interconnect's file (BookSim: Jiang and others, A Detailed and Flexible Cycle-Accurate Network-on-Chip
 * Simulator, 2013) and their defaults there. */
typedef struct field {
    const char *theirs;
    const char *value;
    int line, column; /* 0: a default */
} field;
enum {
    TOPOLOGY,
    K,
    N,
    ROUTING,
    FLIT_SIZE,
    NUM_VCS,
    VC_BUF_SIZE,
    ROUTING_DELAY,
    VC_ALLOC,
    SW_ALLOC,
    ST_FINAL,
    CREDIT,
    SUBNETS,
    FIELDS
};
static const field field_defaults[FIELDS] = {
    [TOPOLOGY] = {"topology", "torus", 0, 0},
    [K] = {"k", "8", 0, 0},
    [N] = {"n", "2", 0, 0},
    [ROUTING] = {"routing_function", "none", 0, 0},
    [FLIT_SIZE] = {"flit_size", "32", 0, 0},
    [NUM_VCS] = {"num_vcs", "16", 0, 0},
    [VC_BUF_SIZE] = {"vc_buf_size", "8", 0, 0},
    [ROUTING_DELAY] = {"routing_delay", "1", 0, 0},
    [VC_ALLOC] = {"vc_alloc_delay", "1", 0, 0},
    [SW_ALLOC] = {"sw_alloc_delay", "1", 0, 0},
    [ST_FINAL] = {"st_final_delay", "1", 0, 0},
    [CREDIT] = {"credit_delay", "0", 0, 0},
    [SUBNETS] = {"subnets", "2", 0, 0},
};

typedef struct icnt {
    ws_theirs *theirs;
    const char *file;
    field field[FIELDS];
} icnt;

static const char *icnt_place(const icnt *n, int f)
{
    if (!n->field[f].line)
        return ws_machine_text(n->theirs->machine, "%s: default of %s", n->file, n->field[f].theirs);
    return ws_machine_text(n->theirs->machine, "%s:%d:%d: %s", n->file, n->field[f].line, n->field[f].column,
                           n->field[f].theirs);
}

static int icnt_fail(const icnt *n, int f, const char *text)
{
    const char *const where = icnt_place(n, f);
    return ws_fail(where ? WS_EINPUT : WS_EMEM, "%s = %s: %s", where ? where : "", n->field[f].value, text);
}

static int icnt_put(icnt *n, int f, const char *name, const char *value)
{
    const char *const where = icnt_place(n, f);
    return where ? ws_machine_put(n->theirs->machine, "network", name, value, where)
                 : ws_fail(WS_EMEM, "%s: out of memory", n->file);
}

static int icnt_number(icnt *n, int f, const char *name)
{
    return icnt_put(n, f, name, n->field[f].value);
}

/* One line: name = value; and nothing else but a comment. */
static int icnt_setting(icnt *n, const ws_setting *s)
{
    char what[96];
    for (int f = 0; f < FIELDS; f++)
        if (!strcmp(n->field[f].theirs, s->name)) {
            n->field[f].value = ws_machine_text(n->theirs->machine, "%s", s->value);
            n->field[f].line = s->line;
            n->field[f].column = s->value_column;
            return n->field[f].value ? WS_OK : ws_fail(WS_EMEM, "%s: out of memory", n->file);
        }
    snprintf(what, sizeof what, "%.64s of the interconnect", s->name);
    return ws_theirs_ignore(n->theirs, what, "networks here do not support it");
}

/* The form is that of our settings, but that comments open with two slashes; ends of lines stay where they are. */
static int icnt_read(icnt *n)
{
    static const ws_input input = {
        .what = "a configuration of an interconnect", .most_bytes = 1 << 20, .source = WS_INPUT_FILES};
    ws_settings *settings = NULL;
    char *text;
    size_t length;
    int rc = ws_input_read(n->file, &input, &text, &length);
    if (rc)
        return ws_fail(rc, "%s; it is the -inter_config_file", ws_message());
    for (size_t i = 0; !rc && i + 1 < length; i++)
        if (text[i] == '/' && text[i + 1] == '/')
            text[i] = '#';
    if (!rc)
        rc = ws_settings_parse(n->file, text, length, &settings);
    for (size_t i = 0; !rc && i < settings->count; i++)
        rc = icnt_setting(n, &settings->list[i]);
    ws_settings_destroy(settings);
    free(text);
    return rc;
}

static int icnt_mesh(icnt *n)
{
    const char *const routing = n->field[ROUTING].value;
    if (strcmp(n->field[N].value, "2"))
        return icnt_fail(n, N, "expected 2; a mesh has two dimensions here");
    if (strcmp(routing, "dor") && strcmp(routing, "dim_order"))
        return icnt_fail(n, ROUTING, "expected dor or dim_order");
    if (strcmp(n->field[VC_ALLOC].value, "1"))
        return icnt_fail(n, VC_ALLOC, "expected 1");
    if (strcmp(n->field[SW_ALLOC].value, "1"))
        return icnt_fail(n, SW_ALLOC, "expected 1");
    int rc = icnt_put(n, TOPOLOGY, "kind", "mesh");
    if (!rc)
        rc = icnt_number(n, K, "width");
    if (!rc)
        rc = icnt_number(n, K, "height");
    if (!rc)
        rc = icnt_number(n, NUM_VCS, "vcs");
    if (!rc)
        rc = icnt_number(n, VC_BUF_SIZE, "vc_flits");
    if (!rc)
        rc = icnt_number(n, ROUTING_DELAY, "route_cycles");
    if (!rc)
        rc = icnt_number(n, ST_FINAL, "switch_cycles");
    return rc ? rc : icnt_number(n, CREDIT, "credit_cycles");
}

/* A butterfly of one stage is a crossbar: from input to output a packet takes what its one router takes. */
static int icnt_crossbar(icnt *n)
{
    static const int delays[] = {ROUTING_DELAY, VC_ALLOC, SW_ALLOC, ST_FINAL};
    char latency[24];
    unsigned long sum = 0;
    if (strcmp(n->field[N].value, "1"))
        return icnt_fail(n, N, "expected 1; a butterfly has one stage here");
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        const char *const value = n->field[delays[i]].value;
        if (strspn(value, "0123456789") != strlen(value) || strlen(value) > 4)
            return icnt_fail(n, delays[i], "expected a number of cycles");
        sum += strtoul(value, NULL, 10);
    }
    snprintf(latency, sizeof latency, "%lu", sum ? sum : 1);
    int rc = icnt_put(n, TOPOLOGY, "kind", "crossbar");
    if (!rc)
        rc = icnt_put(n, ROUTING_DELAY, "latency", latency);
    return rc ? rc : icnt_number(n, VC_BUF_SIZE, "injection_flits");
}

/* The file stands beside the configuration. */
static const char *beside(ws_theirs *t, const char *name)
{
    const char *const slash = strrchr(t->file, '/');
    if (*name == '/' || !slash)
        return name;
    return ws_machine_text(t->machine, "%.*s%s", (int)(slash + 1 - t->file), t->file, name);
}

static int take_interconnect(ws_theirs *t)
{
    icnt n = {.theirs = t, .file = beside(t, ws_theirs_value(t, ws_theirs_row("-inter_config_file")))};
    if (!n.file)
        return ws_fail(WS_EMEM, "%s: out of memory", t->file);
    memcpy(n.field, field_defaults, sizeof n.field);
    int rc = icnt_read(&n);
    if (!rc && strcmp(n.field[SUBNETS].value, "2"))
        rc = icnt_fail(&n, SUBNETS, "expected 2; requests and replies have a network each here");
    if (!rc)
        rc = icnt_number(&n, FLIT_SIZE, "flit_bytes");
    if (rc)
        return rc;
    if (!strcmp(n.field[TOPOLOGY].value, "mesh"))
        return icnt_mesh(&n);
    if (!strcmp(n.field[TOPOLOGY].value, "fly"))
        return icnt_crossbar(&n);
    return icnt_fail(&n, TOPOLOGY, "expected mesh, or fly with n = 1, a crossbar");
}

int ws_theirs_take_network(ws_theirs *t, int row)
{
    const int mode_row = ws_theirs_row("-network_mode");
    uint32_t mode = 0;
    if (!t->text && row != mode_row)
        return ws_theirs_fail(t, row, 0, "set network.kind and its options");
    if (t->network_done)
        return WS_OK;
    t->network_done = true;
    const int rc = whole_of(t, mode_row, 1, 2, &mode);
    if (rc)
        return rc;
    if (mode == 2)
        return ws_theirs_put(t, mode_row, 0, "network", "kind", "crossbar");
    return t->text ? take_interconnect(t) : ws_theirs_fail(t, row, 0, "set network.kind and its options");
}
