# A replay gives the metrics of the run, with any number of workers; what a broken file still gives.
cp "$TOP/tests/golden/exec/example.ptx" .
cat >x.launch <<'END'
buffer a f32 64 random -1 1 seed 3
buffer c f32 64
launch vadd grid 2 block 32 args a a c 64
launch vadd grid 1 block 64 args a c c 50
expect c[0..1] = 0 0 within 9
END
"$WARPSCAPE" exec x.ptx x.launch --trace x.wst --values
"$WARPSCAPE" exec example.ptx x.launch --db live.db --trace x.wst --values
"$WARPSCAPE" replay x.wst
"$WARPSCAPE" replay --check x.wst --db one.db -j 1
"$WARPSCAPE" replay x.wst --db three.db -j 3
for db in live one three; do "$WARPSCAPE" metrics --db $db.db --per launch --set all | grep -v '^#' |
    sed 's/^example//' >$db.csv; done
wc -l <live.csv
cmp live.csv one.csv && cmp live.csv three.csv && echo 'the same'
echo 'without the end'
head -c -200 x.wst >cut.wst
"$WARPSCAPE" replay cut.wst --db cut.db
echo "exit status $?"
"$WARPSCAPE" metrics --set study --db cut.db --per launch | grep -v '^#' | cut -d, -f1-5
"$WARPSCAPE" replay cut.wst --db cut.db --partial
echo "exit status $?"
"$WARPSCAPE" metrics --set study --db cut.db --per launch | grep -v '^#' | cut -d, -f1-5
echo 'without values'
"$WARPSCAPE" exec example.ptx x.launch --trace y.wst >y.txt
"$WARPSCAPE" replay y.wst --db y.db
"$WARPSCAPE" metrics --db y.db --per launch --set all | grep -v '^#' | sed 's/^example//' | cut -d, -f1-140 >y.csv
cut -d, -f1-140 live.csv | cmp - y.csv && echo 'the same'
