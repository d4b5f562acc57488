# One clear line and exit status 1 for each.
try() { printf '%s\n' "--- $1"; printf "$2" >in.csv; shift 2; $WARPSCAPE cluster in.csv "$@" 2>&1 >out.csv
    echo "exit status $?"; [ ! -s out.csv ] || echo "it printed something"; }
good='w,a,b\nA,1,2\nB,2,5\nC,5,3\n'
try "empty file" ''
try "header only" 'w,a\n'
try "one row" 'w,a\nA,1\n'
try "text" 'w,a\nA,1\nB,x\n'
try "missing" 'w,a\nA,1\nB,NA\n'
try "infinite" 'w,a\nA,1\nB,-Inf\n'
try "no numbers" 'w\nA\nB\n'
try "overflow" 'w,a\nA,-1e300\nB,1e300\n'
try "underflow" 'w,a\nA,-1e-300\nB,1e-300\n'
try "more clusters than rows" "$good" --k 4
try "too many to judge" "$good" --quality q.csv --most 3
try "unknown column" "$good" --columns z
try "every row missing" 'w,a\nA,NA\nB,NA\n' --missing rows
try "unwritable cut" "$good" -k 2 --assign none/a.csv
ls
