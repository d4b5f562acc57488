# Two frames: which rows they share, the entanglement, and what is refused.
cp "$GOLDEN/suite.csv" "$GOLDEN/pair.csv" .
note() { $WARPSCAPE plot tanglegram "$@" -o f.gp 2>&1 && grep '^ws_note\[\|^ws_[a-z]*_name\|^ws_[a-z]*_axis' f.gp; }
note suite.csv pair.csv --linkage single
note suite.csv suite.csv
$WARPSCAPE pca suite.csv --pcs 2 >scores.csv
note scores.csv pair.csv
note - pair.csv <suite.csv
# the same tree of rows in the opposite order
(printf 'w,x\n'; for i in 1 2 4 8 16 32 64; do echo "r$i,$i"; done) >up.csv
(head -n 1 up.csv; sed 1d up.csv | tac) >down.csv
note up.csv down.csv
# more rows than a picture holds: a sample of the first frame, and the same rows of the second
awk 'BEGIN { print "w,a,b"; for (i = 0; i < 2500; i++) printf "r%d,%d,%d\n", i, i % 97, i * 7 % 89 }' >many.csv
awk 'BEGIN { print "w,a,b"; for (i = 2499; i >= 10; i--) printf "r%d,%d,%d\n", i, i % 91, i * 5 % 101 }' >other.csv
note many.csv other.csv | grep ws_note
try() { $WARPSCAPE plot tanglegram "$@" -o f.svg >log 2>&1; echo "$?: $(head -n 1 log)"; }
try suite.csv
try suite.csv pair.csv more.csv
try - - <suite.csv
try suite.csv none.csv
sed 's/^HS/BFS/' pair.csv >twice.csv
try suite.csv twice.csv
try twice.csv suite.csv
try suite.csv up.csv
try scores.csv pair.csv --pcs 2
try suite.csv scores.csv --pcs 2
try suite.csv pair.csv --columns I_fop,I_glo
try suite.csv pair.csv --k 8
try suite.csv pair.csv --top 2
try suite.csv pair.csv --width 250
$WARPSCAPE plot dendrogram suite.csv pair.csv -o f.svg 2>&1 | head -n 1
ls
