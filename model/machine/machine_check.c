/* machine_check.c - do the values of a machine go together? Each refusal names the option, its place and the reason. */
#include "model/machine/machine_internal.h"

#include "base/status.h"
#include "model/cache/cache.h"
#include "model/coherence/coherence.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/carveout.h"
#include "model/machine/consistency_kind.h"
#include "model/placement/cta_scheduler.h"
#include "model/machine/home.h"
#include "model/machine/memory_channel_kind.h"
#include "model/machine/memory_stage_kind.h"
#include "model/machine/network_options.h"
#include "model/machine/package_coherence.h"
#include "model/machine/register_kind.h"
#include "model/machine/scheduler_kind.h"
#include "model/machine/shared_kind.h"

#include <inttypes.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SMS = 4096 /* that a coherence protocol knows */, KHZ = 1000 };

/* Records "PLACE: section.name = value: text". A default that does not go with the
 * rest has no place but the file. */
__attribute__((format(printf, 3, 4))) static int bad(const ws_machine *m, size_t row, const char *format, ...)
{
    const ws_machine_storage *const s = m->storage;
    const char *const where = s->given[row] ? s->where[row] : s->file;
    char text[512], value[WS_MACHINE_WORD + 16];
    const ws_machine_option *const about = ws_machine_option_row(row);
    const ws_option *const option = &about->option;
    if (about->word)
        snprintf(value, sizeof value, "%s", ws_machine_word(m, row));
    else
        snprintf(value, sizeof value, "%" PRIu32 "%s%s", ws_machine_number(m, row), *option->unit ? " " : "",
                 option->unit);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s%s%s.%s = %s%s: %s", where ? where : "", where ? ": " : "", about->section,
                   option->name, value, s->given[row] ? "" : " (default)", text);
}

/* --- Words --- */

static int check_word(const ws_machine *m, const ws_kind *kind)
{
    char names[256];
    size_t used = 0;
    for (size_t i = 0; kind->name(i); i++) {
        if (!strcmp(kind->name(i), ws_machine_named(m, kind)))
            return WS_OK;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", kind->name(i));
    }
    return bad(m, kind->row, "expected one of %s", names);
}

static int check_words(const ws_machine *m)
{
    int rc = WS_OK;
    for (size_t i = 0; !rc && ws_kind_at(i); i++)
        rc = check_word(m, ws_kind_at(i));
    return rc;
}

/* --- Options of components --- */

/* An option that belongs to a row that was not chosen. */
static int refuse_option(const ws_machine *m, const char *section, const ws_given *given)
{
    const char *row;
    const ws_kind *const kind = ws_machine_could_have(section, given->name, &row);
    return ws_fail(WS_EINPUT, "%s%s%s.%s is an option of %s.%s = %s, but %s.%s is %s: choose that, or remove it",
                   given->where ? given->where : "", given->where ? ": " : "", section, given->name, kind->section,
                   kind->word, row, kind->section, kind->word, ws_machine_named(m, kind));
}

static int check_option(const ws_machine *m, const char *section, const ws_given *given,
                        const ws_machine_passed *passed)
{
    const ws_option *const option = ws_machine_find_option(m, section, given->name);
    if (!option)
        return refuse_option(m, section, given);
    char why[WS_OPTION_WHY];
    if (!ws_option_fit(option, WS_OPTION_FORM_PLAIN, (double)given->value, passed->unit, &(double){0}, why))
        return WS_OK;
    return ws_fail(WS_EINPUT, "%s%s%s.%s = %" PRIu64 "%s%s: %s", given->where ? given->where : "",
                   given->where ? ": " : "", section, given->name, given->value, *passed->unit ? " " : "", passed->unit,
                   why);
}

static int check_components(const ws_machine *m)
{
    const ws_machine_options *list;
    const char *section;
    for (size_t number = 0; (list = ws_machine_given(m, number, &section)); number++)
        for (size_t i = 0; i < list->count; i++) {
            const int rc = check_option(m, section, &list->list[i], &m->storage->passed[number][i]);
            if (rc)
                return rc;
        }
    return WS_OK;
}

/* --- Numbers --- */

static bool is_power(uint32_t value)
{
    return value && !(value & (value - 1));
}

static int check_powers(const ws_machine *m)
{
    static const size_t powers[] = {
        WS_MACHINE_ROW_l1_line,       WS_MACHINE_ROW_l1_sector, WS_MACHINE_ROW_l2_line,
        WS_MACHINE_ROW_l2_sector,     WS_MACHINE_ROW_l2_stripe, WS_MACHINE_ROW_texture_line,
        WS_MACHINE_ROW_constant_line, WS_MACHINE_ROW_sm_lanes,  WS_MACHINE_ROW_shared_banks,
    };
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (!is_power(ws_machine_number(m, powers[i])))
            return bad(m, powers[i], "expected a power of two");
    return WS_OK;
}

static int check_caches(const ws_machine *m)
{
    if (m->l1_sector > m->l1_line)
        return bad(m, WS_MACHINE_ROW_l1_sector, "a sector is a part of a line of %" PRIu32 " bytes", m->l1_line);
    if (m->l2_sector > m->l2_line)
        return bad(m, WS_MACHINE_ROW_l2_sector, "a sector is a part of a line of %" PRIu32 " bytes", m->l2_line);
    if (m->l1_line != m->l2_line)
        return bad(m, WS_MACHINE_ROW_l1_line, "L1 and L2 speak about the same lines; l2.line is %" PRIu32 " bytes",
                   m->l2_line);
    if (m->texture_line > m->l2_line)
        return bad(m, WS_MACHINE_ROW_texture_line, "expected at most a line of L2, %" PRIu32 " bytes", m->l2_line);
    if (m->constant_line > m->l2_line)
        return bad(m, WS_MACHINE_ROW_constant_line, "expected at most a line of L2, %" PRIu32 " bytes", m->l2_line);
    if (m->l2_stripe < m->l2_line)
        return bad(m, WS_MACHINE_ROW_l2_stripe, "expected at least a line of L2, %" PRIu32 " bytes", m->l2_line);
    return WS_OK;
}

/* With sectors, an instruction may ask for a whole line of them. */
static int check_policies(const ws_machine *m)
{
    if (m->l1_write == WS_WRITE_EVICT && m->l1_write_allocate != WS_WRITE_ALLOCATE_NONE)
        return bad(m, WS_MACHINE_ROW_l1_write_allocate, "with write evict a store leaves no copy; expected none");
    if (m->l2_write == WS_WRITE_EVICT && m->l2_write_allocate != WS_WRITE_ALLOCATE_NONE)
        return bad(m, WS_MACHINE_ROW_l2_write_allocate, "with write evict a store leaves no copy; expected none");
    if (m->l1_mshrs < m->l1_line / m->l1_sector)
        return bad(m, WS_MACHINE_ROW_l1_mshrs, "expected one for each of the %" PRIu32 " sectors of a line at least",
                   m->l1_line / m->l1_sector);
    if (m->l2_mshrs < m->l2_line / m->l2_sector)
        return bad(m, WS_MACHINE_ROW_l2_mshrs, "expected one for each of the %" PRIu32 " sectors of a line at least",
                   m->l2_line / m->l2_sector);
    return WS_OK;
}

/* Names and options are known to be good: what is left is whether they suit so many sets and ways. The index is asked
 * first, before the array knows how large it is, and its options before it has a place. */
static int check_array(const ws_machine *m, const ws_cache_choice *choice, size_t sets, size_t ways, size_t line,
                       size_t replacement)
{
    ws_cache cache;
    int rc = ws_cache_setup(&cache, choice, ws_machine_number(m, sets), ws_machine_number(m, ways), false);
    if (!rc && cache.replacement->suits_line)
        rc = cache.replacement->suits_line(cache.values, ws_machine_number(m, line));
    if (rc && cache.room && !cache.bytes)
        return bad(m, sets, "%s", ws_message());
    if (rc && !cache.bytes)
        return bad(m, sets, "index %s needs %s", cache.index->name, cache.index->sets_needed);
    return rc ? bad(m, replacement, "%s", ws_message()) : WS_OK;
}

static int check_carveout(const ws_machine *m)
{
    const uint64_t l1 = (uint64_t)m->l1_sets * m->l1_ways * m->l1_line;
    uint64_t greatest;
    if (!ws_carveout_is_list(m, &greatest))
        return bad(m, WS_MACHINE_ROW_l1_shared,
                   "expected sizes in KB that grow, with commas between them, such as 0,8,16,32,64,96");
    if (!m->l1_unified)
        return WS_OK;
    if (greatest < m->sm_shared || greatest > m->l1_unified)
        return bad(m, WS_MACHINE_ROW_l1_shared,
                   "expected as last size at least sm.shared (%" PRIu32 " bytes) and at most l1.unified (%" PRIu32 ")",
                   m->sm_shared, m->l1_unified);
    if (l1 != m->l1_unified)
        return bad(m, WS_MACHINE_ROW_l1_unified, "expected the product of [l1] sets, ways and line, %" PRIu64 " bytes",
                   l1);
    if (!m->l1_flush)
        return bad(m, WS_MACHINE_ROW_l1_flush,
                   "an L1 whose size changes with the launch (l1.unified) is empty when one begins; expected 1");
    return WS_OK;
}

/* Lines of a buffer of atomics are lines of the L1, beside the largest shared memory; some have to be left. */
static int check_taken(const ws_machine *m)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    ws_cache tags;
    const int status = rule->arrange ? rule->arrange(values, &tags) : WS_OK;
    const uint32_t taken = ws_carveout_taken(m);
    if (status)
        return bad(m, WS_MACHINE_ROW_sm_atomics, "%s", ws_message());
    if (rule->owns && (m->package_chips > 1 || m->l1_unified))
        return bad(
            m, WS_MACHINE_ROW_sm_atomics,
            "lines are owned by L1s of one chip that have one size; expected package.chips = 1 and l1.unified = 0");
    if (rule->in_l1 && (ws_machine_has_protocol(m) || !m->l1_flush || !m->l1_enabled))
        return bad(m, WS_MACHINE_ROW_sm_atomics,
                   "updates stay in lines of plain L1s that are emptied at the end of a launch; expected "
                   "coherence.protocol = " WS_MACHINE_PLAIN ", l1.flush = 1 and l1.enabled = 1");
    if (taken && ws_carveout_ways(m, m->sm_shared) + taken > m->l1_ways)
        return bad(m, WS_MACHINE_ROW_sm_atomics,
                   "its lines (atomics.entries) are %" PRIu32 " of the %" PRIu32
                   " ways of the L1, and none is left; expected less",
                   taken, m->l1_ways);
    return WS_OK;
}

/* The expression of sm.commutative, which stands between slashes; 0, and the caller frees it with regfree, or what
 * regcomp says. */
static int commutative(const ws_machine *m, regex_t *expression)
{
    char text[WS_MACHINE_WORD];
    const size_t length = strlen(m->sm_commutative);
    if (length < 3 || m->sm_commutative[0] != '/' || m->sm_commutative[length - 1] != '/')
        return REG_BADPAT;
    snprintf(text, sizeof text, "%.*s", (int)length - 2, m->sm_commutative + 1);
    return regcomp(expression, text, REG_EXTENDED | REG_NOSUB);
}

/* The expression was checked with the machine. */
bool ws_machine_is_commutative(const ws_machine *m, const char *kernel)
{
    regex_t expression;
    if (!ws_machine_labels_kernels(m))
        return true;
    if (commutative(m, &expression))
        return false;
    const bool found = !regexec(&expression, kernel, 0, NULL, 0);
    regfree(&expression);
    return found;
}

bool ws_machine_labels_kernels(const ws_machine *m)
{
    return strcmp(m->sm_commutative, WS_MACHINE_ALL) != 0;
}

bool ws_machine_has_chip(const ws_machine *m)
{
    return strcmp(m->power_chip, WS_MACHINE_PLAIN) != 0;
}

bool ws_machine_has_printed_accesses(const ws_machine *m)
{
    return strcmp(m->power_accesses, WS_MACHINE_PLAIN) != 0;
}

static int check_commutative(const ws_machine *m)
{
    regex_t expression;
    if (!ws_machine_labels_kernels(m))
        return WS_OK;
    if (commutative(m, &expression))
        return bad(m, WS_MACHINE_ROW_sm_commutative,
                   "expected " WS_MACHINE_ALL
                   ", or an extended regular expression between slashes, such as /hist|push/");
    regfree(&expression);
    return WS_OK;
}

/* Memories of an SM that are not plain SRAM. */
static int check_magnetic(const ws_machine *m)
{
    uint64_t registers[WS_REGISTER_OPTIONS], values[WS_SHARED_OPTIONS];
    const ws_register_file_kind *const file = ws_register_file_of(m, registers);
    const ws_shared_memory_kind *const memory = ws_shared_memory_of(m, values);
    const int status = file->check ? file->check(registers) : WS_OK;
    if (status)
        return status;
    if (memory->cells && m->l1_unified)
        return bad(m, WS_MACHINE_ROW_shared_memory,
                   "with l1.unified, shared memory is a part of the L1, which is SRAM; expected sram");
    return memory->check ? memory->check(values, m->sm_shared) : WS_OK;
}

static int check_sm(const ws_machine *m)
{
    if (m->sm_threads % 32)
        return bad(m, WS_MACHINE_ROW_sm_threads, "expected a multiple of a warp, 32 threads");
    if (m->sm_threads / 32 > WS_SM_WARPS)
        return bad(m, WS_MACHINE_ROW_sm_threads, "an SM has slots for %d warps", WS_SM_WARPS);
    if (m->l1_request == WS_L1_REQUEST_SECTOR && m->port_packets < m->l1_line / m->l1_sector + 1)
        return bad(m, WS_MACHINE_ROW_port_packets,
                   "expected room for a message for each of the %" PRIu32
                   " sectors of a line, and one more (l1.request)",
                   m->l1_line / m->l1_sector);
    if (!m->sm_memory_stage->queue && m->storage->given[WS_MACHINE_ROW_sm_memory_queue])
        return bad(m, WS_MACHINE_ROW_sm_memory_queue, "sm.memory_stage is %s, which has no such queue: remove it",
                   m->sm_memory_stage->name);
    if (m->sm_fetch && m->storage->given[WS_MACHINE_ROW_sm_refill])
        return bad(m, WS_MACHINE_ROW_sm_refill, "with sm.fetch a branch waits for the fetch of its target: remove it");
    if (m->sm_fetch && m->sm_pipeline)
        return bad(m, WS_MACHINE_ROW_sm_fetch, "with sm.pipeline a warp's next instruction has its time; expected 0");
    if (m->sm_schedulers > m->sm_threads / 32)
        return bad(m, WS_MACHINE_ROW_sm_schedulers, "more schedulers than warps (%" PRIu32 ")", m->sm_threads / 32);
    return WS_OK;
}

const ws_cache_replacement *ws_machine_plain_l1(const ws_machine *m)
{
    return ws_machine_has_protocol(m) ? NULL : m->l1_replacement;
}

const ws_cache_replacement *ws_machine_plain_l2(const ws_machine *m)
{
    return ws_machine_has_protocol(m) ? NULL : m->l2_replacement;
}

bool ws_machine_follows_sharing(const ws_machine *m)
{
    return m->l1_sharing && !ws_machine_has_protocol(m);
}

bool ws_machine_l1_bypasses(const ws_machine *m)
{
    const ws_cache_replacement *const r = ws_machine_plain_l1(m);
    return r && r->bypasses;
}

static int check_bypass(const ws_machine *m)
{
    const uint32_t bytes = m->l1_bypass;
    if (ws_machine_has_protocol(m))
        return WS_OK;
    if (!m->l1_bypass_mshr &&
        (!ws_machine_l1_bypasses(m) || m->l1_allocate != WS_L1_ALLOCATE_MISS || m->l1_request == WS_L1_REQUEST_SECTOR))
        return bad(m, WS_MACHINE_ROW_l1_bypass_mshr,
                   "expected an l1.replacement that does not keep all blocks, l1.allocate = miss and l1.request = "
                   "line, or 1");
    if (!bytes)
        return WS_OK;
    if (!ws_machine_l1_bypasses(m))
        return bad(m, WS_MACHINE_ROW_l1_bypass,
                   "l1.replacement = %s keeps all blocks; expected 0, or a replacement that does not",
                   m->l1_replacement->name);
    if (m->l1_allocate != WS_L1_ALLOCATE_MISS)
        return bad(m, WS_MACHINE_ROW_l1_bypass,
                   "with l1.allocate = fill the caching of a block is not known at the miss; expected 0, or "
                   "l1.allocate = miss");
    if (bytes < sizeof(uint32_t) || (bytes & (bytes - 1)) || bytes > m->l1_sector)
        return bad(m, WS_MACHINE_ROW_l1_bypass, "expected a power of two, from a word to a sector of %" PRIu32 " bytes",
                   m->l1_sector);
    return WS_OK;
}

/* Who waits at a fence has to see what others wrote before: where an L1 keeps that to itself, giving copies up is not
 * enough. */
static int check_fence(const ws_machine *m)
{
    if (m->sm_fence_turns && !m->sm_fence)
        return bad(m, WS_MACHINE_ROW_sm_fence_turns,
                   "fences that take no time have no turns; expected sm.fence above 0, or 0");
    if (m->l1_fence != WS_L1_FENCE_INVALIDATE)
        return WS_OK;
    if (ws_machine_has_protocol(m))
        return bad(m, WS_MACHINE_ROW_l1_fence,
                   "with coherence.protocol = %s the protocol decides the effect of a fence on copies (vi invalidates "
                   "all); expected keep",
                   ws_machine_protocol(m));
    if (!m->l1_enabled)
        return bad(m, WS_MACHINE_ROW_l1_fence,
                   "without an L1 (l1.enabled = 0) there are no copies to invalidate; expected keep");
    if (m->l1_write == WS_WRITE_BACK)
        return bad(m, WS_MACHINE_ROW_l1_fence,
                   "with l1.write = back an L1 hides dirty data from others, in spite of invalidations; expected "
                   "l1.write = through, evict or local-back");
    return WS_OK;
}

/* Some replacements are for one level alone; one that chooses by what L2 tells needs an L2 that tells something, in
 * time. */
static int check_places(const ws_machine *m)
{
    static const struct {
        size_t row;
        uint8_t place;
        const char *name;
    } levels[] = {{WS_MACHINE_ROW_l1_replacement, WS_CACHE_IN_L1, "an L1"},
                  {WS_MACHINE_ROW_l2_replacement, WS_CACHE_IN_L2, "an L2"},
                  {WS_MACHINE_ROW_l3_replacement, WS_CACHE_IN_L3, "an L3"}};
    enum { LEVELS = sizeof levels / sizeof *levels };
    const ws_cache_replacement *r[LEVELS];
    for (size_t i = 0; i < LEVELS; i++) {
        r[i] = ws_cache_replacement_find(ws_machine_word(m, levels[i].row));
        const char *is_for = "";
        for (size_t k = 0; r[i] && k < LEVELS; k++)
            is_for = r[i]->places & levels[k].place ? levels[k].name : is_for;
        if (r[i] && r[i]->places && !(r[i]->places & levels[i].place))
            return bad(m, levels[i].row, "it is for %s; expected a replacement that %s can have", is_for,
                       levels[i].name);
    }
    if (!r[0] || !r[0]->hears || ws_machine_has_protocol(m))
        return WS_OK;
    if (!r[1] || !r[1]->tell)
        return bad(m, WS_MACHINE_ROW_l1_replacement,
                   "it needs notes of L2 about blocks, and l2.replacement = %s has none; expected l2.replacement = %s",
                   m->l2_replacement->name, ws_cache_replacement_telling()->name);
    if (m->l1_allocate != WS_L1_ALLOCATE_FILL)
        return bad(m, WS_MACHINE_ROW_l1_replacement,
                   "it needs notes of L2 about blocks, which arrive with the data; expected l1.allocate = fill");
    return WS_OK;
}

static int check_arrays(const ws_machine *m)
{
    const int place = check_places(m);
    if (place)
        return place;
    const ws_cache_choice l1 = ws_machine_l1_choice(m), l2 = ws_machine_l2_choice(m);
    const int rc = check_array(m, &l1, WS_MACHINE_ROW_l1_sets, WS_MACHINE_ROW_l1_ways, WS_MACHINE_ROW_l1_line,
                               WS_MACHINE_ROW_l1_replacement);
    return rc ? rc
              : check_array(m, &l2, WS_MACHINE_ROW_l2_sets, WS_MACHINE_ROW_l2_ways, WS_MACHINE_ROW_l2_line,
                            WS_MACHINE_ROW_l2_replacement);
}

/* --- Network and memory --- */

/* A cluster has a slice of its chip's L2, the only chip. */
static int check_cluster(const ws_machine *m)
{
    const uint64_t slices = ws_machine_chip_slices(m);
    if (m->network_cluster && m->network_cluster * slices != m->chip_sms)
        return bad(m, WS_MACHINE_ROW_network_cluster,
                   "%" PRIu32 " SMs share a slice, but there are %" PRIu32 " SMs and %" PRIu64 " slices",
                   m->network_cluster, m->chip_sms, slices);
    if (m->network_cluster && m->package_chips > 1)
        return bad(m, WS_MACHINE_ROW_network_cluster,
                   "%" PRIu32 " SMs share a slice, which requires a machine of one chip; there are %" PRIu32 " chips",
                   m->network_cluster, m->package_chips);
    return WS_OK;
}

/* What a protocol sends is its own; an acknowledgement that is not sent cannot cross a link. */
static int check_messages(const ws_machine *m)
{
    static const size_t rows[] = {WS_MACHINE_ROW_network_store_mask, WS_MACHINE_ROW_network_answer_header,
                                  WS_MACHINE_ROW_network_acks, WS_MACHINE_ROW_network_whole_sectors};
    const bool given[] = {m->network_store_mask != 0, !m->network_answer_header, !m->network_acks,
                          m->network_whole_sectors != 0};
    enum { ROWS = sizeof rows / sizeof *rows };
    for (size_t i = 0; i < ROWS && ws_machine_has_protocol(m); i++)
        if (given[i])
            return bad(m, rows[i], "messages are those of coherence.protocol = %s; expected the default",
                       ws_machine_protocol(m));
    if (!m->network_acks && m->package_chips > 1)
        return bad(m, WS_MACHINE_ROW_network_acks,
                   "acknowledgements of stores cross links between %" PRIu32 " chips; expected 1", m->package_chips);
    return WS_OK;
}

/* Every SM and every slice of a chip is a node, or every cluster, and the way to other chips is one. */
static int check_nodes(const ws_machine *m, size_t kind, const ws_machine_options *options)
{
    const uint64_t nodes = ws_machine_nodes(m);
    const uint64_t width = ws_option_value(NULL, "width", options->list, options->count, 0),
                   height = ws_option_value(NULL, "height", options->list, options->count, 0);
    if (width && height && width * height < nodes)
        return bad(m, kind,
                   "%" PRIu64 " x %" PRIu64 " routers (width, height) for %" PRIu64 " nodes: %" PRIu32
                   " SMs and %" PRIu32 " x %" PRIu32 " slices%s",
                   width, height, nodes, m->chip_sms, m->memory_channels, m->l2_slices,
                   m->package_chips > 1 ? ", and the way to the other chips" : "");
    return WS_OK;
}

static int settle_networks(ws_machine *m)
{
    ws_machine_shape *const s = &m->shape;
    int rc = WS_OK;
    for (unsigned d = 0; d < WS_DIRECTIONS && !rc; d++)
        if (ws_machine_network_plan(m, d, &s->network[d]))
            rc = bad(m, d == WS_REPLIES && m->reply_kind ? WS_MACHINE_ROW_reply_kind : WS_MACHINE_ROW_network_kind,
                     "%s", ws_message());
    s->link = (ws_network_plan){0};
    if (!rc && m->package_chips > 1 &&
        ws_network_plan_make(m->link_kind, m->package_chips, m->link.list, m->link.count, &s->link))
        rc = bad(m, WS_MACHINE_ROW_link_kind, "%s", ws_message());
    s->link_bytes = (double)s->link.flit_bytes * m->link_clock * KHZ;
    return rc;
}

/* A part of the L3 has a whole number of sets. */
static int check_l3(const ws_machine *m)
{
    if (!m->l3_size)
        return WS_OK;
    const uint32_t sector = ws_machine_l3_sector(m), line = m->l2_line;
    if (!is_power(sector) || sector > line || line / sector > 4)
        return bad(m, WS_MACHINE_ROW_l3_sector,
                   "expected 0 or a power of two, a line of L2 (%" PRIu32 " bytes) or a half or quarter of it", line);
    if (m->l3_size % (m->l3_ways * line))
        return bad(m, WS_MACHINE_ROW_l3_size, "expected a multiple of %" PRIu32 " ways with lines of %" PRIu32 " bytes",
                   m->l3_ways, line);
    if (m->l3_mshrs < line / sector)
        return bad(m, WS_MACHINE_ROW_l3_mshrs, "expected one for each of the %" PRIu32 " sectors of a line at least",
                   line / sector);
    if (m->l3_write == WS_WRITE_EVICT && m->l3_write_allocate != WS_WRITE_ALLOCATE_NONE)
        return bad(m, WS_MACHINE_ROW_l3_write_allocate, "with write evict a store leaves no copy; expected none");
    const ws_cache_choice choice = ws_machine_l3_choice(m);
    ws_cache cache;
    const int rc = ws_cache_setup(&cache, &choice, ws_machine_l3_sets(m), m->l3_ways, true);
    if (rc && !cache.bytes)
        return bad(m, WS_MACHINE_ROW_l3_size, "index %s needs %s; a part of this size has %" PRIu32, cache.index->name,
                   cache.index->sets_needed, ws_machine_l3_sets(m));
    return rc ? bad(m, WS_MACHINE_ROW_l3_replacement, "%s", ws_message()) : WS_OK;
}

/* The parts of an L3, and the homes of other chips' lines, go round the channels without being scattered. */
static int check_scatter(const ws_machine *m)
{
    const uint32_t slices = ws_machine_chip_slices(m);
    ws_slice_map map = ws_slice_map_make(1, slices, 1, 1, false);
    if (m->l2_scatter != WS_L2_SCATTER_IPOLY)
        return WS_OK;
    if (!ws_slice_map_scatter(&map))
        return bad(m, WS_MACHINE_ROW_l2_scatter,
                   "expected none; %" PRIu32 " channels of %" PRIu32 " slices are not 9 to 64 slices",
                   m->memory_channels, m->l2_slices);
    if (m->l3_size || m->package_chips > 1)
        return bad(m, WS_MACHINE_ROW_l2_scatter,
                   "expected none; slices are scattered on machines of one chip without an L3");
    return WS_OK;
}

static int check_side(const ws_machine *m)
{
    return ws_machine_keeps_remote(m) && ws_machine_has_protocol(m)
               ? bad(m, WS_MACHINE_ROW_l2_side,
                     "coherence.protocol = %s orders the writes of a line at its one slice, but each chip would have "
                     "its own; expected memory, or the protocol " WS_MACHINE_PLAIN,
                     ws_machine_protocol(m))
               : WS_OK;
}

static int check_package(const ws_machine *m)
{
    if (m->package_page % m->l2_line)
        return bad(m, WS_MACHINE_ROW_package_page, "expected a multiple of a line of L2, %" PRIu32 " bytes",
                   m->l2_line);
    if (ws_machine_sms(m) > MOST_SMS)
        return bad(m, WS_MACHINE_ROW_package_chips, "expected at most %d SMs together; chip.sms is %" PRIu32, MOST_SMS,
                   m->chip_sms);
    if (m->package_chips > 1 && ws_machine_detects_races(m))
        return bad(m, WS_MACHINE_ROW_package_chips,
                   "expected 1: coherence.protocol = %s has one race detector for all slices", ws_machine_protocol(m));
    if (m->package_chips == 1 && m->link.count)
        return ws_fail(WS_EINPUT,
                       "%s%slink.%s: a machine of one chip has no link; package.chips is the number of chips",
                       m->link.list[0].where ? m->link.list[0].where : "", m->link.list[0].where ? ": " : "",
                       m->link.list[0].name);
    return WS_OK;
}

/* Where L2s have lines of their own chip alone, nobody has to agree. */
static int check_agreement(const ws_machine *m)
{
    const ws_chiplet_policy_ops *const row = m->package_coherence;
    const bool lines_of_own = !ws_machine_keeps_remote(m);
    if (lines_of_own && !row->gives_up)
        return bad(m, WS_MACHINE_ROW_package_coherence,
                   "coherence of L2s requires several chips whose L2s keep lines requested by their own SMs; expected "
                   "l2.side requester and package.chips of at least 2, or home");
    if (lines_of_own && !m->package_remote_read)
        return bad(m, WS_MACHINE_ROW_package_remote_read,
                   "expected l2.side requester and package.chips of at least 2, or 1");
    if (lines_of_own && m->package_remote_store != WS_REMOTE_STORE_BACK)
        return bad(m, WS_MACHINE_ROW_package_remote_store,
                   "expected l2.side requester and package.chips of at least 2, or back");
    const uint32_t slices = ws_machine_chip_slices(m);
    if (m->package_atomic_buffer && lines_of_own)
        return bad(m, WS_MACHINE_ROW_package_atomic_buffer,
                   "updates of a chip only meet in L2s that keep lines requested by their own SMs; expected l2.side "
                   "requester and package.chips of at least 2, or 0");
    if (m->package_atomic_buffer % slices)
        return bad(m, WS_MACHINE_ROW_package_atomic_buffer,
                   "expected a multiple of the %" PRIu32 " L2 slices of a chip, each of which has a part", slices);
    if (m->package_atomic_buffer && m->sm_atomics->in_l1 && !m->sm_atomics->owns)
        return bad(
            m, WS_MACHINE_ROW_package_atomic_buffer,
            "sm.atomics = %s sends updates evicted from L1 lines without their operation; expected 0, or another rule",
            m->sm_atomics->name);
    if (!row->directories)
        return WS_OK;
    if (m->l2_write != WS_WRITE_THROUGH)
        return bad(m, WS_MACHINE_ROW_l2_write,
                   "with package.coherence = %s the newest words are at home; expected through", row->name);
    const ws_directory_options o = ws_package_directory_of(m);
    return o.entries % o.ways
               ? bad(m, WS_MACHINE_ROW_package_coherence,
                     "a directory of %" PRIu32 " entries in sets of %" PRIu32 "; expected a multiple of the latter",
                     o.entries, o.ways)
               : WS_OK;
}

/* A table has a row for more data than a launch has. */
static int check_table(const ws_machine *m)
{
    const ws_cct_options o = ws_package_table_of(m).cct;
    return o.arguments < o.rows ? WS_OK
                                : bad(m, WS_MACHINE_ROW_package_coherence,
                                      "package.arguments are %" PRIu32 ", expected fewer than package.rows, %" PRIu32,
                                      o.arguments, o.rows);
}

static int check_map(const ws_machine *m, const ws_dram_part *part)
{
    ws_dram_map map;
    const bool all = !strncmp(part->mapping, "dramid@", 7) || strchr(part->mapping, 'D');
    if (ws_dram_map_parse(part->mapping, NULL, part, all ? m->memory_channels : 1, &map))
        return bad(m, WS_MACHINE_ROW_memory_channels, "%s", ws_message());
    return WS_OK;
}

static int settle_memory(ws_machine *m)
{
    const ws_memory_channel_kind *const channel = m->memory_channel;
    ws_dram_part *const part = &m->shape.part;
    if (ws_machine_part(m, part))
        return bad(m, WS_MACHINE_ROW_memory_part, "%s", ws_message());
    const int status = channel->check(m, part);
    if (status)
        return status;
    ws_machine_shape *const s = &m->shape;
    const double core = m->chip_core_clock;
    s->memory = channel->shape(m, part);
    s->memory_bytes = ws_machine_channels(m) * s->memory.peak_bytes / (KHZ * core);
    s->memory_cycles = core / (KHZ * part->clock_mhz) * (m->memory_latency + s->memory.read_cycles);
    return check_map(m, part);
}

static bool is_sequential(const ws_machine *m)
{
    return m->coherence_protocol && m->coherence_protocol->sequential;
}

const ws_consistency_kind *ws_machine_consistency(const ws_machine *m)
{
    return m->coherence_consistency ? m->coherence_consistency : ws_consistency_of_protocol(is_sequential(m));
}

static int check_races(const ws_machine *m)
{
    if (m->coherence_race_bits & (m->coherence_race_bits - 1))
        return bad(m, WS_MACHINE_ROW_coherence_race_bits, "expected a power of two");
    if (m->coherence_race_unit & (m->coherence_race_unit - 1))
        return bad(m, WS_MACHINE_ROW_coherence_race_unit, "expected a power of two");
    return WS_OK;
}

/* On the command line, and otherwise than by default. */
static bool is_asked_for(const ws_machine *m, size_t row)
{
    const ws_machine_option *const about = ws_machine_option_row(row);
    return m->storage->given[row] && !m->storage->where[row] &&
           (about->word ? strcmp(ws_machine_word(m, row), about->word) != 0
                        : ws_machine_number(m, row) != about->option.fallback);
}

/* A lease that is given at the end of another one, and a store behind it, need timestamps of twice its length. */
static int check_timestamps(const ws_machine *m)
{
    if (!m->coherence_protocol || m->coherence_protocol->lease != WS_LEASE_LOGICAL)
        return WS_OK;
    const uint32_t last = (UINT32_C(1) << m->coherence_timestamp) - 1, most = (last - 2) / 2;
    if (m->coherence_lease > most)
        return bad(m, WS_MACHINE_ROW_coherence_lease,
                   "two leases and a store must fit a timestamp of %u bits (coherence.timestamp); expected at most %u",
                   m->coherence_timestamp, most);
    return WS_OK;
}

/* A machine file may say how leases are predicted whatever its protocol is; who asks for that without them errs. */
static int check_prediction(const ws_machine *m)
{
    static const size_t constants[] = {
        WS_MACHINE_ROW_coherence_predict_loads, WS_MACHINE_ROW_coherence_predict_expired,
        WS_MACHINE_ROW_coherence_predict_evict, WS_MACHINE_ROW_coherence_predict_store,
        WS_MACHINE_ROW_coherence_predict_floor, WS_MACHINE_ROW_coherence_predict_most,
    };
    const size_t kind = WS_MACHINE_ROW_coherence_predict, most = WS_MACHINE_ROW_coherence_predict_most;
    static const char *const need = "expected a protocol with leases in physical time (tc-strong, tc-weak); "
                                    "coherence.protocol is";
    if (is_asked_for(m, kind) && !ws_machine_has_physical_leases(m))
        return bad(m, kind, "%s %s", need, ws_machine_protocol(m));
    if (is_asked_for(m, WS_MACHINE_ROW_coherence_private_stores) &&
        (!ws_machine_has_physical_leases(m) || m->coherence_protocol->strong_writes))
        return bad(m, WS_MACHINE_ROW_coherence_private_stores,
                   "expected the protocol tc-weak; coherence.protocol is %s", ws_machine_protocol(m));
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        const bool asked = is_asked_for(m, constants[i]);
        if (asked && !ws_machine_has_physical_leases(m))
            return bad(m, constants[i], "%s %s", need, ws_machine_protocol(m));
        if (asked && !ws_machine_predicts_leases(m))
            return bad(m, constants[i],
                       "with coherence.predict = fixed all leases are of lease_cycles; expected slice");
    }
    if (ws_machine_predicts_leases(m) && m->coherence_predict_most < m->coherence_lease_cycles)
        return bad(m, most, "expected at least coherence.lease_cycles, %" PRIu32 ", where predictions begin",
                   m->coherence_lease_cycles);
    return WS_OK;
}

/* A protocol that is sequentially consistent has one access of a warp in flight, whatever the SM would allow. */
static int check_consistency(const ws_machine *m)
{
    return is_sequential(m) && !ws_machine_consistency(m)->sequential
               ? bad(m, WS_MACHINE_ROW_coherence_consistency,
                     "under coherence.protocol = %s a warp has one access in flight; expected %s or sc",
                     ws_machine_protocol(m), WS_MACHINE_BY_PROTOCOL)
               : WS_OK;
}

/* Is there a file of that name? What stands in it, models of power look at. */
static int check_file(const ws_machine *m, size_t row, const char *prefix, const char *name, const char * or)
{
    char path[PATH_MAX];
    if (strchr(name, '/') || strstr(name, ".ini"))
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%s/%s%s.ini", m->folder, prefix, name);
    return access(path, R_OK)
               ? bad(m, row, "there is no file %s; expected a %sNAME.ini of data/tech, %s", path, prefix, or)
               : WS_OK;
}

static int check_fetch(const ws_machine *m)
{
    if (m->fetch_line < m->fetch_instruction)
        return bad(m, WS_MACHINE_ROW_fetch_line, "expected at least an instruction, %" PRIu32 " bytes",
                   m->fetch_instruction);
    if (m->fetch_cache % (m->fetch_ways * m->fetch_line))
        return bad(m, WS_MACHINE_ROW_fetch_cache,
                   "expected a multiple of %" PRIu32 " ways with lines of %" PRIu32 " bytes", m->fetch_ways,
                   m->fetch_line);
    return WS_OK;
}

static int check_power(const ws_machine *m)
{
    int status = ws_machine_has_chip(m)
                     ? check_file(m, WS_MACHINE_ROW_power_chip, "chip_", m->power_chip, "a path, or " WS_MACHINE_PLAIN)
                     : WS_OK;
    if (!status && ws_machine_has_printed_accesses(m))
        status = check_file(m, WS_MACHINE_ROW_power_accesses, "", m->power_accesses, "a path, or " WS_MACHINE_PLAIN);
    if (!status)
        status = check_file(m, WS_MACHINE_ROW_power_optics, "", m->power_optics, "or a path");
    if (!status)
        status = check_file(m, WS_MACHINE_ROW_power_race, "", m->power_race, "or a path");
    if (!status)
        status = check_file(m, WS_MACHINE_ROW_power_magnetic, "memory_", m->power_magnetic, "or a path");
    return status ? status
                  : check_file(m, WS_MACHINE_ROW_power_magnetic_cell, "cell_", m->power_magnetic_cell, "or a path");
}

int ws_machine_settle(ws_machine *m)
{
    int rc = settle_networks(m);
    if (!rc)
        rc = settle_memory(m);
    if (rc)
        return rc;
    m->shape.slice_map = ws_machine_slice_map(m);
    m->shape.home_map = ws_machine_home_map(m, ws_machine_chip_slices(m));
    return WS_OK;
}

int ws_machine_check(ws_machine *m)
{
    int rc = check_words(m);
    if (!rc)
        rc = check_components(m);
    if (!rc)
        rc = check_powers(m);
    if (!rc)
        rc = check_caches(m);
    if (!rc)
        rc = check_policies(m);
    if (!rc)
        rc = check_arrays(m);
    if (!rc)
        rc = check_bypass(m);
    if (!rc)
        rc = check_fence(m);
    if (!rc)
        rc = check_carveout(m);
    if (!rc)
        rc = check_taken(m);
    if (!rc)
        rc = check_commutative(m);
    if (!rc)
        rc = check_sm(m);
    if (!rc)
        rc = check_magnetic(m);
    if (!rc)
        rc = check_package(m);
    if (!rc)
        rc = check_l3(m);
    if (!rc)
        rc = check_scatter(m);
    if (!rc)
        rc = check_side(m);
    if (!rc)
        rc = check_agreement(m);
    if (!rc)
        rc = check_table(m);
    if (!rc)
        rc = check_consistency(m);
    if (!rc)
        rc = check_races(m);
    if (!rc)
        rc = check_timestamps(m);
    if (!rc)
        rc = check_prediction(m);
    if (!rc)
        rc = check_cluster(m);
    if (!rc)
        rc = check_messages(m);
    if (!rc)
        rc = check_nodes(m, WS_MACHINE_ROW_network_kind, &m->network);
    if (!rc)
        rc = check_nodes(m, WS_MACHINE_ROW_reply_kind, &m->reply);
    if (!rc)
        rc = ws_machine_settle(m);
    if (!rc)
        rc = check_fetch(m);
    return rc ? rc : check_power(m);
}

static ws_slice_map map_of(const ws_machine *m, uint32_t each, bool touched)
{
    ws_slice_map map =
        ws_slice_map_make(m->package_chips, each, m->l2_stripe / m->l2_line, m->package_page / m->l2_line, touched);
    if (m->l2_scatter == WS_L2_SCATTER_IPOLY)
        ws_slice_map_scatter(&map);
    return map;
}

ws_slice_map ws_machine_home_map(const ws_machine *m, uint32_t each)
{
    const ws_home_ops *const home = m->package_home;
    return map_of(m, each, m->package_chips > 1 && home->settle);
}

/* A slice that keeps what its chip asks for may have any page, as where pages are settled by touching them. */
ws_slice_map ws_machine_slice_map(const ws_machine *m)
{
    const uint32_t slices = ws_machine_chip_slices(m);
    return ws_machine_keeps_remote(m) ? map_of(m, slices, true) : ws_machine_home_map(m, slices);
}

const char *ws_machine_protocol(const ws_machine *m)
{
    return m->coherence_protocol ? m->coherence_protocol->name : WS_MACHINE_PLAIN;
}

bool ws_machine_has_physical_leases(const ws_machine *m)
{
    return m->coherence_protocol && m->coherence_protocol->lease == WS_LEASE_PHYSICAL;
}

bool ws_machine_predicts_leases(const ws_machine *m)
{
    return ws_machine_has_physical_leases(m) && m->coherence_predict == WS_LEASE_LENGTHS_SLICE;
}

bool ws_machine_detects_races(const ws_machine *m)
{
    return m->coherence_protocol && m->coherence_protocol->race;
}

bool ws_machine_races_cost(const ws_machine *m)
{
    return ws_machine_detects_races(m) && m->coherence_protocol->race != WS_RACE_IDEAL;
}

bool ws_machine_runs_ahead(const ws_machine *m)
{
    const bool spare =
        m->coherence_race_registers && ws_machine_detects_races(m) && m->coherence_protocol->race == WS_RACE_SPECULATES;
    return spare || (ws_machine_detects_races(m) && !ws_machine_races_cost(m));
}

bool ws_machine_places(const ws_machine *m)
{
    return ws_machine_runs_ahead(m) || (ws_machine_detects_races(m) && m->coherence_protocol->race == WS_RACE_STALLS);
}

const char *ws_machine_unfollowed(ws_machine *m)
{
    static const size_t plain[] = {
        WS_MACHINE_ROW_l1_sector,         WS_MACHINE_ROW_l1_allocate, WS_MACHINE_ROW_l1_write,
        WS_MACHINE_ROW_l1_write_allocate, WS_MACHINE_ROW_l2_sector,   WS_MACHINE_ROW_l2_mshrs,
        WS_MACHINE_ROW_l2_merges,         WS_MACHINE_ROW_l2_write,    WS_MACHINE_ROW_l2_write_allocate,
        WS_MACHINE_ROW_l2_dirty,          WS_MACHINE_ROW_l1_bypass,   WS_MACHINE_ROW_l1_bypass_mshr,
        WS_MACHINE_ROW_l1_classify,       WS_MACHINE_ROW_l1_sharing,
    };
    const char *list = "";
    if (!ws_machine_has_protocol(m))
        return list;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const ws_machine_option *const o = ws_machine_option_row(plain[i]);
        const bool usual = o->word ? !strcmp(ws_machine_word(m, plain[i]), o->word)
                                   : ws_machine_number(m, plain[i]) == o->option.fallback;
        if (!usual)
            list = ws_machine_text(m, "%s%s%s.%s", list, *list ? ", " : "", o->section, o->option.name);
        if (!list)
            return "";
    }
    return list;
}
