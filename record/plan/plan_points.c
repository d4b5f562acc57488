/* plan_points.c - the points of a plan: products of axes without what is excluded, and their keys. */
#include "base/memory.h"
#include "record/plan/plan_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

/* Labels of a cell of a block's product; the last axis goes fastest. */
static void place(const ws_plan *plan, size_t b, size_t cell, ws_plan_point *point)
{
    const ws_plan_block *const block = &plan->block[b];
    *point = (ws_plan_point){.block = (uint16_t)b};
    for (size_t a = plan->axes; a-- > 0;) {
        point->value[a] = WS_PLAN_NO_VALUE;
        if (!block->axis[a])
            continue;
        point->value[a] = block->value[a][cell % block->values[a]];
        cell /= block->values[a];
    }
}

/* A point is excluded where the plan says so, or because one is that it needs. */
static int look_for_exclusion(const ws_plan *plan, const ws_plan_point *point, bool *excluded)
{
    const ws_plan_block *const block = &plan->block[point->block];
    *excluded = false;
    for (size_t i = 0; !*excluded && i < plan->memory->exclusions; i++)
        *excluded = plan_excludes(&plan->memory->exclusion[i], point);
    int status = WS_OK;
    for (size_t b = 0; !status && !*excluded && block->stage && b < plan->blocks; b++) {
        uint32_t needed = 0;
        if (block->needs[b])
            status = plan_find_needed(plan, point, b, &needed);
        *excluded = !status && needed == WS_PLAN_NO_POINT;
    }
    return status;
}

/* A hash of the version, the words (files of points by their keys, which are in them) and the content of files that
 * words name. */
static int make_key(const ws_plan *plan, ws_plan_point *point, XXH3_state_t *hash)
{
    static const char version[] = "warpscape " WS_VERSION;
    char **words;
    size_t count;
    ws_arena *const arena = ws_arena_create();
    int status = arena ? plan_words(plan, point, arena, &words, &count) : plan_no_memory(plan);
    if (!status)
        status = plan_words_check(plan, &plan->block[point->block], words);
    if (!status) {
        XXH3_128bits_reset(hash);
        XXH3_128bits_update(hash, version, sizeof version);
        for (size_t i = 0; i < count; i++)
            XXH3_128bits_update(hash, words[i], strlen(words[i]) + 1);
        status = plan_content_add(plan, &plan->block[point->block], words, count, hash);
    }
    if (!status) {
        XXH128_canonical_t bytes;
        XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(hash));
        for (size_t i = 0; i < sizeof bytes.digest; i++)
            snprintf(point->key + 2 * i, 3, "%02x", bytes.digest[i]);
    }
    ws_arena_destroy(arena);
    return status;
}

static int lay_out_block(ws_plan *plan, size_t b, XXH3_state_t *hash)
{
    ws_plan_block *const block = &plan->block[b];
    block->point = malloc(block->cells * sizeof *block->point);
    if (!block->point)
        return plan_no_memory(plan);
    int status = WS_OK;
    for (size_t cell = 0; !status && cell < block->cells; cell++) {
        ws_plan_point *const point = &plan->point[plan->points];
        place(plan, b, cell, point);
        block->point[cell] = WS_PLAN_NO_POINT;
        bool excluded;
        status = look_for_exclusion(plan, point, &excluded);
        if (!status && excluded)
            continue;
        if (!status)
            status = make_key(plan, point, hash);
        block->point[cell] = (uint32_t)plan->points;
        plan->points += !status;
    }
    return status;
}

int ws_plan_lay_out(ws_plan *plan)
{
    if (plan->cells > WS_PLAN_CELLS_MOST)
        return ws_fail(WS_ELIMIT, "%s: %.4g points before exclusions, and at most %d are laid out; split the plan",
                       plan->file, plan->cells, WS_PLAN_CELLS_MOST);
    int status = ws_memory_ask(plan->cells * sizeof *plan->point, plan->file, "split the plan");
    XXH3_state_t *const hash = XXH3_createState();
    if (!status)
        plan->point = calloc((size_t)plan->cells + 1, sizeof *plan->point);
    if (!status && (!plan->point || !hash))
        status = plan_no_memory(plan);
    for (size_t b = 0; !status && b < plan->blocks; b++)
        status = lay_out_block(plan, b, hash);
    XXH3_freeState(hash);
    return status;
}

const char *ws_plan_label(const ws_plan *plan, size_t point, size_t axis)
{
    const uint16_t value = plan->point[point].value[axis];
    return value == WS_PLAN_NO_VALUE ? "NA" : plan->axis[axis].value[value].label;
}

void ws_plan_point_name(const ws_plan *plan, size_t point, char *text, size_t size)
{
    const char *const block = plan->block[plan->point[point].block].name;
    size_t used = (size_t)snprintf(text, size, "%s", block);
    for (size_t a = 0; a < plan->axes && used < size; a++)
        if (plan->point[point].value[a] != WS_PLAN_NO_VALUE)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", plan->axis[a].name,
                                     ws_plan_label(plan, point, a));
    if (!used)
        snprintf(text, size, "%s", plan->name);
}
