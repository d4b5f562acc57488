# A run that is interrupted goes on from its checkpoint and ends as if nothing had happened; so does one that ended.
printf 'buffer a f32 65536\nlaunch vadd grid 2048 block 32 args a a a 65536\nlaunch vadd grid 512 block 32 args a a a 9999\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
machine=(--config gtsc --protocol gtsc-sc --set chip.sms=1)
columns() { grep -v '^#' "$1"; }
"$WARPSCAPE" sim "${machine[@]}" x.wst >whole.csv
cut -d, -f1-4 <(columns whole.csv)
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --every 1 x.wst >first.csv 2>first.err &
run=$!
while [ ! -e state ]; do kill -0 $run 2>/dev/null || break; sleep 0.01; done
kill -INT $run 2>/dev/null
wait $run
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --resume x.wst >second.csv
cmp <(columns whole.csv) <(columns second.csv) && echo 'the same'
# A place that cannot be written is told before the run begins, which has no rows then; one where there is no room ends it.
"$WARPSCAPE" sim "${machine[@]}" --checkpoint nowhere/state x.wst >nowhere.csv || echo "status $?, $(wc -l <nowhere.csv) lines"
(ulimit -f 1; "$WARPSCAPE" sim "${machine[@]}" --checkpoint full --every 1 x.wst | cat) | grep -v '^#' | cut -d, -f1-4
# A limit counts from the start of the launch.
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --resume --max-cycles 1 x.wst >limit.csv
# Damage anywhere, another machine, another trace.
cp state bad
printf x | dd of=bad bs=1 seek=$(($(wc -c <bad) / 2)) conv=notrunc 2>/dev/null
"$WARPSCAPE" sim "${machine[@]}" --checkpoint bad --resume x.wst
head -c 1000 state >bad
"$WARPSCAPE" sim "${machine[@]}" --checkpoint bad --resume x.wst
"$WARPSCAPE" sim "${machine[@]}" --set l1.ways=2 --checkpoint state --resume x.wst
printf 'buffer a f32 64\nlaunch vadd grid 2 block 32 args a a a 64\n' >y.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" y.launch --trace y.wst >/dev/null
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --resume y.wst
# Notes on the kernels are those of a run without a checkpoint, also when it went on from one.
for how in '' '--checkpoint labelled --every 1' '--checkpoint labelled --resume'; do
    "$WARPSCAPE" sim "${machine[@]}" --set sm.commutative=/vadd/ $how x.wst | grep '^# sm'
done
