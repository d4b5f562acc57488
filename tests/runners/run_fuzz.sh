#!/usr/bin/env bash
# Runs each fuzz target for so many seconds, two at a time, from tests/fuzz/corpus and the folders of
# tests/fuzz/seeds.txt; new inputs go to build/fuzz/corpus, an input that breaks it to build/fuzz/TARGET-*. With FUZZ_SEED
# and FUZZ_INPUTS it draws that many inputs from that seed, starting at the seeds alone, so that what passed once passes
# again; the seconds are a limit then, too.
# usage: [FUZZ_SEED=N] [FUZZ_INPUTS=N] run_fuzz.sh SECONDS TARGET...
set -u
cd "$(dirname "$0")/../.." || exit 1
export seconds=${1:?seconds}
shift
one() {
    local name seed found log others
    name=$(basename "$1") seed=tests/fuzz/corpus/$name found=build/fuzz/corpus/$name log=build/fuzz/$name.log
    [ -z "${FUZZ_SEED:-}" ] || found=build/fuzz/drawn/$name
    [ -z "${FUZZ_SEED:-}" ] || rm -rf "$found"
    mkdir -p "$seed" "$found"
    mapfile -t others < <(sed -n "s/^$name //p" tests/fuzz/seeds.txt)
    if "$1" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 \
        -seed="${FUZZ_SEED:-0}" -runs="${FUZZ_INPUTS:--1}" \
        -artifact_prefix="build/fuzz/$name-" $([ ! -e "tests/fuzz/$name.dict" ] || echo "-dict=tests/fuzz/$name.dict") \
        "$found" "$seed" "${others[@]}" >"$log" 2>&1; then
        echo "ok $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $(sed \
            -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1) edges"
    else
        tail -n 30 "$log"
        echo "no $name: see $log"
    fi
}
export -f one
printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _ |
    awk '{ print } /^ok / { p++ } /^no / { f++ } END { printf "fuzz: %d passed, %d failed\n", p, f; exit f > 0 ||
        p == 0 }'
