# Further bases give the width of intervals and inform changes; drawn members, whose probabilities are those of the base, are drawn again.
for m in 1 2 3 4; do
    awk -v m=$m 'BEGIN { srand(m); print "w,cycles,ipc"; for (i = 1; i <= 20; i++)
        print "w" i "," 1000 * i + 100 * m * ((i * 7 + m) % 5) "," 10 + i * (1 + m / 3) + ((i * (3 + m)) % 7) }' >m$m.csv
done
short() { grep -v '^# \(command\|tool\)' | awk -F, '/^#/ { print; next } { for (i = 1; i <= NF; i++) printf "%s%s", (i == 1 ? "" : ","),
    (i > 3 && $i ~ /^[-0-9.e]+$/ ? sprintf("%.5g", $i) : $i); print "" }'; }
$WARPSCAPE subset --draw --base m1.csv --sizes 6 >drawn.csv
grep -v '^# \(command\|tool\)' drawn.csv
$WARPSCAPE estimate drawn.csv --base m1.csv --base m2.csv --base m3.csv --new m4.csv --draws 50 | short
$WARPSCAPE estimate drawn.csv --base m1.csv --base m2.csv --new m4.csv --draws 50 --seed 2 | short | head -n 2
# Chosen members: the same ones on the other bases. Too few trials for the confidence are said.
$WARPSCAPE subset m1.csv --sizes 6 >chosen.csv 2>/dev/null
$WARPSCAPE estimate chosen.csv --base m1.csv --base m2.csv --new m4.csv 2>&1 | short | cut -d, -f1-6
# Members drawn otherwise than the base says: no new draws.
sed 's/1.[0-9]* /&/;s/draw,\([^,]*\),[^,]*/draw,\1,3 3 3 3 3 3/' drawn.csv >equal.csv
$WARPSCAPE estimate equal.csv --base m1.csv --base m2.csv --new m4.csv 2>&1 | short | grep -e interval -e ipc | cut -d, -f1-4
# Members that are all 0, where another row is not: no finite factor covers the error on the bases, and an interval without width stays one.
for m in 1 2 4; do awk -F, -v m=$m '{ print $1 "," (NR == 1 ? "rare" : $1 == "w20" ? m : 0) }' m$m.csv >rare$m.csv; done
printf '# labels: 4\nsize,method,members,weights,speedup\n3,support,w1 w8 w15,6 7 7,3\n' >three.csv
$WARPSCAPE estimate three.csv --base rare1.csv --base rare2.csv --new rare4.csv 2>/dev/null | short | grep -e '# interval' -e '^rare' -e exactly | cut -d, -f1-6
# What evaluate says of the same.
$WARPSCAPE evaluate m4.csv --base m1.csv drawn.csv chosen.csv --changed m3.csv --random 100 | short
