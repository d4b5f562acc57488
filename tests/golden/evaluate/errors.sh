# Errors of subsets, as the study's table has them: by metric, averaged over configurations.
printf '%s\n' '# labels: 2' 'w,config,activity,simd' 'A,base,0.5,10' 'B,base,1,30' 'C,base,0.75,20' 'A,big,0.25,10' \
    'B,big,1,50' 'C,big,1,30' >metrics.csv
printf '# labels: 1\nw,x\nA,0\nB,1\nC,10\n' >points.csv
$WARPSCAPE subset points.csv --linkage single --sizes 1,2,3 >subset.csv
grep -v '^#' subset.csv
$WARPSCAPE evaluate metrics.csv subset.csv --by config
$WARPSCAPE evaluate metrics.csv subset.csv --by config --weights size | grep -v '^#'
$WARPSCAPE subset points.csv --linkage ward --sizes 2 |
    $WARPSCAPE evaluate metrics.csv subset.csv - --by config --columns simd | grep -v '^#'
