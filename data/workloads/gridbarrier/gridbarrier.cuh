/* gridbarrier.cuh - the kernel of gridbarrier.cu: NAME( kernel ) is what it is called, OWN which G-SRB it has. */
KERNEL NAME(gridbarrier)(int *word, uint *data, sync_use *use, sync_shape s, int episodes, int critical, int moves)
{
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int e = 0; e < episodes; e++) {
        const uint owner = (blockIdx.x + (uint)(moves * e)) % gridDim.x;
        uint *const at = data + (ulong64)owner * critical * blockDim.x + threadIdx.x;
#pragma unroll 1
        for (int i = 0; i < critical; i++)
            at[i * blockDim.x] = 5 * at[i * blockDim.x] + blockIdx.x + e;
        sync_wait(&barrier, &own);
    }
    sync_keep(use, own, began);
}
