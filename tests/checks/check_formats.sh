#!/usr/bin/env bash
# Are the columns and formats that docs/formats.md promises still what the program makes? tests/checks/formats.txt is
# the promise, a row each: a row that nothing makes is a broken promise, something made without a row is one that nobody
# has written down; --add writes it.
# usage: check_formats.sh PROGRAM [--add]
set -u
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.." || exit 1
list=tests/checks/formats.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WARPSCAPE_DATA=$PWD/data
db=$work/results.db
warpscape() { (cd "$work" && "$program" "$@" 2>>"$work/said"); }
column_names() { grep -v '^#' | head -n 1 | tr ',' '\n'; }
frame() { # frame NAME COMMAND...: the columns of what a command prints
    local name=$1
    shift
    warpscape "$@" | column_names | sed "s/^/frame $name /"
}
produced() {
    local view
    for view in $(sqlite3 "$db" "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE 'all_%'"); do
        sqlite3 "$db" "SELECT 'view $view ' || name FROM pragma_table_info('$view')"
    done
    sqlite3 "$db" \
        "SELECT 'view ' || a.name || ' as ' || b.name FROM sqlite_master a JOIN sqlite_master b ON a.name = 'all_' || b.name
        WHERE NOT EXISTS(SELECT name FROM pragma_table_info(a.name) EXCEPT SELECT name FROM pragma_table_info(b.name))"
    frame metrics metrics --db results.db
    frame launches launches --db results.db
    frame runs runs --db results.db
    frame pca pca --pcs 1 metrics.csv
    frame cluster cluster metrics.csv
    frame subset subset --sizes 1 metrics.csv
    frame annotate annotate --db results.db --format csv --ptx .
    nm -D --defined-only "${program%/*}/library/libwarpscape.so.0" |
        awk '$3 ~ /^warpscape_/ { sub(/@.*/, "", $3); print "symbol libwarpscape.so.0 " $3 }'
    echo "format views $(sqlite3 "$db" 'SELECT views FROM about')"
    echo "format results $(sqlite3 "$db" 'PRAGMA user_version')"
    warpscape metrics --db results.db | sed -n '1s/^# warpscape frame /format frame /p'
}

warpscape suite run --scale tiny --db results.db MM BFS
warpscape run --db results.db --name own "${program%/*}/workloads/MM" --scale tiny
warpscape metrics --db results.db >"$work/metrics.csv"
produced | sort -u >"$work/made"
if [ ! -s "$work/made" ] || [ ! -s "$work/metrics.csv" ]; then
    cat "$work/said"
    echo 'formats: 0 passed, 1 failed'
    exit 1
fi
promised() { grep -v '^#' "$list" | sed 's/ retired .*//' | sort -u >"$work/promised"; }
promised
new=$(comm -23 "$work/made" "$work/promised")
if [ "${2:-}" = --add ] && [ -n "$new" ]; then
    { grep '^#' "$list"; { grep -v '^#' "$list"; echo "$new"; } | sort -u; } >"$work/list" && cp "$work/list" "$list"
    new=
    promised
fi
gone=$(comm -13 "$work/made" "$work/promised")
[ -z "$gone" ] || sed 's/^/gone, though docs\/formats.md promises it: /' <<<"$gone"
[ -z "$new" ] || sed 's/^/new, and not promised (tests\/checks\/check_formats.sh PROGRAM --add): /' <<<"$new"
# a view, a frame, a library or a format is one, whatever its columns
things() { cut -d' ' -f1,2 | sort -u | grep -c .; }
failed=$(printf '%s\n%s\n' "$gone" "$new" | grep . | things)
echo "formats: $(($(cat "$work/made" "$work/promised" | things) - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
