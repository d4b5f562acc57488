/* race_l1.c - which copies may an SM still read? What an L1 knows of its epochs, and of what others stored in the last one. */
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

/* The signature of an epoch, or NULL when it is not there. */
static const void *signature_of(const ws_coherence *c, const void *l1, uint32_t epoch)
{
    const uint8_t *const at =
        (const uint8_t *)l1 + c->l1_signatures + (epoch % c->config.race.slots) * (sizeof(uint64_t) + c->signature.bytes);
    uint64_t is;
    memcpy(&is, at, sizeof is);
    return is == epoch ? at + sizeof is : NULL;
}

void race_l1_init(const ws_coherence *c, void *l1)
{
    *race_of(c, l1) = (ws_l1_race){.epoch = 1, .known = true, .empty = true};
}

ws_race_counts ws_l1_race_counts(const ws_coherence *c, const void *l1)
{
    return c->protocol->race ? race_of(c, l1)->counts : (ws_race_counts){0};
}

uint32_t ws_l1_race_epoch(const ws_coherence *c, const void *l1)
{
    return c->protocol->race ? race_of(c, l1)->epoch : 0;
}

/* --- Copies --- */

/* What the copy of an earlier epoch is now. */
static ws_verdict judge_age(const ws_coherence *c, void *l1, uint32_t tag, uint64_t block, uint32_t words, bool *wrongly)
{
    ws_l1_race *const race = race_of(c, l1);
    *wrongly = false;
    if (tag >= race->epoch)
        return VERDICT_GOOD;
    if (tag + 1 < race->epoch)
        return VERDICT_EXPIRED;
    if (race->known && race->empty)
        return VERDICT_GOOD;
    const void *const signature = race->known ? signature_of(c, l1, race->epoch) : NULL;
    if (!signature)
        return VERDICT_UNKNOWN;
    const ws_signature_answer a = ws_signature_test(&c->signature, signature, block, words);
    race->counts.filter_reads += a.units;
    race->counts.missed += a.really_in && !a.in;
    *wrongly = a.in && !a.really_in;
    return a.in ? VERDICT_FOUND : VERDICT_GOOD;
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

bool race_must_wait(const ws_coherence *c, const void *l1, const ws_l1_line *line, const ws_request *access)
{
    const ws_l1_race *const race = race_of(c, l1);
    if (c->protocol->race == RACE_STALLS && race->unanswered && access->kind != WS_REQUEST_FENCE &&
        (access->warp != race->warp || access->tag != race->tag))
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
    return c->protocol->race == RACE_SPECULATES && race->unanswered && race->speculative_count == c->config.race.queue;
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
    if (c->protocol->race == RACE_SPECULATES && race_of(c, l1)->unanswered)
        remember_hit(c, l1, line);
}

/* The signature of the epoch that has begun is there: copies that were good before it, and that it does not have, are good in it. */
static void carry_on(const ws_coherence *c, void *l1)
{
    ws_l1_race *const race = race_of(c, l1);
    for (uint32_t i = 0; i < race->speculative_count; i++) {
        ws_speculative *const load = &speculative_of(c, l1)[i];
        ws_l1_line *const line = find_line(c, l1, load->block);
        bool wrongly;
        if (load->epoch + 1 != race->epoch || !line || (line->state != L1_V && line->state != L1_VW) || line->wts >= race->epoch)
            continue;
        /* As one of the epoch before, which it is as good as. */
        if (judge_age(c, l1, load->epoch, load->block, race_all_words(c), &wrongly) != VERDICT_GOOD) {
            race->counts.refuted++;
            continue;
        }
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

/* --- Messages --- */

void race_ask(const ws_coherence *c, void *l1, ws_coherence_message *m, uint32_t words, const ws_l1_line *line)
{
    ws_l1_race *const race = race_of(c, l1);
    race->unanswered++;
    race->warp = m->warp;
    race->tag = m->tag;
    m->wts = 0;
    if (m->type != WS_MESSAGE_READ)
        return;
    m->rts = words;
    if (line && line->state == L1_VR)
        m->wts = race->epoch; /* the verdict was that all of it is good now */
}

void race_hear(const ws_coherence *c, void *l1, const ws_coherence_message *m)
{
    ws_l1_race *const race = race_of(c, l1);
    const bool brings = m->type == WS_MESSAGE_SYNC || m->note & WS_RACE_EMPTY;
    if (m->wts > race->epoch) {
        race->epoch = m->wts;
        race->known = race->empty = false;
    }
    if (m->wts == race->epoch && brings && !race->known) {
        race->empty = (m->note & WS_RACE_EMPTY) != 0;
        race->known = race->empty || signature_of(c, l1, race->epoch);
        if (race->known)
            carry_on(c, l1);
    }
    if (m->type != WS_MESSAGE_SYNC && !(m->note & WS_RACE_TOLD))
        note_answer(c, l1);
}
