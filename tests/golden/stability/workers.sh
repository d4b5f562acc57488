# Threads change nothing, the seed does.
awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) { printf "r%d", i;
    for (c = 0; c < 6; c++) printf ",%g", 10 * int(i / 3) * (c != 2) + (i * 7 + c * 3) % 5 + sin(i * 9 + c * c);
    print "" } }' | sed '1i row,a,b,c,d,e,f' >frame.csv
for j in 1 2 3; do $WARPSCAPE stability frame.csv --draws 30 -j $j | grep -v '^# command' >$j.csv; done
cmp 1.csv 2.csv && cmp 1.csv 3.csv && echo the same
$WARPSCAPE stability frame.csv --draws 30 --seed 2 | grep -v '^# command' | cmp -s 1.csv - ||
    echo another seed, another draw
$WARPSCAPE stability - --sizes 4 --draws 5 --linkage single --pcs 2 <frame.csv | grep -c '^4,'
$WARPSCAPE pca frame.csv | $WARPSCAPE stability - --sizes 4 --draws 5 | grep -c '^4,'
