/* harness.h - what every built-in workload shares: options, seeded input, device calls that report, result checks.
 *
 * A workload is one program: host code NAME.c, device code NAME.ptx carried inside it. It writes one function that gets
 * a harness, makes its input, launches its kernels and compares the result with a CPU reference:
 *
 *     static void run(harness *h)
 *     {
 *         const long n = harness_pick(h, 1024, 65536, 1048576);                     // --scale
 *         float *a = harness_random_floats(h, n, -1, 1);                            // --seed
 *         float *got = harness_host(h, n, sizeof *got);
 *         float *want = harness_host(h, n, sizeof *want);
 *         CUdeviceptr d_a = harness_upload(h, a, n * sizeof *a);
 *         CUdeviceptr d_b = harness_device(h, n * sizeof *got);
 *         CUfunction twice = harness_kernel(h, "twice");
 *         HARNESS_LAUNCH(h, twice, HARNESS_DIM(n / 256), HARNESS_DIM(256), 0, &d_a, &d_b);
 *         harness_download(h, got, d_b, n * sizeof *got);
 *         ...
 *         harness_check_floats(h, "b", got, want, n, 1e-6, 0);
 *     }
 *     HARNESS_WORKLOAD("TW", "data/workloads/twice/twice.ptx", run)
 *
 * Only the documented driver API is used, so the same sources build against the vendor's cuda.h and libcuda.
 * Everything the harness hands out belongs to it and is freed at the end. No call returns a failure: a CUDA error or a
 * wrong result ends the program with one line on stderr and exit status 1; wrong options with status 2. */
#ifndef WS_HARNESS_H
#define WS_HARNESS_H

#include <cuda.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct harness harness;

typedef enum harness_scale { HARNESS_TINY, HARNESS_SMALL, HARNESS_STUDY, HARNESS_SCALES } harness_scale;

/* A named size of the input. --size NAME=N selects a multiple of `step` within least..most, the range that the workload
 * and its check support; the default is the value of --scale. If the step is HARNESS_OR_FILE, each number in the range
 * is valid, and --size NAME=FILE is also accepted: text that is not a number is a path. A table ends with a row without
 * a name. */
typedef struct harness_size {
    const char *name, *meaning;
    long scale[HARNESS_SCALES], least, most, step;
} harness_size;

enum { HARNESS_OR_FILE };

typedef struct harness_workload {
    const char *abbr;
    const char *ptx; /* text of the module, ends with NUL */
    void (*run)(harness *h);
    const harness_size *sizes; /* NULL: those of --scale alone */
} harness_workload;

/* Puts the PTX file (path from the repository's root) into the program and defines main(). */
#define HARNESS_WORKLOAD(name, ptx_path, function) HARNESS_WORKLOAD_OF(name, ptx_path, function, NULL)
#define HARNESS_WORKLOAD_OF(name, ptx_path, function, size_table) \
    __asm__(".pushsection .rodata\n" \
            ".balign 16\n" \
            "harness_ptx_text:\n" \
            ".incbin \"" ptx_path "\"\n" \
            ".byte 0\n" \
            ".popsection\n"); \
    extern const char harness_ptx_text[] __attribute__((visibility("hidden"))); \
    int main(int argc, char **argv) \
    { \
        const harness_workload workload = { \
            .abbr = (name), .ptx = harness_ptx_text, .run = (function), .sizes = (size_table)}; \
        return harness_main(argc, argv, &workload); \
    }

/* Reads the options, opens device and module, runs the workload, prints "ABBR scale seed N: right result", with the
 * sizes that were chosen behind the scale. */
int harness_main(int argc, char **argv, const harness_workload *workload);

/* --scale: the value for the scale of this run. */
harness_scale harness_get_scale(const harness *h);
long harness_pick(const harness *h, long tiny, long small, long study);
/* Values of a row of the workload's size table: the number by --size or --scale; the path given by --size, or NULL; the
 * maximum; whether --size gives it (false also without such a row). */
long harness_get_size(const harness *h, const char *name);
const char *harness_get_file(const harness *h, const char *name);
long harness_most_of_size(const harness *h, const char *name);
bool harness_chose_size(const harness *h, const char *name);

/* Ends the program with status 2 and "ABBR: ..." when sizes that are good by themselves do not go together. */
_Noreturn void harness_refuse(harness *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Random numbers, a function of --seed alone (GSL's taus2). uniform: [low, high); integer: 0 .. n-1. */
double harness_uniform(harness *h, double low, double high);
unsigned harness_integer(harness *h, unsigned n);

/* Host arrays, zeroed or random. */
void *harness_host(harness *h, size_t count, size_t size);
float *harness_random_floats(harness *h, size_t n, double low, double high);
int *harness_random_ints(harness *h, size_t n, int low, int high); /* low .. high, both included */

/* Device arrays: fresh, or a copy of host data; and copies into and out of existing ones. */
CUdeviceptr harness_device(harness *h, size_t bytes);
CUdeviceptr harness_upload(harness *h, const void *from, size_t bytes);
void harness_write(harness *h, CUdeviceptr to, const void *from, size_t bytes);
void harness_download(harness *h, void *to, CUdeviceptr from, size_t bytes);

/* Two arrays change places, as between steps. */
static inline void harness_swap(CUdeviceptr *a, CUdeviceptr *b)
{
    const CUdeviceptr was = *a;
    *a = *b;
    *b = was;
}

/* A kernel, and the address of a __device__ or __constant__ variable that has this many bytes. */
CUfunction harness_kernel(harness *h, const char *name);
CUdeviceptr harness_symbol(harness *h, const char *name, size_t bytes);

/* Textures; the kernel gets the CUtexObject as a parameter of device.h's type `texture`.
 *
 * linear: `texels` texels of device memory, for tex1d_fetch_*. The memory stays the workload's and may be written
 * between launches. array: a copy of the texels in a CUDA array of one dimension (height 0), two (depth 0) or three. */
typedef struct harness_texture {
    CUarray_format format; /* CU_AD_FORMAT_FLOAT ... of one channel */
    unsigned channels;     /* 1, 2 or 4 */
    size_t width, height, depth;
    CUaddress_mode address; /* in all dimensions: CU_TR_ADDRESS_MODE_WRAP (value 0), _CLAMP, _MIRROR, _BORDER */
    CUfilter_mode filter;   /* CU_TR_FILTER_MODE_POINT (value 0) or _LINEAR */
    unsigned flags;         /* CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES; without the first, integers of
                             * 8 and 16 bits are read as floats from 0 or -1 to 1 */
} harness_texture;

CUtexObject harness_texture_linear(harness *h, CUdeviceptr at, CUarray_format format, unsigned channels, size_t texels);
CUtexObject harness_texture_array(harness *h, const harness_texture *form, const void *texels);

typedef struct harness_dim {
    unsigned x, y, z;
} harness_dim;

#define HARNESS_DIM_3(x, y, z, ...) ((harness_dim){(unsigned)(x), (unsigned)(y), (unsigned)(z)})
#define HARNESS_DIM(...)            HARNESS_DIM_3(__VA_ARGS__, 1, 1, 1) /* one to three extents */

/* Launches and waits; the arguments are the addresses of the kernel's parameters, in their order. */
void harness_launch(harness *h, CUfunction kernel, harness_dim grid, harness_dim block, unsigned shared_bytes,
                    void **params);
#define HARNESS_LAUNCH(h, kernel, grid, block, shared_bytes, ...) \
    harness_launch(h, kernel, grid, block, shared_bytes, (void *[]){__VA_ARGS__})

/* Compares with the CPU reference and ends the program at the first element that differs. Floats, doubles: right when
 * |got - want| <= relative * |want| + absolute; NaN is always wrong. */
void harness_check_floats(harness *h, const char *what, const float *got, const float *want, size_t n, double relative,
                          double absolute);
void harness_check_doubles(harness *h, const char *what, const double *got, const double *want, size_t n,
                           double relative, double absolute);
void harness_check_ints(harness *h, const char *what, const int *got, const int *want, size_t n);

/* Ends the program: "ABBR: wrong result: ..." when the result is wrong, HARNESS_TRY for calls of the driver API. */
_Noreturn void harness_wrong(harness *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void harness_try(harness *h, CUresult result, const char *call);
#define HARNESS_TRY(h, call) harness_try(h, call, #call)

#endif
