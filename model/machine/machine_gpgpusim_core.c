/* machine_gpgpusim_core.c - what do GPGPU-Sim's options of the chip, the SMs and the caches say? */
#include "model/machine/machine_gpgpusim_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000000000 };

/* core:network:L2:memory in MHz. */
int ws_theirs_take_clocks(ws_theirs *t, int row)
{
    static const char *const names[] = {"core_clock", "network_clock", "l2_clock", "memory_clock"};
    ws_cursor c = ws_theirs_open(t, row);
    int rc = WS_OK;
    for (size_t i = 0; !rc && i < 4; i++) {
        double mhz = 0;
        rc = i ? ws_cursor_expect(&c, ':') : WS_OK;
        if (!rc)
            rc = ws_cursor_number(&c, 1, 10000, &mhz);
        if (!rc)
            rc = ws_theirs_put_number(t, row, c.began, "chip", names[i], round(mhz * 1000), "kHz");
    }
    return rc ? rc : ws_cursor_end(&c);
}

static int whole_value(ws_theirs *t, int row, uint32_t *value)
{
    ws_cursor c = ws_theirs_open(t, row);
    const int rc = ws_cursor_whole(&c, 0, MOST, value);
    return rc ? rc : ws_cursor_end(&c);
}

int ws_theirs_take_sms(ws_theirs *t, int row)
{
    const int clusters_row = ws_theirs_row("-gpgpu_n_clusters"),
              cores_row = ws_theirs_row("-gpgpu_n_cores_per_cluster");
    uint32_t clusters = 1, cores = 1;
    if (!t->text && row == cores_row)
        return ws_theirs_fail(t, row, 0, "this option alone does not give the number of SMs; set chip.sms");
    int rc = whole_value(t, clusters_row, &clusters);
    if (!rc && t->text)
        rc = whole_value(t, cores_row, &cores);
    return rc ? rc : ws_theirs_put_number(t, row, 0, "chip", "sms", (double)clusters * cores, "");
}

int ws_theirs_take_threads(ws_theirs *t, int row)
{
    ws_cursor c = ws_theirs_open(t, row);
    uint32_t threads, warp = 0;
    int rc = ws_cursor_whole(&c, 0, MOST, &threads);
    const size_t at = c.began;
    if (!rc)
        rc = ws_cursor_expect(&c, ':');
    if (!rc)
        rc = ws_cursor_whole(&c, 1, MOST, &warp);
    if (!rc && warp != 32)
        return ws_theirs_fail(t, row, c.began, "a warp has 32 threads here");
    if (!rc)
        rc = ws_cursor_end(&c);
    return rc ? rc : ws_theirs_put_number(t, row, at, "sm", "threads", threads, "");
}

/* two_level_active:ACTIVE:INNER:OUTER; inner 0 is loose round-robin, outer 1 strict round-robin, as ours. */
static int take_two_level(ws_theirs *t, int row)
{
    ws_cursor c = ws_theirs_open(t, row);
    uint32_t active = 0, inner = 0, outer = 0;
    c.at = strlen("two_level_active");
    int rc = ws_cursor_expect(&c, ':');
    if (!rc)
        rc = ws_cursor_whole(&c, 1, 64, &active);
    const size_t at = c.began;
    if (!rc)
        rc = ws_cursor_expect(&c, ':');
    if (!rc)
        rc = ws_cursor_whole(&c, 0, 0, &inner);
    if (!rc)
        rc = ws_cursor_expect(&c, ':');
    if (!rc)
        rc = ws_cursor_whole(&c, 0, 1, &outer);
    if (!rc)
        rc = ws_cursor_end(&c);
    if (!rc)
        rc = ws_theirs_put(t, row, 0, "sm", "scheduler", "two-level");
    return rc ? rc : ws_theirs_put_number(t, row, at, "scheduler", "active", active, "");
}

int ws_theirs_take_scheduler(ws_theirs *t, int row)
{
    const char *const value = ws_theirs_value(t, row);
    if (!strncmp(value, "two_level_active", 16))
        return take_two_level(t, row);
    if (strcmp(value, "lrr") && strcmp(value, "gto"))
        return ws_theirs_fail(t, row, 0, "expected lrr, gto or two_level_active:N:0:1");
    return ws_theirs_put(t, row, 0, "sm", "scheduler", value);
}

/* All collectors of an SM; those for one kind of unit count only where they are switched on. */
int ws_theirs_take_collectors(ws_theirs *t, int row)
{
    static const char *const kinds[] = {"gen", "sp", "dp", "sfu", "int", "mem"};
    uint32_t special = 0, sum = 0, units;
    char name[64];
    if (!t->text)
        return ws_theirs_fail(t, row, 0, "this option alone does not give their number; set registers.collectors");
    int rc = whole_value(t, ws_theirs_row("-gpgpu_enable_specialized_operand_collector"), &special);
    for (size_t i = 0; !rc && i < (special ? 6 : 1); i++) {
        snprintf(name, sizeof name, "-gpgpu_operand_collector_num_units_%s", kinds[i]);
        rc = whole_value(t, ws_theirs_row(name), &units);
        sum += rc ? 0 : units;
    }
    return rc ? rc : ws_theirs_put_number(t, row, 0, "registers", "collectors", sum, "");
}

/* --- Latencies: add, max, mul, mad, div and, of integers, shuffles --- */

static int take_latencies(ws_theirs *t, int row, const char *section, const char *kind)
{
    static const char *const names[] = {"add", "max", "mul", "mad", "div"};
    ws_cursor c = ws_theirs_open(t, row);
    int rc = WS_OK;
    for (size_t i = 0; !rc && i < 5; i++) {
        double cycles = 0;
        char name[16];
        snprintf(name, sizeof name, "%s_%s", kind, names[i]);
        rc = i ? ws_cursor_expect(&c, ',') : WS_OK;
        if (!rc)
            rc = ws_cursor_number(&c, 0, MOST, &cycles);
        if (!rc)
            rc = ws_theirs_put_number(t, row, c.began, section, name, cycles, "cycles");
    }
    double cycles = 0;
    if (!rc && !strcmp(kind, "int") && ws_cursor_skip(&c, ',')) {
        rc = ws_cursor_number(&c, 0, MOST, &cycles);
        if (!rc)
            rc = ws_theirs_put_number(t, row, c.began, section, "exchange", cycles, "cycles");
    }
    return rc ? rc : ws_cursor_end(&c);
}

/* Conversions go through the pipeline for floats as additions do. */
static int take_float_latencies(ws_theirs *t, int row, const char *section)
{
    ws_cursor c = ws_theirs_open(t, row);
    double cycles = 0;
    int rc = take_latencies(t, row, section, "fp");
    if (!rc)
        rc = ws_cursor_number(&c, 0, MOST, &cycles);
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, section, "convert", cycles, "cycles");
    return rc ? rc : ws_theirs_put_number(t, row, 0, section, "dp_convert", cycles, "cycles");
}

int ws_theirs_take_latency_int(ws_theirs *t, int row)
{
    return take_latencies(t, row, "latency", "int");
}

int ws_theirs_take_latency_fp(ws_theirs *t, int row)
{
    return take_float_latencies(t, row, "latency");
}

int ws_theirs_take_latency_dp(ws_theirs *t, int row)
{
    return take_latencies(t, row, "latency", "dp");
}

int ws_theirs_take_initiation_int(ws_theirs *t, int row)
{
    return take_latencies(t, row, "initiation", "int");
}

int ws_theirs_take_initiation_fp(ws_theirs *t, int row)
{
    return take_float_latencies(t, row, "initiation");
}

int ws_theirs_take_initiation_dp(ws_theirs *t, int row)
{
    return take_latencies(t, row, "initiation", "dp");
}

/* A product of 16 x 16 x 16 is what their times are of. */
int ws_theirs_take_tensor(ws_theirs *t, int row)
{
    enum { PRODUCT = 16 * 16 * 16 };
    static const char *const rates[] = {"half", "mixed", "byte"};
    uint32_t latency = 1, initiation = 1;
    if (!t->text)
        return ws_theirs_fail(t, row, 0,
                              "this option alone is not sufficient; set tensor.half, mixed, byte and latency");
    int rc = whole_value(t, ws_theirs_row("-ptx_opcode_latency_tesnor"), &latency);
    if (!rc)
        rc = whole_value(t, ws_theirs_row("-ptx_opcode_initiation_tensor"), &initiation);
    if (!rc && (!initiation || initiation > PRODUCT))
        return ws_theirs_fail(t, ws_theirs_row("-ptx_opcode_initiation_tensor"), 0, "expected 1 to %d cycles",
                              (int)PRODUCT);
    for (size_t i = 0; !rc && i < sizeof rates / sizeof *rates; i++)
        rc = ws_theirs_put_number(t, row, 0, "tensor", rates[i], PRODUCT / initiation, "");
    return rc ? rc
              : ws_theirs_put_number(t, row, 0, "tensor", "latency", latency > initiation ? latency - initiation : 1,
                                     "cycles");
}

/* Behind the number of units. */
int ws_theirs_take_tensor_available(ws_theirs *t, int row)
{
    uint32_t available;
    const int rc = whole_value(t, row, &available);
    return rc || available ? rc : ws_theirs_put_number(t, row, 0, "sm", "tensor_units", 0, "");
}

int ws_theirs_take_shared_latency(ws_theirs *t, int row)
{
    uint32_t cycles;
    int rc = whole_value(t, row, &cycles);
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, "shared", "read", cycles, "cycles");
    return rc ? rc : ws_theirs_put_number(t, row, 0, "shared", "write", cycles, "cycles");
}

/* --- Caches: [N|S:]sets:line:ways,replacement:write:allocate:write-allocate[:index],mshr:entries:merges,queue --- */

typedef struct letter {
    char letter;
    const char *word;
} letter;

static const letter replacements[] = {{'L', "lru"}, {'F', "fifo"}, {0, NULL}};
static const letter writes[] = {{'R', "read-only"}, {'B', "back"},       {'T', "through"},
                                {'E', "evict"},     {'L', "local-back"}, {0, NULL}};
static const letter allocations[] = {{'m', "miss"}, {'f', "fill"}, {'s', "fill"}, {0, NULL}};
/* W, of GPGPU-Sim 3, sends the store on and reads the line. */
static const letter write_allocations[] = {{'N', "none"}, {'W', "fetch"}, {'F', "fetch"}, {'L', "lazy"}, {0, NULL}};
static const letter indices[] = {{'L', "linear"}, {'H', "fermi"}, {'P', "ipoly"}, {'X', "xor"}, {0, NULL}};
static const letter mshr_kinds[] = {{'A', ""}, {'S', ""}, {'F', "fifo"}, {'T', "fifo"}, {0, NULL}};

typedef struct cache {
    bool sectors, streaming;
    uint32_t sets, line, ways, mshrs, merges, port;
    const letter *replacement, *write, *allocate, *write_allocate, *index, *mshr;
    size_t sets_at, line_at, ways_at, replacement_at, write_at, allocate_at, write_allocate_at, index_at, mshrs_at,
        merges_at, port_at;
} cache;

static int read_letter(ws_cursor *c, const letter *of, const letter **found, size_t *at)
{
    char all[16];
    size_t n = 0;
    *at = c->at;
    for (const letter *l = of; l->word; l++) {
        if (c->text[c->at] == l->letter) {
            c->at++;
            *found = l;
            return WS_OK;
        }
        all[n++] = l->letter;
    }
    return ws_theirs_fail(c->theirs, c->row, c->at, "expected one of %.*s", (int)n, all);
}

static int read_shape(ws_cursor *c, cache *k)
{
    k->sectors = c->text[0] == 'S';
    if (c->text[0] == 'S' || c->text[0] == 'N') {
        c->at++;
        if (ws_cursor_expect(c, ':'))
            return WS_EINPUT;
    }
    int rc = ws_cursor_whole(c, 1, 65536, &k->sets);
    k->sets_at = c->began;
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = ws_cursor_whole(c, 1, MOST, &k->line);
    k->line_at = c->began;
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = ws_cursor_whole(c, 1, MOST, &k->ways);
    k->ways_at = c->began;
    return rc ? rc : ws_cursor_expect(c, ',');
}

static int read_policies(ws_cursor *c, cache *k)
{
    int rc = read_letter(c, replacements, &k->replacement, &k->replacement_at);
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = read_letter(c, writes, &k->write, &k->write_at);
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = read_letter(c, allocations, &k->allocate, &k->allocate_at);
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = read_letter(c, write_allocations, &k->write_allocate, &k->write_allocate_at);
    k->index = indices;
    k->index_at = c->at;
    if (!rc && ws_cursor_skip(c, ':'))
        rc = read_letter(c, indices, &k->index, &k->index_at);
    return rc ? rc : ws_cursor_expect(c, ',');
}

/* The queue of misses is read for its form. */
static int read_misses(ws_cursor *c, cache *k)
{
    size_t at;
    uint32_t number;
    int rc = read_letter(c, mshr_kinds, &k->mshr, &at);
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = ws_cursor_whole(c, 1, MOST, &k->mshrs);
    k->mshrs_at = c->began;
    if (!rc)
        rc = ws_cursor_expect(c, ':');
    if (!rc)
        rc = ws_cursor_whole(c, 1, MOST, &k->merges);
    k->merges_at = c->began;
    if (!rc && ws_cursor_skip(c, ','))
        rc = ws_cursor_whole(c, 0, MOST, &number);
    if (!rc && ws_cursor_skip(c, ':'))
        rc = ws_cursor_whole(c, 0, MOST, &number);
    if (!rc && ws_cursor_skip(c, ',')) {
        rc = ws_cursor_whole(c, 0, MOST, &k->port);
        k->port_at = c->began;
    }
    return rc ? rc : ws_cursor_end(c);
}

static int read_cache(ws_theirs *t, int row, cache *k)
{
    ws_cursor c = ws_theirs_open(t, row);
    *k = (cache){0};
    int rc = read_shape(&c, k);
    if (!rc)
        rc = read_policies(&c, k);
    if (!rc)
        rc = read_misses(&c, k);
    if (!rc && t->given[row].value) {
        char what[96];
        ws_machine_alias a;
        ws_machine_alias_row((size_t)row, &a);
        snprintf(what, sizeof what, "%s (queue of misses)", a.theirs);
        rc = ws_theirs_ignore(t, what, "as many misses wait as there are MSHRs");
    }
    /* GPGPU-Sim's streaming cache has an entry for each of its lines and merges a warp slot each (gpu-cache.h). */
    k->streaming = !rc && k->allocate->letter == 's';
    if (k->streaming) {
        const uint64_t lines = (uint64_t)k->sets * k->ways * (k->sectors ? 4 : 1);
        k->mshrs = lines < 4096 ? (uint32_t)lines : 4096;
        k->merges = 64;
    }
    return rc;
}

static int put_shape(ws_theirs *t, int row, const char *section, const cache *k)
{
    int rc = ws_theirs_put_number(t, row, k->sets_at, section, "sets", k->sets, "");
    if (!rc)
        rc = ws_theirs_put_number(t, row, k->line_at, section, "line", k->line, "bytes");
    if (!rc)
        rc = ws_theirs_put_number(t, row, k->ways_at, section, "ways", k->ways, "");
    return rc ? rc : ws_theirs_put_number(t, row, k->mshrs_at, section, "mshrs", k->mshrs, "");
}

/* Caches with sectors are asked for one at a time, and an L1 gives one from each of its banks. */
static int put_port(ws_theirs *t, int row, const char *section, const cache *k)
{
    if (strcmp(section, "l1"))
        return ws_theirs_put_number(t, row, k->port_at, "l2", "port", k->sectors ? 32 : k->port ? k->port : 0, "bytes");
    return k->sectors ? ws_theirs_put(t, row, 0, "l1", "request", "sector") : WS_OK;
}

/* A cache for data: L1 or L2. */
static int take_data_cache(ws_theirs *t, int row, const char *section)
{
    cache k;
    int rc = read_cache(t, row, &k);
    if (!rc && k.write->letter == 'R')
        return ws_theirs_fail(t, row, k.write_at, "expected B, T, E or L; this cache takes stores");
    if (!rc && *k.mshr->word)
        return ws_theirs_fail(t, row, k.mshrs_at - 2, "expected A or S; F and T are for textures");
    if (!rc)
        rc = put_shape(t, row, section, &k);
    if (!rc)
        rc = ws_theirs_put_number(t, row, k.line_at, section, "sector", k.sectors ? 32 : k.line, "bytes");
    if (!rc)
        rc = ws_theirs_put_number(t, row, k.merges_at, section, "merges", k.merges, "");
    if (!rc)
        rc = ws_theirs_put(t, row, k.replacement_at, section, "replacement", k.replacement->word);
    if (!rc)
        rc = ws_theirs_put(t, row, k.write_at, section, "write", k.write->word);
    if (!rc)
        rc = ws_theirs_put(t, row, k.write_allocate_at, section, "write_allocate", k.write_allocate->word);
    if (!rc)
        rc = put_port(t, row, section, &k);
    if (!rc && !strcmp(section, "l1"))
        rc = ws_theirs_put(t, row, k.allocate_at, section, "allocate", k.allocate->word);
    else if (!rc && k.allocate->letter != 'm')
        rc = ws_theirs_fail(t, row, k.allocate_at, "expected m; L2 chooses a line at the miss here");
    return rc ? rc : ws_theirs_put(t, row, k.index_at, section, "index", k.index->word);
}

int ws_theirs_take_l1(ws_theirs *t, int row)
{
    if (!strcmp(ws_theirs_value(t, row), "none"))
        return ws_theirs_put(t, row, 0, "l1", "enabled", "0");
    const int rc = ws_theirs_put(t, row, 0, "l1", "enabled", "1");
    return rc ? rc : take_data_cache(t, row, "l1");
}

/* The L1 of -gpgpu_cache:dl1 is what its users gave it of the memory that it shares; theirs grows to all of it. */
int ws_theirs_take_adaptive(ws_theirs *t, int row)
{
    enum { KILOBYTE = 1024, VOLTA = 4 };
    const char *const sizes = ws_theirs_value(t, ws_theirs_row("-gpgpu_shmem_option"));
    ws_machine *const m = t->machine;
    uint32_t adaptive, kilobytes = 0;
    if (row != ws_theirs_row("-gpgpu_adaptive_cache_config"))
        return t->text ? WS_OK
                       : ws_theirs_fail(t, row, 0,
                                        "this option alone is not sufficient; set l1.unified, l1.shared and l1.ways");
    int rc = whole_value(t, row, &adaptive);
    if (rc || !adaptive)
        return rc;
    rc = whole_value(t, ws_theirs_row("-gpgpu_unified_l1d_size"), &kilobytes);
    const uint64_t own = (uint64_t)m->l1_sets * m->l1_ways * m->l1_line;
    const uint64_t all = kilobytes ? (uint64_t)kilobytes * KILOBYTE : own * VOLTA;
    if (!rc && (!m->l1_enabled || !own || all % own))
        return ws_theirs_fail(t, row, 0, "expected a unified size that is a multiple of -gpgpu_cache:dl1");
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, "l1", "ways", (double)(all / own) * m->l1_ways, "");
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, "l1", "unified", (double)all, "bytes");
    return rc ? rc : ws_theirs_put(t, row, 0, "l1", "shared", strcmp(sizes, "0") ? sizes : "0,8,16,32,64,96");
}

int ws_theirs_take_l1_banks(ws_theirs *t, int row)
{
    enum { SECTOR = 32 };
    uint32_t banks;
    int rc = whole_value(t, row, &banks);
    if (!rc)
        rc = ws_theirs_put_number(t, row, 0, "l1", "ports", banks, "");
    return rc || t->machine->l1_sector != SECTOR
               ? rc
               : ws_theirs_put_number(t, row, 0, "l1", "width", (double)banks * SECTOR, "bytes");
}

/* Of Rau's polynomials, or what users of it fill in, which is nothing at first. */
int ws_theirs_take_scatter(ws_theirs *t, int row)
{
    enum { CONSECUTIVE = 0, POLYNOMIAL = 2, CUSTOM = 4 };
    uint32_t kind;
    const int rc = whole_value(t, row, &kind);
    if (rc)
        return rc;
    if (kind != CONSECUTIVE && kind != POLYNOMIAL && kind != CUSTOM)
        return ws_theirs_fail(t, row, 0, "expected 0, 2 or 4");
    return ws_theirs_put(t, row, 0, "l2", "scatter", kind == POLYNOMIAL ? "ipoly" : "none");
}

int ws_theirs_take_skip_l1(ws_theirs *t, int row)
{
    uint32_t skip;
    const int rc = whole_value(t, row, &skip);
    if (rc || !skip)
        return rc;
    return skip == 1 ? ws_theirs_put(t, row, 0, "l1", "enabled", "0") : ws_theirs_fail(t, row, 0, "expected 0 or 1");
}

int ws_theirs_take_l2(ws_theirs *t, int row)
{
    if (!strcmp(ws_theirs_value(t, row), "none"))
        return ws_theirs_fail(t, row, 0, "a machine has an L2 here");
    return take_data_cache(t, row, "l2");
}

/* Caches that are only read: LRU, linear, whole lines. */
static int take_read_cache(ws_theirs *t, int row, const char *section)
{
    cache k;
    if (!strcmp(ws_theirs_value(t, row), "none"))
        return ws_theirs_fail(t, row, 0, "an SM has this cache here");
    const int rc = read_cache(t, row, &k);
    if (rc)
        return rc;
    if (k.sectors)
        return ws_theirs_fail(t, row, 0, "expected N; this cache has no sectors here");
    if (k.write->letter != 'R')
        return ws_theirs_fail(t, row, k.write_at, "expected R; this cache is only read");
    if (k.replacement->letter != 'L')
        return ws_theirs_fail(t, row, k.replacement_at, "expected L; this cache is LRU here");
    if (k.index->letter != 'L')
        return ws_theirs_fail(t, row, k.index_at, "expected L; this cache has a linear index here");
    return put_shape(t, row, section, &k);
}

int ws_theirs_take_texture(ws_theirs *t, int row)
{
    return take_read_cache(t, row, "texture");
}

int ws_theirs_take_constant(ws_theirs *t, int row)
{
    return take_read_cache(t, row, "constant");
}

/* Theirs is counted in core cycles. */
int ws_theirs_take_l2_latency(ws_theirs *t, int row)
{
    uint32_t cycles;
    const int rc = whole_value(t, row, &cycles);
    const double ours = round((double)cycles * t->machine->chip_l2_clock / t->machine->chip_core_clock);
    return rc ? rc : ws_theirs_put_number(t, row, 0, "l2", "latency", ours, "L2 cycles");
}

int ws_theirs_take_l2_queue(ws_theirs *t, int row)
{
    ws_cursor c = ws_theirs_open(t, row);
    uint32_t size[4] = {0};
    int rc = WS_OK;
    for (size_t i = 0; !rc && i < 4; i++) {
        rc = i ? ws_cursor_expect(&c, ':') : WS_OK;
        if (!rc)
            rc = ws_cursor_whole(&c, 0, MOST, &size[i]);
    }
    if (!rc)
        rc = ws_cursor_end(&c);
    if (!rc && t->given[row].value)
        rc = ws_theirs_ignore(t, "-gpgpu_dram_partition_queues (all but the first)",
                              "other queues of a slice are as long as needed");
    return rc ? rc : ws_theirs_put_number(t, row, 0, "l2", "queue", size[0], "");
}
