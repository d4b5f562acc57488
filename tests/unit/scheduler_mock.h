/* scheduler_mock.h - an SM as a test says it is, for a warp scheduler alone. Include it behind sim_script.h. */
#ifndef WS_TEST_SCHEDULER_MOCK_H
#define WS_TEST_SCHEDULER_MOCK_H

#include "model/sim/sm/scheduler.h"

enum { OPTIONS = 8 }; /* of a policy, at most */

/* An SM as a test says it is. */
typedef struct mock {
    ws_warp_facts warp[WS_SM_WARPS];
    ws_sm_facts sm;
    ws_sm_counts counts;
    uint64_t state[256], shared[4096], values[OPTIONS];
    ws_warp_scheduler s;
} mock;

static inline ws_warp_facts mock_warp(const void *of, unsigned warp)
{
    return ((const mock *)of)->warp[warp];
}

static inline ws_sm_facts mock_sm(const void *of)
{
    return ((const mock *)of)->sm;
}

static inline uint32_t mock_rank(const void *of, unsigned warp)
{
    return (uint32_t)((const mock *)of)->warp[warp].order;
}

static inline const ws_warp_scheduler_ops *start(mock *m, const char *name, uint64_t first, uint64_t second)
{
    const ws_warp_scheduler_kind *const kind = ws_warp_scheduler_kind_find(name);
    assert_non_null(kind);
    const ws_warp_scheduler_ops *const ops = ws_warp_scheduler_ops_of(kind);
    *m = (mock){.sm = {.mshrs = 32, .mshrs_free = 32, .queue = 8}};
    for (unsigned i = 0; kind->options[i].name; i++) {
        assert_true(i < OPTIONS);
        m->values[i] = kind->options[i].fallback;
    }
    m->values[0] = first;
    m->values[1] = second;
    assert_true(ops->state_size <= sizeof m->state && ops->shared_size <= sizeof m->shared);
    m->s = (ws_warp_scheduler){.state = m->state,
                               .shared = m->shared,
                               .values = m->values,
                               .counts = &m->counts,
                               .view = {m, mock_warp, mock_rank, mock_sm}};
    return ops;
}

static const ws_instr alu = {.cls = WS_CLASS_INTEGER},
                      load = {.cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .access = WS_ACCESS_LOAD};
static const ws_issue alu_issue = {.instr = &alu, .exec = UINT32_MAX},
                      load_issue = {.instr = &load, .pc = 2, .exec = UINT32_MAX, .data_load = true};

/* The warp that issues: the best candidate that the policy admits. */
static inline int pick_warp(const ws_warp_scheduler_ops *ops, const mock *m, uint64_t candidates)
{
    for (int warp = -1; candidates && (warp = ops->choose(&m->s, candidates)) >= 0;
         candidates &= ~(UINT64_C(1) << warp)) {
        assert_true(candidates >> warp & 1);
        if (!ops->admits || ops->admits(&m->s, (unsigned)warp))
            return warp;
    }
    return -1;
}

#endif
