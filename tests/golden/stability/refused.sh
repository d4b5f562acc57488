awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) { printf "r%d", i;
    for (c = 0; c < 6; c++) printf ",%g", 10 * int(i / 3) * (c != 2) + (i * 7 + c * 3) % 5 + sin(i * 9 + c * c);
    print "" } }' | sed '1i row,a,b,c,d,e,f' >frame.csv
try() { $WARPSCAPE stability "$@" 2>&1 >/dev/null | head -n 1; }
try
try frame.csv other.csv
try nowhere.csv
try frame.csv --sizes 10
try frame.csv --sizes 0
try frame.csv --sizes 4,x
try frame.csv --draws 0
try frame.csv --linkage median
try frame.csv --kaiser --pcs 2
try frame.csv --subspace DV
try frame.csv -j 0
printf 'row,a\nx,1\ny,1\n' | try -
printf 'row,a\nx,1\ny,NA\n' | try -
