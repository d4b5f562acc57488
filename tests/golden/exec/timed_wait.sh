# A wait of 100 ms for a phase that never ends: time goes on while nobody can do anything, and the wait ends with false.
# One that asks no clock is a deadlock, and said to be.
cat >wait.launch <<'END'
buffer timed u32 64
launch spin_time block 64 limit 10000000 args timed u64 100000000
expect timed fill 1
launch spin_ever block 64 limit 100000000 args timed
expect fault "mbarrier deadlock"
END
{
    cat "$TOP/tests/kernels/spin_phase.ptx"
    cat <<'END'
.visible .entry spin_ever(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .shared .align 8 .b64 object;
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], 64;
    bar.sync 0;
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p1, [object], 0;
    @!%p1 bra WAIT;
    ret;
}
END
} >wait.ptx
"$WARPSCAPE" exec wait.ptx wait.launch | sed 's/: [0-9]* warp instr.*//; s/wait.ptx:[0-9]*/wait.ptx:LINE/'
