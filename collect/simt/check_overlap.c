/* check_overlap.c - what does nothing order with what another stream does? Feeds collect/check/overlap.h with what
 * launches, and copies and fills of the host, do to global memory, and puts what it finds into words. */
#include "collect/simt/simt_internal.h"

#include "collect/check/overlap.h"
#include "collect/check/race_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 640 };

/* What is to be said of a launch later. The code lives as long as its module; who unloads one waits for all streams. */
typedef struct launched {
    const code *code;
    uint32_t grid[3], dim[3], warps; /* warps: of a block */
    char kernel[];
} launched;

static launched *describe(const launch *l)
{
    const size_t bytes = strlen(l->facts.kernel) + 1;
    launched *const made = malloc(sizeof *made + bytes);
    if (!made)
        return NULL;
    made->code = l->code;
    made->warps = l->facts.warps_per_block;
    memcpy(made->grid, l->run->grid, sizeof made->grid);
    memcpy(made->dim, l->run->block, sizeof made->dim);
    memcpy(made->kernel, l->facts.kernel, bytes);
    return made;
}

void check_overlap_begin(launch *l)
{
    ws_overlap *const o = ws_checker_overlap(l->device->checker);
    l->actor = ws_overlap_runs(o) ? ws_overlap_actor(o, describe(l)) : 0;
}

/* ---- words ---- */

/* One of the two: what tells it apart, its place, and all of it. */
typedef struct side {
    const char *kernel; /* "": no launch */
    uint32_t number;    /* instruction, or of the operation */
    char place[WORDS], text[2 * WORDS];
} side;

static void number_side(const ws_overlap *o, const ws_overlap_access *a, side *s)
{
    const launched *const l = ws_overlap_about(o, a->actor);
    s->kernel = l ? l->kernel : "";
    s->number = l ? a->pc : ws_overlap_id(o, a->actor);
}

static void describe_side(const ws_overlap *o, const ws_overlap_access *a, side *s)
{
    const launched *const l = ws_overlap_about(o, a->actor);
    char operation[WORDS], who[96];
    ws_overlap_get_voice(o)->operation(ws_overlap_operation(o, a->actor), l, operation, sizeof operation);
    if (!l) {
        snprintf(s->place, sizeof s->place, "%s", operation);
        snprintf(s->text, sizeof s->text, "%s", operation);
        return;
    }
    checks_place_words(l->code, a->pc, s->place, sizeof s->place);
    checks_thread_words(l->grid, l->dim, a->warp / l->warps, a->warp % l->warps * WS_WARP + a->lane, who, sizeof who);
    snprintf(s->text, sizeof s->text, "kernel %s: %.320s (%s by %s), %s", l->kernel, s->place,
             checks_access_word(l->code, a->pc, a->writes), who, operation);
}

/* Two operations in either order are one finding. */
static bool is_swapped(const side *a, const side *b)
{
    const int by_name = strcmp(a->kernel, b->kernel);
    return by_name > 0 || (!by_name && a->number > b->number);
}

static void find(const ws_device *device, const ws_overlap_access *a, const ws_overlap_other *other)
{
    ws_checker *const c = device->checker;
    const ws_overlap *const o = ws_checker_overlap(c);
    side mine, others;
    char kernels[WORDS], pair[2 * WORDS + 8], where[WORDS / 2], mend[WORDS], text[6 * WORDS];
    number_side(o, a, &mine);
    number_side(o, &other->access, &others);
    const bool swap = is_swapped(&mine, &others);
    const side *const first = swap ? &others : &mine, *const second = swap ? &mine : &others;
    snprintf(kernels, sizeof kernels, "%s and %s", first->kernel, second->kernel);
    const ws_finding_at at = {WS_FINDING_RACE_STREAMS, kernels, first->number, second->number};
    if (ws_checker_again(c, &at))
        return;
    describe_side(o, a, &mine);
    describe_side(o, &other->access, &others);
    checks_global_words(device, other->address, where, sizeof where);
    ws_overlap_get_voice(o)->mend(ws_overlap_operation(o, a->actor), ws_overlap_operation(o, other->access.actor), mend,
                                  sizeof mend);
    /* Numbers of operations that are no launches differ from run to run: their words do not. */
    const bool by_words = !*first->kernel && !*second->kernel && strcmp(first->place, second->place) > 0;
    snprintf(pair, sizeof pair, "%s and %s", by_words ? second->place : first->place,
             by_words ? first->place : second->place);
    snprintf(text, sizeof text, "%s and %s: %s; nothing orders them: %s", mine.text, others.text, where, mend);
    ws_checker_add(c, &at, pair, text);
}

/* ---- accesses ---- */

void check_overlap_see(const warp *w, const ws_race_access *a, uint64_t address, unsigned bytes)
{
    const launch *const l = w->block->launch;
    const ws_overlap_access mine = {.actor = l->actor,
                                    .warp = (uint32_t)(w->block->index * l->facts.warps_per_block + a->warp),
                                    .pc = a->pc,
                                    .lane = a->lane,
                                    .strong = a->reach == WS_RACE_OF_ALL,
                                    .writes = a->writes,
                                    .changes = a->changes};
    ws_overlap_other other;
    if (ws_overlap_see(ws_checker_overlap(l->device->checker), &mine, address, bytes, &other))
        find(l->device, &mine, &other);
}

bool ws_device_overlaps(const ws_device *device)
{
    const ws_overlap *const o = device ? ws_checker_overlap(device->checker) : NULL;
    return o && ws_overlap_runs(o);
}

void ws_device_touches(ws_device *device, const struct ws_box *box, bool writes, bool changes, bool strong)
{
    ws_overlap_other other;
    if (!ws_device_overlaps(device))
        return;
    ws_overlap *const o = ws_checker_overlap(device->checker);
    const ws_overlap_access mine = {
        .actor = ws_overlap_self(o), .writes = writes, .changes = changes, .strong = strong};
    if (!ws_overlap_see_box(o, &mine, box, &other))
        return;
    find(device, &mine, &other);
    ws_checker_flush(device->checker);
}
