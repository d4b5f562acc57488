# shellcheck shell=bash disable=SC2034,SC2154
# reproduction_frame.sh - what scripts that make the tables and figures of a study again have in common. Sourced by
# them, tests/studies/reproduce_STUDY.sh; `page` is theirs to set.
set -eu -o pipefail

# begin_study STUDY PROGRAM [FOLDER [NAME...]]: sets `study`, `program`, `dir` (a folder whose files stay, build/STUDY
# when none is given) and `sample` (names, or nothing), and goes to the top of the tree.
begin_study() {
    study=$1
    program=$(realpath "${2:?program}")
    mkdir -p "${3:-build/$1}"
    dir=$(realpath "${3:-build/$1}")
    sample=${*:4}
    cd "$(dirname "$0")/../.."
    export program dir
}

# begin_short_study STUDY PROGRAM: the same with a folder that is gone when the script ends.
begin_short_study() {
    study=$1
    program=$(realpath "${2:?program}")
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    cd "$(dirname "$0")/../.."
}

# logged LOG COMMAND...: what it says on standard error goes there; it is shown, and the script ends with 1, when the
# command fails.
logged() {
    "${@:2}" 2>"$1" || { cat "$1" >&2; exit 1; }
}
export -f logged

# simulated FILE CONFIG SETTINGS OPTION...: FILE.csv, what sim prints of the machine CONFIG with each OPTION=VALUE of
# SETTINGS, kept when it is whole; then what an option writes to FILE.power is whole, too.
simulated() {
    local set=() option
    [ ! -s "$1.csv" ] || return 0
    for option in $3; do set+=(--set "$option"); done
    logged "$1.log" "$program" sim --config "$2" ${set[@]+"${set[@]}"} "${@:4}" >"$1.new"
    mv "$1.new" "$1.csv"
}
export -f simulated

# totals RUN FILE [AWK OPTION...]: lines "RUN COLUMN VALUE" of the frame: totals.awk.
totals() { awk -v run="$1" "${@:3}" -f tests/studies/totals.awk "$2"; }

# in_parallel N FUNCTION: calls it with N words at a time from standard input, each of which ends with a zero byte; JOBS
# at a time [as many as there are processors].
in_parallel() {
    # shellcheck disable=SC2163
    export -f "$2"
    xargs -0 -r -n "$1" -P "${JOBS:-$(nproc)}" bash -c "$2 \"\$@\"" "$2"
}

# end_with_rows PAGE: ends the script with 0 when each line of $dir/rows is one of the page, else with 1 and names those
# that are not.
end_with_rows() {
    local missing
    [ -s "$dir/rows" ] || { echo "none of these is in the table: $sample"; exit 1; }
    missing=$(grep -vxFf "$1" "$dir/rows") || exit $(($? - 1))
    printf '%s has no such row:\n%s\n' "$1" "$missing"
    exit 1
}

# figure KIND NAME TITLE [OPTION...]: docs/img/STUDY-NAME.svg of $dir/NAME.csv.
figure() { "$program" plot "$1" "$dir/$2.csv" -o "docs/img/$study-$2.svg" --title "$3" "${@:4}"; }

# put_table MARK FILE [VERDICT]: the table in the file replaces what stands between "<!-- MARK: begin" and "<!-- MARK:
# end" of the page. VERDICT: it is one of claims, whose column VERDICT says "yes" or "no" (5, or 6 where claims are
# numbered); it gets its head, and words in the last column stay with their claim.
put_table() {
    local head='| claim | theirs | ours | same direction? | why not |\n| --- | --- | --- | --- | --- |'
    [ "${3:-0}" != 6 ] ||
        head='| | claim | theirs | ours | same direction? | why not |\n| --- | --- | --- | --- | --- | --- |'
    awk -v study="$1" -v file="$2" -v verdict="${3:-0}" -v head="$head" -f tests/studies/splice_page.awk "$page" \
        >"$dir/page.md"
    cp "$dir/page.md" "$page"
}

# put_tables VERDICT PART...: $dir/PART.md at the mark "STUDY PART", one after the other; `claims` is one of claims.
put_tables() {
    local part verdict
    for part in "${@:2}"; do
        verdict=0
        [ "$part" != claims ] || verdict=$1
        put_table "$study $part" "$dir/$part.md" "$verdict"
    done
}

# check_words MARK VERDICT: 1 when a claim between the marks does not hold and nobody says why; names those.
check_words() {
    awk -F ' *[|] *' -v mark="$1" -v verdict="$2" '
        index($0, "<!-- " mark ": begin") == 1 { inside = 1 }
        index($0, "<!-- " mark ": end") == 1 { inside = 0 }
        inside && $verdict == "no" && $(verdict + 1) == "" {
            print "no words for: " $2 (verdict == 6 ? " " $3 : ""); bad = 1
        }
        END { exit bad }' "$page"
}
