#!/usr/bin/env bash
# Holds the #include lines of the tree against tests/layers.txt: which folder may include which.
# usage: check_layers.sh [layers.txt]
set -u
cd "$(dirname "$0")/.." || exit 1
table=${1:-tests/layers.txt}
awk -v table="$table" '
BEGIN {
    while ((getline line < table) > 0) {
        if (line ~ /^[ \t]*(#|$)/)
            continue
        split(line, half, ":")
        folder = half[1]
        gsub(/[ \t]/, "", folder)
        known[folder] = 1
        n = split(half[2], word, " ")
        for (i = 1; i <= n; i++)
            allowed[folder, word[i]] = 1
    }
    files = failed = 0
}
FNR == 1 {
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    own = folder
    # The nearest folder above that the table names.
    while (!(folder in known) && folder ~ /\//)
        sub(/\/[^\/]*$/, "", folder)
    if (!(folder in known)) {
        print FILENAME ": its folder is not in " table
        wrong[FILENAME]
        nextfile
    }
    files++
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    private = target ~ /_internal\.h$/
    if (target !~ /\//)
        next # beside the file
    sub(/\/[^\/]*$/, "", target)
    if (target == folder || target == own)
        next
    if (!((folder, target) in allowed) && !((folder, "*") in allowed)) {
        print FILENAME ":" FNR ": " folder " may not include " target " (" table ")"
        wrong[FILENAME]
    } else if (private && !((folder, "internal") in allowed)) {
        print FILENAME ":" FNR ": a private header of another folder"
        wrong[FILENAME]
    }
}
END {
    for (file in wrong)
        failed++
    printf "layers: %d passed, %d failed\n", files - failed, failed
    exit failed > 0 || files == 0
}' $(find base collect metrics pca cluster plots model cli data bench tests -name '*.[ch]' 2>/dev/null | sort)
