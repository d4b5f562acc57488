/* copies.cu - rows, boxes, arrays, textures and surfaces. */
#include "tests/cuda/cuda_test.h"

KERNEL(fetch, (float *out, cudaTextureObject_t t, int width, int height), {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(t, (float)x + 1.0f, (float)y + 0.5f);
})
KERNEL(fetch_linear, (float *out, cudaTextureObject_t t, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(t, i + 1);
})
KERNEL(paint, (cudaSurfaceObject_t s, int width, int height), {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(x + 100 * y, s, x * (int)sizeof(int), y);
})

enum { W = 20, H = 12, D = 3 };

static void rows(void)
{
    unsigned char a[H][W], b[H][2 * W];
    char *d;
    size_t pitch = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            a[y][x] = (unsigned char)(y * W + x);
    memset(b, 0, sizeof b);
    CHECK(cudaMallocPitch((void **)&d, &pitch, W, H));
    EXPECT(pitch >= W && pitch % 32 == 0);
    CHECK(cudaMemset2D(d, pitch, 0xee, W, H));
    CHECK(cudaMemcpy2D(d + pitch, pitch, a, W, W, H - 1, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(b, 2 * W, d, pitch, W, H, cudaMemcpyDefault));
    for (int x = 0; x < W; x++) {
        EXPECT(b[0][x] == 0xee && b[1][x] == a[0][x] && b[H - 1][x] == a[H - 2][x]);
        EXPECT(b[0][W + x] == 0);
    }
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, pitch, a, W - 1, W, H, cudaMemcpyHostToDevice));
    cudaGetLastError();
    CHECK(cudaFree(d));
}

static struct cudaExtent extent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e;
    e.width = w;
    e.height = h;
    e.depth = d;
    return e;
}

static void boxes(void)
{
    static int a[D][H][W], b[D][H][W];
    struct cudaPitchedPtr p;
    struct cudaMemcpy3DParms copy;
    for (int i = 0; i < D * H * W; i++)
        ((int *)a)[i] = i;
    CHECK(cudaMalloc3D(&p, extent(W * sizeof(int), H, D)));
    CHECK(cudaMemset3D(p, 1, extent(W * sizeof(int), H, D)));
    memset(&copy, 0, sizeof copy);
    copy.srcPtr.ptr = a;
    copy.srcPtr.pitch = W * sizeof(int);
    copy.srcPtr.xsize = W;
    copy.srcPtr.ysize = H;
    copy.dstPtr = p;
    copy.dstPos.x = 2 * sizeof(int);
    copy.dstPos.z = 1;
    copy.extent = extent((W - 2) * sizeof(int), H, D - 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = p;
    copy.dstPtr.ptr = b;
    copy.dstPtr.pitch = W * sizeof(int);
    copy.dstPtr.xsize = W;
    copy.dstPtr.ysize = H;
    copy.extent = extent(W * sizeof(int), H, D);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                EXPECT(b[z][y][x] == (z && x >= 2 ? a[z - 1][y][x - 2] : 0x01010101));
    /* Sizes that wrap. */
    GIVES(cudaErrorInvalidValue, cudaMemset3D(p, 1, extent(W * sizeof(int), H, (size_t)-1)));
    CHECK(cudaMemset3D(p, 1, extent(W * sizeof(int), 0, (size_t)-1)));
    cudaGetLastError();
    CHECK(cudaFree(p.ptr));
}

static void boxes_of_arrays_that_wrap(void)
{
    static int a[H][W];
    cudaArray_t array;
    struct cudaMemcpy3DParms copy;
    const struct cudaChannelFormatDesc form = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    CHECK(cudaMallocArray(&array, &form, W, H, 0));
    memset(&copy, 0, sizeof copy);
    copy.srcPtr.ptr = a;
    copy.srcPtr.pitch = W * sizeof(int);
    copy.srcPtr.xsize = W;
    copy.srcPtr.ysize = H;
    copy.dstArray = array;
    copy.extent = extent((size_t)1 << 62, H, 1); /* elements, of four bytes */
    copy.kind = cudaMemcpyHostToDevice;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
    copy.extent = extent(W, H, 1);
    copy.dstPos.x = (size_t)1 << 62;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
    cudaGetLastError();
    CHECK(cudaFreeArray(array));
}

static void arrays_and_textures(void)
{
    float a[H][W], out[H][W], *d;
    cudaArray_t array;
    cudaTextureObject_t t;
    struct cudaResourceDesc r;
    struct cudaTextureDesc s;
    const struct cudaChannelFormatDesc form = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    struct cudaChannelFormatDesc asked;
    struct cudaExtent size;
    unsigned int flags = 9;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            a[y][x] = (float)(10 * y + x);
    CHECK(cudaMallocArray(&array, &form, W, H, 0));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, a, sizeof a[0], sizeof a[0], H, cudaMemcpyHostToDevice));
    CHECK(cudaArrayGetInfo(&asked, &size, &flags, array));
    EXPECT(asked.x == 32 && asked.y == 0 && asked.f == cudaChannelFormatKindFloat);
    EXPECT(size.width == W && size.height == H && size.depth == 0 && flags == 0);
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    memset(&s, 0, sizeof s);
    s.addressMode[0] = s.addressMode[1] = cudaAddressModeClamp;
    s.filterMode = cudaFilterModeLinear; /* half a texel on: the mean of two */
    CHECK(cudaCreateTextureObject(&t, &r, &s, NULL));
    CHECK(cudaMalloc((void **)&d, sizeof out));
    LAUNCH(fetch, D3(3, 2, 1), D3(8, 8, 1), 0, 0)(d, t, W, H);
    CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            EXPECT(out[y][x] == (x == W - 1 ? a[y][x] : (a[y][x] + a[y][x + 1]) / 2));
    CHECK(cudaGetTextureObjectTextureDesc(&s, t));
    EXPECT(s.filterMode == cudaFilterModeLinear && s.addressMode[1] == cudaAddressModeClamp && !s.normalizedCoords);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(array));

    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.desc = form;
    r.res.linear.sizeInBytes = sizeof out;
    memset(&s, 0, sizeof s);
    CHECK(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaCreateTextureObject(&t, &r, &s, NULL));
    float *e;
    CHECK(cudaMalloc((void **)&e, sizeof out));
    LAUNCH(fetch_linear, D3(1, 1, 1), D3(W * H, 1, 1), 0, 0)(e, t, W * H);
    CHECK(cudaMemcpy(out, e, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        EXPECT(((float *)out)[i] == (i + 1 < W * H ? ((float *)a)[i + 1] : 0));
    CHECK(cudaDestroyTextureObject(t));
    GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
    cudaGetLastError();
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
}

static void surfaces(void)
{
    int out[H][W], part[W + 5];
    cudaArray_t array;
    cudaSurfaceObject_t s;
    struct cudaResourceDesc r;
    const struct cudaChannelFormatDesc form = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    CHECK(cudaMallocArray(&array, &form, W, H, cudaArraySurfaceLoadStore));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    LAUNCH(paint, D3(3, 2, 1), D3(8, 8, 1), 0, 0)(s, W, H);
    CHECK(cudaMemcpy2DFromArray(out, sizeof out[0], array, 0, 0, sizeof out[0], H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            EXPECT(out[y][x] == x + 100 * y);
    CHECK(cudaMemcpyFromArray(part, array, 3 * sizeof(int), 2, sizeof part, cudaMemcpyDeviceToHost)); /* over a row's end */
    for (int i = 0; i < W + 5; i++)
        EXPECT(part[i] == (i + 3) % W + 100 * (2 + (i + 3) / W));
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(array));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
    const struct cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, W, H, 0));
}

int main(void)
{
    rows();
    boxes();
    boxes_of_arrays_that_wrap();
    arrays_and_textures();
    surfaces();
    puts("PASS");
    return 0;
}
