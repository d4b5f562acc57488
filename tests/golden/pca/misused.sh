# Wrong options: exit status 2 and a hint.
try() { echo "--- $*"; $WARPSCAPE pca "$@" 2>&1; echo "exit status $?"; }
try
try a.csv b.csv
try a.csv --variance 1.5
try a.csv --variance x
try a.csv --pcs 0
try a.csv --pcs 2 --kaiser
try a.csv --missing maybe
try a.csv --loadings -
try a.csv --onto -
