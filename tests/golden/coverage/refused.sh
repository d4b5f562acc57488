# One clear line and exit status 1 (2 for misuse) for each.
try() { echo "--- $1"; shift; "$@" 2>&1 >out.csv; echo "exit status $?"; [ ! -s out.csv ] ||
    echo "it printed something"; }
printf 'w,a,b\nA,0,0\nB,1,2\n' >suite.csv
printf 'w,a\nX,0\n' >narrow.csv
printf 'w,a,b\nX,0,NA\n' >missing.csv
try "no suite" $WARPSCAPE coverage
try "no such file" $WARPSCAPE coverage none.csv
try "one row" $WARPSCAPE coverage narrow.csv
try "a column less" $WARPSCAPE coverage suite.csv narrow.csv
try "a value missing" $WARPSCAPE coverage suite.csv missing.csv
try "three frames" $WARPSCAPE coverage suite.csv suite.csv suite.csv
try "both from standard input" $WARPSCAPE coverage - -
try "gaps of two" $WARPSCAPE coverage suite.csv suite.csv --holes 3
try "onto standard input" $WARPSCAPE pca suite.csv --onto -
