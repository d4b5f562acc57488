/* plain_level.h - one plain cache and a list of what it sent and completed. */
#ifndef WS_TEST_PLAIN_LEVEL_H
#define WS_TEST_PLAIN_LEVEL_H

#include "base/status.h"
#include "model/machine/machine.h"
#include "model/sim/memory/memory_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LEVEL_KEPT = 64 };

typedef struct level {
    ws_machine machine;
    ws_level l1;
    ws_level l2;
    void *memory;
    ws_coherence_message sent[LEVEL_KEPT];
    ws_completion completed[LEVEL_KEPT];
    uint32_t sends, completions;
    uint32_t seen_sends, seen_completions;
} level;

static inline void level_defaults(level *v)
{
    memset(v, 0, sizeof *v);
    ws_machine *const m = &v->machine;
    ws_machine_defaults(m);
}

static inline void level_send(void *context, const ws_coherence_message *m)
{
    level *const v = context;
    assert_true(v->sends < LEVEL_KEPT);
    v->sent[v->sends++] = *m;
}

static inline void level_complete(void *context, const ws_completion *c)
{
    level *const v = context;
    assert_true(v->completions < LEVEL_KEPT && !c->data);
    v->completed[v->completions++] = *c;
}

static inline ws_coherence_ports level_ports(level *v)
{
    return (ws_coherence_ports){.context = v, .send = level_send, .complete = level_complete};
}

typedef int level_create(const ws_machine *machine, ws_level *out);

static inline void level_open_l1(level *v, level_create *create)
{
    if (create(&v->machine, &v->l1))
        fail_msg("%s", ws_message());
    v->memory = malloc(v->l1.ops->bytes(v->l1.shared));
    v->l1.ops->init(v->l1.shared, v->memory, 3);
}

static inline void level_open_l2(level *v, uint32_t slice)
{
    if (ws_plain_l2_create(&v->machine, &v->l2))
        fail_msg("%s", ws_message());
    v->memory = malloc(v->l2.ops->bytes(v->l2.shared));
    v->l2.ops->init(v->l2.shared, v->memory, slice);
}

static inline void level_close(level *v)
{
    if (v->l1.ops)
        v->l1.ops->destroy(v->l1.shared);
    if (v->l2.ops)
        v->l2.ops->destroy(v->l2.shared);
    free(v->memory);
}

/* The next message that was not looked at must be this. */
static inline const ws_coherence_message *level_expect(level *v, ws_message_type type, uint64_t block, uint32_t mask)
{
    assert_true(v->seen_sends < v->sends);
    const ws_coherence_message *const m = &v->sent[v->seen_sends++];
    assert_string_equal(ws_message_name((ws_message_type)m->type), ws_message_name(type));
    assert_int_equal(m->block, block);
    assert_int_equal(m->mask, mask);
    return m;
}

static inline void level_expect_done(level *v, uint8_t kind, uint16_t tag, uint64_t block, uint32_t mask)
{
    assert_true(v->seen_completions < v->completions);
    const ws_completion *const c = &v->completed[v->seen_completions++];
    assert_int_equal(c->kind, kind);
    assert_int_equal(c->tag, tag);
    assert_int_equal(c->block, block);
    assert_int_equal(c->mask, mask);
}

static inline void level_expect_nothing(const level *v)
{
    assert_int_equal(v->seen_sends, v->sends);
    assert_int_equal(v->seen_completions, v->completions);
}

#endif
