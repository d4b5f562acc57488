# make_methods.R - what R makes of the data sets of make_statistics.R by medoids, means and components of ranks.
# usage, in tests/oracle: Rscript --vanilla make_methods.R
# Reads statistics_<set>.csv, writes methods.oracle.csv (lines: set, what, i, j, value).
suppressMessages(library(cluster))

out <- file("methods.oracle.csv", "w")
writeLines(c("# oracle: sums of distances to 2..8 medoids (pam), least sums of squares about 2..8 means (kmeans, 500 starts),",
             "# oracle: and eigenvalues of the correlation matrix of ranks, of data sets of make_statistics.R",
             paste0("# program: ", R.version.string, ", cluster ", packageVersion("cluster")),
             "# command: Rscript --vanilla make_methods.R (in tests/oracle)",
             "# labels: 2", "set,what,i,j,value"), out)
put <- function(set, what, i, value) writeLines(sprintf("%s,%s,%d,0,%.17g", set, what, as.integer(i), value), out)

set.seed(7, kind = "Mersenne-Twister", normal.kind = "Inversion")
for (name in c("mixed", "states")) {
    data <- read.csv(paste0("statistics_", name, ".csv"), comment.char = "#")
    x <- as.matrix(data[, -1])
    if (name == "mixed") x <- scale(x[, apply(x, 2, sd) > 0])
    d <- dist(x)
    for (k in 2:8) {
        p <- pam(d, k, variant = "original")
        put(name, "pam", k, p$objective["swap"] * nrow(x))
        m <- kmeans(x, k, nstart = 500, iter.max = 100)
        put(name, "kmeans", k, m$tot.withinss)
    }
    ranks <- apply(x, 2, rank)
    put(name, "ranks", seq_len(ncol(x)), prcomp(ranks, scale. = TRUE)$sdev[seq_len(ncol(x))]^2)
}
close(out)
