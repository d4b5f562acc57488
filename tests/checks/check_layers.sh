#!/usr/bin/env bash
# Holds the tree against tests/checks/layers.txt, which says who may know whom: #include lines and, with a build, the
# symbols of its objects, which a declaration copied by hand does not get around. Then also their names
# (CONTRIBUTING.md), and that only readers of machines compare their words. Counts files.
# usage: check_layers.sh [-t layers.txt] [build/release]
set -u
cd "$(dirname "$0")/../.." || exit 1
table=tests/checks/layers.txt
machine=model/machine/machine.def
if [ "${1:-}" = -t ]; then
    table=$2
    shift 2
fi
build=${1:-}
folders='base collect metrics pca cluster plots model record library cli data'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Objects of sources that are there: OBJECT FOLDER STEM; a source may be compiled several times (X.avx2.o, X.12.o).
# shellcheck disable=SC2086
[ -z "$build" ] || find $folders -name '*.c' | sort | while read -r source; do
    stem=${source%.c}
    found=
    for object in "$build/$stem".o "$build/$stem".*.o; do
        [ ! -f "$object" ] || { echo "$object" && found=1; }
    done
    [ "$found" ] || echo "$source" >>"$work/missing"
done >"$work/objects"
[ ! -s "$work/objects" ] || xargs nm -A <"$work/objects" >"$work/symbols" 2>/dev/null

# shellcheck disable=SC2046,SC2086
awk -v machine="$machine" -v table="$table" -v build="$build" -v work="$work" '
# The nearest folder above that the table names; "" when there is none.
function row_of(folder) {
    while (!(folder in known) && folder ~ /\//)
        sub(/\/[^\/]*$/, "", folder)
    return folder in known ? folder : ""
}
function without_last(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}
function may(from, to) {
    return from == to || (from, to) in allowed || (from, "*") in allowed
}
# Is it named in a list of patterns with stars at the end?
function fits(name, list, word, n, i) {
    n = split(list, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] ~ /\*$/ ? index(name, substr(word[i], 1, length(word[i]) - 1)) == 1 : name == word[i])
            return 1
    return 0
}
function complain(where, what) {
    print where what
    # A file with several faults counts once: X.c:12, X.o and X.avx2.o are all of X.
    sub(/:.*/, "", where)
    sub(/(\.[a-z0-9]+)?\.o$/, ".c", where)
    failed += !(where in wrong)
    wrong[where] = 1
}
# Does the name begin with a word of a name such as launch_scan?
function begins_with_word_of(name, words, word, n, i) {
    n = split(words, word, "_")
    for (i = 1; i <= n; i++)
        if (index(name, word[i] "_") == 1)
            return 1
    return 0
}
BEGIN {
    while ((getline line < table) > 0) {
        if (line ~ /^[ \t]*(#|$)|^\|/)
            continue
        split(line, half, ":")
        folder = half[1]
        gsub(/[ \t]/, "", folder)
        known[folder] = 1
        n = split(half[2], word, " ")
        for (i = 1; i <= n; i++) {
            if (word[i] ~ /^=/)
                named[folder] = named[folder] " " substr(word[i], 2)
            else if (word[i] ~ /^!/)
                instead[folder] = instead[folder] " " substr(word[i], 2)
            else if (word[i] ~ /^\?/)
                left_open[folder] = left_open[folder] " " substr(word[i], 2)
            else
                allowed[folder, word[i]] = 1
        }
    }
}
FILENAME == machine {
    if (/^(WORD|KIND)\( /) {
        split($0, half, /[ ,]+/)
        words = words "|" half[2] "_" half[3]
    }
    next
}
FNR == 1 {
    folder = without_last(FILENAME)
    own = row_of(folder)
    is_header = FILENAME ~ /\.h$/
    stem = FILENAME
    sub(/.*\//, "", stem)
    sub(/(_internal)?\.h$/, "", stem)
    if (own == "") {
        complain(FILENAME, ": its folder is not in " table)
        nextfile
    }
    files++
}
is_header {
    rest = $0
    while (match(rest, /[a-z][a-z0-9_]*\(/)) {
        header[folder, substr(rest, RSTART, RLENGTH - 1)] = header[folder, substr(rest, RSTART, RLENGTH - 1)] "_" stem
        rest = substr(rest, RSTART + RLENGTH)
    }
}
# What a machine is arrives as values: who compares its words reads machines.
/strn?cmp\(/ && folder ~ /^(model|record|cli|library)(\/|$)/ && folder != "model/machine" &&
    $0 ~ "(->|\\.)(" substr(words, 2) ")[^a-z0-9_]" {
    complain(FILENAME ":" FNR, ": compares a word of a machine; ws_machine has a row or a value (" machine ")")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    private = target ~ /_internal\.h$/
    if (target !~ /\//)
        next # beside the file
    target = without_last(target)
    if (target == folder || target == own)
        next
    if (!may(own, target))
        complain(FILENAME ":" FNR, ": " own " may not include " target " (" table ")")
    else if (private && !((own, "internal") in allowed))
        complain(FILENAME ":" FNR, ": a private header of another folder")
}
function look_at_symbols(   line, object, name, kind, n, word, f, from, to, i, at) {
    while ((getline line < (work "/missing")) > 0)
        complain(line, ": not in " build "; build first: make all")
    while ((getline line < (work "/symbols")) > 0) {
        n = split(line, word, " ")
        object = word[1]
        name = word[n]
        kind = word[n - 1]
        sub(/:.*/, "", object)
        f = substr(object, length(build) + 2)
        if (name ~ /^__(odr_asan|asan|gcov|sanitizer)/)
            continue
        if (kind == "U") {
            user[++users] = f
            used[users] = name
        } else if (kind ~ /^[A-Z]$/ && !fits(name, instead[row_of(without_last(f))])) {
            if (!((name, without_last(f)) in at_home)) {
                at_home[name, without_last(f)] = 1
                home[name] = home[name] " " without_last(f)
            }
            definer[name, f] = 1
        }
        objects[f] = 1
    }
    for (i = 1; i <= users; i++) {
        name = used[i]
        if (!(name in home))
            continue # of the C library
        from = without_last(user[i])
        n = split(home[name], word, " ")
        to = ""
        for (f = 1; f <= n; f++)
            if (word[f] == from || may(row_of(from), word[f]) || row_of(word[f]) == row_of(from))
                to = word[f]
        if (to == "" && !fits(name, left_open[row_of(from)]))
            complain(user[i], ": uses " name " of" home[name] ", which " row_of(from) " may not know (" table ")")
        else if (to != from && name !~ /^ws_/ && !fits(name, named[to]) && to !~ /^data/ && to != "")
            complain(user[i], ": uses " name ", which is private to" home[name])
    }
    for (at in definer) {
        split(at, word, SUBSEP)
        name = word[1]
        from = without_last(word[2])
        if (name ~ /^ws_/ || from ~ /^data/ || fits(name, named[from]))
            continue
        f = word[2]
        sub(/.*\//, "", f)
        sub(/\..*/, "", f)
        if (!begins_with_word_of(name, f header[from, name]))
            complain(word[2],
                ": " name " is not static, and begins neither with ws_ nor with a word of its file or header")
    }
    for (i in objects)
        looked++
    if (!looked)
        complain(build, ": holds no objects; build first: make all")
}
END {
    if (build != "")
        look_at_symbols()
    passed = files - failed
    printf "layers: %d passed, %d failed\n", passed < 0 ? 0 : passed, failed
    exit failed > 0 || files == 0
}' "$machine" $(find $folders bench tests -name '*.[ch]' 2>/dev/null | sort)
