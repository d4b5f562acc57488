# Each line is misuse: status 2 and a hint.
try() { $WARPSCAPE plot "$@" >log 2>&1; echo "$?: $(head -n 1 log)"; }
try
try scree
try scree "$GOLDEN/suite.csv"
try elephant "$GOLDEN/suite.csv" -o e.svg
try scree "$GOLDEN/suite.csv" -o scree.jpg
try scree "$GOLDEN/suite.csv" -o scree
try scree "$GOLDEN/suite.csv" more -o scree.svg
try dendrogram "$GOLDEN/suite.csv" --linkage median -o d.svg
try dendrogram "$GOLDEN/suite.csv" --k 0 -o d.svg
try dendrogram "$GOLDEN/suite.csv" --k many -o d.svg
try scores "$GOLDEN/suite.csv" --variance 1.5 -o d.svg
try scores "$GOLDEN/suite.csv" --variance 0.5 --pcs 2 -o d.svg
try scores "$GOLDEN/suite.csv" --width 10 -o d.svg
try scores "$GOLDEN/suite.csv" --height 10 -o d.svg
rm log
ls
