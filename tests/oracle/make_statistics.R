# make_statistics.R - data sets and what R makes of them: prcomp, hclust, cutree, cophenetic, silhouette.
# usage, in tests/oracle: Rscript --vanilla make_statistics.R
# Writes statistics_<set>.csv (the data) and statistics_<set>.oracle.csv (lines: what, i, j, value).
suppressMessages(library(cluster))

linkages <- c(single = "single", complete = "complete", average = "average", ward = "ward.D2")
cuts <- c(2, 4, 7)

# The shortest of 15 or 17 digits that reads back as the same number.
number <- function(x) {
    short <- sprintf("%.15g", x)
    ifelse(as.numeric(short) == x, short, sprintf("%.17g", x))
}

header <- function(file, what) {
    writeLines(c(paste("# oracle:", what),
                 paste0("# program: ", R.version.string, ", cluster ", packageVersion("cluster")),
                 "# command: Rscript --vanilla make_statistics.R (in tests/oracle)"), file)
}

write_data <- function(name, x, what) {
    file <- file(paste0("statistics_", name, ".csv"), "w")
    header(file, what)
    writeLines(c("# labels: 1", paste(c("row", colnames(x)), collapse = ",")), file)
    for (i in seq_len(nrow(x))) writeLines(paste(c(rownames(x)[i], number(x[i, ])), collapse = ","), file)
    close(file)
}

put <- function(file, what, i, j, value) writeLines(paste(what, i, j, number(value), sep = ","), file)
put_matrix <- function(file, what, m) for (i in seq_len(nrow(m))) put(file, what, i, seq_len(ncol(m)), m[i, ])

write_pca <- function(file, x) {
    varying <- apply(x, 2, function(column) max(column) > min(column))
    p <- prcomp(x[, varying, drop = FALSE], center = TRUE, scale. = TRUE)
    rank <- sum(p$sdev > p$sdev[1] * 1e-8)
    put(file, "eigenvalue", seq_len(rank), 0, p$sdev[seq_len(rank)]^2)
    put_matrix(file, "loading", p$rotation[, seq_len(rank), drop = FALSE])
    put_matrix(file, "score", p$x[, seq_len(rank), drop = FALSE])
}

write_trees <- function(file, x, which) {
    d <- dist(x)
    for (l in which) {
        h <- hclust(d, linkages[l])
        n <- nrow(x)
        put(file, paste0("left.", l), seq_len(n - 1), 0, h$merge[, 1])
        put(file, paste0("right.", l), seq_len(n - 1), 0, h$merge[, 2])
        put(file, paste0("height.", l), seq_len(n - 1), 0, h$height)
        put(file, paste0("order.", l), seq_len(n), 0, h$order)
        c <- as.matrix(cophenetic(h))
        put(file, paste0("correlation.", l), 0, 0, cor(d, cophenetic(h)))
        if (n <= 36) for (i in 2:n) put(file, paste0("cophenetic.", l), i, seq_len(i - 1), c[i, seq_len(i - 1)])
        for (k in cuts[cuts < n]) {
            group <- cutree(h, k)
            put(file, paste0("cut", k, ".", l), seq_len(n), 0, group)
            put(file, paste0("silhouette", k, ".", l), 0, 0, mean(silhouette(group, d)[, 3]))
        }
    }
}

write_set <- function(name, x, what, which = names(linkages)) {
    if (is.null(rownames(x))) rownames(x) <- paste0("r", seq_len(nrow(x)))
    if (is.null(colnames(x))) colnames(x) <- paste0("c", seq_len(ncol(x)))
    rownames(x) <- gsub(" ", "_", rownames(x))
    write_data(name, x, what)
    file <- file(paste0("statistics_", name, ".oracle.csv"), "w")
    header(file, paste("prcomp(center, scale.) of the varying columns; hclust of dist of all columns as they are, of", name))
    writeLines(c("# labels: 1", "what,i,j,value"), file)
    write_pca(file, x)
    write_trees(file, x, which)
    close(file)
}

set.seed(20130801, kind = "Mersenne-Twister", normal.kind = "Inversion")

# Three groups in twelve columns of very different size, one of them constant, one a sum of two others.
group <- rep(1:3, length.out = 40)
mixed <- sapply(1:10, function(j) 10^(j - 5) * (rnorm(40) + (j %% 3 + 1) * group + 100 * (j == 7)))
write_set("mixed", cbind(mixed, 7, mixed[, 1] * 1e5 + mixed[, 2] * 1e4), "40 x 12, groups, one constant, one dependent column")

# Points of a small lattice, some of them twice: nearly all distances are tied. Not for Ward: hclust squares square roots,
# so that there rounding decides between tied pairs.
write_set("ties", matrix(sample(0:3, 3 * 36, replace = TRUE), 36), "36 points of a 4 x 4 x 4 lattice",
          c("single", "complete", "average"))

# Whole numbers on a line: as many ties, and all distances exact.
write_set("line", matrix(sample(0:40, 60, replace = TRUE), 60), "60 whole numbers from 0 to 40")

# More columns than rows.
wide <- matrix(rnorm(12 * 40), 12) %*% diag(seq(0.1, 4, length.out = 40))
write_set("wide", wide + outer(1:12 %% 2, sin(1:40)), "12 x 40, more columns than rows")

# Violent crime rates by US state, 1973 (McNeil 1977, World Almanac 1975): figures of a public agency, as in R's datasets.
write_set("states", as.matrix(datasets::USArrests), "USArrests of R's package datasets")
