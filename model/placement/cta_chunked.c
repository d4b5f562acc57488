/* cta_chunked.c - each SM works on a chunk of consecutive CTAs: neighbours that share data share an L1.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2:
 * CS-qN (`chunk` N), CS-qx (`chunk` 0: a row of the grid) and, with `balance`, CS-q*_adpt: when fewer chunks are left
 * than there are SMs, the CTAs of those go one by one to whoever has room. SMs get CTAs in turn, each of its own chunk,
 * so that each has a chunk before one has two (section 2.3: of 17 groups 15 of 16 SMs get one, and one gets two); an SM
 * that is done with its chunk takes the next one.
 *
 * The source does not say what a row of a grid with one row is: all CTAs would go to one SM. `cap` keeps chunks to an
 * even share of the grid, ceil(CTAs / SMs); by itself only where that would happen. With `balance` it does not: one
 * chunk is fewer than SMs. */
#include "model/placement/cta_scheduler_internal.h"

typedef struct queue {
    uint64_t next, end; /* of the SM's chunk */
} queue;

typedef struct chunked {
    uint64_t next; /* first CTA that is in nobody's chunk */
    uint32_t turn, padding;
    queue queue[]; /* [sms] */
} chunked;

enum { CHUNK, BALANCE, CAP };
enum { CAP_NEVER, CAP_ONE_ROW, CAP_ALWAYS };
static const ws_option options[] = {
    [CHUNK] = {"chunk", "blocks", 0, 0, UINT32_MAX, "consecutive blocks of an SM; 0: a row of the grid"},
    [BALANCE] = {"balance", "", 1, 0, 1, "1: the last chunks, when they are fewer than SMs, go block by block"},
    [CAP] = {"cap", "", CAP_ONE_ROW, CAP_NEVER, CAP_ALWAYS,
             "most blocks of a chunk are an even share of the grid; 0: never, 1: of a grid of one row with chunk 0 and "
             "balance 0, 2: always"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static size_t state_size(uint32_t sms)
{
    return sizeof(chunked) + sms * sizeof(queue);
}

static uint64_t chunk_of(const ws_cta_scheduler *s)
{
    const uint32_t *const grid = s->view.grid;
    const uint64_t chunk = s->values[CHUNK] ? s->values[CHUNK] : grid[0];
    const uint64_t even = (s->view.ctas + s->view.sms - 1) / s->view.sms;
    const bool one_row = !s->values[CHUNK] && !s->values[BALANCE] && grid[1] == 1 && grid[2] == 1;
    const bool capped = s->values[CAP] == CAP_ALWAYS || (s->values[CAP] == CAP_ONE_ROW && one_row);
    return capped && even < chunk ? even : chunk;
}

/* CTAs that go one by one. */
static bool is_rest(const ws_cta_scheduler *s, uint64_t chunk)
{
    const uint64_t left = s->view.ctas - ((const chunked *)s->state)->next;
    return s->values[BALANCE] && (left + chunk - 1) / chunk < s->view.sms;
}

/* The next CTA of the SM's chunk, a new one when that is done; WS_NO_CTA: no chunk is left. */
static uint64_t take_own(const ws_cta_scheduler *s, queue *q)
{
    chunked *const c = s->state;
    const uint64_t chunk = chunk_of(s);
    if (q->next == q->end) {
        if (c->next == s->view.ctas || is_rest(s, chunk))
            return WS_NO_CTA;
        q->next = c->next;
        q->end = chunk < s->view.ctas - c->next ? c->next + chunk : s->view.ctas;
        c->next = q->end;
    }
    return q->next++;
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    chunked *const c = s->state;
    for (uint32_t i = 0; i < s->view.sms; i++) {
        const uint32_t sm = (c->turn + i) % s->view.sms;
        const uint64_t cta = s->view.sm[sm].room ? take_own(s, &c->queue[sm]) : WS_NO_CTA;
        if (cta == WS_NO_CTA)
            continue;
        c->turn = (sm + 1) % s->view.sms;
        *choice = (ws_cta_choice){cta, sm};
        return true;
    }
    if (c->next == s->view.ctas || !ws_cta_next_in_turn(s, &c->turn, &choice->sm))
        return false;
    choice->cta = c->next++;
    return true;
}

const ws_cta_scheduler_ops ws_cta_scheduler_chunked = {
    .name = "chunked",
    .summary = "each SM works on a chunk of consecutive blocks, by default a row of the grid",
    .options = options,
    .state_size = state_size,
    .choose = choose,
    .group = chunk_of,
};
