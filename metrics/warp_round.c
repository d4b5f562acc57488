/* warp_round.c - which lines does a warp use between two executions of the same load, and how many such warps fit a
 * cache? */
#include "metrics/warp_round.h"

#include <string.h>

/* True for a line that the round has not used, or that it cannot know any more. */
static bool is_new(ws_warp_round *r, uint64_t line)
{
    enum { SLOT_BITS = 9 };
    _Static_assert(WS_ROUND_SLOTS == 1 << SLOT_BITS, "the hash gives a slot");
    if (r->lines >= WS_ROUND_LINES)
        return true;
    unsigned at = (unsigned)(line * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS)); /* Fibonacci hashing, as in tally.h */
    for (; r->slot_stamp[at] == r->stamp; at = (at + 1) % WS_ROUND_SLOTS)
        if (r->slot[at] == line)
            return false;
    r->slot_stamp[at] = r->stamp;
    r->slot[at] = line;
    return true;
}

static void put(uint8_t *count)
{
    *count += *count < UINT8_MAX;
}

void ws_round_use(ws_warp_round *r, const uint64_t *line, unsigned lines, bool divergent,
                  const uint8_t (*set)[WS_SET_BYS])
{
    r->divergent |= divergent;
    for (unsigned i = 0; i < lines; i++) {
        if (!is_new(r, line[i]))
            continue;
        r->lines++;
        for (unsigned by = 0; by < WS_SET_BYS && divergent; by++)
            put(&r->own[by][set[i][by]]);
        if (!divergent && r->others < WS_ROUND_LINES)
            memcpy(r->other[r->others++], set[i], sizeof r->other[0]);
    }
}

/* Warps whose divergent loads use the same sets and whose other lines are the same that the cache holds whole: the
 * least, over the sets, of the ways that the shared lines leave, by the lines of one warp. */
static unsigned warps_that_fit(const ws_warp_round *r, unsigned by)
{
    uint8_t shared[WS_SETS] = {0};
    unsigned least = WS_SET_WAYS;
    for (uint32_t i = 0; i < r->others; i++)
        put(&shared[r->other[i][by]]);
    for (unsigned set = 0; set < WS_SETS; set++) {
        const unsigned left = shared[set] < WS_SET_WAYS ? WS_SET_WAYS - shared[set] : 0;
        if (r->own[by][set] * least > left) /* else the division gives no less */
            least = left / r->own[by][set];
    }
    return least;
}

void ws_round_begin(ws_warp_round *r, ws_round_sums *sums)
{
    sums->rounds += r->lines > 0;
    sums->lines += r->lines;
    if (r->divergent) {
        sums->divergent++;
        for (unsigned by = 0; by < WS_SET_BYS; by++)
            sums->fit[by] += warps_that_fit(r, by);
        memset(r->own, 0, sizeof r->own);
    }
    r->lines = r->others = 0;
    r->divergent = false;
    if (!++r->stamp) { /* after 2^32 rounds stamps begin anew */
        memset(r->slot_stamp, 0, sizeof r->slot_stamp);
        r->stamp = 1;
    }
}
