/* Do the study's families give the numbers that follow from their definitions by hand, on any split of the grid? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/metric_layout.h"
#include "metrics/study_metrics.h"
#include "tests/unit/synthetic_events.h"

#include <gsl/gsl_rng.h>
#include <math.h>

static const ws_metric *family(const char *name)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->sink.name, name) == 0)
            return all[i];
    fail_msg("no family %s", name);
    return NULL;
}

/* Column of the study by name, over the launch as it is. */
static double study(const synthetic *s, const char *name)
{
    ws_layout layout;
    double result = NAN;
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    assert_int_equal(ws_layout_init("study", &layout), WS_OK);
    for (size_t i = 0; i < layout.columns; i++)
        if (strcmp(layout.column[i].name, name) == 0) {
            const ws_metric *const m = all[layout.column[i].family];
            double counter[SYN_COUNTERS];
            syn_measure(s, m, 1, counter);
            result = syn_value(m, counter, name);
        }
    ws_layout_fini(&layout);
    return result;
}

static void expect_bin(const synthetic *s, const char *symbol, unsigned bins, int bin)
{
    for (unsigned i = 0; i < bins; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%u", symbol, i);
        assert_true(study(s, name) == ((int)i == bin ? 1.0 : 0.0));
    }
}

static void golden_example(void **state)
{
    (void)state;
    synthetic s;
    syn_golden(&s);
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"I_par", 64},    {"I_op", 128},  {"I_b", 64},   {"I_fop", 16},   {"I_sop", 16}, {"I_glo", 64}, {"I_bar", 64},
        {"I_total", 480}, {"I_mop", 128}, {"A_i", 1.25}, {"T_total", 64}, {"K_n", 1},    {"I_shd", 0},  {"I_tex", 0},
        {"I_const", 0},   {"I_loc", 0},   {"I_ato", 0},  {"H2D", 0},      {"D2H", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(study(&s, known[i].name) == known[i].value);
    expect_bin(&s, "I_avg", 10, 0);    /* 7.5 */
    expect_bin(&s, "D_bra", 10, 5);    /* 1 of 2 */
    expect_bin(&s, "D_wrp", 10, 0);    /* 1 */
    expect_bin(&s, "l_serial", 10, 0); /* 2 */
    expect_bin(&s, "B_ser", 10, -1);   /* no sample */
    expect_bin(&s, "R", 10, 5);        /* 4 */
    expect_bin(&s, "M_m", 10, 0);
    expect_bin(&s, "T_kernel", 10, 0);
    expect_bin(&s, "I_kernel", 10, 0);
    expect_bin(&s, "Reg", 5, 0);
    expect_bin(&s, "Shmem", 5, 0);
    syn_fini(&s);
}

static void launch_facts_fall_into_their_bins(void **state)
{
    (void)state;
    synthetic s;
    syn_init(&s, 1000, 256);
    s.launch.registers = 33;
    s.launch.shared_bytes = 2048; /* 8 a thread */
    s.launch.const_bytes = 63;
    s.launch.local_bytes = 128;
    s.launch.h2d_bytes = 11;
    s.launch.d2h_bytes = 13;
    expect_bin(&s, "Reg", 5, 3);
    expect_bin(&s, "Shmem", 5, 2);
    expect_bin(&s, "cmem", 5, 1);
    expect_bin(&s, "lmem", 5, 4);
    expect_bin(&s, "T_kernel", 10, 3); /* 256,000 threads */
    assert_true(study(&s, "H2D") == 11);
    assert_true(study(&s, "D2H") == 13);
    assert_true(study(&s, "T_total") == 256000);
    assert_true(study(&s, "A_i") == 1000); /* nothing accesses memory */
    syn_fini(&s);
}

static void bins_are_closed_below(void **state)
{
    (void)state;
    const struct {
        ws_bins kind;
        double value;
        unsigned bin;
    } known[] = {
        {WS_BINS_RATIO, 0, 0},
        {WS_BINS_RATIO, 3.0 / 10, 3},
        {WS_BINS_RATIO, 0.1, 1},
        {WS_BINS_RATIO, 7.0 / 10, 7},
        {WS_BINS_RATIO, 1, 9},
        {WS_BINS_T_KERNEL, 69999, 0},
        {WS_BINS_T_KERNEL, 70000, 1},
        {WS_BINS_T_KERNEL, 4194304, 9},
        {WS_BINS_I_KERNEL, 4e8 - 1, 0},
        {WS_BINS_I_KERNEL, 3.6e9, 9},
        {WS_BINS_I_AVG, 6e4, 1},
        {WS_BINS_I_AVG, 54e4, 9},
        {WS_BINS_D_WRP, 0, 0},
        {WS_BINS_D_WRP, 1600, 1},
        {WS_BINS_D_WRP, 3200, 2},
        {WS_BINS_D_WRP, 65536, 9},
        {WS_BINS_L_SERIAL, 64999, 0},
        {WS_BINS_L_SERIAL, 65000, 1},
        {WS_BINS_L_SERIAL, 585000, 9},
        {WS_BINS_R, 1, 0},
        {WS_BINS_R, 1.25, 1},
        {WS_BINS_R, 32, 9},
        {WS_BINS_REG, 7, 0},
        {WS_BINS_REG, 64, 4},
        {WS_BINS_SHMEM, 0, 0},
        {WS_BINS_SHMEM, 0.5, 0},
        {WS_BINS_SHMEM, 128, 4},
        {WS_BINS_CMEM, 1024, 4},
        {WS_BINS_LMEM, 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(ws_bins_find(known[i].kind, known[i].value), known[i].bin);
}

static void parts_of_an_access_count_one_instruction_and_their_own_lanes(void **state)
{
    (void)state;
    synthetic s;
    syn_init(&s, 1, 32);
    const uint32_t pc = syn_memory_instr(&s, WS_SPACE_GENERIC, WS_ACCESS_ATOMIC, 4);
    syn_stride(&s, 0, 0, pc, 0xff, 0, 4)->space = WS_SPACE_GLOBAL;
    ws_event *const part = syn_stride(&s, 0, 0, pc, 0xf00, 0, 4);
    part->space = WS_SPACE_SHARED;
    part->count = 0;
    assert_true(study(&s, "I_glo") == 8);
    assert_true(study(&s, "I_shd") == 4);
    assert_true(study(&s, "I_mop") == 12);
    assert_true(study(&s, "I_ato") == 12);
    assert_true(study(&s, "I_total") == 12);
    syn_fini(&s);
}

static void nested_divergence(void **state)
{
    (void)state;
    synthetic s;
    syn_init(&s, 2, 32);
    const uint32_t bra = syn_instr(&s, WS_CLASS_BRANCH);
    for (uint64_t block = 0; block < 2; block++) {
        syn_branch(&s, block, 0, bra, UINT32_MAX, 0xff, 0);
        syn_branch(&s, block, 0, bra, 0xff, 0xf, 1);
        syn_branch(&s, block, 0, bra, 0xf, 0xf, 2);
        syn_branch(&s, block, 0, bra, 0xf, 0, 2);
        syn_reconverge(&s, block, 0, bra, 5);
        syn_reconverge(&s, block, 0, bra, 300000);
    }
    expect_bin(&s, "D_bra", 10, 5);            /* 4 of 8 */
    expect_bin(&s, "B_ser", 10, 3);            /* 2 of 6 inside sections */
    expect_bin(&s, "D_wrp", 10, 0);            /* 2 warps */
    assert_true(study(&s, "l_serial_0") == 2); /* sections, two in each block */
    assert_true(study(&s, "l_serial_4") == 2);
    syn_fini(&s);
}

static void re_use_inside_a_multiprocessor_is_mergeable_and_outside_is_not(void **state)
{
    (void)state;
    synthetic s;
    syn_init(&s, 16, 32);
    const uint32_t pc = syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t shared = syn_memory_instr(&s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    for (uint64_t block = 0; block < 16; block++) {
        syn_stride(&s, block, 0, pc, UINT32_MAX, 0, 4); /* blocks 0-7: two misses each, 8-15: two hits each */
        syn_stride(&s, block, 0, shared, UINT32_MAX, 0, 4);
    }
    expect_bin(&s, "M_m", 10, 5);
    expect_bin(&s, "R", 10, 9); /* 32 accesses, one run */
    syn_fini(&s);
}

static void histograms_count_and_memory_adds_up(void **state)
{
    (void)state;
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    synthetic s;
    gsl_rng_set(rng, 99);
    syn_noise(&s, rng, 20);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i]->set, "study") != 0)
            continue;
        double counter[SYN_COUNTERS], value[SYN_COUNTERS], fraction[SYN_COUNTERS];
        const double *v = value, *part = fraction;
        syn_measure(&s, all[i], 3, counter);
        ws_metric_combine(all[i], counter, counter); /* as if it ran twice */
        all[i]->emit(counter, value);
        ws_metric_make_fractions(all[i], memcpy(fraction, value, sizeof value));
        for (const ws_metric_column *c = all[i]->columns; c->name; c++) {
            const unsigned bins = c->count ? c->count : 1;
            double sum = 0, all_of_it = 0;
            for (unsigned b = 0; b < bins; b++, v++, part++) {
                sum += *v;
                all_of_it += *part;
                assert_true(bins > 1 || *v == *part);
            }
            assert_int_equal(c->histogram, bins > 1);
            if (bins > 1) {
                assert_true(strcmp(c->unit, "sections") == 0 ? sum > 2 : sum == 2);
                assert_true(fabs(all_of_it - 1) < 1e-12);
            }
        }
    }
    const ws_metric *const mix = family("study_mix");
    double counter[SYN_COUNTERS];
    syn_measure(&s, mix, 1, counter);
    const char *const parts[] = {"I_par", "I_shd", "I_tex", "I_const", "I_loc", "I_glo"};
    double sum = 0;
    for (size_t i = 0; i < 6; i++)
        sum += syn_value(mix, counter, parts[i]);
    assert_true(sum > 0 && sum == syn_value(mix, counter, "I_mop"));
    syn_fini(&s);
    gsl_rng_free(rng);
}

static void the_study_has_129_dimensions_in_order(void **state)
{
    (void)state;
    ws_layout layout;
    const struct {
        const char *group;
        unsigned count;
    } subspace[] = {{"KS", 32}, {"KC", 23}, {"DV", 40}, {"IM", 14}, {"CO", 20}};
    assert_int_equal(ws_layout_init("study", &layout), WS_OK);
    assert_int_equal(layout.columns, WS_STUDY_DIMENSIONS);
    for (size_t i = 0; i < layout.columns; i++)
        assert_int_equal(layout.column[i].index, i + 1);
    for (size_t g = 0; g < 5; g++) {
        unsigned count = 0;
        for (size_t i = 0; i < layout.columns; i++)
            count += strcmp(layout.column[i].group, subspace[g].group) == 0;
        assert_int_equal(count, subspace[g].count);
    }
    assert_string_equal(layout.column[0].name, "I_sop");
    assert_string_equal(layout.column[7].name, "D_bra_0");
    assert_string_equal(layout.column[57].name, "T_total");
    assert_string_equal(layout.column[100].name, "M_m_9");
    assert_string_equal(layout.column[128].name, "A_i");
    ws_layout_fini(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_example),
        cmocka_unit_test(launch_facts_fall_into_their_bins),
        cmocka_unit_test(bins_are_closed_below),
        cmocka_unit_test(parts_of_an_access_count_one_instruction_and_their_own_lanes),
        cmocka_unit_test(nested_divergence),
        cmocka_unit_test(re_use_inside_a_multiprocessor_is_mergeable_and_outside_is_not),
        cmocka_unit_test(histograms_count_and_memory_adds_up),
        cmocka_unit_test(the_study_has_129_dimensions_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
