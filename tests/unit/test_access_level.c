/* Do all vector levels say of a warp's addresses what a loop over lanes says, and load what is there? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"
#include "base/status.h"
#include "collect/simt/access_level.h"

#include <string.h>

static const char *const levels[] = {"plain", "avx2", "avx512"};
enum { LEVELS = sizeof levels / sizeof *levels, ROUNDS = 2000 };

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 24;
}

static void set_mask(ws_mask *m, uint32_t bits)
{
    m->bits = bits;
    for (unsigned i = 0; i < WS_WARP; i++)
        m->lane[i] = bits >> i & 1 ? -1 : 0;
}

static uint32_t draw_lanes(uint64_t *seed)
{
    const uint32_t some = (uint32_t)draw(seed);
    switch (draw(seed) % 5) {
    case 0:
        return UINT32_MAX;
    case 1: /* neighbours */
        return UINT32_MAX >> some % 31 << some / 32 % 8;
    case 2:
        return 1u << some % WS_WARP;
    case 3:
        return 0;
    default:
        return some;
    }
}

/* Even, nearly even, so wide that sums wrap, or any. */
static void draw_base(uint64_t *seed, bool wide, uint64_t *word)
{
    static const uint64_t steps[] = {0,
                                     1,
                                     4,
                                     8,
                                     16,
                                     400,
                                     (uint64_t)-4,
                                     UINT64_C(1) << 47,
                                     UINT64_C(1) << 60,
                                     UINT64_MAX / 31 + 1,
                                     UINT64_C(1) << 27,
                                     UINT64_MAX / 30};
    const uint64_t first = draw(seed) % 4 ? 0x10000000 + draw(seed) % 4096 : draw(seed) << 30,
                   step = steps[draw(seed) % 12];
    const unsigned odd = (unsigned)(draw(seed) % 3 ? WS_WARP : draw(seed) % WS_WARP), any = draw(seed) % 8 == 0;
    for (unsigned i = 0; i < WS_WARP; i++) {
        const uint64_t at = any ? draw(seed) : first + i * step + (i == odd ? 4 : 0);
        if (wide)
            word[i] = at;
        else
            ((uint32_t *)word)[i] = (uint32_t)at;
    }
}

static void check_summary(const address_summary *s, const uint64_t *at, uint32_t lanes, uint64_t bytes)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    bool consecutive = lanes == UINT32_MAX, same = consecutive, even = consecutive;
    for (unsigned i = 0; i < WS_WARP; i++) {
        if (!(lanes >> i & 1))
            continue;
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
        bits |= at[i];
        consecutive &= at[i] == at[0] + i * bytes;
        same &= at[i] == at[0];
        even &= at[i] == at[0] + i * s->step;
    }
    assert_int_equal(s->low, low);
    assert_int_equal(s->high, high);
    for (unsigned aligned = 1; aligned <= 16; aligned *= 2)
        assert_int_equal((s->bits & (aligned - 1)) != 0, (bits & (aligned - 1)) != 0);
    assert_true(!s->consecutive || (consecutive && low == at[0]));
    assert_true(!s->same || same);
    assert_true(!s->step || (even && low == at[0]));
    if (lanes == UINT32_MAX && high < UINT64_C(1) << 47) { /* nothing common is missed */
        assert_int_equal(s->consecutive, consecutive);
        assert_int_equal(s->same, same);
    }
}

static void addresses_are_summed_up(void **state)
{
    (void)state;
    for (unsigned l = 0; l < LEVELS; l++) {
        if (ws_lanes_set_level(levels[l]))
            continue;
        const access_level *const level = access_level_get();
        uint64_t seed = 7;
        for (unsigned round = 0; round < ROUNDS; round++) {
            const bool wide = draw(&seed) % 2;
            const int64_t offset = (int64_t)(draw(&seed) % 3) * 16 - 16;
            const uint64_t bytes = UINT64_C(1) << draw(&seed) % 5;
            uint64_t word[WS_WARP], at[WS_WARP];
            _Alignas(64) uint64_t base[WS_WARP], out[WS_WARP];
            ws_mask m;
            address_summary s;
            set_mask(&m, draw_lanes(&seed));
            draw_base(&seed, wide, word);
            memcpy(base, word, sizeof base);
            for (unsigned i = 0; i < WS_WARP; i++)
                at[i] = wide ? base[i] + (uint64_t)offset : (uint32_t)(((const uint32_t *)base)[i] + (uint32_t)offset);
            level->addresses(out, base, wide, offset, bytes, &m, &s);
            for (unsigned i = 0; i < WS_WARP; i++)
                assert_int_equal(out[i], m.bits >> i & 1 ? at[i] : 0);
            check_summary(&s, at, m.bits, bytes);
        }
    }
    ws_lanes_set_level("plain");
}

static void loads_take_what_is_there(void **state)
{
    (void)state;
    static unsigned char memory[4096];
    uint64_t seed = 9;
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)draw(&seed);
    for (unsigned l = 0; l < LEVELS; l++) {
        if (ws_lanes_set_level(levels[l]))
            continue;
        const access_level *const level = access_level_get();
        for (unsigned round = 0; round < ROUNDS; round++) {
            static const uint64_t steps[] = {0, 4, 8, 16, 24, 12};
            const uint64_t first = draw(&seed) % 64 * 4, step = steps[draw(&seed) % 6];
            _Alignas(64) uint64_t base[WS_WARP], at[WS_WARP];
            _Alignas(64) uint32_t d[WS_WARP], want[WS_WARP];
            ws_mask m;
            address_summary s;
            set_mask(&m, draw_lanes(&seed));
            for (unsigned i = 0; i < WS_WARP; i++) {
                base[i] = first + i * step;
                d[i] = want[i] = i;
                if (m.bits >> i & 1)
                    memcpy(&want[i], memory + base[i], 4);
            }
            level->addresses(at, base, true, 0, 4, &m, &s);
            level->load(d, false, (ground){(uintptr_t)memory, UINT64_MAX}, at, 4, false, &m, &s);
            assert_memory_equal(d, want, sizeof d);
        }
    }
    ws_lanes_set_level("plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses_are_summed_up),
                                       cmocka_unit_test(loads_take_what_is_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
