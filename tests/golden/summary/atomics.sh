# Atomics on shared memory: different words of one bank, and the same word; copies by lane have neither. Padding is for
# the transpose.
cat >atomics.ptx <<'END'
.version 7.2
.target sm_70
.address_size 64
.file 1 "/home/a/atomics.cu"
.visible .entry random_bins()
{
    .reg .b32 %r<8>;
    .shared .align 4 .b8 counter[1024];
    .loc 1 3 1
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r1, %r2, 256, %r1;
    mul.lo.u32 %r1, %r1, 2654435761;
    shr.u32 %r3, %r1, 15; xor.b32 %r1, %r1, %r3;
    mul.lo.u32 %r1, %r1, 2246822507;
    shr.u32 %r3, %r1, 13; xor.b32 %r1, %r1, %r3;
    and.b32 %r1, %r1, 255;
    shl.b32 %r1, %r1, 2;
    mov.u32 %r4, counter; add.u32 %r4, %r4, %r1;
    .loc 1 5 9
    red.shared.add.u32 [%r4], 1;
    ret;
}
.visible .entry bins_by_lane()
{
    .reg .b32 %r<8>;
    .shared .align 4 .b8 counter[32768];
    .loc 1 13 1
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r1, %r2, 256, %r1;
    and.b32 %r5, %r1, 31;
    mul.lo.u32 %r1, %r1, 2654435761;
    shr.u32 %r3, %r1, 15; xor.b32 %r1, %r1, %r3;
    mul.lo.u32 %r1, %r1, 2246822507;
    shr.u32 %r3, %r1, 13; xor.b32 %r1, %r1, %r3;
    and.b32 %r1, %r1, 255;
    mad.lo.u32 %r1, %r1, 32, %r5;
    shl.b32 %r1, %r1, 2;
    mov.u32 %r4, counter; add.u32 %r4, %r4, %r1;
    .loc 1 15 9
    red.shared.add.u32 [%r4], 1;
    ret;
}
.visible .entry two_bins(.param .u64 a)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    .shared .align 4 .b8 counter[8];
    .loc 1 23 1
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, %tid.x;
    and.b32 %r1, %r1, 1;
    shl.b32 %r1, %r1, 2;
    mov.u32 %r4, counter; add.u32 %r4, %r4, %r1;
    .loc 1 25 9
    red.shared.add.u32 [%r4], 1;
    .loc 1 26 9
    red.global.add.u32 [%rd1], 1;
    ret;
}
.visible .entry transpose()
{
    .reg .b32 %r<8>;
    .shared .align 4 .b8 tile[4096];
    .loc 1 33 1
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 31;
    shr.u32 %r3, %r1, 5;
    mad.lo.u32 %r2, %r2, 32, %r3;
    shl.b32 %r2, %r2, 2;
    mov.u32 %r4, tile; add.u32 %r4, %r4, %r2;
    .loc 1 35 9
    st.shared.u32 [%r4], %r1;
    ret;
}
END
printf 'buffer a u32 1\n' >atomics.launch
for kernel in random_bins bins_by_lane transpose; do
    echo "launch $kernel grid 160 block 256"
done >>atomics.launch
echo 'launch two_bins grid 160 block 256 args a' >>atomics.launch
"$WARPSCAPE" exec --lines --db x.db atomics.ptx atomics.launch
"$WARPSCAPE" summary --db x.db
"$WARPSCAPE" explain atomic_bank_conflicts bank_conflicts shared_atomics
