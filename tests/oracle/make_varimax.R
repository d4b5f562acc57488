# make_varimax.R - R's varimax of components of the data sets of make_statistics.R: loadings, rotation and scores.
# usage, in tests/oracle: Rscript --vanilla make_varimax.R
# Reads statistics_<set>.csv, writes varimax.oracle.csv (lines: set_k, what, i, j, value; k: components). The rotated components are in
# order of falling variance, the largest loading of each positive, as varimax() leaves them as they come. Its default eps of 1e-5 stops
# early (`default` is its largest difference from the loadings at 1e-15).
out <- file("varimax.oracle.csv", "w")
writeLines(c("# oracle: varimax with Kaiser's normalization, eps = 1e-15, of the first components of data sets of make_statistics.R",
             paste0("# program: ", R.version.string),
             "# command: Rscript --vanilla make_varimax.R (in tests/oracle)",
             "# labels: 2", "set,what,i,j,value"), out)
put <- function(set, what, i, j, value) writeLines(sprintf("%s,%s,%d,%d,%.17g", set, what, i, j, value), out)
put_matrix <- function(set, what, m) for (i in seq_len(nrow(m))) put(set, what, i, seq_len(ncol(m)), m[i, ])

positive <- function(v) sign(v[which.max(abs(v))])
for (name in c("mixed", "states")) {
    data <- read.csv(paste0("statistics_", name, ".csv"), comment.char = "#")
    x <- as.matrix(data[, -1])
    z <- scale(x[, apply(x, 2, sd) > 0])
    p <- prcomp(z)
    for (k in 2:4) {
        # the signs of the components before, which the coefficients refer to
        v <- p$rotation[, 1:k] %*% diag(apply(p$rotation[, 1:k], 2, positive))
        a <- v %*% diag(p$sdev[1:k])
        r <- varimax(a, eps = 1e-15)
        l <- unclass(r$loadings)
        order <- order(-colSums(l^2))
        t <- r$rotmat[, order] %*% diag(apply(l[, order], 2, positive))
        set <- paste0(name, "_", k)
        put_matrix(set, "loading", a %*% t)
        put_matrix(set, "rotation", t)
        put_matrix(set, "score", (z %*% v %*% diag(1 / p$sdev[1:k]) %*% t)[1:5, ])
        put(set, "variance", seq_len(k), 0, colSums((a %*% t)^2))
        put(set, "default", 0, 0, max(abs(unclass(varimax(a)$loadings) - l)))
    }
}
close(out)
