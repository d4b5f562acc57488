# One clear line and exit status 1 (2 for misuse) for each.
try() { echo "--- $1"; shift; "$@" 2>&1 >out.csv; echo "exit status $?"; [ ! -s out.csv ] ||
    echo "it printed something"; }
printf 'w,m\nA,1\nB,2\nC,4\n' >m.csv
printf 'w,m\nA,1\nC,4\n' >short.csv
printf 'w,m\nA,1\nA,4\nB,1\nC,3\n' >twice.csv
printf 'w,m\nA,1\nB,NA\nC,3\n' >missing.csv
$WARPSCAPE subset m.csv --method complete --sizes 2 >s.csv
sed 's/^2,complete,[^,]*/2,complete,A B/' s.csv >ab.csv
sed 's/^2,complete,[^,]*,[^,]*/2,complete,A B,1/' s.csv >weights.csv
try "no such frame" $WARPSCAPE evaluate none.csv s.csv
try "no such subset" $WARPSCAPE evaluate m.csv none.csv
try "not a subset" $WARPSCAPE evaluate m.csv m.csv
try "member without metrics" $WARPSCAPE evaluate short.csv ab.csv
try "two rows of one name" $WARPSCAPE evaluate twice.csv s.csv
try "missing value" $WARPSCAPE evaluate missing.csv s.csv
try "too few weights" $WARPSCAPE evaluate m.csv weights.csv
try "unknown label" $WARPSCAPE evaluate m.csv s.csv --by config
try "only label" $WARPSCAPE evaluate m.csv s.csv --by w
try "unknown metric" $WARPSCAPE evaluate m.csv s.csv --columns n
try "no subset" $WARPSCAPE evaluate m.csv
try "standard input twice" $WARPSCAPE evaluate - -
try "unknown weights" $WARPSCAPE evaluate m.csv s.csv --weights cost
