/* test_argument_file.c - files of kernel arguments, right and wrong; and what kernels are measured to use. */
#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/chiplets/range_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synthetic_events.h"

static int parse(const char *text, ws_chiplet_kernels *out)
{
    return ws_argument_file_parse("f", text, strlen(text), 2, out);
}

static void right(void **state)
{
    (void)state;
    ws_chiplet_kernels k;
    assert_int_equal(
        parse("# two launches\n\nkernel a # one\nchiplets 1\ndata 0x100 256 rw identical\nrange 1 0x110 0x1ff\r\n"
              "data 0x400 1 r\nkernel b\nunknown",
              &k),
        WS_OK);
    assert_int_equal(k.kernels, 2);
    assert_string_equal(k.kernel[0].name, "a");
    assert_int_equal(k.kernel[0].scheduled, 2);
    assert_int_equal(k.kernel[0].arguments, 2);
    const ws_chiplet_argument *const a = k.kernel[0].argument;
    assert_true(a[0].writes && a[0].identical && a[0].ranged && !a[1].writes && !a[1].ranged);
    assert_true(a[0].whole.first == 0x100 && a[0].whole.last == 0x1ff);
    assert_true(ws_range_is_empty(ws_chiplet_argument_range(&k.kernel[0], &a[0], 0)));
    assert_true(ws_chiplet_argument_range(&k.kernel[0], &a[0], 1).first == 0x110);
    assert_true(ws_range_is_empty(ws_chiplet_argument_range(&k.kernel[0], &a[1], 0)));
    assert_true(ws_chiplet_argument_range(&k.kernel[0], &a[1], 1).last == 0x400);
    assert_true(!k.kernel[1].known && k.kernel[1].scheduled == 3);
    assert_ptr_equal(ws_chiplet_kernels_find(&k, 1), &k.kernel[1]);
    assert_null(ws_chiplet_kernels_find(&k, 2));
    ws_chiplet_kernels_fini(&k);
}

static void assert_same(const ws_chiplet_kernels *a, const ws_chiplet_kernels *b)
{
    assert_int_equal(a->kernels, b->kernels);
    for (size_t i = 0; i < a->kernels; i++) {
        const ws_chiplet_kernel *const x = &a->kernel[i], *const y = &b->kernel[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->scheduled == y->scheduled && x->known == y->known && x->arguments == y->arguments);
        for (size_t k = 0; k < x->arguments; k++) {
            const ws_chiplet_argument *const u = &x->argument[k], *const v = &y->argument[k];
            assert_true(u->whole.first == v->whole.first && u->whole.last == v->whole.last);
            assert_true(u->writes == v->writes && u->ranged == v->ranged && u->identical == v->identical);
            for (uint32_t c = 0; c < 2; c++) {
                const ws_address_range p = ws_chiplet_argument_range(x, u, c), q = ws_chiplet_argument_range(y, v, c);
                assert_true((ws_range_is_empty(p) && ws_range_is_empty(q)) || (p.first == q.first && p.last == q.last));
            }
        }
    }
}

/* What is written of kernels is read as they were. */
static void written(void **state)
{
    (void)state;
    static const char text[] =
        "kernel a\nchiplets 1\ndata 0x100 256 rw identical\nrange 1 0x110 0x1ff\ndata 0x400 1 r\nkernel b\nunknown\n"
        "kernel c\ndata 0 0xfffffffffffffffe r\nkernel d\nchiplets 0\nunknown\nkernel e\ndata 16 16 rw\nrange 0 16 "
        "19\nrange 1 18 31\nkernel f\n";
    ws_chiplet_kernels k, again;
    char *made = NULL;
    size_t length;
    FILE *const out = open_memstream(&made, &length);
    assert_int_equal(parse(text, &k), WS_OK);
    assert_int_equal(ws_argument_file_write(out, &k, 2), WS_OK);
    fclose(out);
    assert_int_equal(ws_argument_file_parse("f", made, length, 2, &again), WS_OK);
    assert_same(&k, &again);
    ws_chiplet_kernels_fini(&k);
    ws_chiplet_kernels_fini(&again);
    free(made);
}

/* As the launch has it, or as people write it, with or without parameters. */
static void names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *mangled;
        bool is;
    } rows[] = {{"_Z7stencilPfS_", "_Z7stencilPfS_", true},
                {"stencil", "_Z7stencilPfS_", true},
                {"stencil(float*,", "_Z7stencilPfS_", false}, /* no whole name */
                {"stenci", "_Z7stencilPfS_", false},
                {"stencils", "_Z7stencilPfS_", false},
                {"k", "k", true},
                {"k", "kk", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_chiplet_kernel k = {.name = (char *)(uintptr_t)rows[i].name};
        assert_int_equal(ws_chiplet_kernel_is(&k, rows[i].mangled), rows[i].is);
    }
}

static void wrong(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", "f: expected kernels"},
        {"kernle a", "f:1:1: 'kernle': expected kernel,"},
        {"kernel", "f:1:7: expected the name"},
        {"kernel a b", "f:1:10: 'b': expected the end"},
        {"data 1 1 r", "f:1:1: expected a line 'kernel NAME'"},
        {"kernel a\nrange 0 1 2", "f:2:1: expected a line 'data'"},
        {"kernel a\nchiplets", "f:2:1: expected the numbers"},
        {"kernel a\nchiplets 0 2", "f:2:12: '2': expected the number of a chiplet, at most 1"},
        {"kernel a\nchiplets 0 0", "f:2:12: chiplet 0 appears twice"},
        {"kernel a\ndata 1 1 r\nchiplets 0", "f:3:1: the chiplets of a kernel must precede"},
        {"kernel a\ndata -1 1 r", "f:2:6: '-1': expected the address"},
        {"kernel a\ndata 1x 1 r", "f:2:6: '1x': expected the address"},
        {"kernel a\ndata 99999999999999999999999 1 r", "f:2:6: '99999999999999999999999': expected"},
        {"kernel a\ndata 1 0 r", "f:2:8: expected at least 1 byte"},
        {"kernel a\ndata 2 0xffffffffffffffff r", "f:2:8: '0xffffffffffffffff': expected its bytes"},
        {"kernel a\ndata 0x10 0xfffffffffffffff0 r", "f:2:11: expected at least 1 byte, none beyond"},
        {"kernel a\ndata 1 1 w", "f:2:10: 'w': expected the mode, r or rw"},
        {"kernel a\ndata 1 1", "f:2:9: '': expected the mode"},
        {"kernel a\ndata 1 1 r same", "f:2:12: 'same': expected 'identical'"},
        {"kernel a\ndata 0 16 r\ndata 15 2 r", "f:3:6: the data overlap those at 0x0 to 0xf"},
        {"kernel a\ndata 8 8 r\nrange 0 7 9", "f:3:9: the range leaves its data structure"},
        {"kernel a\ndata 8 8 r\nrange 0 8 16", "f:3:11: the range leaves"},
        {"kernel a\ndata 8 8 r\nrange 0 9 8", "f:3:11: the range ends before"},
        {"kernel a\ndata 8 8 r\nrange 0 8 8\nrange 0 9 9", "f:4:7: chiplet 0 already has a range"},
        {"kernel a\nchiplets 1\ndata 8 8 r\nrange 0 8 8", "f:4:7: chiplet 0 does not run the kernel"},
        {"kernel a\nunknown\ndata 8 8 r", "f:3:1: the kernel is unknown"},
        {"kernel a\ndata 8 8 r\nunknown", "f:3:1: the kernel has data already"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ws_chiplet_kernels k;
        assert_int_equal(parse(rows[i][0], &k), WS_EINPUT);
        assert_null(k.kernel);
        if (strncmp(ws_message(), rows[i][1], strlen(rows[i][1])))
            fail_msg("%s\nis not\n%s", ws_message(), rows[i][1]);
    }
}

/* ------------------------------------------------------------------------------------------------ measured */

enum { BLOCKS = 4, BASE = 0x10000, OTHER = 0x20000 };

/* Each block of a launch reads 128 bytes of one array and writes 128 bytes of the other, `shift` blocks further on. In
 * two parts: what they saw is put together. */
static void add_launch(ws_range_program *p, uint64_t number, uint64_t shift)
{
    const ws_range_log_options o = {.chiplets = 2};
    const ws_sink sink = ws_range_log_sink(&o), *const sinks[] = {&sink};
    synthetic s;
    ws_fanout *fanout;
    syn_init(&s, BLOCKS, 32);
    const uint32_t load = syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    s.launch.sequence = number;
    for (uint64_t b = 0; b < BLOCKS; b++) {
        syn_stride(&s, b, 0, load, ~0u, BASE + b * 128, 4);
        syn_stride(&s, b, 0, store, ~0u, OTHER + (b + shift) % BLOCKS * 128, 4);
    }
    assert_int_equal(ws_fanout_create(sinks, 1, &s.launch, &fanout), WS_OK);
    syn_deliver(&s, fanout, 0, 3, 7);
    syn_deliver(&s, fanout, 3, BLOCKS, 7);
    assert_int_equal(ws_range_program_add(p, &s.launch, ws_fanout_state(fanout, 0)), WS_OK);
    ws_fanout_destroy(fanout);
    syn_fini(&s);
}

static void measured(void **state)
{
    (void)state;
    ws_range_program *p;
    ws_chiplet_kernels k;
    assert_int_equal(ws_range_program_create(2, false, &p), WS_OK);
    add_launch(p, 0, 0);
    add_launch(p, 1, 0);
    add_launch(p, 2, 1);
    assert_int_equal(ws_range_program_kernels(p, &k), WS_OK);
    assert_int_equal(k.kernels, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(k.kernel[i].arguments, 2);
        const ws_chiplet_argument *const in = &k.kernel[i].argument[0], *const out = &k.kernel[i].argument[1];
        assert_true(in->whole.first == BASE && in->whole.last == BASE + 511 && !in->writes && in->identical == (i > 0));
        assert_true(in->range[0].last == BASE + 255 && in->range[1].first == BASE + 256);
        assert_true(out->whole.first == OTHER && out->whole.last == OTHER + 511 && out->writes &&
                    out->identical == (i == 1));
        assert_true(out->range[0].first == OTHER + (i == 2 ? 128 : 0) &&
                    out->range[1].first == OTHER + (i == 2 ? 0 : 256));
    }
    ws_chiplet_kernels_fini(&k);
    ws_range_program_destroy(p);
}

/* Where blocks run as time has it, each chiplet may use all, and nothing is as in the launch before. */
static void anywhere(void **state)
{
    (void)state;
    ws_range_program *p;
    ws_chiplet_kernels k;
    assert_int_equal(ws_range_program_create(2, true, &p), WS_OK);
    add_launch(p, 0, 0);
    add_launch(p, 1, 0);
    assert_int_equal(ws_range_program_kernels(p, &k), WS_OK);
    for (size_t i = 0; i < k.kernels; i++) {
        assert_int_equal(k.kernel[i].arguments, 2);
        assert_int_equal(k.kernel[i].scheduled, 3);
        for (size_t n = 0; n < 2; n++) {
            const ws_chiplet_argument *const a = &k.kernel[i].argument[n];
            for (int c = 0; c < 2; c++)
                assert_true(a->range[c].first == a->whole.first && a->range[c].last == a->whole.last);
            assert_false(a->identical);
        }
    }
    ws_chiplet_kernels_fini(&k);
    ws_range_program_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(right), cmocka_unit_test(written),  cmocka_unit_test(names),
                                       cmocka_unit_test(wrong), cmocka_unit_test(measured), cmocka_unit_test(anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
