/* harness.c - the part of a built-in workload that is the same in all of them. */
#include "harness.h"

#include <argp.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WRONG = 1, EXIT_MISUSE = 2, MOST_SIZES = 20 };

/* A growing list of what the harness has to free: host pointers and device addresses. */
typedef struct owned {
    uint64_t *item;
    size_t n, room;
} owned;

struct harness {
    const harness_workload *workload;
    harness_scale scale;
    unsigned long seed, repeat;
    long size[MOST_SIZES];        /* by row of the workload's table, where */
    bool chosen[MOST_SIZES];      /* it is not that of the scale; */
    const char *path[MOST_SIZES]; /* a file in place of the number, or NULL */
    gsl_rng *rng;
    CUdevice device;
    CUmodule module;
    owned host, on_device, texture, array;
};

static const char *const scale_name[] = {[HARNESS_TINY] = "tiny", [HARNESS_SMALL] = "small", [HARNESS_STUDY] = "study"};

/* ------------------------------------------------------------------------------------------------ ends */

static _Noreturn void die(const harness *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

static _Noreturn void end(const harness *h, int status, const char *format, va_list args)
{
    fprintf(stderr, "%s: ", h->workload->abbr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(status);
}

static _Noreturn void die(const harness *h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end(h, EXIT_WRONG, format, args);
}

void harness_refuse(harness *h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end(h, EXIT_MISUSE, format, args);
}

void harness_wrong(harness *h, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    die(h, "wrong result: %s", text);
}

void harness_try(harness *h, CUresult result, const char *call)
{
    const char *name = NULL, *text = NULL;
    if (result == CUDA_SUCCESS)
        return;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || cuGetErrorString(result, &text) != CUDA_SUCCESS)
        die(h, "%s failed with code %d", call, (int)result);
    die(h, "%s: %s (%s)", call, name, text);
}

/* ------------------------------------------------------------------------------------------------ memory */

static void own(harness *h, owned *list, uint64_t item)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        uint64_t *const item_new = realloc(list->item, list->room * sizeof *item_new);
        if (!item_new)
            die(h, "out of memory");
        list->item = item_new;
    }
    list->item[list->n++] = item;
}

void *harness_host(harness *h, size_t count, size_t size)
{
    void *const p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        die(h, "out of memory: an array of %zu elements of %zu bytes", count, size);
    own(h, &h->host, (uintptr_t)p);
    return p;
}

CUdeviceptr harness_device(harness *h, size_t bytes)
{
    CUdeviceptr address = 0;
    HARNESS_TRY(h, cuMemAlloc(&address, bytes));
    own(h, &h->on_device, address);
    return address;
}

CUdeviceptr harness_upload(harness *h, const void *from, size_t bytes)
{
    const CUdeviceptr address = harness_device(h, bytes);
    harness_write(h, address, from, bytes);
    return address;
}

void harness_write(harness *h, CUdeviceptr to, const void *from, size_t bytes)
{
    HARNESS_TRY(h, cuMemcpyHtoD(to, from, bytes));
}

void harness_download(harness *h, void *to, CUdeviceptr from, size_t bytes)
{
    HARNESS_TRY(h, cuMemcpyDtoH(to, from, bytes));
}

/* ------------------------------------------------------------------------------------------------ textures */

static CUtexObject make_texture(harness *h, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling)
{
    CUtexObject texture = 0;
    HARNESS_TRY(h, cuTexObjectCreate(&texture, resource, sampling, NULL));
    own(h, &h->texture, texture);
    return texture;
}

static CUDA_TEXTURE_DESC sampling_of(const harness_texture *form)
{
    return (CUDA_TEXTURE_DESC){
        .addressMode = {form->address, form->address, form->address}, .filterMode = form->filter, .flags = form->flags};
}

static size_t texel_bytes(const harness *h, CUarray_format format, unsigned channels)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return channels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return (size_t)2 * channels;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return (size_t)4 * channels;
    default:
        die(h, "a texture of format %d", (int)format);
    }
}

CUtexObject harness_texture_linear(harness *h, CUdeviceptr at, CUarray_format format, unsigned channels, size_t texels)
{
    const CUDA_RESOURCE_DESC resource = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {at, format, channels, texels * texel_bytes(h, format, channels)}};
    const CUDA_TEXTURE_DESC sampling = {.flags = CU_TRSF_READ_AS_INTEGER};
    return make_texture(h, &resource, &sampling);
}

CUtexObject harness_texture_array(harness *h, const harness_texture *form, const void *texels)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUarray *const array = &resource.res.array.hArray;
    const CUDA_ARRAY3D_DESCRIPTOR shape = {form->width, form->height, form->depth, form->format, form->channels, 0};
    const size_t row = form->width * texel_bytes(h, form->format, form->channels);
    HARNESS_TRY(h, cuArray3DCreate(array, &shape));
    own(h, &h->array, (uintptr_t)*array);
    const CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                .srcHost = texels,
                                .srcPitch = row,
                                .srcHeight = form->height,
                                .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                .dstArray = *array,
                                .WidthInBytes = row,
                                .Height = form->height ? form->height : 1,
                                .Depth = form->depth ? form->depth : 1};
    HARNESS_TRY(h, cuMemcpy3D(&copy));
    const CUDA_TEXTURE_DESC sampling = sampling_of(form);
    return make_texture(h, &resource, &sampling);
}

/* ------------------------------------------------------------------------------------------------ input */

harness_scale harness_get_scale(const harness *h)
{
    return h->scale;
}

long harness_pick(const harness *h, long tiny, long small, long study)
{
    return h->scale == HARNESS_TINY ? tiny : h->scale == HARNESS_SMALL ? small : study;
}

static const harness_size *size_at(const harness *h, size_t i)
{
    const harness_size *const table = h->workload->sizes;
    return table && i < MOST_SIZES && table[i].name ? &table[i] : NULL;
}

static size_t find_size(const harness *h, const char *name)
{
    for (size_t i = 0; size_at(h, i); i++)
        if (!strcmp(size_at(h, i)->name, name))
            return i;
    die(h, "no size is called %s", name);
}

long harness_get_size(const harness *h, const char *name)
{
    const size_t i = find_size(h, name);
    return h->chosen[i] && !h->path[i] ? h->size[i] : size_at(h, i)->scale[h->scale];
}

const char *harness_get_file(const harness *h, const char *name)
{
    return h->path[find_size(h, name)];
}

bool harness_chose_size(const harness *h, const char *name)
{
    for (size_t i = 0; size_at(h, i); i++)
        if (!strcmp(size_at(h, i)->name, name))
            return h->chosen[i];
    return false;
}

long harness_most_of_size(const harness *h, const char *name)
{
    return size_at(h, find_size(h, name))->most;
}

double harness_uniform(harness *h, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(h->rng);
}

unsigned harness_integer(harness *h, unsigned n)
{
    return (unsigned)gsl_rng_uniform_int(h->rng, n);
}

float *harness_random_floats(harness *h, size_t n, double low, double high)
{
    float *const a = harness_host(h, n, sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = (float)harness_uniform(h, low, high);
    return a;
}

int *harness_random_ints(harness *h, size_t n, int low, int high)
{
    int *const a = harness_host(h, n, sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = low + (int)harness_integer(h, (unsigned)(high - low) + 1);
    return a;
}

/* ------------------------------------------------------------------------------------------------ device code */

CUfunction harness_kernel(harness *h, const char *name)
{
    CUfunction kernel = NULL;
    const CUresult result = cuModuleGetFunction(&kernel, h->module, name);
    if (result != CUDA_SUCCESS) {
        char call[160];
        snprintf(call, sizeof call, "cuModuleGetFunction(\"%s\")", name);
        harness_try(h, result, call);
    }
    return kernel;
}

CUdeviceptr harness_symbol(harness *h, const char *name, size_t bytes)
{
    CUdeviceptr address = 0;
    size_t has = 0;
    HARNESS_TRY(h, cuModuleGetGlobal(&address, &has, h->module, name));
    if (has != bytes)
        die(h, "device variable %s has %zu bytes where the host code expects %zu", name, has, bytes);
    return address;
}

void harness_launch(harness *h, CUfunction kernel, harness_dim grid, harness_dim block, unsigned shared_bytes,
                    void **params)
{
    const CUresult result =
        cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, NULL, params, NULL);
    harness_try(h, result, "cuLaunchKernel");
    harness_try(h, cuCtxSynchronize(), "the kernel that cuLaunchKernel started"); /* on hardware it fails here */
}

/* ------------------------------------------------------------------------------------------------ checks */

void harness_check_floats(harness *h, const char *what, const float *got, const float *want, size_t n, double relative,
                          double absolute)
{
    for (size_t i = 0; i < n; i++) {
        const double allowed = relative * fabs((double)want[i]) + absolute;
        if (!(fabs((double)got[i] - (double)want[i]) <= allowed)) {
            harness_wrong(h, "%s[%zu] is %.9g where the CPU has %.9g (tolerance %.3g)", what, i, (double)got[i],
                          (double)want[i], allowed);
        }
    }
}

void harness_check_doubles(harness *h, const char *what, const double *got, const double *want, size_t n,
                           double relative, double absolute)
{
    for (size_t i = 0; i < n; i++) {
        const double allowed = relative * fabs(want[i]) + absolute;
        if (!(fabs(got[i] - want[i]) <= allowed))
            harness_wrong(h, "%s[%zu] is %.17g where the CPU has %.17g (tolerance %.3g)", what, i, got[i], want[i],
                          allowed);
    }
}

void harness_check_ints(harness *h, const char *what, const int *got, const int *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (got[i] != want[i])
            harness_wrong(h, "%s[%zu] is %d where the CPU has %d", what, i, got[i], want[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ program */

static unsigned long read_number(const struct argp_state *state, const char *what, const char *text,
                                 unsigned long least)
{
    char *end = NULL;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || errno || text[0] == '-' || value < least)
        argp_error(state, "%s '%s' is not a whole number from %lu on", what, text, least);
    return value;
}

static void list_names(const harness *h, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; size_at(h, i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", size_at(h, i)->name);
}

/* NAME=N, by the row of that name. */
static void read_size(const struct argp_state *state, const char *text)
{
    harness *const h = state->input;
    const size_t length = strcspn(text, "=");
    size_t i = 0;
    while (size_at(h, i) && (strlen(size_at(h, i)->name) != length || strncmp(size_at(h, i)->name, text, length) != 0))
        i++;
    const harness_size *const size = size_at(h, i);
    if (!size_at(h, 0))
        argp_error(state, "it has no sizes by name; --scale chooses");
    if (!size || text[length] != '=') {
        char names[512];
        list_names(h, names, sizeof names);
        argp_error(state, "size '%s': expected NAME=N with one of %s", text, names);
    } else if (size->step == HARNESS_OR_FILE && strspn(text + length + 1, "0123456789") != strlen(text + length + 1)) {
        h->path[i] = text + length + 1;
        h->chosen[i] = true;
    } else {
        const unsigned long value = read_number(state, size->name, text + length + 1, (unsigned long)size->least);
        const unsigned long step = size->step == HARNESS_OR_FILE ? 1 : (unsigned long)size->step;
        if (value > (unsigned long)size->most || value % step)
            argp_error(state, "size '%s': expected a multiple of %lu from %ld to %ld", text, step, size->least,
                       size->most);
        h->size[i] = (long)value;
        h->path[i] = NULL;
        h->chosen[i] = true;
    }
}

static char *list_sizes(int key, const char *text, void *input)
{
    const harness *const h = input;
    if (key != ARGP_KEY_HELP_POST_DOC || !h || !size_at(h, 0))
        return (char *)(uintptr_t)text;
    char *list = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&list, &bytes);
    if (!out)
        return NULL;
    fputs("Sizes (tiny, small, study):\n", out);
    for (size_t i = 0; size_at(h, i); i++) {
        const harness_size *const s = size_at(h, i);
        fprintf(out, "  %-10s %s, %ld to %ld (%ld, %ld, %ld)\n", s->name, s->meaning, s->least, s->most,
                s->scale[HARNESS_TINY], s->scale[HARNESS_SMALL], s->scale[HARNESS_STUDY]);
    }
    return fclose(out) ? NULL : list;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    harness *const h = state->input;
    switch (key) {
    case 'c':
        for (size_t i = 0; i < sizeof scale_name / sizeof *scale_name; i++) {
            if (strcmp(arg, scale_name[i]) == 0) {
                h->scale = (harness_scale)i;
                return 0;
            }
        }
        argp_error(state, "unknown scale '%s': use tiny, small or study", arg);
        return EINVAL;
    case 's':
        h->seed = read_number(state, "seed", arg, 0);
        return 0;
    case 'r':
        h->repeat = read_number(state, "repeat", arg, 1);
        return 0;
    case 'z':
        for (char *rest = arg, *one; (one = strsep(&rest, ","));)
            read_size(state, one);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", arg);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void open_device(harness *h)
{
    CUcontext context = NULL;
    HARNESS_TRY(h, cuInit(0));
    HARNESS_TRY(h, cuDeviceGet(&h->device, 0));
    HARNESS_TRY(h, cuDevicePrimaryCtxRetain(&context, h->device));
    HARNESS_TRY(h, cuCtxSetCurrent(context));
    HARNESS_TRY(h, cuModuleLoadData(&h->module, h->workload->ptx));
}

static void close_device(harness *h)
{
    for (size_t i = h->texture.n; i-- > 0;)
        HARNESS_TRY(h, cuTexObjectDestroy(h->texture.item[i]));
    for (size_t i = h->array.n; i-- > 0;)
        HARNESS_TRY(h, cuArrayDestroy((CUarray)(uintptr_t)h->array.item[i]));
    for (size_t i = h->on_device.n; i-- > 0;)
        HARNESS_TRY(h, cuMemFree(h->on_device.item[i]));
    HARNESS_TRY(h, cuModuleUnload(h->module));
    HARNESS_TRY(h, cuDevicePrimaryCtxRelease(h->device));
}

static void free_host(harness *h)
{
    for (size_t i = 0; i < h->host.n; i++)
        free((void *)(uintptr_t)h->host.item[i]);
    free(h->host.item);
    free(h->on_device.item);
    free(h->texture.item);
    free(h->array.item);
    h->host = h->on_device = h->texture = h->array = (owned){0};
}

/* One input, on a device that nothing is left on. */
static void run_once(harness *h, unsigned long seed)
{
    gsl_rng_set(h->rng, seed);
    open_device(h);
    h->workload->run(h);
    close_device(h);
    free_host(h);
}

int harness_main(int argc, char **argv, const harness_workload *workload)
{
    static const struct argp_option option[] = {
        {"scale", 'c', "tiny|small|study", 0, "size of the input [small]", 0},
        {"seed", 's', "N", 0, "seed of the input [1]", 0},
        {"size", 'z', "NAME=N,...", 0, "other sizes than those of the scale, by names that stand below [none]", 0},
        {"repeat", 'r', "N", 0,
         "run so many inputs, with this seed and the ones behind it: a program of many launches [1]", 0},
        {0},
    };
    const struct argp argp = {
        option, parse_option, NULL, "A built-in workload: makes its input, runs its kernels, checks the result.\v",
        NULL,   list_sizes,   NULL};
    harness h = {.workload = workload, .scale = HARNESS_SMALL, .seed = 1, .repeat = 1};
    argp_err_exit_status = EXIT_MISUSE;
    argp_parse(&argp, argc, argv, 0, NULL, &h);
    h.rng = gsl_rng_alloc(gsl_rng_taus2);
    if (!h.rng)
        die(&h, "out of memory");
    for (unsigned long i = 0; i < h.repeat; i++)
        run_once(&h, h.seed + i);
    gsl_rng_free(h.rng);
    printf("%s %s", workload->abbr, scale_name[h.scale]);
    for (size_t i = 0; size_at(&h, i); i++)
        if (h.path[i])
            printf(" %s=%s", size_at(&h, i)->name, h.path[i]);
        else if (h.chosen[i])
            printf(" %s=%ld", size_at(&h, i)->name, h.size[i]);
    printf(" seed %lu: right result\n", h.seed);
    return 0;
}
