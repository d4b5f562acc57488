#!/usr/bin/env bash
# Makes the study again and puts what comes out into docs/reproduction.md: the table between its two marks, and the line
# that says what ran; docs/img/study-*.svg are its map and tree. The last column of the table, why a claim does not hold
# here, is written by hand: it stays with its claim. Ends with 1 when a claim that does not hold has no such words yet.
# usage: reproduce.sh PROGRAM [RESULTS.db [REPORT]]     (build/study.db and build/study when left out)
set -eu -o pipefail
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.."
db=${2:-build/study.db} report=${3:-build/study} page=docs/reproduction.md
mkdir -p "$(dirname "$db")" "$report"
failed=0
"$program" study -o "$report" --db "$db" || failed=$?
[ -e "$report/claims.md" ] || exit "$failed"

frame=$report/frames/study.csv
names=$(grep -v '^#' "$frame" | tail -n +2 | cut -d, -f1 | tr '\n' ' ')
how=$(sed -n 's/^# run: [^ ]* \(scale=[^ ]* seed=[^ ]* version=[^ ]*\).*/\1/p' "$frame" | sort -u | paste -sd ';')
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v names="$names" -v how="$how" '
    FNR == 1 { file++ }
    file == 1 { # the page as it is: reasons by claim
        if (/^<!-- table -->/) inside = 1
        if (/^<!-- end -->/) inside = 0
        if (inside && split($0, cell, / *\| */) >= 7) why[cell[2]] = cell[6]
        next
    }
    file == 2 { claims[++n] = $0; next }
    /^<!-- ran -->/ { print; count = split(names, all, " "); print count " workloads, " how ": " names; skip = 1; next }
    /^<!-- table -->/ {
        print
        for (i = 1; i <= n; i++) {
            split(claims[i], cell, / *\| */)
            if (i == 1) print claims[i] " Why not |"
            else if (i == 2) print claims[i] " --- |"
            else {
                reason = cell[5] == "no" || cell[5] == "not here" || cell[5] == "needs time" ? why[cell[2]] : ""
                if (cell[5] == "no" && reason == "") { missing++; print "no reason yet: " cell[2] > "/dev/stderr" }
                print claims[i] " " reason " |"
            }
        }
        skip = 1
        next
    }
    /^<!-- end -->/ { skip = 0 }
    !skip
    END { exit missing > 0 }' "$page" "$report/claims.md" "$page" >"$new" || failed=1
cp "$new" "$page"
"$program" pca "$frame" >"$new"
"$program" plot scores "$new" --k 6 -o docs/img/study-map.svg
"$program" plot dendrogram "$new" --k 6 -o docs/img/study-tree.svg
echo "$page: made from $db; the report is $report/index.html"
tests/studies/reproduce_coherence.sh "$program" || failed=1
exit "$failed"
