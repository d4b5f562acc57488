/* sm_alone.h - an SM without a machine: a script of steps, a policy that looks on, and answers to what it reads. */
#ifndef WS_TEST_SM_ALONE_H
#define WS_TEST_SM_ALONE_H

#include "sim_script.h"

#include "model/sim/sm/scheduler.h"

/* Answers each read that the SM sent `latency` cycles after it. */
static inline void answer_reads(ws_sm *sm, uint64_t latency)
{
    for (size_t i = 0; i < ws_sm_sent(sm); i++) {
        uint64_t cycle;
        ws_coherence_message m;
        memcpy(&m, ws_sm_sent_at(sm, i, &cycle), offsetof(ws_coherence_message, data));
        assert_int_equal(m.type, WS_MESSAGE_READ);
        m.type = WS_MESSAGE_FILL;
        assert_int_equal(ws_sm_deliver(sm, &m, cycle + latency), WS_OK);
    }
    ws_sm_take_sent(sm, ws_sm_sent(sm));
}

/* An SM with that policy, and no machine around it. */
static inline ws_sm *sm_alone(ws_sm_shared *shared, ws_machine *m, const ws_warp_scheduler_ops *policy, script *s)
{
    ws_sm *sm;
    static ws_decoded decoded[INSTRS + 8];
    *shared = (ws_sm_shared){.machine = m,
                             .scheduler = policy,
                             .stage = ws_memory_stage_ops_of(m->sm_memory_stage),
                             .file = ws_register_file_ops_of(ws_register_file_kind_find("ideal")),
                             .atomics = ws_atomic_ops_of(ws_atomic_kind_find("serial")),
                             .consistency = ws_consistency_ops_of(ws_consistency_kind_find("rc")),
                             .memory = ws_shared_memory_ops_of(ws_shared_memory_kind_find("sram")),
                             .banks = 1,
                             .message_bytes = offsetof(ws_coherence_message, data),
                             .launch = &s->launch,
                             .decoded = decoded,
                             .source = &s->source};
    ws_memory_stage_of(m, shared->stage_values);
    assert_int_equal(ws_plain_l1_create(m, &shared->cache[WS_SM_DATA]), WS_OK);
    assert_int_equal(ws_plain_texture_create(m, &shared->cache[WS_SM_TEXTURE]), WS_OK);
    assert_int_equal(ws_plain_constant_create(m, &shared->cache[WS_SM_CONSTANT]), WS_OK);
    const uint32_t line[] = {m->l1_line, m->texture_line, m->constant_line};
    for (int i = 0; i < WS_SM_CACHES; i++) {
        shared->latency[i] = 1;
        shared->line[i] = line[i];
    }
    assert_int_equal(ws_decode_launch(&s->launch, m, decoded, &shared->registers), WS_OK);
    assert_int_equal(ws_sm_create(shared, 0, &sm), WS_OK);
    assert_int_equal(ws_sm_begin_launch(sm), WS_OK);
    return sm;
}

/* Runs it to the end of its blocks; reads are answered after 100 cycles. */
static inline void run_alone(ws_sm *sm)
{
    for (uint64_t now = 0; ws_sm_ctas(sm); now++) {
        assert_true(now < 2000);
        if (ws_sm_run(sm, now, now + 1))
            fail_msg("%s", ws_message());
        answer_reads(sm, 100);
    }
}

static inline void destroy_alone(ws_sm *sm, ws_sm_shared *shared, script *s)
{
    ws_sm_destroy(sm);
    for (int i = 0; i < WS_SM_CACHES; i++)
        shared->cache[i].ops->destroy(shared->cache[i].shared);
    s->source.ops->destroy(&s->source);
}

#endif
