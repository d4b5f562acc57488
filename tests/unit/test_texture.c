/* test_texture.c - do textures give what the formulas of CUDA's programming guide give, and do events tell what was
 * read? */
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/texture.h"
#include "metrics/warp_blocks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 32, WIDTH = 7, HEIGHT = 5, DEPTH = 3, TEXELS = WIDTH * HEIGHT * DEPTH, ROUNDS = 4 };

/* out[i] = first channel at (x[i], y[i], z[i]), the coordinates of all threads one after the other. */
#define KERNEL(name, read) \
    ".visible .entry " name "(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n  .reg .b32 %r<4>;\n" \
    "  .reg .f32 %f<12>;\n  .reg .b64 %rd<8>;\n  ld.param.u64 %rd1, [t];\n  ld.param.u64 %rd2, [in];\n" \
    "  ld.param.u64 %rd3, [out];\n  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd4, %r1, 4;\n" \
    "  add.s64 %rd5, %rd2, %rd4;\n  add.s64 %rd6, %rd3, %rd4;\n  ld.global.f32 %f1, [%rd5];\n" \
    "  ld.global.f32 %f2, [%rd5+128];\n  ld.global.f32 %f3, [%rd5+256];\n  " read "\n" \
    "  st.global.f32 [%rd6], %f4;\n  ret;\n}\n"

static const char ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n" KERNEL(
    "read1", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1}];")
    KERNEL("read2", "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2}];")
        KERNEL("read3", "tex.3d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2, %f3, %f3}];")
            KERNEL("refused1", "tex.2dms.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%rd1, {%r1, %r1, %r1, %r1}];")
                KERNEL("refused2", "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2}], %f3;")
                    KERNEL("refused3", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [nothing, {%f1}];")
                        KERNEL("refused4", "sured.p.add.1d.u32.trap [%rd1, {%r1}], %r1;");

typedef struct fixture {
    ws_module *module;
    ws_device *device;
    ws_image *image;
    uint64_t memory, in, out;
    float *texel, *coordinate, *result;
} fixture;

static fixture open_device(void)
{
    fixture f = {0};
    assert_int_equal(ws_ptx_parse("test.ptx", ptx, strlen(ptx), &f.module), WS_OK);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &f.device), WS_OK);
    assert_int_equal(ws_image_load(f.device, f.module, &f.image), WS_OK);
    assert_int_equal(ws_device_alloc(f.device, TEXELS * sizeof(float), &f.memory), WS_OK);
    assert_int_equal(ws_device_alloc(f.device, 3 * LANES * sizeof(float), &f.in), WS_OK);
    assert_int_equal(ws_device_alloc(f.device, LANES * sizeof(float), &f.out), WS_OK);
    f.texel = ws_device_pointer(f.device, f.memory, TEXELS * sizeof(float));
    f.coordinate = ws_device_pointer(f.device, f.in, 3 * LANES * sizeof(float));
    f.result = ws_device_pointer(f.device, f.out, LANES * sizeof(float));
    return f;
}

static void close_device(fixture *f)
{
    ws_device_destroy(f->device);
    ws_module_destroy(f->module);
}

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static ws_texture form_of(const fixture *f, unsigned dims)
{
    return (ws_texture){.address = f->memory,
                        .width = WIDTH,
                        .height = dims > 1 ? HEIGHT : 0,
                        .depth = dims > 2 ? DEPTH : 0,
                        .pitch = WIDTH * sizeof(float),
                        .slice = WIDTH * HEIGHT * sizeof(float),
                        .texel = WS_TEXEL_F32,
                        .channels = 1};
}

/* ------------------------------------------------------------------------------------------------ by the guide */

static double fraction(double x)
{
    return x - floor(x);
}

/* The guide's treatment of one coordinate: into the range of the texture, in texels. */
static double into_range(double x, double n, ws_edge edge, bool normalized)
{
    if (normalized && edge == WS_EDGE_WRAP)
        x = fraction(x);
    else if (normalized && edge == WS_EDGE_MIRROR)
        x = fmod(fabs(floor(x)), 2) == 0 ? fraction(x) : 1 - fraction(x);
    return normalized ? n * x : x;
}

/* Index of a texel that may lie one beyond the range (or far away for border and clamp); -1: border. */
static int index_of(double i, int n, ws_edge edge, bool normalized)
{
    if (normalized && edge == WS_EDGE_WRAP)
        return ((int)i % n + n) % n;
    if (edge == WS_EDGE_BORDER)
        return i < 0 || i >= n ? -1 : (int)i;
    return i < 0 ? 0 : i >= n ? n - 1 : (int)i;
}

static double texel_at(const fixture *f, const ws_sampler *s, const int at[3])
{
    return at[0] < 0 || at[1] < 0 || at[2] < 0 ? (double)s->border[0]
                                               : (double)f->texel[(at[2] * HEIGHT + at[1]) * WIDTH + at[0]];
}

static double expected(const fixture *f, const ws_sampler *s, unsigned dims, const double coordinate[3])
{
    static const int extent[3] = {WIDTH, HEIGHT, DEPTH};
    double low[3] = {0}, weight[3] = {0}, sum = 0;
    for (unsigned d = 0; d < dims; d++) {
        const double x = into_range(coordinate[d], extent[d], s->edge[d], s->normalized);
        low[d] = s->linear ? floor(x - 0.5) : floor(x);
        weight[d] = s->linear ? fraction(x - 0.5) : 0;
    }
    for (int corner = 0; corner < 8; corner++) {
        int at[3] = {0};
        double part = 1;
        for (unsigned d = 0; d < 3; d++) {
            const int next = corner >> d & 1;
            part *= next ? weight[d] : 1 - weight[d];
            if (d < dims)
                at[d] = index_of(low[d] + next, extent[d], s->edge[d], s->normalized);
        }
        if (part > 0)
            sum += part * texel_at(f, s, at);
    }
    return sum;
}

static void check_sampler(fixture *f, unsigned dims, const ws_sampler *s, uint64_t *seed)
{
    ws_kernel *kernel;
    ws_texture form = form_of(f, dims);
    char name[8];
    uint64_t handle;
    form.sampler = *s;
    snprintf(name, sizeof name, "read%u", dims);
    assert_int_equal(ws_image_kernel(f->image, name, &kernel), WS_OK);
    assert_int_equal(ws_texture_create(f->device, WS_IS_TEXTURE, &form, &handle), WS_OK);
    for (int i = 0; i < 3 * LANES; i++) {
        const double n = i < LANES ? WIDTH : i < 2 * LANES ? HEIGHT : DEPTH;
        f->coordinate[i] = (float)(s->normalized ? uniform(seed, -2.5, 3.5) : uniform(seed, -3, n + 3));
    }
    const uint64_t params[3] = {handle, f->in, f->out};
    assert_int_equal(
        ws_kernel_run(kernel, &(ws_run){.grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = params}, NULL), WS_OK);
    /* Values lie between -50 and 50; each weight is off by half a step of 1/256 at most, and so is each product of
     * weights, which counts for two texels and against two. */
    static const double products[] = {0, 1, 4};
    const double allowed = s->linear ? (dims * 100.0 + products[dims - 1] * 200) / 512 + 1e-4 : 0;
    for (int i = 0; i < LANES; i++) {
        const double at[3] = {(double)f->coordinate[i], (double)f->coordinate[LANES + i],
                              (double)f->coordinate[2 * LANES + i]};
        const double want = expected(f, s, dims, at), got = (double)f->result[i];
        if (!(fabs(got - want) <= allowed))
            fail_msg("%uD edge %d %d %d%s%s at (%g, %g, %g): %g, expected %g", dims, s->edge[0], s->edge[1], s->edge[2],
                     s->linear ? " linear" : "", s->normalized ? " normalized" : "", at[0], at[1], at[2], got, want);
    }
    assert_int_equal(ws_texture_destroy(f->device, handle), WS_OK);
}

static void samples_as_the_guide_says(void **state)
{
    (void)state;
    fixture f = open_device();
    uint64_t seed = 1;
    for (int i = 0; i < TEXELS; i++)
        f.texel[i] = (float)uniform(&seed, -50, 50);
    for (unsigned dims = 1; dims <= 3; dims++)
        for (unsigned how = 0; how < 4 * 64; how++) {
            ws_sampler s = {.linear = how & 1, .normalized = how & 2, .border = {17}};
            for (unsigned d = 0; d < 3; d++)
                s.edge[d] = (uint8_t)(how >> (2 + 2 * d) & 3);
            for (int round = 0; round < ROUNDS; round++)
                check_sampler(&f, dims, &s, &seed);
        }
    close_device(&f);
}

/* ------------------------------------------------------------------------------------------------ events */

typedef struct seen {
    ws_event event;
    uint64_t address[WS_EVENT_ADDRESSES][LANES];
    unsigned textures, blocks;
} seen;

static int see(void *state, const ws_launch *launch, const ws_batch *batch)
{
    static ws_warp_blocks blocks;
    seen *const s = state;
    for (const ws_event *ev = batch->event; ev < batch->event + batch->events; ev++) {
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_TEXTURE)
            continue;
        s->event = *ev;
        memcpy(s->address, WS_ADDRESSES(batch, ev), (1u + ev->further) * LANES * sizeof(uint64_t));
        s->textures++;
        s->blocks = ws_warp_blocks_find(&blocks, launch, batch, ev);
        assert_int_equal(ws_event_bytes(launch, ev), sizeof(float));
        assert_int_equal(launch->instr[ev->pc].cls, WS_CLASS_MEMORY);
        assert_int_equal(launch->instr[ev->pc].access, WS_ACCESS_LOAD);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    if (((seen *)from)->textures)
        *(seen *)into = *(seen *)from;
    return WS_OK;
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)launch, (void)sink;
    *(seen *)context = *(seen *)state;
    return WS_OK;
}

static seen watch(fixture *f, const char *name, const ws_texture *form, unsigned threads)
{
    static const ws_sink sink = {
        .name = "textures", .wants = WS_WANT_INSTRUCTIONS, .state_size = sizeof(seen), .events = see, .merge = merge};
    const ws_sink *const sinks[] = {&sink};
    seen s = {.textures = 0};
    ws_kernel *kernel;
    uint64_t handle;
    assert_int_equal(ws_image_kernel(f->image, name, &kernel), WS_OK);
    assert_int_equal(ws_texture_create(f->device, WS_IS_TEXTURE, form, &handle), WS_OK);
    const uint64_t params[3] = {handle, f->in, f->out};
    const ws_run run = {.grid = {1, 1, 1},
                        .block = {threads, 1, 1},
                        .params = params,
                        .sinks = sinks,
                        .sink_count = 1,
                        .collect = collect,
                        .context = &s};
    assert_int_equal(ws_kernel_run(kernel, &run, NULL), WS_OK);
    assert_int_equal(ws_texture_destroy(f->device, handle), WS_OK);
    assert_int_equal(s.textures, 1);
    return s;
}

static void events_tell_the_texels(void **state)
{
    (void)state;
    fixture f = open_device();
    for (int i = 0; i < LANES; i++) {
        f.coordinate[i] = (float)(i % WIDTH) + 0.75f;
        f.coordinate[LANES + i] = (float)(i / WIDTH) + 0.25f;
        f.coordinate[2 * LANES + i] = 1;
    }
    ws_texture form = form_of(&f, 2);
    form.sampler = (ws_sampler){.edge = {WS_EDGE_CLAMP, WS_EDGE_BORDER, WS_EDGE_CLAMP}};
    seen s = watch(&f, "read2", &form, 20);
    assert_int_equal(s.event.further, 0);
    assert_int_equal(s.event.count, 1);
    assert_int_equal(s.event.exec, 0xfffff);
    for (int i = 0; i < 20; i++)
        assert_int_equal(s.address[0][i], f.memory + (uint64_t)i * 4);
    assert_int_equal(s.blocks, 2); /* 80 bytes */
    form.sampler.linear = true;
    s = watch(&f, "read2", &form, 20);
    assert_int_equal(s.event.further, 3);
    for (int i = 0; i < 20; i++) {
        const int x = i % WIDTH, y = i / WIDTH, right = x + 1 < WIDTH ? x + 1 : x, above = y ? y - 1 : 0;
        assert_int_equal(s.address[0][i], f.memory + (uint64_t)(above * WIDTH + x) * 4);
        assert_int_equal(s.address[1][i], f.memory + (uint64_t)(above * WIDTH + right) * 4);
        assert_int_equal(s.address[2][i], f.memory + (uint64_t)(y * WIDTH + x) * 4);
        assert_int_equal(s.address[3][i], f.memory + (uint64_t)(y * WIDTH + right) * 4);
    }
    assert_int_equal(s.blocks, 2); /* the same texels, each block once */
    form = form_of(&f, 3);
    form.sampler.linear = true;
    s = watch(&f, "read3", &form, 1);
    assert_int_equal(s.event.further, 7);
    assert_int_equal(s.address[7][0], f.memory + (WIDTH * HEIGHT + 1) * 4);
    close_device(&f);
}

/* ------------------------------------------------------------------------------------------------ what cannot be */

static void refuses_what_it_does_not_have(void **state)
{
    (void)state;
    static const char *const reason[] = {".2dms", "comparison of depths", "undeclared name", "in texels"};
    fixture f = open_device();
    ws_kernel *kernel;
    for (unsigned i = 0; i < 4; i++) {
        char name[12];
        snprintf(name, sizeof name, "refused%u", i + 1);
        assert_int_equal(ws_image_kernel(f.image, name, &kernel), WS_EUNSUPPORTED);
        if (!strstr(ws_message(), reason[i]))
            fail_msg("%s", ws_message());
        assert_non_null(strstr(ws_message(), "test.ptx:"));
    }
    close_device(&f);
}

static void refuses_impossible_textures(void **state)
{
    (void)state;
    fixture f = open_device();
    uint64_t handle;
    ws_texture t[8];
    for (int i = 0; i < 8; i++)
        t[i] = form_of(&f, 3);
    t[0].channels = 3;
    t[1].width = 0;
    t[2].pitch = 8;       /* rows overlap */
    t[3].depth = 4;       /* behind the allocation */
    t[4].address += 2;    /* misaligned */
    t[5].by_index = true; /* of three dimensions */
    t[6].cube = true;     /* without faces */
    t[7].sampler.edge[1] = 77;
    for (int i = 0; i < 8; i++)
        assert_int_equal(ws_texture_create(f.device, WS_IS_TEXTURE, &t[i], &handle), WS_EINPUT);
    assert_int_equal(ws_texture_destroy(f.device, 12345), WS_EINPUT);
    assert_int_equal(ws_texture_bind(f.device, 12345, NULL), WS_EINPUT);
    ws_texture_kind kind;
    assert_int_equal(ws_image_texture(f.image, "nobody", &kind, &handle), WS_ENOTFOUND);
    close_device(&f);
}

static void reads_sampler_initialisers(void **state)
{
    (void)state;
    static const char good[] = ".version 6.4\n.target sm_70\n.address_size 64\n.global .samplerref s = { addr_mode_0 = "
                               "mirror, addr_mode_2 = clamp_to_border, filter_mode = linear, "
                               "force_unnormalized_coords = 1 };\n.global .texref t = { width = 4 };\n";
    static const char *const bad[] = {"{ addr_mode_3 = wrap }", "{ filter_mode = cubic }", "{ addr_mode_0 wrap }",
                                      "{ }"};
    ws_module *m;
    assert_int_equal(ws_ptx_parse("t.ptx", good, strlen(good), &m), WS_OK);
    const ws_sampler_init *const s = ws_module_variable(m, "s")->sampler;
    assert_non_null(s);
    assert_int_equal(s->edge[0], WS_EDGE_MIRROR);
    assert_int_equal(s->edge[1], WS_EDGE_WRAP);
    assert_int_equal(s->edge[2], WS_EDGE_BORDER);
    assert_true(s->linear && s->unnormalized);
    assert_null(ws_module_variable(m, "t")->sampler);
    ws_module_destroy(m);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[160];
        snprintf(text, sizeof text, ".version 6.4\n.target sm_70\n.address_size 64\n.global .samplerref s = %s;\n",
                 bad[i]);
        assert_int_equal(ws_ptx_parse("t.ptx", text, strlen(text), &m), WS_EINPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_as_the_guide_says),     cmocka_unit_test(events_tell_the_texels),
        cmocka_unit_test(refuses_what_it_does_not_have), cmocka_unit_test(refuses_impossible_textures),
        cmocka_unit_test(reads_sampler_initialisers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
