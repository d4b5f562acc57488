# make_choice.R - what R makes of cuts of the data sets of make_statistics.R: clusGap's log(W) and gap, maxSE's choice,
# silhouettes of every cut, correlations of distances, adjusted Rand indices from contingency tables.
# usage, in tests/oracle: Rscript --vanilla make_choice.R
# Reads statistics_<set>.csv, writes choice.oracle.csv (lines: set, what, i, j, value).
suppressMessages(library(cluster))

linkages <- c(single = "single", complete = "complete", average = "average", ward = "ward.D2")
most <- 8
references <- 2000
out <- file("choice.oracle.csv", "w")
writeLines(c("# oracle: cuts into 1..8 of the data sets of make_statistics.R; gaps from 2000 references, so to three errors",
             paste0("# program: ", R.version.string, ", cluster ", packageVersion("cluster")),
             "# command: Rscript --vanilla make_choice.R (in tests/oracle)",
             "# labels: 2", "set,what,i,j,value"), out)

number <- function(x) {
    short <- sprintf("%.15g", x)
    ifelse(as.numeric(short) == x, short, sprintf("%.17g", x))
}
put <- function(set, what, i, j, value) writeLines(paste(set, what, i, j, number(value), sep = ","), out)

# Hubert and Arabie (1985), from the table of the two partitions.
rand <- function(a, b) {
    t <- table(a, b)
    two <- function(n) sum(choose(n, 2))
    expected <- two(rowSums(t)) * two(colSums(t)) / choose(length(a), 2)
    most <- (two(rowSums(t)) + two(colSums(t))) / 2
    if (most > expected) (two(t) - expected) / (most - expected) else 1
}

set.seed(2001, kind = "Mersenne-Twister", normal.kind = "Inversion")
for (name in c("mixed", "states")) {
    data <- read.csv(paste0("statistics_", name, ".csv"), comment.char = "#")
    x <- as.matrix(data[, -1])
    if (name == "mixed") x <- scale(x[, apply(x, 2, sd) > 0])
    d <- dist(x)
    cuts <- lapply(linkages, function(l) cutree(hclust(d, l), 1:most))
    for (l in names(linkages)) {
        grow <- function(x, k) list(cluster = cutree(hclust(dist(x), linkages[l]), k))
        gap <- clusGap(x, grow, K.max = most, B = references, d.power = 2, spaceH0 = "original", verbose = FALSE)$Tab
        put(name, paste0("logw.", l), seq_len(most), 0, gap[, "logW"])
        put(name, paste0("gap.", l), seq_len(most), 0, gap[, "gap"])
        put(name, paste0("error.", l), seq_len(most), 0, gap[, "SE.sim"])
        for (k in 2:most) put(name, paste0("silhouette.", l), k, 0, mean(silhouette(cuts[[l]][, k], d)[, 3]))
        put(name, paste0("tibshirani.", l), 0, 0, maxSE(gap[, "gap"], gap[, "SE.sim"], method = "Tibs2001SEmax"))
        for (k in 2:most) put(name, paste0("rand.", l), k, 0, rand(cuts[["complete"]][, k], cuts[[l]][, k]))
    }
    for (c in seq_len(ncol(x))) put(name, "mantel", c, 0, cor(d, dist(x[, c, drop = FALSE])))
}
close(out)
