# One clear line and exit status 1 (2 for misuse) for each.
try() { printf '%s\n' "--- $1"; printf "$2" >in.csv; shift 2; $WARPSCAPE subset in.csv "$@" 2>&1 >out.csv
    echo "exit status $?"; [ ! -s out.csv ] || echo "it printed something"; }
good='w,a,b\nA,1,2\nB,2,5\nC,5,3\n'
try "k larger than n" "$good" --sizes 2,4
try "one row" 'w,a\nA,1\n' --sizes 1
try "missing" 'w,a\nA,1\nB,NA\n' --sizes 1
try "unknown cost" "$good" --sizes 1 --cost seconds
try "unknown cost file" "$good" --sizes 1 --cost none.csv:seconds
try "cost column of a file" "$good" --sizes 1 --cost in.csv:seconds
printf 'w,s\nA,1\nB,1\n' >times.csv
try "row without a cost" "$good" --sizes 1 --cost times.csv:s
try "negative cost" 'w,a,s\nA,1,-2\nB,2,5\n' --sizes 1 --cost s
try "nothing but the cost" 'w,s\nA,1\nB,2\n' --sizes 1 --cost s
for method in single support kmedoids kmeans; do try "underflow, $method" 'w,a\nA,-1e-300\nB,1e-300\nC,2e-300\n' \
    --sizes 2 --linkage $method; done
try "no sizes" "$good"
try "zero size" "$good" --sizes 0
try "not a size" "$good" --sizes 2,x
try "gap in the sizes" "$good" --sizes 2,,3
try "unknown linkage" "$good" --sizes 2 --linkage centroid
