#!/usr/bin/env bash
# Could a row of a table be one without behaviour, or with that of another row? tests/checks/rows.txt says for each
# table (.def) what keeps it from that: see there.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
list=tests/checks/rows.txt
folders=(base cli cluster collect library record metrics model pca plots data/workloads)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "${folders[@]}" -name '*.def' | sort >"$work/tables"

# Rows of all tables, a line each: table, macro, first argument, second argument, what it does: the other arguments
# without texts that set nothing (no `='), and all but the last, which says what it means.
xargs awk '
    function flush_argument() {
        gsub(/[ \n]+/, " ", argument); sub(/^ /, "", argument); sub(/ $/, "", argument)
        given[++count] = argument; argument = ""
    }
    function add_row(row,    n, i, c, depth, quoted, does, all, k) {
        n = length(row); depth = quoted = count = 0; argument = ""
        for (i = 1; i <= n; i++) {
            c = substr(row, i, 1)
            if (quoted) {
                if (c == "\\") { argument = argument c; c = substr(row, ++i, 1) } else if (c == "\"") quoted = 0
            }
            else if (c == "\"") quoted = 1
            else if (c == "(" || c == "[" || c == "{") depth++
            else if (c == ")" || c == "]" || c == "}") { if (--depth < 0) break }
            if (c == "," && !depth && !quoted) flush_argument(); else argument = argument c
        }
        flush_argument()
        for (k = 2; k <= count; k++) if (given[k] !~ /^"/ || given[k] ~ /=/) does = does "," given[k]
        for (k = 2; k <= count; k++) if (k == 2 || k < count) all = all "," given[k]
        gsub(/"/, "", given[1])
        print table "\t" macro "\t" given[1] "\t" given[2] "\t" does "\t" all
    }
    function end_row() { if (macro != "") add_row(text); macro = text = "" }
    FNR == 1 { end_row(); table = FILENAME; comment = 0 }
    {
        line = $0
        if (comment) { if (!(at = index(line, "*/"))) next; line = substr(line, at + 2); comment = 0 }
        while ((at = index(line, "/*")) > 0) {
            rest = substr(line, at + 2); end = index(rest, "*/")
            line = substr(line, 1, at - 1) (end ? substr(rest, end + 2) : "")
            if (!end) { comment = 1; break }
        }
    }
    line ~ /^#/ { end_row(); next }
    match(line, /^[A-Z][A-Z0-9_]* *\(/) {
        end_row(); macro = substr(line, 1, RLENGTH - 1); sub(/ *$/, "", macro)
        line = substr(line, RLENGTH + 1)
    }
    macro != "" { text = text line "\n" }
    END { end_row() }' <"$work/tables" >"$work/rows"

# Each word of the sources, and what is behind each underscore in it, with the file that has it; * for several.
find "${folders[@]}" -name '*.[ch]' -o -name '*.def' | xargs awk '
    { gsub(/_##/, "_PASTED "); gsub(/[^A-Za-z0-9_]+/, " "); n = split($0, word, " ")
      for (i = 1; i <= n; i++)
          if (!(word[i] in file)) file[word[i]] = FILENAME; else if (file[word[i]] != FILENAME) file[word[i]] = "*" }
    END {
        for (w in file)
            for (part = w; part != ""; part = (at = index(part, "_")) ? substr(part, at + 1) : "") print part, file[w]
    }' >"$work/words"

awk -F'\t' -v list=$list '
    function bad(what) { print what; failed++ }
    function known(name, table) { return name in one && (one[name] != table || name in many) }
    FILENAME ~ /\/words$/ {
        split($0, f, " ")
        if (!(f[1] in one)) one[f[1]] = f[2]; else if (one[f[1]] != f[2]) many[f[1]] = 1
        if (f[2] == "*") many[f[1]] = 1
        next
    }
    FILENAME ~ /\/tables$/ { is_table[$0] = 1; next }
    FILENAME == list {
        if (/^#/ || !NF) next
        n = split($0, f, " ")
        if (!(f[1] in is_table)) { bad(list ": there is no table " f[1]); next }
        if (f[1] in guards) { bad(list ": " f[1] " stands there twice"); next }
        guards[f[1]] = f[2]; tables++
        k = split(f[2], guard, ",")
        for (i = 1; i <= k; i++) {
            has[f[1], guard[i]] = 1
            if (guard[i] ~ /^tests\//) {
                if ((getline line <guard[i]) < 1) bad(list ": " f[1] ": there is no " guard[i])
                close(guard[i])
            }
            else if (guard[i] ~ /^in:/) {
                inside[f[1]] = substr(guard[i], 4)
                while ((getline line <inside[f[1]]) > 0) {
                    gsub(/[^A-Za-z0-9_-]+/, " ", line); m = split(line, word, " ")
                    for (w = 1; w <= m; w++) is_in[f[1], word[w]] = 1
                }
                close(inside[f[1]])
            }
            else if (guard[i] == "facts") { if (n < 3) bad(list ": " f[1] ": what are its facts?") }
            else if (guard[i] !~ /^(symbol|used|pair|distinct|texts)$/) bad(list ": " f[1] ": what is " guard[i] "?")
        }
        next
    }
    { rows++ }
    (has[$1, "symbol"] || has[$1, "used"]) && !known($3, $1) && !known($3 "_" $4, $1) { bad($1 ": nothing uses " $3) }
    has[$1, "pair"] && !known($3 "_" $4, $1) && !known($3 "_PASTED", $1) { bad($1 ": nothing uses " $3 "_" $4) }
    has[$1, "distinct"] && $5 == "" { bad($1 ": " $3 " does not say what it does") }
    has[$1, "distinct"] && $5 != "" {
        if (($1, $2, $5) in first) bad($1 ": " $3 " does what " first[$1, $2, $5] " does")
        first[$1, $2, $5] = $3
    }
    has[$1, "texts"] {
        if (($1, $2, $6) in said) bad($1 ": " $3 " says what " said[$1, $2, $6] " says")
        said[$1, $2, $6] = $3
    }
    $1 in inside { split($3, part, "."); if (!(($1, part[1]) in is_in)) bad($1 ": " $3 " is not in " inside[$1]) }
    END {
        for (t in is_table) if (!(t in guards)) bad(list ": there is no line for " t)
        if (rows < tables) bad("fewer rows than tables were found")
        print "rows: " tables " passed, " failed + 0 " failed"
        exit failed > 0
    }' "$work/words" "$work/tables" $list "$work/rows"
