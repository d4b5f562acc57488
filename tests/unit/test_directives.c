/* test_directives.c - each row of directive.def: its text with the directive and without it, run, and the page's line.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/engine.h"
#include "tests/unit/page_table.h"

enum { TEXT_BYTES = 2048, OUTCOME_BYTES = 1024, MODULES = 2, THREADS = 32, BLOCKS = 2 };

typedef enum effect { ACTS, NOTHING, REFUSED } effect;
static const char *const effect_words[] = {"acts", "no effect", "refused"};

static const struct {
    const char *name, *point, *what, *text;
    effect effect;
} rows[] = {
#define DIRECTIVE(name, effect, what, text) {#name, ".", what, text, effect},
#define OPTION(name, effect, what, text)    {#name, "", what, text, effect},
#include "collect/ptx/directive.def"
#undef DIRECTIVE
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- texts */

static void append(char *out, const char *text, size_t length)
{
    const size_t n = strlen(out);
    assert_in_range(n + length, 0, TEXT_BYTES - 1);
    memcpy(out + n, text, length);
    out[n + length] = '\0';
}

/* The row's text with what stands in ` `, or with what stands behind the | there, and with ENTRY and END written out.
 */
static void write_text(const char *row, bool with, char *out)
{
    static const struct {
        const char *word, *text;
    } shorts[] = {{"ENTRY", ".visible .entry k(.param .u64 out) { .reg .u64 %o; .reg .u32 %a; ld.param.u64 %o, [out];"},
                  {"END", "st.global.u32 [%o], %a; ret; }"}};
    bool inside = false, second = false;
    *out = '\0';
    for (const char *at = row; *at; at++) {
        unsigned s = 0;
        while (s < 2 && strncmp(at, shorts[s].word, strlen(shorts[s].word)))
            s++;
        if (*at == '`') {
            inside = !inside;
            second = false;
        } else if (inside && *at == '|') {
            second = true;
        } else if (s < 2) {
            append(out, shorts[s].text, strlen(shorts[s].text));
            at += strlen(shorts[s].word) - 1;
        } else if (!inside || second != with) {
            append(out, at, 1);
        }
    }
}

/* ---- outcomes */

static int note(void *context, const ws_launch *l, size_t sink, void *state)
{
    (void)sink;
    (void)state;
    char *const out = context;
    const ws_code_function *const f = l->code->function;
    snprintf(out, OUTCOME_BYTES, "%zu instructions, %u registers, %u shared, %u local, %u constant, asks for %u %u %u;",
             l->instrs, l->registers, l->shared_bytes, l->local_bytes, l->const_bytes, f->most_registers,
             f->most_threads, f->least_blocks);
    for (size_t i = 0; i < l->instrs; i++) {
        const ws_place *const p = ws_origin_place(l->origin, (uint32_t)i);
        const size_t n = strlen(out);
        if (p)
            snprintf(out + n, OUTCOME_BYTES - n, " %s:%u (%s)", p->file, p->line, p->function ? p->function : "");
    }
    return WS_OK;
}

static int see_nothing(void *state, const ws_launch *launch, const ws_batch *batch)
{
    (void)state;
    (void)launch;
    (void)batch;
    return WS_OK;
}

static int merge_nothing(void *into, void *from, const ws_launch *launch)
{
    (void)into;
    (void)from;
    (void)launch;
    return WS_OK;
}

static const ws_sink sink = {.name = "nothing", .state_size = 1, .events = see_nothing, .merge = merge_nothing};

/* The last module that was read, of one or several. */
static int read_modules(char *text, ws_module **out)
{
    ws_module *module[MODULES];
    unsigned n = 0;
    int status = WS_OK;
    for (char *part = text; part && !status;) {
        char whole[TEXT_BYTES + 128];
        char *const next = strstr(part, "----");
        if (next)
            *next = '\0';
        snprintf(whole, sizeof whole, "%s\n%s",
                 strstr(part, ".version") ? "" : ".version 7.8\n.target sm_90\n.address_size 64", part);
        assert_in_range(n, 0, MODULES - 1);
        status = ws_ptx_parse("t", whole, strlen(whole), &module[n]);
        n += !status;
        part = next ? next + 4 : NULL;
    }
    if (!status && n > 1)
        return ws_ptx_link("t", module, n, ws_engine_provides, out);
    for (unsigned i = 0; i < n && status; i++)
        ws_module_destroy(module[i]);
    *out = status ? NULL : module[0];
    return status;
}

static int run_kernel(const ws_module *module, ws_device *device, char *out)
{
    static const ws_sink *const sinks[] = {&sink};
    ws_image *image;
    ws_kernel *kernel;
    uint64_t memory;
    assert_int_equal(ws_device_alloc(device, sizeof(uint32_t), &memory), WS_OK);
    const ws_run how = {.grid = {BLOCKS, 1, 1},
                        .block = {THREADS, 1, 1},
                        .params = &memory,
                        .max_instructions = 1000000,
                        .sinks = sinks,
                        .sink_count = 1,
                        .collect = note,
                        .context = out};
    int status = ws_image_load(device, module, &image);
    if (!status)
        status = ws_image_kernel(image, "k", &kernel);
    if (!status)
        status = ws_kernel_run(kernel, &how, NULL);
    if (!status) {
        const size_t n = strlen(out);
        snprintf(out + n, OUTCOME_BYTES - n, " stores %u", *(const uint32_t *)ws_device_pointer(device, memory, 4));
    }
    return status;
}

/* What comes of a text: a message, or what its kernel does and is said to be. */
static void outcome(const char *row, bool with, char *out)
{
    char text[TEXT_BYTES];
    ws_module *module;
    ws_device *device;
    *out = '\0';
    write_text(row, with, text);
    int status = read_modules(text, &module);
    if (!status) {
        const ws_device_options options = {
            .workers = 1, .memory_bytes = 1 << 24, .low_memory = module->address_bits == 32};
        assert_int_equal(ws_device_create(&options, &device), WS_OK);
        status = run_kernel(module, device, out);
        if (status)
            snprintf(out, OUTCOME_BYTES, "%s", ws_message());
        ws_device_destroy(device);
        ws_module_destroy(module);
    } else {
        snprintf(out, OUTCOME_BYTES, "%s", ws_message());
    }
    assert_true(*out);
}

static bool is_as_told(unsigned i)
{
    char with[OUTCOME_BYTES], without[OUTCOME_BYTES];
    outcome(rows[i].text, true, with);
    outcome(rows[i].text, false, without);
    const bool runs_without = strstr(without, " stores ") != NULL, differs = strcmp(with, without) != 0;
    const bool told = rows[i].effect == ACTS ? differs
                      : rows[i].effect == NOTHING
                          ? !differs && runs_without
                          : runs_without && !strstr(with, " stores ") && strstr(with, rows[i].name);
    if (!told)
        print_error("%s %s:\n   with it: %s\n   without: %s\n", rows[i].name, effect_words[rows[i].effect], with,
                    without);
    return told;
}

static void each_row_does_what_it_says(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        if (!strstr(rows[i].text, rows[i].name)) {
            print_error("the text of %s has no such word\n", rows[i].name);
            wrong++;
        }
        wrong += !is_as_told(i);
    }
    assert_int_equal(wrong, 0);
}

static void the_page_has_the_rows(void **state)
{
    (void)state;
    page_table page = page_table_open("docs/ptx.md", "## Directives");
    unsigned wrong = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        char line[512];
        snprintf(line, sizeof line, "| `%s%s` | %s | %s |\n", rows[i].point, rows[i].name, effect_words[rows[i].effect],
                 rows[i].what);
        wrong += !page_table_has(&page, line);
    }
    assert_true(page_table_close(&page));
    assert_int_equal(wrong, 0);
}

/* Words without a row are refused where directives stand, by name and place. */
static void other_words_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } table[] = {
        {".frob; ENTRY mov.u32 %a, 1; END",
         "t:4:1: expected a directive such as .entry, .func or .global, found `.frob`"},
        {".visible .entry k() .frob 1 { ret; }", "t:4:21: expected `{` or `;`, found `.frob`"},
        {".global .frob .u32 g; ENTRY mov.u32 %a, 1; END", "t:4:9: expected a type such as .b32, found `.frob`"},
        {".global .attribute(.frob) .u32 g; ENTRY mov.u32 %a, 1; END",
         "t:4:20: expected .managed or .unified, found `.frob`"},
        {".shared::cta .u32 g; ENTRY mov.u32 %a, 1; END",
         "t:4:1: expected a directive such as .entry, .func or .global, found `.shared::cta`"},
        {".version 7.8 .target sm_90, frob .address_size 64 ENTRY mov.u32 %a, 1; END",
         "t:2:29: expected a target such as sm_70, or an option of .target such as debug, found `frob`"},
        {".visible .entry k() .maxclusterrank 0 { ret; }", "t:4:21: expected a cluster of at least one block, found 0"},
        {".visible .entry k() .maxclusterrank 2 .reqnctapercluster 2 { ret; }",
         "t:4:39: expected .reqnctapercluster or .maxclusterrank, found both"},
        {".visible .entry k() .reqnctapercluster 1, 0 { ret; }",
         "t:4:21: expected a cluster of at least one block, found (1,0,1)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char out[OUTCOME_BYTES];
        outcome(table[i].text, true, out);
        assert_string_equal(out, table[i].message);
    }
}

/* Clusters of one block run, whoever says so; those of several keep their kernel from running, and no other. */
static void clusters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *outcome;
    } table[] = {
        {"ENTRY mov.u32 %a, %cluster_nctarank; END", " stores 1"},
        {".visible .entry k(.param .u64 out) .explicitcluster .reqnctapercluster 1, 1, 1 { .reg .u64 %o; ld.param.u64 "
         "%o, [out]; "
         "st.global.u32 [%o], 9; ret; }",
         " stores 9"},
        {".visible .entry k(.param .u64 out) .blocksareclusters .reqntid 32 .reqnctapercluster 1 { .reg .u64 %o; "
         "ld.param.u64 %o, [out]; st.global.u32 [%o], 9; ret; }",
         " stores 9"},
        {".visible .entry other() .reqnctapercluster 2 { ret; } ENTRY mov.u32 %a, 7; END", " stores 7"},
        {".visible .entry k() .reqnctapercluster 1, 2 { ret; }",
         "kernel k: grid (2,1,1) is no multiple of its clusters of (1,2,1) blocks"},
        {".visible .entry k() .explicitcluster { ret; }",
         "kernel k: .explicitcluster wants a launch that gives the size of clusters; give it, or add "
         ".reqnctapercluster 1 to the kernel"},
        {".visible .entry k() .blocksareclusters { ret; }",
         "t:4:17: kernel k: .blocksareclusters needs .reqntid and .reqnctapercluster"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char out[OUTCOME_BYTES];
        outcome(table[i].text, true, out);
        const size_t n = strlen(out), m = strlen(table[i].outcome);
        if (n < m || strcmp(out + n - m, table[i].outcome))
            fail_msg("%s: %s", table[i].text, out);
    }
}

/* What declarations may look like, with what the kernel stores by PTX's rules. */
static void declarations(void **state)
{
    (void)state;
    static const struct {
        const char *text, *outcome;
    } table[] = {
        {"ENTRY .reg .u32 %y0<4>, %y<3>; mov.u32 %y01, 5; mov.u32 %y1, 6; mov.u32 %y03, 8; mul.lo.u32 %a, %y01, %y03; "
         "END",
         " stores 40"},
        {"ENTRY .reg .u32 %y1<30>, %y<3>; mov.u32 %y112, 5; mov.u32 %y2, 6; mul.lo.u32 %a, %y112, %y2; END",
         " stores 30"},
        {"ENTRY .reg .u32 %y0<4>; mov.u32 %a, %y001; END",
         "t:4:108: kernel k: instruction `mov.u32` is not supported: unknown register %y001"},
        {".global .u32 tab = 3; ENTRY .global .u32 tab[2] = { 4, 5 }; ld.global.u32 %a, [tab+4]; END", " stores 5"},
        {".func (.reg .u32 r) f() { .const .u32 tab = 40; ld.const.u32 r, [tab]; ret; } "
         "ENTRY .const .u32 tab = 2; .reg .u32 b; call (b), f; ld.const.u32 %a, [tab]; add.u32 %a, %a, b; END",
         " stores 42"},
        {".func (.reg .u32 r, .reg .pred p) f(.reg .u32 x, .reg .pred q) { add.u32 r, x, 1; not.pred p, q; ret; } "
         "ENTRY .reg .pred %p, %q; setp.eq.u32 %q, 1, 2; call (%a, %p), f, (6, %q); @!%p mov.u32 %a, 0; END",
         " stores 7"},
        {"ENTRY .reg .v4 .u16 %q; .reg .u16 %b, %c; mov.u16 %b, 1; mov.u16 %c, 2; mov.v4.u16 %q, {%b, %c, %b, %c}; "
         "mov.v4.u16 {%c, %b, %c, %b}, %q; mov.b32 %a, {%b, %c}; END",
         " stores 65538"},
        {"ENTRY .reg .v2 .f32 %q; .reg .f32 %b, %c; mov.f32 %b, 0f3F800000; mov.f32 %c, 0f40000000; mov.v2.f32 %q, "
         "{%b, %c}; "
         "mov.v2.f32 {%c, %b}, %q; mov.b32 %a, %b; END",
         " stores 1073741824"},
        {".const .b8 g[4294967295]; ENTRY mov.u32 %a, 1; END",
         "t:4:12: variable `g`: constant memory is full: no place for 4294967295 bytes, variables may have 4194304 "
         "together"},
        {".global .b8 g[4294967295]; ENTRY mov.u32 %a, 1; END",
         "t:4:13: variable `g`: device memory is full: no place for 4294967295 bytes, 4 of 16777216 in use"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char out[OUTCOME_BYTES];
        outcome(table[i].text, true, out);
        const size_t n = strlen(out), m = strlen(table[i].outcome);
        if (n < m || strcmp(out + n - m, table[i].outcome))
            fail_msg("%s: %s", table[i].text, out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_does_what_it_says),
        cmocka_unit_test(the_page_has_the_rows),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(clusters),
        cmocka_unit_test(declarations),
    };
    return cmocka_run_group_tests_name("directives", tests, NULL, NULL);
}
