# A trace of two launches on every protocol: rows, labels, sums; threads change nothing; values are checked.
printf '%s\n' 'buffer a f32 4096' 'buffer b f32 4096' 'launch vadd grid 32 block 128 args a b a 4096' \
    'launch vadd grid 4 block 96 args b a b 300' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
rows() { grep -v '^#' "$@" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    { print $1, $2, $3, $4, $at["warp_instructions"], $at["thread_instructions"] }'; }
columns() { grep -v '^#' "$1"; }
for protocol in none bl noncoherent vi tc-strong tc-weak gtsc-sc gtsc-rc mesi; do
    "$WARPSCAPE" sim --protocol $protocol x.wst >$protocol.csv
    [ $protocol = none ] || "$WARPSCAPE" sim --protocol $protocol --check x.wst >checked.csv
    [ $protocol = none ] || { cmp <(columns $protocol.csv) <(columns checked.csv) && grep 'checked loads' checked.csv; }
done
rows none.csv
for file in *.csv; do rows "$file" | cmp - <(rows none.csv); done
"$WARPSCAPE" sim --protocol tc-weak -j 3 x.wst >three.csv
cmp <(columns tc-weak.csv) <(columns three.csv) && echo 'three threads: the same'
"$WARPSCAPE" sim --protocol tc-weak --launch 2 x.wst >second.csv
rows second.csv
# What a trace that breaks off holds is simulated, its row says so, and the status is 1.
head -c $(($(wc -c <x.wst) - 300)) x.wst >cut.wst
"$WARPSCAPE" sim cut.wst >cut.csv 2>cut.err
echo "exit status $?"
cut -d, -f1-4 <(columns cut.csv) && sed 's/byte [0-9]*/byte N/' cut.err
# More cycles than allowed.
"$WARPSCAPE" sim --max-cycles 100 x.wst >limit.csv
echo "exit status $?"
cut -d, -f1-6 <(columns limit.csv)
