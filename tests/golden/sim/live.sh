# A launch file live: its report on stderr, a row for each launch on stdout; a launch that fails, and those after it.
cp "$TOP/tests/golden/exec/example.ptx" .
cat >x.launch <<'END'
buffer a f32 64 iota
buffer b f32 64 fill 0.5
buffer c f32 64
launch vadd grid 2 block 32 args a b c 64
expect c iota 0.5
launch vadd grid 1000 block 32 args a b c 32000
expect fault "out of bounds"
launch vadd block 64 args c b c 64
expect c iota 1
print c[1]
END
"$WARPSCAPE" sim --config gtsc --protocol tc-weak --check example.ptx x.launch >x.csv 2>log || exit
sed 's/launch 2: vadd: .*/launch 2: some/; s/by block.*: out of/ ... out of/; s/, [0-9]* bytes behind.*//' log
grep -v '^# c[^h]' x.csv | cut -d, -f1-4 | sed 's/loads: [1-9][0-9]*/loads: some/'
awk -F, '/^[a-z]/ && $3 != "launch" { print ($6 > 0 ? "cycles" : "none") }' x.csv
