#!/usr/bin/env bash
# Has every function and variable that other files see one owner? A linker takes the first of two in an archive and says
# nothing. Counts object files.
# usage: check_names.sh ARCHIVE
set -eu
archive=${1:?archive}
nm -A --defined-only --extern-only --format=posix "$archive" 2>/dev/null | awk -v archive="$archive" '
$3 ~ /^[TDBR]$/ {
    object = $1
    sub(/:$/, "", object)
    if ($2 in owner) {
        print archive ": " $2 " is defined twice: " owner[$2] " " object
        failed += !(object in wrong)
        wrong[object] = 1
    } else
        owner[$2] = object
    files += !(object in seen)
    seen[object] = 1
}
END {
    printf "names: %d passed, %d failed\n", files - failed, failed
    exit failed > 0 || files == 0
}'
