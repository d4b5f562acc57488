# Lines of the source text where the PTX has them, both of a pair once whoever came first; what is inlined says where
# from. Lanes on their way out are not waited for.
cat >race.ptx <<'P'
.version 7.0
.target sm_75
.address_size 64
.visible .entry turn(.param .u64 pa)
{
    .reg .b64 %a<4>;
    .reg .b32 %r<6>;
    .shared .align 4 .b32 s[64];
    ld.param.u64 %a1, [pa];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, s;
    add.u32 %r2, %r2, %r3;
    .loc 1 28 5
    st.shared.u32 [%r2], %r1;
    xor.b32 %r4, %r1, 32;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r4, %r3;
    .loc 1 31 9
    ld.shared.u32 %r5, [%r4];
    mul.wide.u32 %a2, %r1, 4;
    add.u64 %a3, %a1, %a2;
    st.global.u32 [%a3], %r5;
    ret;
}
.visible .entry part(.param .u64 pa)
{
    .reg .pred %p;
    .reg .b32 %r<3>;
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p, %r1, 16;
    .loc 1 40 3
    @%p bar.sync 0;
    ret;
}
.visible .entry leaves(.param .u64 pa)
{
    .reg .pred %p;
    .reg .b32 %r<3>;
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p, %r1, 16;
    .loc 1 60 3
    @%p bra On;
    bra.uni Early;
Early:
    bra.uni End;
On:
    bar.sync 0;
    bra.uni End;
End:
    ret;
}
.visible .entry own(.param .u64 pa)
{
    .local .align 4 .b8 depot[16];
    .reg .b64 %a<3>;
    .reg .b32 %r<4>;
    ld.param.u64 %a1, [pa];
    .loc 1 50 3
    ld.local.u32 %r1, [depot+4];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%a1], %r1;
    ret;
}
.file 1 "/home/somebody/src/race.cu"
P
printf '%s\n' 'buffer a u32 64' 'launch turn block 64 args a' 'launch turn block 64 args a' \
    'launch part block 32 args a' 'launch leaves block 32 args a' 'launch own block 1 args a' >race.launch
for list in race,init,sync race sync init; do
    "$WARPSCAPE" exec --check $list race.ptx race.launch 2>&1 | grep -v ^launch
    echo "exit status ${PIPESTATUS[0]}"
done
"$WARPSCAPE" exec --check init --check-exit 0 race.ptx race.launch >/dev/null 2>&1
echo "exit status $?"
"$WARPSCAPE" exec --check leak race.ptx race.launch 2>&1 | head -n 1
"$WARPSCAPE" exec --check race --interleave 1 race.ptx race.launch 2>&1 | head -n 1
"$WARPSCAPE" exec --check-exit 1 race.ptx race.launch 2>&1 | head -n 1
"$WARPSCAPE" exec --check rac race.ptx race.launch 2>&1 | head -n 1
# A kernel's fault is a finding of every check, and so is an impossible launch; a limit of ours is none.
cat >outside.ptx <<'P'
.version 7.0
.target sm_75
.address_size 64
.visible .entry outside(.param .u64 pa)
{
    .reg .b64 %a;
    ld.param.u64 %a, [pa];
    st.global.u32 [%a+16], 1;
    ret;
}
P
printf 'buffer a u32 4\nlaunch outside args a\n' >outside.launch
"$WARPSCAPE" exec --check race,sync outside.ptx outside.launch 2>&1 || echo "exit status $?"
printf 'buffer a u32 4\nlaunch outside block 2048 args a\n' >impossible.launch
"$WARPSCAPE" exec --check sync outside.ptx impossible.launch 2>&1 || echo "exit status $?"
printf 'buffer a u32 64\nlaunch leaves block 32 args a\n' >leaves.launch
"$WARPSCAPE" exec --check sync --max-instructions 1 race.ptx leaves.launch 2>&1 || echo "exit status $?"
