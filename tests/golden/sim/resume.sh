# A run that is interrupted goes on from its checkpoint and ends as if nothing had happened; so does one that ended.
printf '%s\n' 'buffer a f32 65536' 'launch vadd grid 2048 block 32 args a a a 65536' \
    'launch vadd grid 512 block 32 args a a a 9999' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
machine=(--config gtsc --protocol gtsc-sc --set chip.sms=1)
columns() { grep -v '^#' "$1"; }
"$WARPSCAPE" sim "${machine[@]}" x.wst >whole.csv
cut -d, -f1-4 <(columns whole.csv)
# in the middle of the first launch
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --every 1 --max-cycles 60000 x.wst >first.csv
cut -d, -f1-4 <(columns first.csv)
"$WARPSCAPE" sim "${machine[@]}" --checkpoint state --resume x.wst >second.csv
cmp <(columns whole.csv) <(columns second.csv) && echo 'the same'
# Ctrl-C leaves a checkpoint in the middle of a launch that takes a hundred times as long as its first checkpoint.
printf 'buffer a f32 1024\nlaunch vadd grid 262144 block 32 args a a a 1024\n' >long.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" long.launch --trace long.wst >/dev/null
set -m # a process group of its own, where SIGINT is not ignored
"$WARPSCAPE" sim "${machine[@]}" --checkpoint long --every 1 long.wst >long.csv 2>long.err &
until [ -e long ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
{
    kill -INT $!
    wait $!
} 2>/dev/null
echo "status $?"
set +m
sed 's/[0-9][0-9]*/N/g' long.err
cut -d, -f1-4 <(columns long.csv)
"$WARPSCAPE" sim "${machine[@]}" --checkpoint long --resume --max-cycles 1 long.wst | cut -d, -f1-4 | grep '^example'
# A place that cannot be written is told before the run begins, which has no rows then; one where there is no room ends
# it.
"$WARPSCAPE" sim "${machine[@]}" --checkpoint nowhere/state x.wst >nowhere.csv ||
    echo "status $?, $(wc -l <nowhere.csv) lines"
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
