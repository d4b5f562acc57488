/* fcw.c - how many warps can a cache keep whole? */
#include "model/fcw.h"

void ws_fcw_learn(ws_fcw *fcw, const ws_fcw_rule *rule, uint32_t rank, bool whole)
{
    const uint32_t warps = ws_fcw_warps(fcw, rule);
    const int64_t middle = rule->most_count / 2;
    if (whole) {
        if (middle + fcw->middle < rule->most_count)
            fcw->middle++;
        if (middle + fcw->middle < rule->most_count || warps >= rule->most)
            return;
        fcw->above++;
        fcw->middle = 0;
        return;
    }
    const int64_t loss = rank < warps ? warps - rank : 1;
    if (middle + fcw->middle > loss) {
        fcw->middle -= (int32_t)loss;
        return;
    }
    fcw->above -= warps > rule->least;
    fcw->middle = 0;
}

uint32_t ws_fcw_ways(uint32_t warps, uint32_t lines, uint32_t sets, uint32_t ways)
{
    const uint64_t filled = (uint64_t)warps * lines / sets;
    return filled < ways ? (uint32_t)filled : ways;
}
