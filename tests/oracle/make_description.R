# make_description.R - test values of columns in clusters of the data sets of make_statistics.R, by R's means, deviations and pnorm.
# usage, in tests/oracle: Rscript --vanilla make_description.R
# Reads statistics_<set>.csv, writes description.oracle.csv (lines: set, what, i, j, value; i: the cluster of hclust's complete
# linkage cut into 4, j: the column).
out <- file("description.oracle.csv", "w")
writeLines(c("# oracle: test values of columns in 4 clusters of data sets of make_statistics.R, from the formula of catdes of FactoMineR",
             paste0("# program: ", R.version.string),
             "# command: Rscript --vanilla make_description.R (in tests/oracle)",
             "# labels: 2", "set,what,i,j,value"), out)
put <- function(set, what, i, j, value) writeLines(sprintf("%s,%s,%d,%d,%.17g", set, what, i, j, value), out)

# The variance of the mean of n of N values drawn without replacement.
population <- function(x) mean((x - mean(x))^2)
for (name in c("mixed", "states")) {
    data <- read.csv(paste0("statistics_", name, ".csv"), comment.char = "#")
    x <- as.matrix(data[, -1])
    if (name == "mixed") x <- scale(x[, apply(x, 2, sd) > 0])
    cluster <- cutree(hclust(dist(x), "complete"), 4)
    for (k in 1:4) for (j in seq_len(ncol(x))) {
        all <- x[, j]
        own <- all[cluster == k]
        v <- (mean(own) - mean(all)) / sqrt(population(all) / length(own) * (length(all) - length(own)) / (length(all) - 1))
        put(name, "v", k, j, v)
        put(name, "p", k, j, 2 * pnorm(-abs(v)))
        put(name, "mean", k, j, mean(own))
        put(name, "sd", k, j, sqrt(population(own)))
        put(name, "mean_all", k, j, mean(all))
        put(name, "sd_all", k, j, sqrt(population(all)))
    }
}
close(out)
