/* coalesced.c - see coalesced.h. The room of a batch begins with a word for each event: where its sectors and its lines
 * are, and how many; the lists follow. */
#include "metrics/coalesced.h"

#include "base/grow.h"

#include <string.h>

enum { SECTORS, LINES };

/* Of a word, for each of the two: place of the list, 0 while there is none, and its length. */
enum { PLACE_BITS = 22, COUNT_BITS = 10, PART_BITS = PLACE_BITS + COUNT_BITS };
_Static_assert(WS_COALESCE_MAX < 1 << COUNT_BITS, "the length of a list fits");
_Static_assert(2 * PART_BITS == 64, "both fit a word");

typedef struct list {
    uint32_t place, count;
} list;

static list list_of(const ws_batch_room *room, size_t event, unsigned which)
{
    const uint64_t part = room->word[event] >> which * PART_BITS;
    return (list){part & ((UINT64_C(1) << PLACE_BITS) - 1), part >> PLACE_BITS & ((UINT64_C(1) << COUNT_BITS) - 1)};
}

/* Room for a list behind what is there, and in a batch that is new for the words of its events before. */
static bool make_room(ws_batch_room *room, size_t events)
{
    const size_t begin = room->used ? 0 : events;
    if (room->room - room->used < begin + WS_COALESCE_MAX &&
        WS_GROW(room->word, room->room, room->used, begin + WS_COALESCE_MAX) != WS_OK)
        return false;
    if (begin) {
        memset(room->word, 0, events * sizeof *room->word);
        room->used = events;
    }
    return room->used < (size_t)1 << PLACE_BITS;
}

static unsigned work_out(const ws_batch *batch, const ws_event *ev, const ws_instr *in, unsigned which, list sectors,
                         uint64_t *out)
{
    if (which == LINES && sectors.place)
        return ws_coalesce_widen(batch->room->word + sectors.place, sectors.count, WS_LINE_SHIFT - WS_SECTOR_SHIFT,
                                 out);
    return ws_coalesce_blocks(WS_ADDRESSES(batch, ev), ev->exec, in->bytes,
                              which == LINES ? WS_LINE_SHIFT : WS_SECTOR_SHIFT, out);
}

static const uint64_t *find(const ws_batch *batch, const ws_event *ev, const ws_instr *in, unsigned which,
                            uint64_t *own, unsigned *n)
{
    ws_batch_room *const room = batch->room;
    const size_t event = (size_t)(ev - batch->event);
    if (room && room->used) {
        const list known = list_of(room, event, which);
        *n = known.count;
        if (known.place)
            return room->word + known.place;
    }
    if (!room || !make_room(room, batch->events)) {
        *n = work_out(batch, ev, in, which, (list){0}, own);
        return own;
    }
    const uint64_t place = room->used;
    *n = work_out(batch, ev, in, which, list_of(room, event, SECTORS), room->word + place);
    room->word[event] |= (place | (uint64_t)*n << PLACE_BITS) << which * PART_BITS;
    room->used += *n;
    return room->word + place;
}

const uint64_t *ws_coalesced_sectors(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                     uint64_t own[WS_COALESCE_MAX], unsigned *n)
{
    return find(batch, ev, in, SECTORS, own, n);
}

const uint64_t *ws_coalesced_lines(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                   uint64_t own[WS_COALESCE_MAX], unsigned *n)
{
    return find(batch, ev, in, LINES, own, n);
}
