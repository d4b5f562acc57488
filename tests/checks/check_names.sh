#!/usr/bin/env bash
# Has every function and variable that other files see one owner? A linker takes the first of two in an archive and says
# nothing. And has every file of the product a name of its own? Counts object files.
# usage: check_names.sh ARCHIVE
set -eu
archive=${1:?archive}
cd "$(dirname "$0")/../.."
twice=$(find base collect metrics pca cluster model plots record library cli -name '*.[ch]' -o -name '*.def' |
    sed 's,.*/,,' | sort | uniq -d)
nm -A --defined-only --extern-only --format=posix "$archive" 2>/dev/null | awk -v archive="$archive" -v twice="$twice" '
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
    n = split(twice, name, "\n")
    for (i = 1; i <= n; i++)
        print name[i] ": several files have this name"
    failed += n
    printf "names: %d passed, %d failed\n", files - failed, failed
    exit failed > 0 || files == 0
}'
