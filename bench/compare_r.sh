#!/usr/bin/env bash
# Times our statistics and R's on the same frame, one core each, one after the other, and compares the trees.
# usage: compare_r.sh BENCH_CLUSTER [ROWS [COLUMNS [LINKAGE]]]
set -eu
program=$(realpath "${1:?the program bench_cluster}")
rows=${2:-10000} columns=${3:-129} linkage=${4:-complete}
command -v Rscript >/dev/null ||
    { echo "compare_r.sh: R is not installed (Debian: r-base-core); nothing to compare with" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
echo "== ours, $rows x $columns, $linkage"
"$program" "$rows" "$columns" "$linkage" frame.csv
echo "== R"
method=$linkage
[ "$linkage" != ward ] || method=ward.D2
Rscript --vanilla - "$method" <<'R'
method <- commandArgs(TRUE)[1]
cat(R.version.string, "\n")
report <- function(step, t) cat(sprintf("%-24s %8.3f s  %8.3f s of processor\n", step, t["elapsed"],
    t["user.self"] + t["sys.self"]))
report("read.csv", system.time(x <- as.matrix(read.csv("frame.csv", comment.char = "#", row.names = 1))))
all <- system.time({
    a <- system.time({
        p <- prcomp(x, scale. = TRUE)
        share <- cumsum(p$sdev^2) / sum(p$sdev^2)
        scores <- p$x[, seq_len(which(share >= 0.9)[1]), drop = FALSE]
    })
    b <- system.time(d <- dist(scores))
    c <- system.time(h <- hclust(d, method))
    e <- system.time(k <- cutree(h, min(12, nrow(x))))
})
report("prcomp", a)
report("dist", b)
report("hclust", c)
report("cutree", e)
report("all", all)
cat(sprintf("%-24s %8d\n", "components", ncol(scores)))
cat(sprintf("%-24s %8.6f\n", "height of the last merge", tail(h$height, 1)))
peak <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
cat(sprintf("%-24s %8.0f MiB\n", "peak memory", as.numeric(gsub("[^0-9]", "", peak)) / 1024))
R
