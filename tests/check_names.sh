#!/usr/bin/env bash
# Has every function and variable that other files see one owner? A linker takes the first of two in an archive and says nothing.
# usage: check_names.sh ARCHIVE
set -eu
archive=${1:?archive}
names=$(nm --defined-only --extern-only --format=posix "$archive" 2>/dev/null | awk '$2 ~ /^[TDBR]$/ { print $1 }' | sort)
twice=$(uniq -d <<<"$names")
for name in $twice; do
    echo "$archive: $name is defined twice: $(nm -A --defined-only --extern-only "$archive" 2>/dev/null | awk -v name="$name" '$NF == name { sub(/:[0-9a-f]* *$/, "", $1); print $1 }' | tr '\n' ' ')"
done
failed=$(wc -w <<<"$twice")
echo "names: $(($(wc -l <<<"$names") - 2 * failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
