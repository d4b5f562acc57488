/* Is every opcode of the table executed by some kernel of tests/kernels, or known to be missing in the engine? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cli/launch/launch_run.h"
#include "tests/unit/op_names.h"

#include <dirent.h>
#include <string.h>

/* What the engine cannot run, and an instruction that shows it. */
static const struct {
    ws_op op;
    const char *instruction;
} missing[] = {
    {WS_OP_wgmma, "wgmma.fence.sync.aligned"},
};

enum { FIRST_PCS = 8192 };

/* Executed or not, a byte an opcode: the state of the sink, and what collect adds up over all launches. */
typedef struct seen {
    bool op[WS_OPS];
    bool pc[FIRST_PCS]; /* its opcode has been looked up; of one launch */
} seen;

static ws_op opcode_of(const char *text)
{
    const size_t n = strcspn(text, ".");
    for (unsigned op = 1; op < WS_OPS; op++)
        if (strlen(op_name(op)) == n && memcmp(op_name(op), text, n) == 0)
            return op;
    return WS_OP_UNKNOWN;
}

static int see(void *state, const ws_launch *launch, const ws_batch *batch)
{
    seen *const s = state;
    for (size_t i = 0; i < batch->events; i++)
        for (uint32_t k = 0; k < batch->event[i].count; k++) {
            const uint32_t pc = batch->event[i].pc + k;
            if (!batch->event[i].exec || (pc < FIRST_PCS && s->pc[pc]))
                continue;
            s->op[opcode_of(launch->instr[pc].opcode)] = true;
            if (pc < FIRST_PCS)
                s->pc[pc] = true;
        }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    for (unsigned op = 0; op < WS_OPS; op++)
        ((seen *)into)->op[op] |= ((const seen *)from)->op[op];
    return WS_OK;
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)sink;
    return merge(context, state, launch);
}

static const ws_sink sink = {
    .name = "opcodes", .wants = WS_WANT_INSTRUCTIONS, .state_size = sizeof(seen), .events = see, .merge = merge};

static void run_kernel(const char *name, seen *all, FILE *out)
{
    char path[512];
    ws_module *module;
    ws_script *script;
    ws_script_result result;
    const ws_sink *const sinks[] = {&sink};
    ws_listeners listeners = {.sink = sinks, .n = 1, .collect = collect, .context = all};
    const ws_script_options options = {.workers = 1, .out = out, .listeners = &listeners};
    snprintf(path, sizeof path, "tests/kernels/%s.ptx", name);
    if (ws_ptx_load(path, &module) != WS_OK)
        fail_msg("%s", ws_message());
    snprintf(path, sizeof path, "tests/kernels/%s.launch", name);
    if (ws_launchfile_load(path, &script) != WS_OK || ws_script_run(script, module, &options, &result) != WS_OK)
        fail_msg("%s", ws_message());
    ws_script_destroy(script);
    ws_module_destroy(module);
}

static bool is_missing(unsigned op)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (missing[i].op == op)
            return true;
    return false;
}

static void every_opcode_is_executed(void **state)
{
    (void)state;
    seen all = {.op = {false}};
    FILE *const out = fopen("/dev/null", "w");
    DIR *const folder = opendir("tests/kernels");
    assert_non_null(folder);
    assert_non_null(out);
    unsigned kernels = 0, failures = 0;
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        char name[256];
        const size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".ptx") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(n - 4), e->d_name);
        run_kernel(name, &all, out);
        kernels++;
    }
    closedir(folder);
    fclose(out);
    assert_true(kernels > 40);
    /* A launch that faults is not collected, and trap is a fault: fault_memory.launch expects it. */
    for (unsigned op = 1; op < WS_OPS; op++) {
        if (all.op[op] == is_missing(op) && op != WS_OP_trap) {
            print_error("%s: %s\n", op_name(op),
                        all.op[op] ? "runs, but stands in the list of what is missing" : "no kernel executes it");
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* The list above stays true: each of its instructions keeps its kernel, and only that, from running. */
static void missing_opcodes_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        char text[1024];
        ws_module *module;
        ws_device *device;
        ws_image *image;
        ws_kernel *kernel;
        const int n = snprintf(text, sizeof text,
                               ".version 8.5\n.target sm_90\n.address_size 64\n.entry fine() { ret; }\n.entry k() { "
                               ".reg .b32 %%r<9>; .reg .b64 "
                               "%%rd<9>; .reg .f32 %%f<9>;\n%s;\nret; }\n",
                               missing[i].instruction);
        assert_int_equal(ws_ptx_parse("t.ptx", text, (size_t)n, &module), WS_OK);
        assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &device), WS_OK);
        assert_int_equal(ws_image_load(device, module, &image), WS_OK);
        if (ws_image_kernel(image, "k", &kernel) != WS_EUNSUPPORTED || strncmp(ws_message(), "t.ptx:6:1:", 10) != 0)
            fail_msg("%s: %s", missing[i].instruction, ws_message());
        assert_int_equal(ws_image_kernel(image, "fine", &kernel), WS_OK);
        ws_device_destroy(device);
        ws_module_destroy(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_opcode_is_executed),
                                       cmocka_unit_test(missing_opcodes_are_reported)};
    return cmocka_run_group_tests_name("kernel opcodes", tests, NULL, NULL);
}
