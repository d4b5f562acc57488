#!/usr/bin/env bash
# Does every link of a page lead somewhere? To a file of the tree, and behind # to a heading of it, by the names that
# GitHub gives headings, or an <a id>. Links to other hosts are not followed.
# usage: check_links.sh
set -eu
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.."
find ./*.md .github docs tests -name '*.md' -print0 | sed -z 's,^\./,,' | sort -z | xargs -0 awk '
# Text without code spans.
function plain(line) {
    gsub(/`[^`]*`/, "CODE", line)
    return line
}
function slug(heading,    id) {
    sub(/^#+ +/, "", heading)
    while (match(heading, /\[[^]]*\]\([^)]*\)/)) {
        id = substr(heading, RSTART + 1, index(substr(heading, RSTART), "]") - 2)
        heading = substr(heading, 1, RSTART - 1) id substr(heading, RSTART + RLENGTH)
    }
    heading = tolower(heading)
    gsub(/[^[:alnum:] _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}
function folder(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/)) : ""
}
# A path without . and ..
function normal(path,    part, n, i, kept, out) {
    n = split(path, part, "/")
    kept = 0
    for (i = 1; i <= n; i++)
        if (part[i] == "..")
            kept--
        else if (part[i] != "." && part[i] != "")
            out[++kept] = part[i]
    path = kept > 0 ? out[1] : ""
    for (i = 2; i <= kept; i++)
        path = path "/" out[i]
    return path
}
FNR == 1 { in_code = 0 }
/^ *```/ { in_code = !in_code; next }
in_code { next }
/^#+ / {
    id = slug($0)
    heading[FILENAME, headings[FILENAME, id]++ ? id "-" headings[FILENAME, id] - 1 : id]
}
{
    line = $0
    while (match(line, /<a id="[^"]*">/)) {
        heading[FILENAME, substr(line, RSTART + 7, RLENGTH - 9)]
        line = substr(line, RSTART + RLENGTH)
    }
    line = plain($0)
    while (match(line, /\]\([^) ]+\)/)) {
        to = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        if (to ~ /^[a-z]+:/)
            continue
        n++
        where[n] = FILENAME ":" FNR
        at = index(to, "#")
        anchor[n] = at ? substr(to, at + 1) : ""
        to = at ? substr(to, 1, at - 1) : to
        target[n] = to == "" ? FILENAME : normal(folder(FILENAME) to)
    }
}
END {
    for (i = 1; i <= n; i++) {
        wrong = ""
        if (!(target[i] in there))
            there[target[i]] = system("test -e \"" target[i] "\"") == 0
        if (!there[target[i]])
            wrong = "there is no " target[i]
        else if (anchor[i] != "" && target[i] ~ /\.md$/ && !((target[i], anchor[i]) in heading))
            wrong = target[i] " has no heading #" anchor[i]
        if (wrong == "") {
            passed++
            continue
        }
        failed++
        print where[i] ": " wrong
    }
    printf "links: %d passed, %d failed\n", passed, failed
    exit failed > 0 || !passed
}'
