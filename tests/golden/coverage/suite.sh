# What a new row is like and how far away, on a map that stays; and where the suite has nothing.
printf 'w,a,b\nA,0,0\nB,1,0\nC,0,1\nD,10,10\nE,11,10\n' >suite.csv
printf 'w,b,a\nlike A,0,0\nfar,-50,100\nnear E,10,10.9\n' >new.csv
round() { grep -v '^#' | awk -F, 'NR == 1 { print; next } { printf "%s,%s", $1, $2;
    for (i = 3; i <= NF; i++) printf ",%.6f", $i + 0 < 1e-9 ? 0 : $i; print "" }'; }
$WARPSCAPE coverage suite.csv new.csv | round
$WARPSCAPE coverage suite.csv --ranks - <new.csv | round
$WARPSCAPE coverage suite.csv --holes 2 --pcs 1 | grep -v '^#' | awk -F'"' 'NR == 1 { print; next } { split($0, head, ","); split($3, n, ","); printf "%s %s %s %.3f %.3f\n", head[1], head[2], $2, n[2], n[3] }'
# Every way to put the same rows onto their own map leaves them where they are.
for o in '' --ranks --whiten; do
    for f in suite onto; do $WARPSCAPE pca suite.csv $o $([ $f = onto ] && echo --onto suite.csv) | grep -v '^#' |
        awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) $i = sprintf("%.9f", $i + 1e-12) } { print }' >$f.scores; done
    cmp suite.scores onto.scores && echo "the same $o"
done
$WARPSCAPE coverage --help
