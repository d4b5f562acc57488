#!/usr/bin/env bash
# Static analysis of all sources; a finding is a failure.  usage: run_cppcheck.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
if ! command -v cppcheck >/dev/null; then
    echo "note: cppcheck is not installed, nothing checked"
    echo "cppcheck: 0 passed, 0 failed"
    exit
fi
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
cppcheck -q -j "${JOBS:-2}" -I. -D_GNU_SOURCE -D__x86_64__ --std=c11 --enable=warning,portability --inline-suppr \
    --suppressions-list=tests/checks/cppcheck.txt --max-configs=1 --template='{file}:{line}: {id}: {message}' \
    base collect metrics pca cluster plots model record library cli 2>"$findings"
cat "$findings"
files=$(find base collect metrics pca cluster plots model record library cli -name '*.c' | wc -l)
bad=$(cut -d: -f1 "$findings" | sort -u | grep -c .)
echo "cppcheck: $((files - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
