/* test_spans.c - the tree of taken stretches beside a plain array that is searched from its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/simt/spans.h"

#include <string.h>

enum { LOW = 4096, HIGH = 4096 + 65536, ALIGN = 64, GAP = 16, MOST = 1024, STEPS = 20000 };

typedef struct model {
    span item[MOST];
    unsigned n;
} model;

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static uint64_t round_up(uint64_t x)
{
    return (x + ALIGN - 1) / ALIGN * ALIGN;
}

/* Index at which a span of so many bytes goes; its place; MOST when none has room. */
static unsigned model_place(const model *m, uint64_t bytes, uint64_t *at)
{
    *at = LOW;
    for (unsigned i = 0; i <= m->n; i++) {
        const uint64_t limit = i < m->n ? m->item[i].low : HIGH;
        if (*at + bytes + GAP <= limit)
            return i;
        if (i < m->n)
            *at = round_up(m->item[i].high + GAP);
    }
    return MOST;
}

static void check_neighbours(const spans *s, const model *m, uint64_t address)
{
    span got;
    const span *before = NULL, *after = NULL, *in = NULL;
    for (unsigned i = 0; i < m->n; i++) {
        if (m->item[i].low <= address)
            before = &m->item[i];
        else if (!after)
            after = &m->item[i];
        if (m->item[i].low <= address && address < m->item[i].high)
            in = &m->item[i];
    }
    assert_int_equal(spans_find(s, address, &got), in != NULL);
    assert_true(!in || (got.low == in->low && got.high == in->high));
    assert_int_equal(spans_before(s, address, &got), before != NULL);
    assert_true(!before || got.low == before->low);
    assert_int_equal(spans_after(s, address, &got), after != NULL);
    assert_true(!after || got.low == after->low);
}

static void takes_the_lowest_gap(void **state)
{
    (void)state;
    static model m;
    spans s;
    uint64_t seed = 3;
    unsigned full_seen = 0;
    m.n = 0;
    spans_init(&s, LOW - 1, HIGH, ALIGN, GAP); /* rounds up to LOW */
    for (unsigned step = 0; step < STEPS; step++) {
        if (draw(&seed) % 5 < 3) {
            const uint64_t bytes = 1 + draw(&seed) % (step % 7 ? 300 : 9000);
            uint64_t want, at = 0;
            bool full;
            const unsigned i = model_place(&m, bytes, &want);
            assert_int_equal(spans_take(&s, bytes, &at, &full), i != MOST);
            assert_int_equal(full, i == MOST);
            if (i == MOST) {
                full_seen++;
                continue;
            }
            assert_int_equal(at, want);
            memmove(&m.item[i + 1], &m.item[i], (m.n - i) * sizeof *m.item);
            m.item[i] = (span){.low = at, .high = at + bytes};
            m.n++;
        } else if (m.n) {
            const unsigned i = (unsigned)(draw(&seed) % m.n);
            span was;
            assert_false(spans_remove(&s, m.item[i].low + 1, &was));
            assert_true(spans_remove(&s, m.item[i].low, &was));
            assert_int_equal(was.high, m.item[i].high);
            memmove(&m.item[i], &m.item[i + 1], (--m.n - i) * sizeof *m.item);
        }
        check_neighbours(&s, &m, LOW + draw(&seed) % (HIGH - LOW));
    }
    assert_true(full_seen > 0);
    spans_fini(&s);
}

static void sizes_at_both_ends(void **state)
{
    (void)state;
    spans s;
    uint64_t at;
    bool full;
    spans_init(&s, LOW, HIGH, ALIGN, GAP);
    const uint64_t impossible[] = {HIGH - LOW, HIGH - LOW - GAP + 1, UINT64_MAX, UINT64_MAX - GAP, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++)
        assert_true(!spans_take(&s, impossible[i], &at, &full) && full);
    assert_true(spans_take(&s, HIGH - LOW - GAP, &at, &full) && at == LOW);
    assert_true(!spans_take(&s, 1, &at, &full) && full);
    assert_false(spans_find(&s, UINT64_MAX, NULL));
    assert_false(spans_find(&s, 0, NULL));
    spans_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_the_lowest_gap), cmocka_unit_test(sizes_at_both_ends)};
    return cmocka_run_group_tests_name("spans", tests, NULL, NULL);
}
