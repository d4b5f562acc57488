#!/usr/bin/env bash
# Holds the program's tables against its manual: a page for each command that names each of its options, the same help
# both ways, a folder of golden cases, and a completion script that bash takes.
# Counts pages and scripts.  usage: check_manual.sh PROGRAM
set -u
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.." || exit 1
declare -A checked=() wrong=()
check() { # check FILE WHAT COMMAND...: what holds of a file, or of what it describes
    local file=$1 what=$2
    shift 2
    checked[$file]=1
    "$@" || { wrong[$file]=1 && echo "wrong: $what"; }
}
same_help() { [ -n "$("$program" "$1" --help)" ] && [ "$("$program" help "$1")" = "$("$program" "$1" --help)" ]; }
has_cases() { [ -n "$(find "tests/golden/$1" -name '*.sh' 2>/dev/null)" ]; }
# A page writes an option as \-\-linkage or \-o.
page_names() { sed 's/\\-/-/g' "man/warpscape-$1.1" 2>/dev/null | grep -qE -- "(^|[^a-z-])${2%=}([^a-z-]|\$)"; }
lists() { sed 's/\\-/-/g' man/warpscape.1 | grep -q "warpscape-$1"; }
formats() { [ -z "$(LC_ALL=C.UTF-8 groff -man -ww -Tutf8 -z "$1" 2>&1)" ]; }
takes_completion() { "$program" --completion "$1" | "$1" -n; }
# No example is broken into lines: each is a line of its own, or stands indented below "Examples:".
has_whole_examples() {
    "$program" "$@" --help | awk 'length($0) > 79 { wide = 1; print } below && $0 != "" && !/^ /{ wrapped = 1; print } {
        below = /^Example/ || (below && /^ /) } END { exit wide || wrapped }'
}

check man/warpscape.1 'man/warpscape.1 exists' test -e man/warpscape.1
for shell in bash zsh fish; do
    ! command -v $shell >/dev/null || check "cli/completion.$shell" "$shell takes the script of --completion" \
        takes_completion $shell
done
for command in $("$program" --list-commands); do
    page=man/warpscape-$command.1
    check "$page" "$page exists" test -e "man/warpscape-$command.1"
    check man/warpscape.1 "man/warpscape.1 mentions warpscape-$command" lists "$command"
    check "$page" "help $command = $command --help" same_help "$command"
    check "$page" "examples of $command are not broken into lines" has_whole_examples "$command"
    check "$page" "tests/golden/$command has cases" has_cases "$command"
    for option in $("$program" "$command" --list-options); do
        check "$page" "man/warpscape-$command.1 names $option" page_names "$command" "$option"
    done
done
for model in $("$program" model --help | sed -n '/^Models:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    check man/warpscape-model.1 "examples of model $model are not broken into lines" has_whole_examples model "$model"
    for option in $("$program" model "$model" --list-options); do
        check man/warpscape-model.1 "man/warpscape-model.1 names $option of $model" page_names model "$option"
    done
done
for page in man/*.1; do
    name=$(basename "$page" .1)
    name=${name#warpscape}
    [ -z "$name" ] || check "$page" "$page belongs to a command" "$program" "${name#-}" --list-options >/dev/null
    ! command -v groff >/dev/null || check "$page" "$page is clean" formats "$page"
done
echo "manual: $((${#checked[@]} - ${#wrong[@]})) passed, ${#wrong[@]} failed"
[ ${#wrong[@]} -eq 0 ]
