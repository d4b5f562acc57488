awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) { printf "r%d", i;
    for (c = 0; c < 6; c++) printf ",%g", 10 * int(i / 3) * (c != 2) + (i * 7 + c * 3) % 5 + sin(i * 9 + c * c);
    print "" } }' | sed '1i row,a,b,c,d,e,f' >frame.csv
# The same frame by two linkages, one with rows in another order, and a map of its own.
(head -n 1 frame.csv; tail -n +2 frame.csv | tac) >turned.csv
awk -F, 'NR == 1 { print "row,x"; next } { print $1 "," (NR * 5) % 9 }' frame.csv >other.csv
$WARPSCAPE agree frame.csv turned.csv other.csv --sizes 2,3 --permutations 99 | grep -v '^#' |
    awk -F, 'NR > 1 { printf "%s,%s,%s,%.4f,%.4f,%.4f\n", $1, $2, $3, $4, $5, $6 }'
$WARPSCAPE agree frame.csv --linkage single,ward --sizes 3 | grep -v '^#' |
    awk -F, 'NR > 1 { printf "%s,%s,%s,%.4f,%.4f,%.4f\n", $1, $2, $3, $4, $5, $6 }'
