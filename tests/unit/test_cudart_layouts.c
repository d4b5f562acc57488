/* test_cudart_layouts.c - are our structures those of the toolkits? Against sizes and offsets noted from the headers of
 * CUDA 11.8, 12.4 and 13.0; and whether each version's library writes no more of a program's structure than the version
 * has. */
#include "collect/cuda/cuda.h"
#include "collect/cuda/cuda_graph.h"
#include "collect/cudart/cudart.h"
#include "collect/cudart/cudart_graph.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { VERSIONS = 3 };
static const char *const files[VERSIONS] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};

/* ------------------------------------------------------------------------------------------------ headers */

static const struct layout {
    const char *type;
    size_t ours, theirs[VERSIONS];
} layouts[] = {
#define LAYOUT(type, in_11, in_12, in_13) {#type, sizeof(type), {in_11, in_12, in_13}},
#define MEMBER(type, member, offset)
#include "tests/unit/cudart_layouts.def"
#undef LAYOUT
#undef MEMBER
};

static const struct {
    const char *type, *member;
    size_t ours, theirs;
} members[] = {
#define LAYOUT(type, in_11, in_12, in_13)
#define MEMBER(type, member, offset) {#type, #member, offsetof(type, member), offset},
#include "tests/unit/cudart_layouts.def"
#undef LAYOUT
#undef MEMBER
};

static size_t theirs(const char *type, int version)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (!strcmp(layouts[i].type, type))
            return layouts[i].theirs[version];
    }
    fail_msg("no row for %s", type);
    return 0;
}

/* A type that grew is in our headers as one of its versions. */
static void types_have_the_size_of_a_version(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout *const l = &layouts[i];
        if (l->ours != l->theirs[0] && l->ours != l->theirs[1] && l->ours != l->theirs[2])
            fail_msg("%s has %zu bytes, not %zu, %zu or %zu", l->type, l->ours, l->theirs[0], l->theirs[1],
                     l->theirs[2]);
    }
}

static void members_have_their_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].ours != members[i].theirs)
            fail_msg("%s.%s is at %zu, not at %zu", members[i].type, members[i].member, members[i].ours,
                     members[i].theirs);
    }
}

/* ------------------------------------------------------------------------------------------------ what is written */

enum { ROOM = 2048 };

/* A version's library, with an object of each kind that can be asked about. */
typedef struct program {
    void *library;
    void *memory;
    cudaTextureObject_t texture;
} program;

#define CALL(p, name, type, ...) ((cudaError_t(*) type)dlsym((p)->library, #name))(__VA_ARGS__)

static cudaError_t properties(const program *p, void *out)
{
    void *const newer = dlsym(p->library, "cudaGetDeviceProperties_v2"); /* what programs of CUDA 12 call */
    return newer && dlsym(p->library, "cudaBindTexture") == NULL
               ? ((cudaError_t(*)(void *, int))newer)(out, 0)
               : CALL(p, cudaGetDeviceProperties, (void *, int), out, 0);
}

static cudaError_t pointer(const program *p, void *out)
{
    return CALL(p, cudaPointerGetAttributes, (void *, const void *), out, p->memory);
}

static cudaError_t sampling(const program *p, void *out)
{
    return CALL(p, cudaGetTextureObjectTextureDesc, (void *, cudaTextureObject_t), out, p->texture);
}

static cudaError_t resource(const program *p, void *out)
{
    return CALL(p, cudaGetTextureObjectResourceDesc, (void *, cudaTextureObject_t), out, p->texture);
}

static cudaError_t view(const program *p, void *out)
{
    return CALL(p, cudaGetTextureObjectResourceViewDesc, (void *, cudaTextureObject_t), out, p->texture);
}

static const struct question {
    const char *type;       /* row that tells how many bytes the versions have */
    const char *type_of[2]; /* rows of 11 and 12 where they are others */
    cudaError_t (*ask)(const program *p, void *out);
    bool to_the_end; /* all of it is written, reserved words too */
} questions[] = {
    {"struct cudaDeviceProp", {"ws_properties_11", "ws_properties_12"}, properties, true},
    {"struct cudaPointerAttributes", {NULL}, pointer, true},
    {"struct cudaTextureDesc", {NULL}, sampling, true},
    {"struct cudaResourceDesc", {NULL}, resource, false},
    {"struct cudaResourceViewDesc", {NULL}, view, false},
};

/* How many bytes from the first on are not as they were, for two values of what they were. */
static size_t written(const program *p, cudaError_t (*ask)(const program *, void *))
{
    unsigned char room[ROOM];
    size_t most = 0;
    for (int value = 0x5a; value <= 0x5b; value++) {
        memset(room, value, sizeof room);
        assert_int_equal(ask(p, room), cudaSuccess);
        size_t n = ROOM;
        while (n && room[n - 1] == value)
            n--;
        most = n > most ? n : most;
    }
    return most;
}

static void make_objects(program *p)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
    const struct cudaTextureDesc s = {.readMode = cudaReadModeElementType};
    assert_int_equal(CALL(p, cudaMalloc, (void **, size_t), &p->memory, 1024), cudaSuccess);
    r.res.linear.devPtr = p->memory;
    r.res.linear.desc = (struct cudaChannelFormatDesc){32, 0, 0, 0, cudaChannelFormatKindFloat};
    r.res.linear.sizeInBytes = 1024;
    assert_int_equal(
        CALL(p, cudaCreateTextureObject, (void *, const void *, const void *, const void *), &p->texture, &r, &s, NULL),
        cudaSuccess);
}

static void libraries_write_what_their_version_has(void **state)
{
    (void)state;
    for (int v = 0; v < VERSIONS; v++) {
        program p = {.library = dlopen(files[v], RTLD_NOW | RTLD_LOCAL)}; /* by the run path of this program */
        assert_non_null(p.library);
        make_objects(&p);
        for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
            const struct question *const q = &questions[i];
            const char *const type = v < 2 && q->type_of[v] ? q->type_of[v] : q->type;
            const size_t bytes = written(&p, q->ask), has = theirs(type, v);
            if (bytes > has || (q->to_the_end && bytes != has))
                fail_msg("%s writes %zu bytes of %s, which has %zu", files[v], bytes, q->type, has);
        }
        CALL(&p, cudaDestroyTextureObject, (cudaTextureObject_t), p.texture);
        CALL(&p, cudaFree, (void *), p.memory);
        dlclose(p.library);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_the_size_of_a_version),
        cmocka_unit_test(members_have_their_places),
        cmocka_unit_test(libraries_write_what_their_version_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
