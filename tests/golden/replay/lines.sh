# Lines of the source are the same from a live run and from its trace: as text, as frames, under each line its
# instructions, and in what summary says; also what stood in the files when the program ran. A file of an older format
# says that it has none.
mkdir -p src/deep
cat >src/sums.cu <<'CU'
// sums of columns
__device__ float square(float x)
{
    return x * x;
}
__global__ void sums(const float *a, float *out, int n)
{
    out[threadIdx.x] = square(a[threadIdx.x * n]);
}
CU
printf '// nothing\n' >src/deep/load.cuh
cat >sums.ptx <<'PTX'
.version 7.2
.target sm_70
.address_size 64
.visible .entry sums(.param .u64 a, .param .u64 out, .param .u32 n)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<7>;
    .reg .f32 %f<4>;
    .loc 1 6 0
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [n];
    .loc 1 8 9
    mov.u32 %r2, %tid.x;
    mul.lo.u32 %r3, %r2, %r1;      // column * n
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd4, %rd1, %rd3;
    .loc 1 8 24
    .loc 2 1 1, function_name $L__load, inlined_at 1 8 24
    ld.global.f32 %f1, [%rd4];
    .loc 1 4 14, function_name $L__square, inlined_at 2 1 1
    mul.f32 %f2, %f1, %f1;
    .loc 1 0 0
    mul.wide.u32 %rd5, %r2, 4;
    add.u64 %rd6, %rd2, %rd5;
    .loc 1 8 9
    st.global.f32 [%rd6], %f2;
    ret;
}
.visible .entry bare(.param .u64 out)
{
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], 7;
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
.b8 95,90,54,115,113,117,97,114,101,102,0
}
PTX
cat >sums.launch <<LAUNCH
buffer a f32 4096 fill 2
buffer out f32 64
launch sums grid 2 block 64 args a out 64
launch bare grid 1 block 32 args out
launch sums grid 1 block 64 args a out 64
LAUNCH
"$WARPSCAPE" exec --lines --db live.db --trace sums.wst sums.ptx sums.launch >/dev/null
"$WARPSCAPE" exec --trace only.wst sums.ptx sums.launch >/dev/null
cmp sums.wst only.wst && echo 'the same trace, whoever else listens'
"$WARPSCAPE" replay sums.wst --lines --db replayed.db -j 2
"$WARPSCAPE" replay sums.wst --check-events >/dev/null && echo 'events as promised'
all() {
    "$WARPSCAPE" annotate --db "$1"
    "$WARPSCAPE" annotate --db "$1" --ptx
    "$WARPSCAPE" annotate --db "$1" --format csv | grep -v '^#'
    "$WARPSCAPE" annotate --db "$1" --format csv --ptx | grep -v '^#'
    "$WARPSCAPE" summary --db "$1"
}
all live.db >live.txt
all replayed.db >replayed.txt
diff live.txt replayed.txt && echo 'the same lines'
"$WARPSCAPE" annotate --db replayed.db . sums
echo '--- the file has changed since the program ran, not since the replay'
echo >>src/sums.cu
"$WARPSCAPE" replay sums.wst --lines --db later.db
all live.db >live.txt
all later.db >later.txt
diff live.txt later.txt && echo 'the same words'
"$WARPSCAPE" annotate --db later.db . sums | sed -n 2,3p
echo '--- older formats'
"$WARPSCAPE" replay "$TOP/tests/data/trace-3.wst" --lines --db old.db 2>&1 | sed "s|$TOP/||"
"$WARPSCAPE" annotate --db old.db | head -4
