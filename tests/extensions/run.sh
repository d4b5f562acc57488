#!/usr/bin/env bash
# Are docs/adding.md and docs/adding-simulator.md true? Each NAME.sh here adds a toy by their steps to a copy of the tree
# with its build: guards have to fail while parts are missing, and to pass with all of them. The copy is thrown away; a
# table says how many files a step like it touches, and how many objects it compiles anew. A script is a list of:
#   add FILE <<E             a new file
#   change FILE SED...       a file that is there; SED has to change it
#   copy FROM TO SED...      a new file that is one that is there, changed
#   fails TEXT GUARD...      the guard fails and says TEXT
#   passes GUARD...          it does not
# Guards: build (the program), unit NAME (tests/unit/test_NAME.c), check NAME... (make NAME), golden CASE.
# usage: [JOBS=N] [KEEP=1] run.sh [NAME]...    KEEP: what failed stays where it is, for a look
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C top=$PWD jobs=${JOBS:-2}
here=tests/extensions
B=build/release
work=$(mktemp -d)
trap '[ -n "${KEEP:-}" ] && [ "$failed" -gt 0 ] && echo "kept: $work" || rm -rf "$work"' EXIT
passed=0 failed=0

# What make needs to go on: objects and libraries, but no test programs.
copy_tree() { # copy_tree TO
    local part
    mkdir -p "$1/$B/tests"
    for part in * .[!.]*; do [ "$part" = build ] || [ "$part" = .git ] || cp -a "$part" "$1"; done
    for part in $B/*; do
        case ${part##*/} in tests | fuzz | programs | bench) ;; *) cp -a "$part" "$1/$B" ;; esac
    done
    [ ! -d $B/tests/unit ] || cp -a $B/tests/unit "$1/$B/tests"
}

stop() { echo "  $name: $*" >&2; exit 1; }
made() { make --no-print-directory -j"$jobs" "$@"; }
build() { made $B/warpscape; }
unit() { made "$B/tests/test_$1" && "$B/tests/test_$1"; }
check() { made "$@"; }
golden() { build && "$(find tests -name run_golden.sh)" $B/warpscape "$@"; }
add() { mkdir -p "$(dirname "$1")" && ! [ -e "$1" ] || stop "$1 is there already"; cat >"$1"; }
change() {
    local file=$1 expression
    shift
    for expression in "$@"; do
        sed -E "$expression" "$file" >"$file.new" && ! cmp -s "$file" "$file.new" ||
            stop "$file has no place for: $expression"
        mv "$file.new" "$file"
    done
}
copy() {
    local from=$1 to=$2
    shift 2
    [ ! -e "$to" ] && cp "$from" "$to" || stop "no $from, or $to is there"
    change "$to" "$@"
}
try() { # try GUARD...: its status; what it said is in $log
    log=$own.log
    "$@" >"$log" 2>&1
    local status=$?
    cat "$log" >>"$own.all"
    return $status
}
fails() {
    local text=$1
    shift
    ! try "$@" || stop "passes, though a part is missing: $*"
    grep -qF -- "$text" "$log" || { tail -20 "$log" >&2; stop "fails, but does not say '$text': $*"; }
    echo "$*" >>"$own.guards"
}
passes() { try "$@" || { tail -30 "$log" >&2; stop "fails, though all parts are there: $*"; }; }
touched() { diff -rq --exclude=build --exclude=.git "$top" . | grep -vc "Only in $top" || true; }
export -f stop made build unit check golden add change copy try fails passes touched
export B

one() { # one NAME
    export name=$1 own=$work/$1
    mkdir -p "$own"
    copy_tree "$own"
    (cd "$own" && . "$top/$here/$name.sh" && touched >"$own.files") || return 1
    printf '%-18s %6s %8s   %s\n' "$name" "$(cat "$own.files")" "$(grep -c '^  CC ' "$own.all")" \
        "$(sort -u "$own.guards" | paste -sd ';' | sed 's/;/; /g')"
}

[ -x $B/warpscape ] || { echo "$B/warpscape is not built" >&2; exit 1; }
[ $# -gt 0 ] || set -- $(cd $here && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx run)
for name; do
    [ "$name" != run ] && [ -f "$here/$name.sh" ] || { echo "no extension is called $name: see $here" >&2; exit 2; }
done
printf '%-18s %6s %8s   %s\n' extension files objects 'guards that miss parts'
for name; do
    if one "$name"; then passed=$((passed + 1)); rm -rf "${work:?}/$name"; else failed=$((failed + 1)); fi
done
echo "extensions: $passed passed, $failed failed"
[ $failed -eq 0 ]
