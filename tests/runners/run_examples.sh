#!/usr/bin/env bash
# Runs the examples of Markdown pages (blocks ```console and ```sh), manual pages and help texts, line after line, each
# page in a new folder. Every command must succeed. In a block ```console it must also print the lines below it;
# --rewrite puts in the output, pictures included. tests/runners/examples.txt lists files that a user brings, commands
# that run at a smaller size, and commands that do not run.
# usage: [JOBS=N] run_examples.sh [--rewrite] NAME PROGRAM SOURCE...
#   SOURCE   FILE.md; man/FILE.1; help:COMMAND; help:model:NAME; help: all of these, and no row of
#            tests/runners/examples.txt may be unused
set -u
rewrite=no
[ "${1:-}" = --rewrite ] && rewrite=yes && shift
name=${1:?name} program=$(realpath "${2:?program}")
shift 2
TREE=$(cd "$(dirname "$0")/../.." && pwd) BUILD=$(dirname "$program") LC_ALL=C
cd "$TREE" || exit 1
rows=tests/runners/examples.txt
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/results"
ln -s "$program" "$dir/bin/warpscape"
export TREE BUILD LC_ALL WARPSCAPE_DATA=$TREE/data PATH="$dir/bin:$PATH"

# ---- rows: KIND SOURCE WHAT -- WHY ----

kinds=() sources=() whats=() counts=0
while IFS= read -r line; do
    [[ $line != '#'* && -n $line ]] || continue
    if [[ ! $line =~ ^(given|change|omit)\ +([^ ]+)\ +(.*[^ ])\ +--\ (.+)$ ]]; then
        echo "$rows: expected KIND SOURCE WHAT -- WHY: $line" >&2
        exit 2
    fi
    kinds+=("${BASH_REMATCH[1]}") sources+=("${BASH_REMATCH[2]}") whats+=("${BASH_REMATCH[3]}") counts=$((counts + 1))
done <"$rows"
used=()

# adapt SOURCE COMMAND: sets `command` to the command that runs, or to nothing, and marks the rows used.
adapt() {
    local i g what text
    command=$2
    for ((i = 0; i < counts; i++)); do
        # shellcheck disable=SC2053
        [[ $1 == ${sources[i]} ]] || continue
        what=${whats[i]}
        case ${kinds[i]} in
        omit) [[ $command =~ $what ]] && used[i]=1 && command= && return ;;
        change)
            text=${what#* => } what=${what%% => *}
            [[ $command =~ $what ]] || continue
            used[i]=1
            for ((g = 1; g < ${#BASH_REMATCH[@]}; g++)); do text=${text//"\\$g"/"${BASH_REMATCH[g]}"}; done
            command=${command/"${BASH_REMATCH[0]}"/"$text"}
            ;;
        esac
    done
}

# bring SOURCE [look]: makes in the current folder the files of a user that the commands on standard input name; look:
# marks the rows only.
bring() {
    local i text made how
    text=" $(tr -s '\n' ' ') "
    for ((i = 0; i < counts; i++)); do
        # shellcheck disable=SC2053
        [[ ${kinds[i]} == given && $1 == ${sources[i]} ]] || continue
        read -r made how <<<"${whats[i]}"
        [[ $text =~ [[:space:]\'=](\./)?"$made"[/[:space:]\'] ]] || continue
        used[i]=1
        [ "${2:-}" != look ] || continue
        bash -e -o pipefail -c "$how" >"$made.log" 2>&1 || { cat "$made.log" && return 1; }
        rm -f "$made.log"
    done
}

# ---- sources ----

help_names() {
    "$program" --list-commands | sed 's/^/help:/'
    "$program" model --help | sed -n '/^Models:/,/^$/s/^  \([a-z]*\) .*/help:model:\1/p'
}
# document SOURCE: as Markdown.
document() {
    case $1 in
    help:*)
        # shellcheck disable=SC2046
        "$program" $(tr ':' ' ' <<<"${1#help:}") --help |
            awk '/^Examples?:/ { inside = 1; print "```sh"; sub(/^Examples?: */, "") } inside && /^ *$/ { next }
                inside { sub(/^ */, ""); print } END { if (inside) print "```" }'
        ;;
    *.1)
        awk '/^\.SH/ { inside = /EXAMPLE/ } /^\.(nf|fi)/ { code = /nf/; next } inside && code' "$1" |
            sed 's/\\-/-/g; s/\\e/\\/g' |
            awk 'NR == 1 { print "```sh" } { print } END { if (NR) print "```" }'
        ;;
    *) cat "$1" ;;
    esac
}
# parse: the document on standard input, and behind what holds a command a line of its own: \001 and the command in a
# block ```console, \002 in one ```sh.
parse() {
    awk '
    { print }
    /^```/ { kind = kind == "" ? $0 : ""; held = ""; next }
    kind == "```console" && /^\$ / { print "\001" substr($0, 3) }
    kind == "```sh" && !/^ *(#|$)/ {
        sub(/^ */, "")
        held = held $0
        if (sub(/\\$/, "", held) || held ~ /(\||&&)$/) { held = held " "; next }
        print "\002" held
        held = ""
    }'
}
commands() { parse | sed -n 's/^[\x01\x02]//p'; }

# run_source SOURCE: the last line is "PASSED FAILED".
run_source() {
    local source=$1 place passed=0 failed=0 skipping=no shown=no line
    place=$(mktemp -d "$dir/XXXXXX")
    mkdir "$place/work"
    document "$source" >"$place/page.md"
    commands <"$place/page.md" >"$place/commands"
    if [[ $source != *.md && ! -s $place/commands ]]; then
        echo "$source: no example; add one at the end of its text"
        failed=$((failed + 1))
    fi
    if ! (cd "$place/work" && bring "$source") <"$place/commands"; then
        echo "$source: a file of a row given of $rows cannot be made"
        failed=$((failed + 1))
    fi
    # perform COMMAND SHELL-OPTION...: what it prints goes on; ends with 1 where it is left out.
    perform() {
        local command status=0
        adapt "$source" "$1"
        shift
        [ -n "$command" ] || return 1
        (cd "$place/work" && bash "$@" -c "$command" 2>"$place/said" </dev/null) || status=$?
        if [ $status -eq 0 ] || [ $status -eq 141 ]; then # 141: head has seen enough
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            { echo "$source: exit status $status: $command" && tail -n 3 "$place/said"; } >>"$place/failed"
        fi
    }
    while IFS= read -r line; do
        case $line in
        $'\001'*)
            shown=yes skipping=no
            ! perform "${line:1}" || skipping=yes
            continue
            ;;
        $'\002'*)
            perform "${line:1}" -o pipefail >/dev/null # nothing else would notice
            continue
            ;;
        '$ '* | '```') skipping=no ;;
        esac
        [ $skipping = yes ] || printf '%s\n' "$line"
    done < <(parse <"$place/page.md") >"$place/fresh.md"
    [ ! -e "$place/failed" ] || cat "$place/failed"
    if [ $rewrite = yes ] && [ $shown = yes ]; then
        local page picture
        page=$(basename "$source" .md)
        cp "$place/fresh.md" "$source"
        # Pictures: img/PAGE-NAME.svg is the NAME.svg that a command drew.
        for picture in $(grep -o "img/$page-[a-z]*\.svg" "$source"); do
            cp "$place/work/${picture#"img/$page-"}" "$(dirname "$source")/$picture" || failed=$((failed + 1))
        done
    elif [ $shown = yes ] && ! diff -u --label "$source" "$place/page.md" --label 'what comes out' "$place/fresh.md"; \
        then
        failed=$((failed + 1))
    fi
    rm -rf "$place"
    echo "$passed $failed"
}

# Looks every row up in all examples, whether they run or not.
check_rows() {
    local source line command i unused=0
    for source in $(help_names) README.md docs/*.md man/*.1; do
        document "$source" | commands >"$dir/commands"
        bring "$source" look <"$dir/commands"
        while IFS= read -r line; do adapt "$source" "$line"; done <"$dir/commands"
    done
    for ((i = 0; i < counts; i++)); do
        [ -z "${used[i]:-}" ] || continue
        echo "$rows: no example needs this row: ${kinds[i]} ${sources[i]} ${whats[i]}"
        unused=$((unused + 1))
    done
    echo "$((counts - unused)) $unused"
}

# ---- all of them ----

all=() rows_too=no
for source in "$@"; do
    if [ "$source" = help ]; then
        mapfile -t -O ${#all[@]} all < <(help_names)
        rows_too=yes
    else
        all+=("$source")
    fi
done
for ((i = 0; i < ${#all[@]}; i++)); do
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
    run_source "${all[i]}" >"$dir/results/$i" 2>&1 &
done
wait
[ $rows_too = no ] || check_rows >"$dir/results/rows"
passed=0 failed=0
for result in "$dir"/results/*; do
    sed '$d' "$result"
    read -r p f < <(tail -n 1 "$result")
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$name: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
