# Do the readers keep numbers, names, units and what is missing? usage: check_readers.R results.db metrics.csv odd.csv
library(warpscape)
files <- commandArgs(TRUE)

x <- read_frame(files[3])
stopifnot(identical(x$kernel, c("NA", "f<{lambda()#1}>(int)", 'say "hi"')))
stopifnot(is.na(x$a[1]), x$a[2] == Inf, all.equal(x$a[3], 0.1 + 0.2, tolerance = 1e-15))
stopifnot(identical(attr(x, "units"), c(a = "bytes/s per SM")), identical(attr(x, "groups"), c(a = "memory")))
stopifnot(identical(attr(x, "notes"), "tool: by hand"), identical(attr(x, "labels"), c("workload", "kernel")))
long <- tidy(x)
stopifnot(identical(names(long), c("workload", "kernel", "metric", "value", "unit")), nrow(long) == 6, identical(wide(long), x))

k <- read_results(files[1], "workload_features")
stopifnot(identical(attr(k, "units")[["simd_efficiency"]], "ratio"))
k <- k[order(k$workload, method = "radix"), ] # a view has no order
x <- read_frame(files[2])
stopifnot(identical(k$workload, x$workload))
for (column in names(x)[-1])
  stopifnot(all.equal(k[[column]], x[[column]], tolerance = 1e-15))
stopifnot(nrow(read_results(files[1], "launches")) > nrow(k), unique(read_results(files[1], "kernel_metrics", run = 1)$run) == 1)
piped <- read_frame(pipe(paste("cat", files[2])))
stopifnot(identical(piped, x))

refuses <- function(words, call) {
  said <- tryCatch({ call; "nothing" }, error = conditionMessage)
  if (!grepl(words, said, fixed = TRUE)) stop(words, " but: ", said)
}
refuses("there is no view nothing; there are about", read_results(files[1], "nothing"))
refuses("no such file", results_views("nowhere.db"))
refuses("no results file with views", results_views(files[3]))
writeLines(c("# warpscape frame 2", "workload,a", "X,1"), "newer.csv")
refuses("warpscape frame 2; this reader knows format 1", read_frame("newer.csv"))
writeLines(c("# warpscape frame 1", "# labels: 1", "workload,a", "X,one"), "wrong.csv")
refuses("wrong.csv: column a: 'one' is no number", read_frame("wrong.csv"))
cat("R: good\n")
