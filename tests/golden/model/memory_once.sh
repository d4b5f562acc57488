# Registers that a warp writes once, by hand: r1 is written 5 times, p1 4 times, r2, r3 and the rd once each. Slots do not
# count: r3 may have that of r1. From the live run and from a trace.
cat >once.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry once(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    mov.u32 %r1, 0;
again:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 bra again;
    mov.u32 %r2, %tid.x;
    add.u32 %r3, %r2, %r1;
    ld.param.u64 %rd1, [out];
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}
END
cat >once.launch <<'END'
buffer out u32 64
launch once grid 2 block 32 args out
expect out[0..1] = 4 5
END
$WARPSCAPE exec once.ptx once.launch --profile --db p.db --trace once.wst --values >/dev/null 2>&1 || echo "it does not run"
once() { # once FILE: 5 of 14 writes
    $WARPSCAPE model memory -d "$1" | awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { printf "%.9f %s\n", $at["registers_written_once"], $at["shared_written_once"] }'
}
once p.db
$WARPSCAPE replay --profile --db r.db once.wst >/dev/null 2>&1
once r.db
