# One clear line and exit status 1 for each.
try() { printf '%s\n' "--- $1"; printf "$2" >in.csv; shift 2; $WARPSCAPE pca in.csv "$@" 2>&1 >out.csv
    echo "exit status $?"; [ ! -s out.csv ] || echo "it printed something"; }
good='w,a,b\nA,1,2\nB,2,5\nC,5,3\n'
try "empty file" ''
try "header only" 'w,a\n'
try "one row" 'w,a\nA,1\n'
try "text" 'w,a\nA,1\nB,x\n'
try "ragged" 'w,a\nA,1\nB\n'
try "all the same" 'w,a,b\nA,1,2\nB,1,2\n'
try "no numbers" 'w\nA\nB\n'
try "binary" 'w,a\nA,\001\000\n'
try "too many components" "$good" --pcs 9
try "no groups" "$good" --subspace DV
try "unknown column" "$good" --columns a,z
try "unknown column to drop" "$good" --drop z
try "nothing left" "$good" --drop a,b
try "unwritable loadings" "$good" --loadings none/l.csv
try "folder" "$good" --eigenvalues .
try "no map, which is read, not written" "$good" --onto none/map.csv
echo "--- no file"
$WARPSCAPE pca nowhere.csv 2>&1
echo "exit status $?"
echo "--- full disk"
printf "$good" >in.csv
$WARPSCAPE pca in.csv 2>&1 >/dev/full
echo "exit status $?"
ls
