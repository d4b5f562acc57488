#!/usr/bin/env bash
# Counts of wordings that plain technical English avoids, each against the limit of tests/checks/english.txt: a number that only falls.
# usage: check_english.sh [--list [NAME] | --update | --raise]
#   --list    prints FILE:LINE: NAME: TEXT of every match, or of the matches of one pattern
#   --update  lowers the limits to the present counts
#   --raise   sets every limit to the present count, also upwards: for a new pattern
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
table=tests/checks/english.txt mode=${1:-check} name=${2:-}
case $mode in check | --list | --update | --raise) ;; *)
    echo "usage: check_english.sh [--list [NAME] | --update | --raise]" >&2
    exit 2
    ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

{
    find base collect metrics pca cluster model plots record library cli \( -name '*.[ch]' -o -name '*.def' \) | sort
    echo README.md
    echo CONTRIBUTING.md
    find docs -name '*.md' | sort
    find man -name '*.1' | sort
} >"$work/files"

# Text is gathered by paragraph, comment or statement, so that a wording counts wherever its lines break. Prints for each
# FILE, group, LINE@OFFSET of its pieces, and the text.
xargs awk '
    function add(line) {
        at = (text == "" ? "" : at ",") FNR "@" length(text) + 1
        text = text " " line
        file = FILENAME
    }
    function flush_text(group) {
        if (text != "") print file "\t" group "\t" at "\t" text " "
        text = ""
    }
    FNR == 1 {
        flush_text(last)
        last = page = FILENAME ~ /\.md$/ ? 3 : FILENAME ~ /\.1$/ ? 4 : 0
        inside = fenced = 0
    }
    page == 3 {
        if (/^ *```/) { fenced = !fenced; flush_text(3); next }
        if (fenced) next
        if (/^ *$/ || /^#/ || /^\|/ || /^ *[-*] /) flush_text(3)
        line = $0
        gsub(/`[^`]*`/, "CODE", line)
        if (line ~ /[a-z]/) add(line)
        next
    }
    page == 4 {
        if (/^\.(nf|EX)/) fenced = 1
        if (/^\.(fi|EE)/) fenced = 0
        if (fenced) next
        if (/^\.(PP|TP|SH|SS|IP|B)/) flush_text(4)
        line = $0
        sub(/^\.[A-Za-z]+ ?/, "", line)
        gsub(/\\f[BIRP]/, "", line)
        gsub(/\\/, "", line)
        if (line != "") add(line)
        next
    }
    {
        line = $0
        if (!inside && !index(line, "\"") && !index(line, "/*")) {
            flush_text(last)
            next
        }
        while (line != "") {
            if (inside) {
                end = index(line, "*/")
                part = end ? substr(line, 1, end - 1) : line
                sub(/^ *\* ?/, "", part)
                add(part)
                if (!end) break
                flush_text(1)
                inside = 0
                line = substr(line, end + 2)
                continue
            }
            comment = index(line, "/*")
            if (match(line, /"([^"\\]|\\.)*"/) && (!comment || RSTART < comment)) {
                part = substr(line, RSTART + 1, RLENGTH - 2)
                last = 2
                rest = substr(line, RSTART + RLENGTH)
                gsub(/\\n/, "  ", part)
                add(part)
                # Pieces of one string follow each other; anything else between two strings ends the first.
                if (rest !~ /^ *("|$|PRI)/) flush_text(2)
                line = rest
                continue
            }
            if (line !~ /^ *$/) flush_text(last)
            if (!comment) break
            inside = last = 1
            line = substr(line, comment + 2)
        }
    }
    END { flush_text(last) }' <"$work/files" >"$work/texts"

# grep is the faster one in finding the few paragraphs that have any.
awk '!/^#/ && NF > 5 { sub(/^[^ ]+( +[0-9]+)+ +/, ""); gsub(/[<>]/, "[^a-z0-9_]"); print }' $table >"$work/patterns"
grep -iEf "$work/patterns" "$work/texts" | awk -F'\t' -v table=$table -v mode="$mode" -v only="$name" '
    BEGIN {
        while ((getline row <table) > 0) {
            if (row ~ /^#/ || row ~ /^ *$/) continue
            split(row, f, " +")
            name[++n] = f[1]
            for (g = 1; g <= 4; g++) limit[n, g] = f[g + 1]
            sub(/^[^ ]+( +[0-9]+)+ +/, "", row)
            wording[n] = row
            gsub(/[<>]/, "[^a-z0-9_]", row)
            pattern[n] = row
        }
        close(table)
        split("comments strings docs man", group, " ")
    }
    {
        low = tolower($4)
        for (i = 1; i <= n; i++) {
            base = 0
            s = low
            while (match(s, pattern[i])) {
                count[i, $2]++
                if (mode == "--list" && (only == "" || only == name[i])) {
                    for (k = split($3, piece, ","); k > 1; k--) {
                        split(piece[k], place, "@")
                        if (place[2] <= base + RSTART + 1) break
                    }
                    split(piece[k], place, "@")
                    first = base + RSTART > 40 ? base + RSTART - 40 : 1
                    print $1 ":" place[1] ": " name[i] ": " substr($4, first, RLENGTH + 80)
                }
                base += RSTART + RLENGTH - 2
                s = substr(low, base + 1)
            }
        }
    }
    END {
        if (mode == "--list") exit 0
        if (mode != "check") {
            while ((getline row <table) > 0 && row ~ /^#/) print row
            for (i = 1; i <= n; i++) {
                for (g = 1; g <= 4; g++)
                    if (mode == "--raise" || count[i, g] + 0 < limit[i, g]) limit[i, g] = count[i, g] + 0
                printf "%-14s %8d %7d %5d %5d   %s\n", name[i], limit[i, 1], limit[i, 2], limit[i, 3], limit[i, 4], wording[i]
            }
            exit 0
        }
        for (i = 1; i <= n; i++)
            for (g = 1; g <= 4; g++) {
                c = count[i, g] + 0
                if (c > limit[i, g]) {
                    print name[i] ": " c " in " group[g] ", limit " limit[i, g] ": check_english.sh --list " name[i] " shows them"
                    failed++
                }
                else if (c < limit[i, g])
                    print name[i] ": " c " in " group[g] ", limit " limit[i, g] ": check_english.sh --update lowers it"
            }
        if (!n) { print table ": no patterns"; failed++ }
        printf "english: %d passed, %d failed\n", 4 * n - failed, failed
        exit failed > 0
    }' >"$work/out"
status=$?
case $mode in
--update | --raise) [ $status = 0 ] && [ -s "$work/out" ] && cp "$work/out" $table ;;
*) cat "$work/out" ;;
esac
exit $status
