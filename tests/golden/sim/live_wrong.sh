# What is not as expected ends in exit status 1; the rows are there.
cp "$TOP/tests/golden/exec/example.ptx" .
cat >x.launch <<'END'
buffer a f32 32 iota
buffer c f32 32
launch vadd block 32 args a a c 32
expect c iota 0 3
END
"$WARPSCAPE" sim example.ptx x.launch >x.csv
status=$?
grep -v '^#' x.csv | cut -d, -f1-4
exit $status
