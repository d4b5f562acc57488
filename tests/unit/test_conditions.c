/* test_conditions.c - do nodes of graphs run if, while or as often as a kernel says? */
#include "driver_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* decide: the condition becomes x[0], which goes down by one first when `down` is set, and x[1] counts the calls. */
static const char decide_ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
    ".visible .entry decide(.param .u64 x, .param .u64 handle, .param .u32 down)\n{\n"
    "  .reg .b32 %r<5>;\n  .reg .b64 %rd<3>;\n  .param .b64 h;\n  .param .b32 v;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.u64 %rd2, [handle];\n  ld.param.u32 %r1, [down];\n"
    "  ld.global.u32 %r2, [%rd1];\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd1], %r2;\n"
    "  ld.global.u32 %r3, [%rd1+4];\n  add.u32 %r3, %r3, 1;\n  st.global.u32 [%rd1+4], %r3;\n"
    "  st.param.b64 [h], %rd2;\n  st.param.b32 [v], %r2;\n  call cudaGraphSetConditional, (h, v);\n  ret;\n}\n";

static CUfunction decide_kernel;

static int begin(void **state)
{
    CUmodule module = NULL;
    begin_program(state);
    OK(cuModuleLoadData(&module, decide_ptx));
    OK(cuModuleGetFunction(&decide_kernel, module, "decide"));
    return 0;
}

static CUgraph graph(void)
{
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    return g;
}

/* The vendor's driver wants to be told. */
static CUcontext current(void)
{
    CUcontext context = NULL;
    OK(cuCtxGetCurrent(&context));
    return context;
}

static CUgraphConditionalHandle condition(CUgraph g, unsigned value, unsigned flags)
{
    CUgraphConditionalHandle handle = 0;
    OK(cuGraphConditionalHandleCreate(&handle, g, current(), value, flags));
    return handle;
}

static CUgraphNode add_decide(CUgraph g, const CUgraphNode *before, CUdeviceptr x, CUgraphConditionalHandle handle,
                              unsigned down)
{
    void *list[] = {&x, &handle, &down};
    const CUDA_KERNEL_NODE_PARAMS p = {decide_kernel, 1, 1, 1, 1, 1, 1, 0, list, NULL, NULL, NULL};
    CUgraphNode node = NULL;
    OK(cuGraphAddKernelNode(&node, g, before, before != NULL, &p));
    return node;
}

static CUgraphNode add_fill(CUgraph g, const CUgraphNode *before, CUdeviceptr x, unsigned value)
{
    const CUDA_MEMSET_NODE_PARAMS params = {x, 0, value, 4, 1, 1};
    CUgraphNode node = NULL;
    OK(cuGraphAddMemsetNode(&node, g, before, before != NULL, &params, NULL));
    return node;
}

static CUgraphNodeParams params_of(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, unsigned size)
{
    return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
                               .conditional = {.handle = handle, .type = type, .size = size, .ctx = current()}};
}

/* The bodies; they stay where they are as long as the node. */
static CUgraph *add_condition(CUgraph g, const CUgraphNode *before, CUgraphConditionalHandle handle,
                              CUgraphConditionalNodeType type, unsigned size, CUgraphNode *node)
{
    CUgraphNodeParams p = params_of(handle, type, size);
    OK(cuGraphAddNode(node, g, before, before != NULL, &p));
    assert_non_null(p.conditional.phGraph_out);
    return p.conditional.phGraph_out;
}

static CUgraphExec instantiate(CUgraph g)
{
    CUgraphExec exec = NULL;
    OK(cuGraphInstantiate(&exec, g, 0));
    return exec;
}

static void launch_with(CUgraphExec exec, CUdeviceptr x, unsigned value)
{
    OK(cuMemsetD32(x, value, 1));
    OK(cuMemsetD32(x + 4, 0, 7));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
}

static void if_and_else(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph();
    const CUgraphConditionalHandle handle = condition(g, 0, 0);
    const CUgraphNode first = add_decide(g, NULL, x, handle, 0);
    CUgraphNode node = NULL;
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    CUgraph *const body = add_condition(g, &first, handle, CU_GRAPH_COND_TYPE_IF, 2, &node);
    add_fill(body[0], NULL, x + 8, 11);
    add_fill(body[1], NULL, x + 8, 22);
    add_fill(g, &node, x + 12, 33);
    OK(cuGraphNodeGetType(node, &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_CONDITIONAL);
    const CUgraphExec exec = instantiate(g);
    for (unsigned value = 0; value < 3; value++) {
        launch_with(exec, x, value);
        assert_int_equal(device_word(x + 8), value ? 11 : 22);
        assert_int_equal(device_word(x + 12), 33);
    }
    OK(cuGraphDestroy(g)); /* the instantiation does not need it */
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 22);
    OK(cuGraphExecDestroy(exec));
}

static void switches(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph();
    const CUgraphConditionalHandle handle = condition(g, 0, 0);
    const CUgraphNode first = add_decide(g, NULL, x, handle, 0);
    CUgraphNode node = NULL;
    CUgraph *const body = add_condition(g, &first, handle, CU_GRAPH_COND_TYPE_SWITCH, 3, &node);
    for (unsigned i = 0; i < 3; i++)
        add_fill(body[i], NULL, x + 8, 10 + i);
    const CUgraphExec exec = instantiate(g);
    for (unsigned value = 0; value < 5; value++) {
        launch_with(exec, x, value);
        assert_int_equal(device_word(x + 8), value < 3 ? 10 + value : 0);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
}

/* for (x = 4; --x;) for (y = 3; --y;) ...: the body is captured, and a loop stands in it. */
static void loops_in_loops(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8), y = device_words(8);
    const CUgraph g = graph();
    CUstream s = NULL;
    CUgraphNode node = NULL;
    const CUgraphConditionalHandle outer = condition(g, 1, 1);
    const CUgraph body = add_condition(g, NULL, outer, CU_GRAPH_COND_TYPE_WHILE, 1, &node)[0];
    const CUgraphConditionalHandle inner = condition(body, 0, 0);
    const CUgraphNode begin_y = add_fill(body, NULL, y, 3);
    const CUgraphNode test_y = add_decide(body, &begin_y, y, inner, 0);
    const CUgraph inside = add_condition(body, &test_y, inner, CU_GRAPH_COND_TYPE_WHILE, 1, &node)[0];
    add_decide(inside, NULL, y, inner, 1);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCaptureToGraph(s, body, &node, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    void *list[] = {(void *)(uintptr_t)&x, (void *)(uintptr_t)&outer, &(unsigned){1}};
    OK(cuLaunchKernel(decide_kernel, 1, 1, 1, 1, 1, 1, 0, s, list, NULL));
    OK(cuStreamEndCapture(s, NULL));
    const CUgraphExec exec = instantiate(g);
    for (int again = 0; again < 2; again++) {
        OK(cuMemsetD32(y, 0, 8));
        launch_with(exec, x, 4);
        assert_int_equal(device_word(x), 0);
        assert_int_equal(device_word(x + 4), 4); /* rounds */
        assert_int_equal(device_word(y + 4), 4 * (1 + 3));
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
    OK(cuStreamDestroy(s));
}

/* Without a default a condition keeps its value from launch to launch. */
static void values_last(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph();
    CUgraphNode node = NULL;
    const CUgraphConditionalHandle kept = condition(g, 5, 0), given = condition(g, 1, 1);
    CUgraph *body = add_condition(g, NULL, kept, CU_GRAPH_COND_TYPE_IF, 1, &node);
    add_fill(body[0], NULL, x + 8, 1);
    body = add_condition(g, &node, given, CU_GRAPH_COND_TYPE_IF, 1, &node);
    add_decide(body[0], NULL, x, kept, 0);
    add_decide(g, &node, x + 16, given, 0);
    const CUgraphExec exec = instantiate(g);
    launch_with(exec, x, 7);
    assert_int_equal(device_word(x + 8), 0);
    assert_int_equal(device_word(x + 4), 1);
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 1);
    assert_int_equal(device_word(x + 4), 1);
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 0);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
}

/* A node of a body may have a handle of the graph around it, also in what is made from the body alone. */
static void handles_reach_bodies(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph();
    const CUgraphConditionalHandle outer = condition(g, 1, 1), inner = condition(g, 1, 1);
    CUgraphNode node = NULL;
    CUgraph *const body = add_condition(g, NULL, outer, CU_GRAPH_COND_TYPE_IF, 1, &node);
    CUgraph *const deep = add_condition(body[0], NULL, inner, CU_GRAPH_COND_TYPE_IF, 1, &node);
    add_fill(deep[0], NULL, x + 8, 44);
    const CUgraphExec exec = instantiate(g), part = instantiate(body[0]);
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 44);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
    launch_with(part, x, 0); /* nobody assigns the default here; the condition is there */
    OK(cuGraphExecDestroy(part));
}

static void wrong_graphs_are_told(void **state)
{
    (void)state;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {0};
    CUgraphExec exec = NULL;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, NULL, &params));
    assert_int_equal(params.result_out, CUDA_GRAPH_INSTANTIATE_ERROR); /* as driver 580 answers */
}

static void refuses(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph(), other = graph();
    CUgraphConditionalHandle handle = 0;
    CUgraphNode node = NULL, child = NULL;
    CUgraphExec exec = NULL;
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
    CUgraphExecUpdateResultInfo info;
    CUstream s = NULL;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(NULL, g, NULL, 0, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(&handle, NULL, NULL, 0, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(&handle, g, NULL, 0, 2));
    handle = condition(g, 0, 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, g, &how)); /* no node has it */
    assert_int_equal(how.result_out, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED);
    static const struct {
        CUgraphConditionalNodeType type;
        unsigned size;
    } wrong[] = {{CU_GRAPH_COND_TYPE_IF, 0},
                 {CU_GRAPH_COND_TYPE_IF, 3},
                 {CU_GRAPH_COND_TYPE_WHILE, 2},
                 {CU_GRAPH_COND_TYPE_SWITCH, 0},
                 {(CUgraphConditionalNodeType)3, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CUgraphNodeParams p = params_of(handle, wrong[i].type, wrong[i].size);
        FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, g, NULL, 0, &p));
    }
    CUgraphNodeParams p = params_of(handle, CU_GRAPH_COND_TYPE_IF, 1);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, other, NULL, 0, &p)); /* another graph's */
    const CUgraph body = add_condition(g, NULL, handle, CU_GRAPH_COND_TYPE_IF, 1, &node)[0];
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, g, NULL, 0, &p)); /* a second node */
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphNodeSetParams(node, &p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(body));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&(CUgraph){NULL}, g));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddChildGraphNode(&child, other, NULL, 0, g));
    exec = instantiate(g);
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&(CUgraphExec){NULL}, g, 0));
    add_decide(body, NULL, x, handle, 0);
    FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, g, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphLaunch(exec, s));
    OK(cuStreamEndCapture(s, &(CUgraph){NULL}));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphAddHostNode(&node, body, NULL, 0, &(CUDA_HOST_NODE_PARAMS){(CUhostFn)(uintptr_t)1, NULL}));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&exec, g, 0));
    OK(cuGraphDestroy(g));
    void *list[] = {(void *)(uintptr_t)&x, &handle, &(unsigned){0}};
    FAILS(CUDA_ERROR_LAUNCH_FAILED, /* the handle went with its graph */
          cuLaunchKernel(decide_kernel, 1, 1, 1, 1, 1, 1, 0, NULL, list, NULL));
}

/* Tasks inside bodies are updated, found, and drawn. */
static void bodies_change(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(8);
    const CUgraph g = graph();
    const CUgraphConditionalHandle handle = condition(g, 1, 1);
    CUgraphNode node = NULL;
    const CUgraph body = add_condition(g, NULL, handle, CU_GRAPH_COND_TYPE_IF, 1, &node)[0];
    const CUgraphNode fill = add_fill(body, NULL, x + 8, 1);
    CUDA_MEMSET_NODE_PARAMS params = {x + 8, 0, 2, 4, 1, 1};
    CUgraphExecUpdateResultInfo info;
    char text[2048] = "";
    const CUgraphExec exec = instantiate(g);
    OK(cuGraphExecMemsetNodeSetParams(exec, fill, &params, NULL));
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 2);
    params.value = 3;
    OK(cuGraphMemsetNodeSetParams(fill, &params));
    OK(cuGraphExecUpdate(exec, g, &info));
    launch_with(exec, x, 0);
    assert_int_equal(device_word(x + 8), 3);
    char name[] = "/tmp/warpscape-conditions-XXXXXX";
    FILE *const f = fdopen(mkstemp(name), "r");
    assert_non_null(f);
    OK(cuGraphDebugDotPrint(g, name, 0));
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    assert_non_null(strstr(text, "CONDITIONAL"));
    assert_non_null(strstr(text, "graph_1_node_0"));
    fclose(f);
    remove(name);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end_program)
    const struct CMUnitTest tests[] = {CASE(if_and_else),          CASE(switches),
                                       CASE(loops_in_loops),       CASE(values_last),
                                       CASE(handles_reach_bodies), CASE(wrong_graphs_are_told),
                                       CASE(bodies_change),        CASE(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
