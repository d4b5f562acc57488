awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) { printf "r%d", i;
    for (c = 0; c < 6; c++) printf ",%g", 10 * int(i / 3) * (c != 2) + (i * 7 + c * 3) % 5 + sin(i * 9 + c * c);
    print "" } }' | sed '1i row,a,b,c,d,e,f' >frame.csv
$WARPSCAPE stability frame.csv --sizes 3,5 --draws 40 -j 2 --cuts cuts.csv | grep -v '^# command'
grep -v '^# command' cuts.csv
$WARPSCAPE stability frame.csv --sizes 3,5 --draws 40 --linkage complete | grep -v '^# command'
for m in kmeans kmedoids ward; do $WARPSCAPE stability frame.csv --sizes 4 --draws 10 --method $m | grep -c '^4,'; done
$WARPSCAPE agree frame.csv --method support,kmedoids --sizes 3 | grep -v '^#' | cut -d, -f1-5
