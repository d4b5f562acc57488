# What an assembler makes of PTX: fewer instructions, the same results; live as from a trace. Counts are worked out in tests/unit/test_shape.c.
# vadd of 64 elements in two blocks of one warp: as PTX and as SASS, by each transformation, from a trace and live.
cp "$TOP/tests/golden/exec/example.ptx" .
cat >x.launch <<'END'
buffer a f32 64 iota
buffer b f32 64 fill 0.5
buffer c f32 64
launch vadd grid 2 block 32 args a b c 64
expect c iota 0.5
END
"$WARPSCAPE" exec example.ptx x.launch --trace x.wst >/dev/null 2>&1
count() { "$WARPSCAPE" sim --config gtsc "$@" 2>/dev/null | awk -F, '/^# shape/ { print substr($0, 3) } /^[^#]/ && $3 != "launch" { print $7 }'; }
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
"$WARPSCAPE" sim "${machine[@]}" --shape --checkpoint state --resume y.wst | grep -v '^#' | cmp - whole.csv && echo 'the same'
# Accesses are those of PTX, in whatever order; loads find what the memory model lets them find.
"$WARPSCAPE" exec "$TOP/tests/kernels/flow_nested.ptx" "$TOP/tests/kernels/flow_nested.launch" --trace z.wst >/dev/null
for shape in fold all; do
    for column in l1_accesses l2_accesses; do
        pick() { "$WARPSCAPE" sim --config gtsc --check "$@" z.wst | awk -F, -v name=$column '/^#/ { next } !at { for (at = NF; $at != name; at--) ; next } { print $at }'; }
        cmp <(pick) <(pick --shape=$shape) && echo "$column: the same"
    done
done
# What is refused.
"$WARPSCAPE" sim --shape=folding x.wst 2>&1 | head -1
"$WARPSCAPE" sim --set registers.file=differential --shape example.ptx x.launch 2>&1 | grep values
"$WARPSCAPE" sim --shape "$TOP/tests/data/trace-1.wst" 2>&1 | sed 's/kernel [^:]*:/kernel ...:/'
