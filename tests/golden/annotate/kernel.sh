# What a kernel looks like with -lineinfo: a function inlined at a line, another at a line of that, instructions without
# a line, and a file that is elsewhere, has changed, is too short, or was never there.
mkdir -p src/deep
cat >src/sums.cu <<'END'
// sums of columns
__device__ float square(float x)
{
    return x * x;
}
__global__ void sums(const float *a, float *out, int n)
{
    const int column = threadIdx.x;
    if (column < 40)
        out[column] = square(a[column * n]);
    tile[column] = tile[2 * column];
}
END
printf '// nothing\n' >src/deep/load.cuh
cat >sums.ptx <<'END'
.version 7.2
.target sm_70
.address_size 64
.visible .entry sums(.param .u64 a, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .reg .f32 %f<4>;
    .shared .align 4 .b8 tile[1024];
    .loc 1 6 0
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [n];
    .loc 1 8 5
    mov.u32 %r2, %tid.x;
    .loc 1 9 5
    setp.ge.u32 %p1, %r2, 40;
@%p1 bra $done;
    .loc 1 10 9
    mul.lo.u32 %r3, %r2, %r1;      // column * n
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd4, %rd1, %rd3;
    .loc 1 10 23
    .loc 2 3 1, function_name $L__load, inlined_at 1 10 23
    ld.global.f32 %f1, [%rd4];
    .loc 1 4 14, function_name $L__square + 4, inlined_at 2 3 1
    mul.f32 %f2,
        %f1, %f1;
    .loc 1 10 9
    mul.wide.u32 %rd5, %r2, 4;
    add.u64 %rd6, %rd2, %rd5;
    st.global.f32 [%rd6], %f2;
    .loc 1 0 0
$done:
    shl.b32 %r4, %r2, 2;
    .loc 1 11 5
    mov.u32 %r5, tile;
    shl.b32 %r7, %r2, 3;
    add.u32 %r6, %r5, %r7;
    ld.shared.u32 %r8, [%r6];
    .loc 1 12 1
    ret;
}
.file 1 "src/sums.cu"
.file 2 "src/deep" "load.cuh"
.section .debug_str
{
$L__load:
.b8 95,90,52,108,111,97,100,80,75,102
.b8 0
$L__square:
.b8 46,46,46,0
.b8 95,90,54,115,113,117,97,114,101,102,0
}
END
cat >sums.launch <<'END'
buffer a f32 4096 fill 2
buffer out f32 64
launch sums grid 2 block 64 args a out 64
launch sums grid 1 block 64 args a out 64
expect out[0..39] fill 4
END
"$WARPSCAPE" exec --lines --db x.db sums.ptx sums.launch
"$WARPSCAPE" annotate --db x.db
"$WARPSCAPE" annotate --db x.db --ptx SUMS '^su'
echo '--- as frames'
"$WARPSCAPE" annotate --db x.db --format csv . sums | grep -v '^#'
"$WARPSCAPE" annotate --db x.db --format csv --ptx | grep -v '^#' | cut -d, -f3-8 | head -12
echo '--- changed, moved, gone'
echo >>src/sums.cu
"$WARPSCAPE" annotate --db x.db | head -4
mkdir elsewhere
mv src/sums.cu elsewhere
"$WARPSCAPE" annotate --db x.db | head -8
"$WARPSCAPE" annotate --db x.db --source elsewhere | head -4
"$WARPSCAPE" exec --lines --db y.db sums.ptx sums.launch
mv elsewhere/sums.cu src
"$WARPSCAPE" annotate --db y.db | head -3
