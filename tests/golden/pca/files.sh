# Loadings and eigenvalues go to files; the eigenvalues sum to the number of columns that vary.
round() { awk -F, '/^#/ { next } NR && !/^[a-z]*,(PC1|eigen)/ { printf "%s", $1;
    for (i = 2; i <= NF; i++) printf ",%.6f", $i + 0; print ""; next } { print }' "$@"; }
$WARPSCAPE pca $GOLDEN/suite.csv --pcs 3 --loadings l.csv --eigenvalues e.csv >/dev/null
round l.csv
round e.csv
awk -F, '/^PC/ { sum += $2 } END { printf "sum %.9f\n", sum }' e.csv
ls
