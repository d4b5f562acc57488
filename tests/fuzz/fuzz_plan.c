/* fuzz_plan.c - can any bytes break the reader of plans, and do points of what it accepts have words and keys? */
#include "base/status.h"
#include "record/plan/sweep_plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POINTS_MOST = 64 }; /* what more points would show they cost time for */

static void check_points(const ws_plan *plan)
{
    ws_arena *const arena = ws_arena_create();
    size_t needed[WS_PLAN_BLOCKS_MOST], count, words;
    char **word, name[64];
    for (size_t i = 0; i < plan->points; i++) {
        if (ws_plan_words(plan, i, &(ws_plan_place){"/root", "/own", NULL}, arena, &word, &words) || !words ||
            word[words])
            abort();
        for (size_t w = 0; w < words; w++)
            if (strpbrk(word[w], "\1\2")) /* a file that has no path yet */
                abort();
        if (strlen(plan->point[i].key) != WS_PLAN_KEY)
            abort();
        ws_plan_point_name(plan, i, name, sizeof name);
        ws_plan_needs(plan, i, needed, &count);
        for (size_t n = 0; n < count; n++)
            if (needed[n] >= i)
                abort();
        for (size_t a = 0; a < plan->axes; a++)
            if (!*ws_plan_label(plan, i, a))
                abort();
    }
    ws_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char nothing[1] = "";
    ws_plan *plan;
    if (ws_plan_parse("/nowhere/plan.ini", size ? (const char *)data : nothing, size, &plan)) {
        if (!*ws_message() || plan)
            abort();
        return 0;
    }
    if (plan->cells <= POINTS_MOST) {
        if (!ws_plan_lay_out(plan))
            check_points(plan);
        else if (!*ws_message())
            abort();
    }
    ws_plan_destroy(plan);
    return 0;
}
