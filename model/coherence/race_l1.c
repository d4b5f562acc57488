/* race_l1.c - which copies may an SM still read? What an L1 knows of its epochs, and of what others stored in the last
 * one. */
#include "model/coherence/l1_memory_internal.h"
#include "model/coherence/race_internal.h"

static ws_l1_race *race_of(const ws_coherence *c, const void *l1)
{
    return (ws_l1_race *)((char *)l1 + c->l1_race);
}

static ws_speculative *speculative_of(const ws_coherence *c, const void *l1)
{
    return (ws_speculative *)((char *)l1 + c->l1_speculative);
}

/* What is known of the signature of an epoch. */
typedef enum ws_kept { KEPT_NOT, KEPT_EMPTY, KEPT_FULL } ws_kept;

static ws_kept signature_of(const ws_coherence *c, const void *l1, uint32_t epoch, const void **signature)
{
    const uint8_t *const at = race_slot(c, l1, epoch);
    uint64_t is;
    memcpy(&is, at, sizeof is);
    *signature = at + sizeof is;
    return is == race_slot_name(epoch, false) ? KEPT_FULL : is == race_slot_name(epoch, true) ? KEPT_EMPTY : KEPT_NOT;
}

/* An answer says that the epoch began with an empty signature. */
static void keep_empty(const ws_coherence *c, void *l1, uint32_t epoch)
{
    uint8_t *const at = race_slot(c, l1, epoch);
    const uint64_t name = race_slot_name(epoch, true);
    uint64_t is;
    memcpy(&is, at, sizeof is);
    if (is < name)
        memcpy(at, &name, sizeof name);
}

void race_l1_init(const ws_coherence *c, void *l1)
{
    *race_of(c, l1) = (ws_l1_race){.epoch = 1, .known = true};
    keep_empty(c, l1, 1);
}

ws_race_counts ws_l1_race_counts(const ws_coherence *c, const void *l1)
{
    return c->protocol->race ? race_of(c, l1)->counts : (ws_race_counts){0};
}

uint32_t race_epoch(const ws_coherence *c, const void *l1)
{
    return c->protocol->race ? race_of(c, l1)->epoch : 0;
}

uint32_t ws_l1_race_epoch(const ws_coherence *c, const void *l1)
{
    return race_epoch(c, l1);
}

/* --- Copies --- */

/* Did somebody else store to it in the epoch before this one? */
static ws_verdict look_up(const ws_coherence *c, void *l1, uint32_t epoch, uint64_t block, uint32_t words,
                          bool *wrongly)
{
    ws_l1_race *const race = race_of(c, l1);
    const void *signature;
    const ws_kept kept = signature_of(c, l1, epoch, &signature);
    if (kept != KEPT_FULL)
        return kept == KEPT_EMPTY ? VERDICT_GOOD : VERDICT_UNKNOWN;
    const ws_signature_answer a = ws_signature_test(&c->signature, signature, block, words);
    race->counts.filter_reads += a.units;
    race->counts.missed += a.really_in && !a.in;
    *wrongly = a.in && !a.really_in;
    return a.in ? VERDICT_FOUND : VERDICT_GOOD;
}

/* What the copy of an earlier epoch is now: all signatures since then have to agree. */
static ws_verdict judge_age(const ws_coherence *c, void *l1, uint32_t tag, uint64_t block, uint32_t words,
                            bool *wrongly)
{
    const uint32_t now = race_of(c, l1)->epoch;
    *wrongly = false;
    if (tag >= now)
        return VERDICT_GOOD;
    if (!tag || now - tag > c->config.race.depth)
        return VERDICT_EXPIRED;
    ws_verdict verdict = VERDICT_GOOD;
    for (uint32_t epoch = now; epoch > tag && verdict == VERDICT_GOOD; epoch--)
        verdict = look_up(c, l1, epoch, block, words, wrongly);
    return verdict;
}

ws_verdict race_judge(const ws_coherence *c, void *l1, const ws_l1_line *line, uint32_t words, bool *wrongly)
{
    ws_verdict verdict = judge_age(c, l1, line->wts, line->block, words, wrongly);
    if (verdict != VERDICT_GOOD || line->unchecked < c->config.race.hits)
        return verdict;
    /* What is asked is whether all of the copy is good; if a part is not, a new one is wanted. */
    verdict = judge_age(c, l1, line->wts, line->block, race_all_words(c), wrongly);
    return verdict == VERDICT_GOOD ? VERDICT_CHECK : verdict;
}

void race_count_miss(const ws_coherence *c, void *l1, ws_verdict verdict, bool wrongly)
{
    ws_race_counts *const counts = &race_of(c, l1)->counts;
    counts->expired += verdict == VERDICT_EXPIRED;
    counts->found += verdict == VERDICT_FOUND;
    counts->found_wrongly += verdict == VERDICT_FOUND && wrongly;
    counts->unknown += verdict == VERDICT_UNKNOWN;
    counts->checks += verdict == VERDICT_CHECK;
}

bool race_is_half_stored(const ws_coherence *c, const void *l1, uint64_t block, uint16_t warp, uint16_t tag)
{
    if (!c->config.race.together)
        return false;
    const ws_pending *const pending = pending_of(c, l1);
    const uint32_t count = ((const ws_l1 *)l1)->pending_count;
    for (uint32_t i = 0; i < count; i++)
        if (pending[i].kind == WS_REQUEST_STORE && pending[i].block == block && pending[i].who.lines > 1 &&
            (pending[i].warp != warp || pending[i].tag != tag))
            return true;
    return false;
}

bool race_is_whole(const ws_coherence *c, void *l1, const ws_coherence_message *m, ws_pending *answered)
{
    if (!c->config.race.together || answered->kind != WS_REQUEST_STORE || answered->who.lines < 2)
        return true;
    answered->order = m->rts;
    const ws_pending *const pending = pending_of(c, l1);
    uint32_t performed = 0;
    for (uint32_t i = 0; i < ((const ws_l1 *)l1)->pending_count; i++)
        performed += pending[i].warp == answered->warp && pending[i].kind == WS_REQUEST_STORE && pending[i].order;
    return performed == answered->who.lines;
}

ws_pending *race_next_performed(const ws_coherence *c, void *l1, uint16_t warp)
{
    ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < ((const ws_l1 *)l1)->pending_count; i++)
        if (pending[i].warp == warp && pending[i].kind == WS_REQUEST_STORE && pending[i].order)
            return &pending[i];
    return NULL;
}

bool race_must_wait(const ws_coherence *c, const void *l1, const ws_l1_line *line, const ws_request *access)
{
    const ws_l1_race *const race = race_of(c, l1);
    if (c->protocol->race == WS_RACE_STALLS && race->unanswered && access->kind != WS_REQUEST_FENCE &&
        (access->warp != race->warp || access->tag != race->tag))
        return true;
    if (race_is_half_stored(c, l1, access->block, access->warp, access->tag))
        return true;
    if (!line)
        return false;
    return (line->state == L1_VR && access->kind != WS_REQUEST_LOAD) ||
           (line->state == L1_VW && access->kind == WS_REQUEST_ATOMIC);
}

/* --- Loads before the answer --- */

bool race_has_no_room(const ws_coherence *c, const void *l1)
{
    const ws_l1_race *const race = race_of(c, l1);
    return c->protocol->race == WS_RACE_SPECULATES && race->unanswered &&
           race->speculative_count == c->config.race.queue;
}

static void remember_hit(const ws_coherence *c, void *l1, const ws_l1_line *line)
{
    ws_l1_race *const race = race_of(c, l1);
    bool wrongly;
    race->counts.speculative++;
    if (race->speculative_count == c->config.race.queue ||
        judge_age(c, l1, line->wts, line->block, race_all_words(c), &wrongly) != VERDICT_GOOD)
        return;
    speculative_of(c, l1)[race->speculative_count++] =
        (ws_speculative){.block = line->block, .epoch = race->epoch, .left = race->unanswered};
}

void race_hit(const ws_coherence *c, void *l1, ws_l1_line *line)
{
    line->unchecked++;
    if (c->protocol->race == WS_RACE_SPECULATES && race_of(c, l1)->unanswered)
        remember_hit(c, l1, line);
}

/* The signature of the epoch that has begun is there: copies that were good before it, and that it does not have, are
 * good in it. */
static void carry_on(const ws_coherence *c, void *l1)
{
    ws_l1_race *const race = race_of(c, l1);
    for (uint32_t i = 0; i < race->speculative_count; i++) {
        ws_speculative *const load = &speculative_of(c, l1)[i];
        ws_l1_line *const line = find_line(c, l1, load->block);
        bool wrongly;
        if (!line || (line->state != L1_V && line->state != L1_VW) || line->wts >= race->epoch)
            continue;
        /* As one of the epoch in which it was good. */
        const ws_verdict verdict = judge_age(c, l1, load->epoch, load->block, race_all_words(c), &wrongly);
        race->counts.refuted += verdict == VERDICT_FOUND;
        if (verdict != VERDICT_GOOD)
            continue;
        line->wts = load->epoch = race->epoch;
        race->counts.carried++;
    }
}

static void note_answer(const ws_coherence *c, void *l1)
{
    ws_l1_race *const race = race_of(c, l1);
    ws_speculative *const loads = speculative_of(c, l1);
    uint32_t kept = 0;
    race->unanswered--;
    for (uint32_t i = 0; i < race->speculative_count; i++)
        if (--loads[i].left)
            loads[kept++] = loads[i];
    memset(loads + kept, 0, (race->speculative_count - kept) * sizeof *loads);
    race->speculative_count = kept;
}

/* --- Loads that run ahead of their warp --- */

bool race_is_private(const ws_coherence *c, const ws_cache_who *who)
{
    return (c->config.race.ahead || c->protocol->race == WS_RACE_STALLS) && who->local;
}

bool race_is_in_turn(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry)
{
    const ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; c->config.race.ahead && i < l1->pending_count && &pending[i] != entry; i++)
        if (pending[i].warp == entry->warp && pending[i].tag != entry->tag && !pending[i].ordered && !pending[i].early)
            return false;
    return entry->kind == WS_REQUEST_LOAD ? entry->first : !c->config.race.together;
}

/* Has the warp earlier accesses in the list, of other instructions? `open`: without a place. */
static bool has_earlier(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry, bool open)
{
    const ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < l1->pending_count && &pending[i] != entry; i++)
        if (pending[i].warp == entry->warp && pending[i].tag != entry->tag && !(open && pending[i].ordered))
            return true;
    return false;
}

bool race_is_ahead(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry)
{
    return c->config.race.ahead && entry->ahead && has_earlier(c, l1, entry, false);
}

bool race_is_placed(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry)
{
    return entry->ordered && !entry->early && !has_earlier(c, l1, entry, true);
}

/* A request has its place when it comes to the detector, behind the requests of the SM before it. Without one the value
 * must be as good as those of the earlier accesses, whose answers may be missing. */
bool race_is_early(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry, uint32_t epoch)
{
    const ws_l1_race *const race = race_of(c, l1);
    if (!c->config.race.ahead || !entry->ahead)
        return false;
    if (has_earlier(c, l1, entry, true))
        return true;
    return !entry->ordered &&
           ((race->unanswered && has_earlier(c, l1, entry, false)) || (entry->asked_early && epoch < race->epoch));
}

uint32_t race_hit_epoch(const ws_coherence *c, const void *l1, const ws_l1_line *line)
{
    return c->protocol->race == WS_RACE_IDEAL && line->wts < race_epoch(c, l1) ? line->wts : race_epoch(c, l1);
}

void race_keep_early(const ws_coherence *c, void *l1, ws_pending *entry, uint32_t epoch, const uint32_t *data)
{
    ws_l1_race *const race = race_of(c, l1);
    const ws_pending *const pending = pending_of(c, l1);
    const uint32_t count = ((const ws_l1 *)l1)->pending_count;
    const bool listed = entry >= pending && entry < pending + count;
    entry->early = true;
    entry->attached = entry->first = false;
    entry->epoch = epoch;
    entry->left = race->unanswered;
    memcpy(aside_of(c, l1, listed ? (size_t)(entry - pending) : count), data, block_bytes(c));
    race->counts.early++;
}

void race_overwrite(const ws_coherence *c, void *l1, const ws_request *access)
{
    ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < ((const ws_l1 *)l1)->pending_count; i++)
        if (pending[i].kind == WS_REQUEST_LOAD && pending[i].block == access->block && pending[i].mask & access->mask &&
            pending[i].warp != access->warp)
            pending[i].overwritten = true;
}

/* Where detection takes no time the load would have found what is known of the copy now. */
static void test_copy(const ws_coherence *c, void *l1, ws_pending *entry)
{
    ws_l1_race *const race = race_of(c, l1);
    bool wrongly;
    const ws_verdict verdict = judge_age(c, l1, entry->epoch, entry->block, entry->mask, &wrongly);
    if (verdict == VERDICT_GOOD)
        entry->epoch = race->epoch;
    if (verdict != VERDICT_EXPIRED && verdict != VERDICT_FOUND)
        return;
    entry->refuted = true;
    race_count_miss(c, l1, verdict, wrongly);
}

/* Holds the value against the signatures that have come since it was known to be good. */
static void test_early(const ws_coherence *c, void *l1, ws_pending *entry)
{
    const ws_race_config *const r = &c->config.race;
    const uint32_t now = race_of(c, l1)->epoch;
    bool wrongly = false;
    ws_verdict verdict = entry->refuted ? VERDICT_FOUND : VERDICT_GOOD;
    while (entry->epoch < now && verdict == VERDICT_GOOD) {
        verdict = look_up(c, l1, entry->epoch + 1, entry->block, entry->mask, &wrongly);
        entry->epoch += verdict == VERDICT_GOOD;
    }
    const bool lost = verdict == VERDICT_UNKNOWN && (!r->depth || now - entry->epoch >= r->slots);
    entry->refuted |= verdict == VERDICT_FOUND || lost;
}

/* A message has come. */
static void test_all_early(const ws_coherence *c, void *l1, bool answer)
{
    ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < ((const ws_l1 *)l1)->pending_count; i++) {
        if (!pending[i].early)
            continue;
        pending[i].left -= answer && pending[i].left;
        if (c->protocol->race != WS_RACE_IDEAL)
            test_early(c, l1, &pending[i]);
    }
}

/* Its new value will be of a later place, behind which those of its warp behind it come. */
static void refute(const ws_coherence *c, void *l1, ws_pending *entry)
{
    ws_pending *const end = pending_of(c, l1) + ((const ws_l1 *)l1)->pending_count;
    entry->early = entry->asked_early = entry->refuted = entry->overwritten = entry->ordered = false;
    for (ws_pending *later = entry + 1; later < end; later++)
        if (later->warp == entry->warp && later->tag != entry->tag && !race_is_private(c, &later->who))
            later->ordered = false;
    race_of(c, l1)->counts.failed++;
}

ws_completion_stage race_settled(const ws_coherence *c, void *l1, ws_pending *entry)
{
    ws_l1_race *const race = race_of(c, l1);
    if (!entry->early || (entry->left && !entry->ordered) || has_earlier(c, l1, entry, true))
        return WS_COMPLETE_EARLY;
    if (!entry->ordered) {
        (c->protocol->race == WS_RACE_IDEAL ? test_copy : test_early)(c, l1, entry);
        if (entry->refuted || entry->overwritten) {
            refute(c, l1, entry);
            return WS_COMPLETE_REFUTED;
        }
        if (entry->epoch < race->epoch)
            return WS_COMPLETE_EARLY; /* a signature is on its way */
    }
    race->counts.kept++;
    return WS_COMPLETE_KEPT;
}

/* --- Messages --- */

void race_ask(const ws_coherence *c, void *l1, ws_coherence_message *m, uint32_t about, const ws_l1_line *line)
{
    ws_l1_race *const race = race_of(c, l1);
    race->unanswered++;
    race->warp = m->warp;
    race->tag = m->tag;
    m->wts = 0;
    m->rts = about;
    if (m->type != WS_MESSAGE_READ)
        return;
    if (line && line->state == L1_VR)
        m->wts = race->epoch; /* the verdict was that all of it is good now */
}

void race_hear(const ws_coherence *c, void *l1, const ws_coherence_message *m)
{
    ws_l1_race *const race = race_of(c, l1);
    const bool brings = m->type == WS_MESSAGE_SYNC || m->note & WS_RACE_EMPTY;
    if (m->wts > race->epoch) {
        race->epoch = m->wts;
        race->known = false;
    }
    if (m->note & WS_RACE_EMPTY)
        keep_empty(c, l1, m->wts);
    if (m->wts == race->epoch && brings && !race->known) {
        const void *signature;
        race->known = signature_of(c, l1, race->epoch, &signature) != KEPT_NOT;
        if (race->known)
            carry_on(c, l1);
    }
    const bool answer = m->type != WS_MESSAGE_SYNC && !(m->note & WS_RACE_TOLD);
    if (answer)
        note_answer(c, l1);
    if (c->config.race.ahead)
        test_all_early(c, l1, answer);
}
