# What an assembler makes of PTX: fewer instructions, the same results; live as from a trace. Counts are worked out in
# tests/unit/test_shape.c. vadd of 64 elements in two blocks of one warp: as PTX and as SASS, by each transformation,
# from a trace and live.
cp "$TOP/tests/golden/exec/example.ptx" .
cat >x.launch <<'END'
buffer a f32 64 iota
buffer b f32 64 fill 0.5
buffer c f32 64
launch vadd grid 2 block 32 args a b c 64
expect c iota 0.5
END
"$WARPSCAPE" exec example.ptx x.launch --trace x.wst >/dev/null 2>&1
count() { "$WARPSCAPE" sim --config gtsc "$@" 2>/dev/null |
    awk -F, '/^# shape/ { print substr($0, 3) } /^[^#]/ && $3 != "launch" { print $7 }'; }
count x.wst
count --shape x.wst
count --shape=fold x.wst
count --shape=expand,registers x.wst
count --shape example.ptx x.launch
"$WARPSCAPE" sim --config gtsc --shape example.ptx x.launch 2>&1 >/dev/null | grep passed
# A checkpoint is of one shape, and goes on to the same end.
printf 'buffer a f32 65536\nlaunch vadd grid 2048 block 32 args a a a 65536\n' >y.launch
"$WARPSCAPE" exec example.ptx y.launch --trace y.wst >/dev/null
machine=(--config gtsc --protocol gtsc-sc --set chip.sms=1)
"$WARPSCAPE" sim "${machine[@]}" --shape y.wst | grep -v '^#' >whole.csv
"$WARPSCAPE" sim "${machine[@]}" --shape --checkpoint state --every 20000 y.wst >/dev/null
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --resume y.wst 2>&1 | sed 's/;.*//'
"$WARPSCAPE" sim "${machine[@]}" --shape --checkpoint state --resume y.wst | grep -v '^#' | cmp - whole.csv &&
    echo 'the same'
# Accesses are those of PTX, in whatever order; loads find what the memory model lets them find.
# Loads of fragments from shared memory have several parts.
pick() { "$WARPSCAPE" sim --config gtsc --check "${@:2}" z.wst |
    awk -F, -v name="$1" '/^#/ { next } !at { for (at = NF; $at != name; at--) ; next } { print $at }'; }
for kernel in flow_nested matrix_mma; do
    "$WARPSCAPE" exec "$TOP/tests/kernels/$kernel.ptx" "$TOP/tests/kernels/$kernel.launch" --trace z.wst >/dev/null
    for shape in fold all; do
        for column in l1_accesses l2_accesses shared_cycles; do
            cmp <(pick $column) <(pick $column --shape=$shape) && echo "$column: the same"
        done
    done
done
# A branch over one instruction, taken by all lanes of block 0, by half of those of block 1, by none of block 2; four
# loads in a row, of which only those of block 0 begin at a multiple of 16. Steps of warps: PTX, guarded (one less where
# the branch is not taken by all, and the addition also where it is), joined (three less in block 0).
cat >w.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<2>; .reg .b32 %r<16>; .reg .b64 %rd<4>; .shared .align 16 .b8 s[256];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mul.lo.u32 %r3, %r2, 16; setp.ge.u32 %p1, %r1, %r3;
mul.lo.u32 %r4, %r1, 4; mov.u32 %r5, s; add.u32 %r6, %r4, %r5; st.shared.u32 [%r6], %r1; st.shared.u32 [%r6+128], %r1;
mul.lo.u32 %r7, %r2, 4; add.u32 %r8, %r7, %r5; bar.sync 0;
@%p1 bra L;
add.u32 %r1, %r1, 1000;
L:
ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [%r8+4]; ld.shared.u32 %r11, [%r8+8]; ld.shared.u32 %r12, [%r8+12];
add.u32 %r1, %r1, %r9; add.u32 %r1, %r1, %r10; add.u32 %r1, %r1, %r11; add.u32 %r1, %r1, %r12;
ld.param.u64 %rd1, [p]; mad.lo.u32 %r13, %r2, 32, %r4; mad.lo.u32 %r13, %r2, 96, %r13; cvt.u64.u32 %rd2, %r13; add.u64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r1; ret;
}
END
printf 'buffer o u32 96\nlaunch k grid 3 block 32 args o\nprint o[0..95]\n' >w.launch
"$WARPSCAPE" exec w.ptx w.launch >values
lanes() { "$WARPSCAPE" sim --config gtsc "$@" w.ptx w.launch 2>w.err |
    awk -F, '/^[^#]/ && $3 != "launch" { print $7, $8 }'; }
lanes
for shape in predicate vector all; do
    echo $shape; lanes --shape=$shape
    diff <(grep '^o' values) <(grep '^o' w.err) && echo 'the same values'
done
# What is refused.
"$WARPSCAPE" sim --shape=folding x.wst 2>&1 | head -1
"$WARPSCAPE" sim --set registers.file=differential --shape example.ptx x.launch 2>&1 | grep values
MALLOC_PERTURB_=165 "$WARPSCAPE" sim --shape "$TOP/tests/data/trace-1.wst" 2>&1 | sed 's/kernel [^:]*:/kernel ...:/'
