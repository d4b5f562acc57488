# Races of an unrolled loop without lines of the source are one finding, which names the lines of all its pairs; other
# races on the same array stay apart: two alike, of another index, in a later step at the same address, of another
# opcode. With lines each is told by them.
text() { # text [LOC...]: the kernel, with these before its steps
    cat <<P
.version 7.0
.target sm_75
.address_size 64
.visible .entry steps(.param .u64 pa)
{
    .reg .b32 %r<20>;
    .shared .align 4 .b32 s[512];
    mov.u32 %r1, %tid.x;
    mov.u32 %r9, s;
    shl.b32 %r2, %r1, 2;
    add.u32 %r2, %r9, %r2;
    xor.b32 %r3, %r1, 32;
    mad.lo.u32 %r4, %r3, 4, %r9;
    add.u32 %r10, %r3, 128;
    mad.lo.u32 %r11, %r10, 4, %r9;
    $1
    st.shared.u32 [%r2], %r1;
    st.shared.u32 [%r2+256], %r1;
    st.shared.u32 [%r2+512], %r1;
    $2
    ld.shared.u32 %r5, [%r4];
    ld.shared.u32 %r5, [%r4+256];
    ld.shared.u32 %r5, [%r11];
    bar.sync 0;
    $3
    st.shared.u32 [%r2], %r3;
    $4
    mul.lo.u32 %r6, %r3, 8;
    add.u32 %r6, %r6, %r9;
    ld.shared.u32 %r5, [%r6];
    bar.sync 0;
    st.shared.u32 [%r2+256], %r3;
    ld.shared.u32 %r5, [%r4+256];
    bar.sync 0;
    $5
    st.shared.u32 [%r2], 7;
    st.shared.u32 [%r2+1024], 7;
    $6
    ld.shared.u16 %r5, [%r4];
    ld.shared.u16 %r5, [%r4+1024];
    ret;
}
P
}
text >unrolled.ptx
printf 'buffer a u32 4\nlaunch steps block 64 args a\n' >steps.launch
$WARPSCAPE exec --check race unrolled.ptx steps.launch 2>&1
echo "exit status $?"
sed 's/  $//' <<'L' >/dev/null
L
{ text '.loc 1 10 1' '.loc 1 11 1' '.loc 1 20 1' '.loc 1 21 1' '.loc 1 30 1' '.loc 1 31 1'
    echo '.file 1 "steps.cu"'; } >lines.ptx
$WARPSCAPE exec --check race lines.ptx steps.launch 2>&1
echo "exit status $?"
