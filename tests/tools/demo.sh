#!/usr/bin/env bash
# From nothing to a report: every step from kernels to a representative subset, as one would type it.
# usage: demo.sh PROGRAM FOLDER [SCALE]    (small)
set -eu -o pipefail
program=$(realpath "${1:?program}")
mkdir -p "${2:?folder}"
folder=$(realpath "$2")
scale=${3:-small}
cd "$folder"
warpscape() { "$program" "$@"; }
step() {
    printf '\n# %s\n$ %s\n' "$1" "$2"
    eval "$2"
}

step 'Run the built-in workloads in the SIMT engine; each checks its result.' \
    "warpscape suite run --scale $scale"
step 'Metrics, one row per workload: all of them, then the features that predict.' \
    'warpscape metrics --set all > metrics.csv && warpscape metrics > features.csv'
step 'Principal components.' \
    'warpscape pca --ranks features.csv --eigenvalues eigenvalues.csv --loadings loadings.csv > scores.csv'
step 'Which workloads are alike?' \
    'warpscape cluster scores.csv --linkage complete --k 6 --tree tree.nwk --assign clusters.csv > merges.csv'
step 'Small representative subsets, and what each saves.' \
    'warpscape subset scores.csv --sizes 4,6,8 --cost metrics.csv:I_total > subsets.csv'
step 'Error of the subsets in a metric that did not choose them.' \
    'warpscape evaluate metrics.csv subsets.csv --columns evaluation_simd_parallelism --random 1000 > errors.csv'
step 'Members, weights, speedup; then the errors:' \
    "grep -hv '^#' subsets.csv errors.csv"
step 'Figures.' \
    'warpscape plot dendrogram scores.csv --k 6 -o dendrogram.pdf && warpscape plot scores scores.csv --k 6 -o scores.png'
step 'Everything on one page.' \
    'warpscape report -o .'
printf '\nLook at %s/index.html\n' "$folder"
