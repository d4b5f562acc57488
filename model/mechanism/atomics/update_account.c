/* update_account.c - see update_account.h. docs/atomics.md has the formulas. */
#include "model/mechanism/atomics/update_account.h"

#include "base/status.h"
#include "collect/trace/update.h"
#include "model/coherence/coherence.h"
#include "model/machine/carveout.h"
#include "model/machine/machine.h"
#include "model/placement/placement.h"
#include "model/mechanism/ratio.h"
#include "model/time_bounds.h"

#include <math.h>
#include <stdlib.h>

enum { LINE = WS_UPDATE_LINE, SECTOR = 32, MOST_RECORDS = 1 << 24 /* of a launch: 640 MB */ };

typedef enum way { SERIAL, COMBINED, BUFFER, OWNED, LINES, FETCHED, CHIP, CHIP_BEHIND } way;

/* Lines of buffers of SMs behind which chips have some: those of CHIP_BEHIND. */
enum { FEW = 8 };

static const struct {
    const char *name, *settings;
    way way;
    double lines;
} table[] = {
#define VARIANT(name, way, lines, settings) {name, settings, way, lines},
#include "model/mechanism/atomics/update_variants.def"
#undef VARIANT
};
enum { VARIANTS = sizeof table / sizeof *table };
_Static_assert((int)VARIANTS <= (int)WS_UPDATE_VARIANTS_MOST, "there is room for all");

static double l1_lines(const ws_machine *m);

size_t ws_update_variants(const ws_machine *m)
{
    size_t n = 0;
    while (n < VARIANTS && (ws_machine_keeps_remote(m) || table[n].way < CHIP))
        n++;
    return n;
}

bool ws_update_variant_has_chips(size_t variant, bool *behind)
{
    *behind = table[variant].way == CHIP_BEHIND;
    return table[variant].way >= CHIP;
}

const char *ws_update_variant_name(size_t variant)
{
    return table[variant].name;
}

int ws_update_variant_machine(const ws_machine_choice *choice, size_t variant, ws_machine **out)
{
    return ws_variant_machine(choice, table[variant].settings, out);
}

static uint32_t slices_of_chip(const ws_machine *m)
{
    return m->memory_channels * m->l2_slices;
}

/* As the simulator wants it of machines whose updates stay in lines of the L1 (machine_check.c). */
static bool has_lines_for_updates(const ws_machine *m)
{
    return m->l1_enabled && m->l1_flush && !ws_machine_has_protocol(m);
}

bool ws_update_variant_fits(const ws_machine *m, size_t variant)
{
    const way how = table[variant].way;
    if (how >= CHIP)
        return (uint32_t)table[variant].lines % slices_of_chip(m) == 0;
    if (how == OWNED && (m->package_chips > 1 || m->l1_unified))
        return false;
    if (how == OWNED || how == LINES || how == FETCHED)
        return has_lines_for_updates(m);
    return how != BUFFER || isinf(table[variant].lines) || table[variant].lines < l1_lines(m);
}

/* Lines of the L1 beside the shared memory of a machine whose sizes are fixed, or the largest where they are not. */
static double l1_lines(const ws_machine *m)
{
    return m->l1_enabled
               ? (double)m->l1_sets * (m->l1_unified ? ws_carveout_ways(m, 0) + ws_carveout_taken(m) : m->l1_ways)
               : 0;
}

/* ------------------------------------------------------------------------------------------------ a launch */

static bool is_commutative(const void *machine, const char *kernel)
{
    return ws_machine_is_commutative(machine, kernel);
}

int ws_update_logs_take(ws_trace *trace, const ws_machine *m, ws_take *take, void *context)
{
    const ws_update_log_options how_to_log = {
        .limit = MOST_RECORDS, .line_bytes = m->l1_line, .is_commutative = is_commutative, .context = m};
    const ws_sink sink = ws_update_log_sink(&how_to_log);
    return ws_trace_take(trace, (const ws_sink *const[]){&sink}, 1, take, context);
}

static uint32_t slice_of(const void *map, uint64_t line)
{
    return ws_slice_map_slice(map, line);
}

/* What comes to chips; a launch that orders anything beyond its blocks has no buffers of chips. */
static int run_chips(ws_update_subject *s, const ws_machine *m, const ws_launch *launch, const ws_update_log *log,
                     const ws_update_step *steps, bool values, uint64_t seed)
{
    const ws_slice_map map = ws_machine_slice_map(m);
    const bool ordered = ws_update_is_launch_ordered(launch);
    int status = WS_OK;
    for (size_t i = 0; i < ws_update_variants(m) && !status; i++) {
        if (table[i].way < CHIP)
            continue;
        const bool behind = table[i].way == CHIP_BEHIND, first = i && table[i - 1].way != table[i].way;
        ws_chip_reuse *const to = &s->chip[behind];
        const double before = to->requests;
        const ws_lab_chips chips = {.chips = m->package_chips,
                                    .slices = slices_of_chip(m),
                                    .entries = ordered ? 0 : (uint64_t)table[i].lines / slices_of_chip(m),
                                    .slice_of = slice_of,
                                    .context = &map,
                                    .reuse = first && !ordered ? to : NULL};
        ws_lab_result *const r = &s->buffer[i];
        const double sent = r->messages;
        status = ws_lab_run(log, steps, ws_machine_sms(m), behind ? FEW : WS_LAB_NOTHING, &chips, values, seed, r);
        if (first && ordered) {
            to->passed += r->messages - sent;
            to->requests = before + r->messages - sent;
        }
    }
    return status;
}

static int run_buffers(ws_update_subject *s, const ws_machine *m, const ws_update_log *log, const ws_update_step *steps,
                       bool values, uint64_t seed)
{
    const uint32_t sms = ws_machine_sms(m);
    const double lines = l1_lines(m);
    int status = WS_OK;
    for (size_t i = 0; i < VARIANTS && !status; i++)
        if (table[i].way == BUFFER)
            status = ws_lab_run(log, steps, sms, isinf(table[i].lines) ? 0 : (uint64_t)table[i].lines, NULL, values,
                                seed, &s->buffer[i]);
    return status ? status : ws_lab_run(log, steps, sms, lines > 0 ? (uint64_t)lines : 1, NULL, false, seed, &s->lines);
}

int ws_update_subject_add(ws_update_subject *s, const ws_machine *m, const ws_launch *launch, const ws_update_log *log,
                          bool values, uint64_t seed)
{
    ws_placement p = {0};
    ws_update_step *steps = NULL;
    int status = ws_placement_make(m, launch, log->ctas, log->work, &p);
    if (!status)
        status = ws_update_order(log, &p, &steps);
    if (!status)
        status = ws_update_reuse_add(&s->reuse, log, steps, p.sms);
    if (!status)
        status = run_buffers(s, m, log, steps, values, seed);
    if (!status)
        status = run_chips(s, m, launch, log, steps, values, seed);
    uint64_t busiest = 0;
    for (uint32_t i = 0; i < p.sms && !status; i++)
        busiest = p.busy[i] > busiest ? p.busy[i] : busiest;
    s->launches++;
    s->issue += (double)busiest / (m->sm_schedulers * (double)m->sm_issue);
    free(steps);
    ws_placement_fini(&p);
    return status;
}

void ws_update_subject_fini(ws_update_subject *s)
{
    ws_update_reuse_fini(&s->reuse);
    for (size_t i = 0; i < sizeof s->chip / sizeof *s->chip; i++)
        ws_buffer_reuse_fini(&s->chip[i].buffer);
}

/* ------------------------------------------------------------------------------------------------ an account */

/* While it is put together. */
typedef struct account {
    const ws_update_subject *s;
    const ws_machine *m;
    const ws_lab_tech *tech;
    ws_update_account *to;
    double header;
    double lines;    /* of the L1 */
    double requests; /* of L2 by SMs */
} account;

/* Messages up with their answers; bytes that the former and the latter have besides headers. */
static void travel(account *a, double messages, double up, double down)
{
    a->requests += messages;
    a->to->bytes += messages * 2 * a->header + up + down;
}

static void add_loads(account *a, const ws_distances *loads, const ws_distances *bytes, double lines)
{
    const double misses = ws_distances_all(loads) - ws_distances_below(loads, lines);
    const ws_lab_tech *const t = a->tech;
    a->to->load_misses = misses;
    travel(a, misses, 0, ws_distances_all(bytes) - ws_distances_below(bytes, lines));
    a->to->all_pj += ws_distances_all(loads) * t->l1_read + misses * (t->l1_write + t->network_message + t->l2_read);
}

/* Stores, and atomics that are no updates: at L2, whatever is done with updates. */
static void add_rest(account *a)
{
    const ws_update_reuse *const r = &a->s->reuse;
    const ws_lab_tech *const t = a->tech;
    const double others = r->rounds[WS_UPDATE_OTHER];
    travel(a, r->kinds[WS_UPDATE_STORE], r->bytes[WS_UPDATE_STORE], 0);
    travel(a, others, r->bytes[WS_UPDATE_OTHER], r->bytes[WS_UPDATE_OTHER]);
    a->to->all_pj += r->kinds[WS_UPDATE_STORE] * (t->network_message + t->l2_write) +
                     others * (t->network_message + t->l2_read + t->l2_write);
}

/* What L2s send home, where several chips meet: an L3 does it. */
static void at_home(account *a, double messages)
{
    const ws_lab_tech *const t = a->tech;
    a->to->messages += messages;
    a->to->update_pj += messages * (t->network_message + t->l3_read + t->l3_write);
}

/* Atomics that L2 does, or sends on, with so many bytes; answers bring as many back. */
static void at_l2(account *a, double messages, double bytes)
{
    const ws_lab_tech *const t = a->tech;
    const bool passes = ws_machine_keeps_remote(a->m);
    a->to->messages += passes ? 0 : messages;
    a->to->update_pj += messages * (t->network_message + (passes ? 0 : t->l2_read + t->l2_write));
    if (passes)
        at_home(a, messages);
    travel(a, messages, bytes, bytes);
}

static void kept_in(account *a, ws_lab_energy array)
{
    a->to->update_pj += a->s->reuse.kinds[WS_UPDATE_ADDS] * (array.read_pj + array.write_pj);
}

/* The first of a way. */
static size_t variant_of(way w)
{
    size_t i = 0;
    while (table[i].way != w)
        i++;
    return i;
}

static void add_buffer(account *a, size_t variant, bool linear)
{
    const ws_update_buffer b = ws_update_buffer_of(&a->s->reuse, table[variant].lines);
    ws_update_account *const to = a->to;
    to->hits = b.hits;
    to->misses = b.misses;
    to->evictions = b.evictions;
    to->mismatches = b.mismatches;
    to->flushed = b.flushed;
    at_l2(a, b.misses, a->s->buffer[variant].bytes);
    kept_in(a, ws_lab_energy_of(a->tech, table[variant].lines, linear));
    to->word_cycles = a->s->reuse.hottest_of_sm;
    to->flush_cycles = ws_part(b.flushed, a->s->reuse.sms) * a->s->launches;
}

/* A chip has a buffer: in front of the homes, behind buffers of SMs or the updates themselves. */
static void add_chip(account *a, size_t variant, bool linear)
{
    const bool behind = table[variant].way == CHIP_BEHIND;
    const ws_chip_reuse *const c = &a->s->chip[behind];
    const ws_update_buffer b = ws_chip_reuse_of(c, table[variant].lines / slices_of_chip(a->m)),
                           sms = behind ? ws_update_buffer_of(&a->s->reuse, FEW) : (ws_update_buffer){0};
    const ws_lab_energy line = ws_lab_energy_of(a->tech, table[variant].lines, linear);
    const double bytes = behind ? c->requests * ws_part(a->s->buffer[variant_of(BUFFER)].bytes,
                                                        a->s->buffer[variant_of(BUFFER)].messages)
                                : a->s->reuse.bytes[WS_UPDATE_ADDS];
    ws_update_account *const to = a->to;
    to->chip_requests = c->requests;
    to->chip_hits = b.hits;
    to->hits = sms.hits + b.hits;
    to->misses = b.misses + c->passed;
    to->evictions = b.evictions;
    to->mismatches = b.mismatches;
    to->flushed = b.flushed;
    travel(a, c->requests, bytes, bytes);
    to->update_pj += c->requests * a->tech->network_message + (b.hits + b.misses) * (line.read_pj + line.write_pj);
    at_home(a, to->misses);
    if (behind)
        kept_in(a, ws_lab_energy_of(a->tech, FEW, linear));
    to->word_cycles = a->s->reuse.hottest_of_sm;
}

/* L1s own lines: an atomic that does not find its line owned gets all of it, from L2 or by way of L2 from its last
 * owner. */
static void add_owned(account *a)
{
    const ws_update_reuse *const r = &a->s->reuse;
    const ws_lab_tech *const t = a->tech;
    ws_update_account *const to = a->to;
    const double all = ws_distances_all(&r->owned), hits = ws_distances_below(&r->owned, a->lines), got = all - hits,
                 updates = r->kinds[WS_UPDATE_ADDS];
    to->hits = hits * ws_part(updates, all);
    to->misses = updates - to->hits;
    to->migrations = r->migrations;
    to->messages = got;
    travel(a, got, 0, got * LINE);          /* ask, and get */
    travel(a, got, got * LINE, 0);          /* give up, in the end */
    to->bytes += r->migrations * a->header; /* be asked for it */
    to->update_pj += all * (t->l1_read + t->l1_write) + got * (2 * t->network_message + t->l2_read + t->l2_write) +
                     r->migrations * t->network_message;
    to->word_cycles = r->hottest_of_sm;
}

static void add_lines(account *a, bool fetch)
{
    const ws_update_reuse *const r = &a->s->reuse;
    ws_update_account *const to = a->to;
    to->hits = ws_distances_below(&r->phi, a->lines);
    to->misses = r->kinds[WS_UPDATE_ADDS] - to->hits;
    at_l2(a, to->misses, to->misses * ws_part(a->s->lines.bytes, a->s->lines.messages));
    kept_in(a, (ws_lab_energy){a->tech->l1_read, a->tech->l1_write});
    if (fetch) {
        travel(a, to->misses, 0, to->misses * SECTOR * ws_part(r->sectors, r->kinds[WS_UPDATE_ADDS]));
        to->update_pj += to->misses * (a->tech->network_message + a->tech->l2_read + a->tech->l1_write);
    }
    to->word_cycles = r->hottest_of_sm;
}

/* Whatever takes longest: instructions of the busiest SM, requests of slices that share them evenly, the most wanted
 * word, a last flush. */
static int find_cycles(account *a, const char *kernel)
{
    ws_update_account *const to = a->to;
    const double l2_cycle = (double)a->m->chip_core_clock / a->m->chip_l2_clock;
    to->l2_cycles = a->requests / ws_machine_slices(a->m) * l2_cycle;
    to->cycles = fmax(fmax(a->s->issue + to->flush_cycles, to->l2_cycles), to->word_cycles);
    const ws_time_work work = {.demand = {[WS_RESOURCE_issue] = {a->s->issue, 1, 1},
                                          [WS_RESOURCE_l2] = {a->requests, 1 / l2_cycle, ws_machine_slices(a->m)}},
                               .waits = to->flush_cycles + to->word_cycles};
    return ws_time_check("atomics", kernel, to->cycles, &work);
}

int ws_update_account_of(const ws_update_subject *s, const char *kernel, const ws_machine *m, const ws_lab_tech *tech,
                         bool linear, size_t variant, ws_update_account *out)
{
    const ws_update_reuse *const r = &s->reuse;
    const double taken = table[variant].way == CHIP_BEHIND                                ? FEW
                         : table[variant].way == BUFFER && isfinite(table[variant].lines) ? table[variant].lines
                                                                                          : 0;
    account a = {
        .s = s, .m = m, .tech = tech, .to = out, .header = ws_message_default_sizes.header_bytes, .lines = l1_lines(m)};
    const bool beside = table[variant].way >= OWNED && table[variant].way < CHIP;
    *out = (ws_update_account){0};
    add_loads(&a, beside ? &r->loads_beside : &r->loads, beside ? &r->load_bytes_beside : &r->load_bytes,
              fmax(a.lines - taken, 0));
    if (table[variant].way != OWNED)
        add_rest(&a);
    switch (table[variant].way) {
    case SERIAL:
    case COMBINED:
        out->misses = r->kinds[WS_UPDATE_ADDS];
        at_l2(&a, table[variant].way == SERIAL ? r->rounds[WS_UPDATE_ADDS] : r->kinds[WS_UPDATE_ADDS],
              table[variant].way == SERIAL ? r->lane_bytes : r->bytes[WS_UPDATE_ADDS]);
        out->word_cycles = r->hottest * (double)m->chip_core_clock / m->chip_l2_clock;
        break;
    case BUFFER:
        add_buffer(&a, variant, linear);
        break;
    case OWNED:
        travel(&a, r->kinds[WS_UPDATE_STORE], r->bytes[WS_UPDATE_STORE], 0);
        out->all_pj += r->kinds[WS_UPDATE_STORE] * (tech->network_message + tech->l2_write);
        add_owned(&a);
        break;
    case LINES:
    case FETCHED:
        add_lines(&a, table[variant].way == FETCHED);
        break;
    case CHIP:
    case CHIP_BEHIND:
        add_chip(&a, variant, linear);
        break;
    }
    out->all_pj += out->update_pj;
    return find_cycles(&a, kernel);
}
