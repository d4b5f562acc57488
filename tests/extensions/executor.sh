# A place where points of a sweep run: docs/adding.md.
change record/sweep/executors.def '$a EXECUTOR( toy )'
fails 'ws_executor_toy' build
copy record/sweep/local.c record/sweep/toy.c 's/^\/\* local/\/* toy/; s/ws_executor_local/ws_executor_toy/'
fails 'executors' unit sweep # the row has another name than the executor
change record/sweep/toy.c 's/\.name = "local"/.name = "toy"/'
passes unit sweep
passes check rows
