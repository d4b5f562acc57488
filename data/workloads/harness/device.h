/* device.h - what device code of the built-in workloads may use: CUDA's keywords, indices and intrinsics, for clang
 * alone.
 *
 * Compiled with `clang -x cuda -nocudainc -nocudalib`, so neither the CUDA toolkit nor its headers are needed. What
 * maps to one PTX instruction is a clang builtin here; accurate exp, log, sin ... come from libclc, whose OpenCL
 * builtins have the names that a C++ compiler gives to the declarations below. `make ptx` has the whole command. */
#ifndef WS_DEVICE_H
#define WS_DEVICE_H

#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __host__               __attribute__((host))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__        inline __attribute__((always_inline))
#define __noinline__           __attribute__((noinline))
#define KERNEL                 extern "C" __global__ void /* kernels keep their plain names in results */
#define DEVICE                 static __device__ __forceinline__

typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long long ulong64;

/* threadIdx.x and the like: reading a member reads the special register. */
#define WS_INDEX(type, reg) \
    struct type { \
        __declspec(property(get = get_x)) uint x; \
        __declspec(property(get = get_y)) uint y; \
        __declspec(property(get = get_z)) uint z; \
        DEVICE uint get_x() \
        { \
            return __nvvm_read_ptx_sreg_##reg##_x(); \
        } \
        DEVICE uint get_y() \
        { \
            return __nvvm_read_ptx_sreg_##reg##_y(); \
        } \
        DEVICE uint get_z() \
        { \
            return __nvvm_read_ptx_sreg_##reg##_z(); \
        } \
    }
WS_INDEX(ws_thread_index, tid);
WS_INDEX(ws_block_index, ctaid);
WS_INDEX(ws_block_size, ntid);
WS_INDEX(ws_grid_size, nctaid);
extern const __device__ __attribute__((weak)) ws_thread_index threadIdx;
extern const __device__ __attribute__((weak)) ws_block_index blockIdx;
extern const __device__ __attribute__((weak)) ws_block_size blockDim;
extern const __device__ __attribute__((weak)) ws_grid_size gridDim;
enum { warpSize = 32 };

/* Order and barriers; __syncthreads() is known to clang. */
DEVICE void __threadfence()
{
    __nvvm_membar_gl();
}
DEVICE void __threadfence_block()
{
    __nvvm_membar_cta();
}
DEVICE void __syncwarp(uint mask = 0xffffffffu)
{
    __nvvm_bar_warp_sync(mask);
}
DEVICE int __syncthreads_count(int p)
{
    return __nvvm_bar0_popc(p);
}
DEVICE int __syncthreads_and(int p)
{
    return __nvvm_bar0_and(p);
}
DEVICE int __syncthreads_or(int p)
{
    return __nvvm_bar0_or(p);
}

/* Atomics. */
DEVICE int atomicAdd(int *p, int v)
{
    return __nvvm_atom_add_gen_i(p, v);
}
DEVICE uint atomicAdd(uint *p, uint v)
{
    return __nvvm_atom_add_gen_i((int *)p, (int)v);
}
DEVICE ulong64 atomicAdd(ulong64 *p, ulong64 v)
{
    return __nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
DEVICE float atomicAdd(float *p, float v)
{
    return __nvvm_atom_add_gen_f(p, v);
}
DEVICE int atomicExch(int *p, int v)
{
    return __nvvm_atom_xchg_gen_i(p, v);
}
DEVICE int atomicMin(int *p, int v)
{
    return __nvvm_atom_min_gen_i(p, v);
}
DEVICE int atomicMax(int *p, int v)
{
    return __nvvm_atom_max_gen_i(p, v);
}
DEVICE int atomicAnd(int *p, int v)
{
    return __nvvm_atom_and_gen_i(p, v);
}
DEVICE int atomicOr(int *p, int v)
{
    return __nvvm_atom_or_gen_i(p, v);
}
DEVICE int atomicCAS(int *p, int expected, int v)
{
    return __nvvm_atom_cas_gen_i(p, expected, v);
}

/* Atomics whose old value nobody wants: `red`, as a GPU's compiler makes of the above when the result is not used and
 * clang does not. */
DEVICE void reduceAdd(int *p, int v)
{
    asm volatile("red.add.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
DEVICE void reduceAdd(float *p, float v)
{
    asm volatile("red.add.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
DEVICE void reduceMin(int *p, int v)
{
    asm volatile("red.min.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
DEVICE void reduceOr(uint *p, uint v)
{
    asm volatile("red.or.b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
DEVICE void reduceMax(int *p, int v)
{
    asm volatile("red.max.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

/* Lanes of a warp. */
DEVICE int __shfl_sync(uint m, int v, int lane)
{
    return __nvvm_shfl_sync_idx_i32(m, v, lane, 31);
}
DEVICE int __shfl_up_sync(uint m, int v, int delta)
{
    return __nvvm_shfl_sync_up_i32(m, v, delta, 0);
}
DEVICE int __shfl_down_sync(uint m, int v, int delta)
{
    return __nvvm_shfl_sync_down_i32(m, v, delta, 31);
}
DEVICE int __shfl_xor_sync(uint m, int v, int bits)
{
    return __nvvm_shfl_sync_bfly_i32(m, v, bits, 31);
}
DEVICE float __shfl_down_sync(uint m, float v, int delta)
{
    return __nvvm_shfl_sync_down_f32(m, v, delta, 31);
}
DEVICE float __shfl_xor_sync(uint m, float v, int bits)
{
    return __nvvm_shfl_sync_bfly_f32(m, v, bits, 31);
}
DEVICE uint __ballot_sync(uint m, int p)
{
    return __nvvm_vote_ballot_sync(m, p);
}
DEVICE int __any_sync(uint m, int p)
{
    return __nvvm_vote_any_sync(m, p);
}
DEVICE int __all_sync(uint m, int p)
{
    return __nvvm_vote_all_sync(m, p);
}
DEVICE int __popc(uint v)
{
    return __builtin_popcount(v);
}

/* Integers. */
DEVICE int min(int a, int b)
{
    return a < b ? a : b;
}
DEVICE int max(int a, int b)
{
    return a > b ? a : b;
}

/* Floats: one PTX instruction each. Those that begin with __ are approximate. */
DEVICE float sqrtf(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
DEVICE double sqrt(double x)
{
    return __nvvm_sqrt_rn_d(x);
}
DEVICE float fabsf(float x)
{
    return __nvvm_fabs_f(x);
}
DEVICE float floorf(float x)
{
    return __nvvm_floor_f(x);
}
DEVICE float ceilf(float x)
{
    return __nvvm_ceil_f(x);
}
DEVICE float fminf(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
DEVICE float fmaxf(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
DEVICE float fmaf(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
DEVICE double fma(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}
DEVICE float rsqrtf(float x)
{
    return __nvvm_rsqrt_approx_f(x);
}
DEVICE float __fdividef(float a, float b)
{
    return __nvvm_div_approx_f(a, b);
}
DEVICE float __sinf(float x)
{
    return __nvvm_sin_approx_f(x);
}
DEVICE float __cosf(float x)
{
    return __nvvm_cos_approx_f(x);
}
DEVICE float __expf(float x)
{
    return __nvvm_ex2_approx_f(x * 1.4426950408889634f);
}
DEVICE float __logf(float x)
{
    return __nvvm_lg2_approx_f(x) * 0.6931471805599453f;
}

/* Accurate ones, from libclc. */
#define WS_CLC1(name) \
    __device__ float name(float); \
    __device__ double name(double); \
    DEVICE float name##f(float x) \
    { \
        return name(x); \
    }
#define WS_CLC2(name) \
    __device__ float name(float, float); \
    __device__ double name(double, double); \
    DEVICE float name##f(float x, float y) \
    { \
        return name(x, y); \
    }
WS_CLC1(exp)
WS_CLC1(log)
WS_CLC1(sin)
WS_CLC1(cos)
WS_CLC1(tan)
WS_CLC1(tanh)
WS_CLC1(erf)
WS_CLC2(pow)
WS_CLC2(fmod)

/* Textures. A texture object is a kernel parameter of type `texture`; the host makes it with harness_texture_linear
 * or harness_texture_array.
 *
 *     tex1d_fetch_T(t, i)           texel number i of linear memory, outside of it zero
 *     tex1d_T(t, x)                 arrays, at coordinates that are floats; filtered and wrapped, clamped ...
 *     tex2d_T(t, x, y)              as the host asked for. Texel (i, j) of a texture that is not normalized
 *     tex3d_T(t, x, y, z)           is met at (i + 0.5, j + 0.5), and point filtering takes floor(x), floor(y).
 *
 * T is f32, s32 or u32 for the first channel and f32x4, s32x4 or u32x4 for all; channels that the texels lack are 0,
 * and the last of the four is 1. f32 is for float texels and for those read as normalized floats; integer texels of
 * 8, 16 and 32 bits are read as s32 or u32, by their sign. */
typedef ulong64 texture;
struct f32x4 {
    float x, y, z, w;
};
struct s32x4 {
    int x, y, z, w;
};
struct u32x4 {
    uint x, y, z, w;
};
#define WS_TEXTURE_READ(name, form, type, letter, parameters, place, ...) \
    DEVICE type##x4 name##_##type##x4 parameters \
    { \
        type##x4 v; \
        asm("tex." form " {%0, %1, %2, %3}, [%4, " place "];" \
            : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w) \
            : "l"(t), __VA_ARGS__); \
        return v; \
    } \
    DEVICE decltype(type##x4::x) name##_##type parameters
#define WS_TEXTURE_READS(type, letter) \
    WS_TEXTURE_READ(tex1d_fetch, "1d.v4." #type ".s32", type, letter, (texture t, int i), "{%5}", "r"(i)) \
    { \
        return tex1d_fetch_##type##x4(t, i).x; \
    } \
    WS_TEXTURE_READ(tex1d, "1d.v4." #type ".f32", type, letter, (texture t, float x), "{%5}", "f"(x)) \
    { \
        return tex1d_##type##x4(t, x).x; \
    } \
    WS_TEXTURE_READ(tex2d, "2d.v4." #type ".f32", type, letter, (texture t, float x, float y), "{%5, %6}", "f"(x), \
                    "f"(y)) \
    { \
        return tex2d_##type##x4(t, x, y).x; \
    } \
    WS_TEXTURE_READ(tex3d, "3d.v4." #type ".f32", type, letter, (texture t, float x, float y, float z), \
                    "{%5, %6, %7, %7}", "f"(x), "f"(y), "f"(z)) \
    { \
        return tex3d_##type##x4(t, x, y, z).x; \
    }
WS_TEXTURE_READS(f32, "f")
WS_TEXTURE_READS(s32, "r")
WS_TEXTURE_READS(u32, "r")

#endif
