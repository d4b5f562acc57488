#!/usr/bin/env bash
# Is the table of folders in docs/architecture.md that of tests/checks/layers.txt, and does each folder with C of ours
# have a row there? A row is followed by a line `| contents | files to read first`. --rewrite puts the table
# into the page.
# usage: check_architecture.sh [--rewrite]
set -u
cd "$(dirname "$0")/../.." || exit 1
table=tests/checks/layers.txt page=docs/architecture.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

awk '
    /^[^#|]/ { folder = $0; sub(/:.*/, "", folder) }
    /^\|/ { print "| `" folder "` " $0 " |" }
' "$table" >"$work/rows"
while read -r folder; do
    if grep -qF "| \`$folder\` |" "$work/rows"; then
        passed=$((passed + 1))
    else
        echo "$folder: $table has no row of it with a line '| contents | files to read first'"
        failed=$((failed + 1))
    fi
done < <(find base collect metrics pca cluster model plots record library cli -name '*.[ch]' |
    sed -n 's,/[^/]*\.[ch]$,,p' | sort -u)
{ printf '| Folder | Contains | Look first at |\n| --- | --- | --- |\n' && cat "$work/rows"; } >"$work/table"
awk -v rows="$work/table" '
    /^\| Folder \|/ { while ((getline line < rows) > 0) print line; inside = 1; next }
    inside && /^\|/ { next }
    { inside = 0; print }
' "$page" >"$work/page"
grep -q '^| Folder |' "$page" || { echo "$page: no table of folders"; failed=$((failed + 1)); }
if [ "${1:-}" = --rewrite ]; then
    cp "$work/page" "$page"
elif ! diff "$page" "$work/page" >"$work/diff"; then
    grep '^[<>]' "$work/diff" | cut -c1-160
    echo "$page: its table of folders is another one; check_architecture.sh --rewrite makes it"
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
echo "architecture: $passed passed, $failed failed"
[ $failed -eq 0 ]
