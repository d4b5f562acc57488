awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) { printf "r%d", i;
    for (c = 0; c < 6; c++) printf ",%g", 10 * int(i / 3) * (c != 2) + (i * 7 + c * 3) % 5 + sin(i * 9 + c * c);
    print "" } }' | sed '1i row,a,b,c,d,e,f' >frame.csv
try() { $WARPSCAPE agree "$@" 2>&1 >/dev/null | head -n 1; }
try
try frame.csv
try frame.csv nowhere.csv
try frame.csv frame.csv --sizes 10
try frame.csv frame.csv --linkage median
try frame.csv frame.csv --linkage single,,ward
head -n 5 frame.csv >fewer.csv
try frame.csv fewer.csv
sed 's/^r3/q3/' frame.csv >named.csv
try frame.csv named.csv
try frame.csv frame.csv --permutations 0
