#!/usr/bin/env bash
# Runs each fuzz target, built without an engine, over its corpus and its seeds, and counts the files.  usage: run_corpus.sh TARGET...
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0 log=$(mktemp)
trap 'rm -f "$log"' EXIT
for target in "$@"; do
    name=$(basename "$target")
    mapfile -t folders < <(printf 'tests/fuzz/corpus/%s\n' "$name" && sed -n "s/^$name //p" tests/fuzz/seeds.txt)
    count=$(find "${folders[@]}" -type f 2>/dev/null | wc -l)
    if [ "$count" -eq 0 ]; then
        echo "$name has no corpus in tests/fuzz/corpus/$name"
        failed=$((failed + 1))
    elif find "${folders[@]}" -type f -print0 | sort -z | REPLAY_VERBOSE=1 xargs -0 "$target" 2>"$log"; then
        passed=$((passed + count))
    else
        tail -n 40 "$log"
        failed=$((failed + 1)) # the last file named broke it
    fi
done
echo "fuzz-corpus: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
