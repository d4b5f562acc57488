# A barrier object that is ended while others still look at it, and ended again: GPUs go on. One line a kernel says so,
# the same on any number of workers; the kernel's second launch has none. A wait that nothing can end any more is a
# deadlock as ever.
cat >ended.ptx <<'PTX'
.version 8.0
.target sm_80
.address_size 64
// Warp 0 sees the end of the phase, ends the object twice and comes back late; the other warps poll after that.
.visible .entry early(.param .u64 out)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .shared .align 8 .b64 object;
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], 96;
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd1, [object];
WAIT:
    mbarrier.try_wait.shared.b64 %p2, [object], %rd1;
    @!%p2 bra WAIT;
    @%p1 mbarrier.inval.shared.b64 [object];
    @%p1 mbarrier.inval.shared.b64 [object];
    @%p1 mbarrier.arrive.shared.b64 _, [object];
    ld.param.u64 %rd2, [out];
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r2, %r2, 96, %r1;
    mad.wide.u32 %rd2, %r2, 4, %rd2;
    st.global.u32 [%rd2], %r1;
    ret;
}
// What lies there is no object any more, or never was.
.visible .entry reused(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .shared .align 8 .b64 object;
    mbarrier.init.shared.b64 [object], 1;
    mbarrier.inval.shared.b64 [object];
    st.shared.u64 [object], 7;
    mbarrier.inval.shared.b64 [object];
    ld.shared.u32 %r1, [object];
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry endless(.param .u64 out)
{
    .reg .pred %p<2>;
    .shared .align 8 .b64 object;
    mbarrier.init.shared.b64 [object], 2;
    mbarrier.inval.shared.b64 [object];
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p1, [object], 0;
    @!%p1 bra WAIT;
    ret;
}
PTX
cat >ended.launch <<'END'
buffer out u32 384
launch early grid 4 block 96 args out
expect out[0..95] iota 0
expect out[288..383] iota 0
launch early grid 4 block 96 args out
buffer one u32 1
launch reused block 1 args one
expect one fill 7
launch endless block 1 args one
expect fault "which mbarrier.inval ended"
END
for workers in 1 3; do "$WARPSCAPE" exec -j $workers ended.ptx ended.launch 2>&1; done | sed 's/: [0-9]* warp instr.*//'
