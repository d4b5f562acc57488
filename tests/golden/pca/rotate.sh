# Varimax: loadings, scores of variance 1, the rotation; the same rows onto their own map; one component has nothing to turn.
round() { awk -F, '/^#/ { if (/^# pca/) print; next } !/^[A-Za-z0-9_]*,-?[0-9.]+/ { print; next } { printf "%s", $1;
    for (i = 2; i <= NF; i++) printf ",%.6f", $i + 0; print "" }' "$@"; }
$WARPSCAPE pca $GOLDEN/suite.csv --pcs 3 --rotate varimax --loadings l.csv --eigenvalues e.csv --rotation r.csv >s.csv
round s.csv
round l.csv
round r.csv
$WARPSCAPE pca $GOLDEN/suite.csv --pcs 3 --rotate none --eigenvalues plain.csv >/dev/null
cmp <(grep -v '^#' e.csv) <(grep -v '^#' plain.csv) && echo "the same eigenvalues"
$WARPSCAPE pca $GOLDEN/suite.csv --onto $GOLDEN/suite.csv --pcs 3 --rotate varimax >own.csv
cmp <(round own.csv | grep -v '^#') <(round s.csv | grep -v '^#') && echo "the same scores"
$WARPSCAPE pca $GOLDEN/suite.csv --pcs 1 --rotate varimax --rotation one.csv >/dev/null
round one.csv
# A plot takes rotated components as they are.
$WARPSCAPE plot scores s.csv -o map.gp && grep '_title' map.gp
try() { $WARPSCAPE pca $GOLDEN/suite.csv "$@" 2>&1 >/dev/null | head -n 1; }
try --rotation r2.csv
try --rotate none --rotation r2.csv
try --rotate promax
try --rotate varimax --rotation -
ls
