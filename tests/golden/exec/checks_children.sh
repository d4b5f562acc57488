# Kernels that kernels launch are checked as others are, also while the one that launched them waits for them, and that
# one goes on to be checked behind that. What is not looked for, races of the two, is said with how many launches it
# was.
cat >family.ptx <<'P'
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) cudaGetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 grid[12],
    .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 r) cudaLaunchDeviceV2 (.param .b64 buffer, .param .b64 stream);
.extern .func (.param .b32 r) cudaDeviceSynchronize ();
.visible .entry swap(.param .u64 pa)
{
    .reg .b64 %a<4>;
    .reg .b32 %r<6>;
    .shared .align 4 .b32 s[64];
    ld.param.u64 %a1, [pa];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, s;
    add.u32 %r2, %r2, %r3;
    .loc 1 11 5
    st.shared.u32 [%r2], %r1;
    xor.b32 %r4, %r1, 32;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r4, %r3;
    .loc 1 12 5
    ld.shared.u32 %r5, [%r4];
    mul.wide.u32 %a2, %r1, 4;
    add.u64 %a3, %a1, %a2;
    st.global.u32 [%a3], %r5;
    ret;
}
.func launch_swap(.param .b64 at)
{
    .reg .b64 %rd<4>;
    .param .b64 f8;
    .param .b64 s8;
    .param .b64 r8;
    .param .b32 k4;
    .param .b32 r4;
    .param .align 4 .b8 g12[12];
    .param .align 4 .b8 t12[12];
    ld.param.u64 %rd1, [at];
    mov.u64 %rd2, swap;
    st.param.b64 [f8], %rd2;
    st.param.b32 [g12], 1;
    st.param.b32 [g12+4], 1;
    st.param.b32 [g12+8], 1;
    st.param.b32 [t12], 64;
    st.param.b32 [t12+4], 1;
    st.param.b32 [t12+8], 1;
    st.param.b32 [k4], 0;
    call (r8), cudaGetParameterBufferV2, (f8, g12, t12, k4);
    ld.param.b64 %rd3, [r8];
    st.u64 [%rd3], %rd1;
    st.param.b64 [f8], %rd3;
    st.param.b64 [s8], 0;
    call (r4), cudaLaunchDeviceV2, (f8, s8);
    ret;
}
// Thread 0 launches swap twice and, when told to, waits; then each warp stores to the same word. One more swap follows.
.visible .entry parent(.param .u64 out, .param .u32 waits)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    .reg .pred %p;
    .param .b64 a8;
    .param .b32 r4;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [waits];
    mov.u32 %r2, %tid.x;
    setp.ne.u32 %p, %r2, 0;
    @%p bra READY;
    st.param.b64 [a8], %rd1;
    call launch_swap, (a8);
    st.param.b64 [a8], %rd1;
    call launch_swap, (a8);
    setp.eq.u32 %p, %r1, 0;
    @%p bra READY;
    call (r4), cudaDeviceSynchronize, ();
    st.param.b64 [a8], %rd1;
    call launch_swap, (a8);
READY:
    .loc 1 20 3
    st.global.u32 [%rd1+256], %r2;
    ret;
}
.file 1 "family.cu"
P
printf '%s\n' 'buffer a u32 65' 'launch parent block 64 args a 0' 'launch parent block 64 args a 1' \
    'launch parent block 64 args a 1' >family.launch
"$WARPSCAPE" exec --check race family.ptx family.launch 2>&1
echo "exit status $?"
"$WARPSCAPE" exec --check sync family.ptx family.launch 2>&1
