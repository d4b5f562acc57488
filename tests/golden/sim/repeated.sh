# A launch that is repeated is as its second run: two equal launches in a row, and one of them with --repeated. What the
# first run did is counted nowhere; one that is given up in the first run says so.
{
    printf 'buffer p f32 80000\nbuffer out f32 76800\n'
    printf 'launch work grid 60 block 128 args p out 20 0 0\n%.0s' 1 2
} >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/sim/steady.ptx" x.launch --trace x.wst >/dev/null
sim() { "$WARPSCAPE" sim -c rtx2060-mini "$@"; }
second() { grep -v '^#' "$1" | awk -F, -v OFS=, 'NR > 1 && $2 == "work" && $3 == n { $3 = ""; print }' n="$2"; }
sim --activity twice.did x.wst >twice.csv
sim --repeated --launch 1 --activity once.did x.wst >once.csv
second twice.csv 1 | diff -q - <(second twice.csv 2) >/dev/null && echo 'the first run is as the second'
second twice.csv 2 | diff - <(second once.csv 1) && echo same
second twice.did 2 | diff - <(second once.did 1) && echo same
sim --repeated --launch 1 --power power.csv --interval 500 x.wst >interval.csv
diff <(grep -v '^#' once.csv) <(grep -v '^#' interval.csv) && echo same
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { cycles += $at["cycles"] }
    END { print cycles }' power.csv
sim --repeated --launch 1 --max-cycles 500 x.wst 2>&1 | grep -v '^#' | cut -d, -f1-4
for wrong in '--checkpoint c x.wst' '--steady 5 x.wst' '--traffic t x.wst' 'a.ptx b' --suite; do
    sim --repeated $wrong 2>&1 | sed -n 1p
done
