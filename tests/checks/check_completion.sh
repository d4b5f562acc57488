#!/usr/bin/env bash
# Do zsh and fish offer what the program says? (Bash: tests/golden/main/completion.sh.) fish is asked by its own
# `complete -C`; in zsh, which completes on a terminal alone, the tab key is pressed on one that zpty makes. A shell
# that is not there is left out, and said so.
# usage: check_completion.sh PROGRAM
set -u
program=$(realpath "${1:?program}")
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/place" "$work/place/folder"
ln -s "$program" "$work/bin/warpscape"
touch "$work/place/frame.csv"
"$program" --completion zsh >"$work/bin/_warpscape"
"$program" --completion fish >"$work/warpscape.fish"
export PATH=$work/bin:$PATH HOME=$work WARPSCAPE_DATA=${program%/build/*}/data
cd "$work/place" || exit 1

# What is typed, and what it becomes or what is among the offers.
cases=(
    'warpscape expla|warpscape explain'
    'warpscape plot scr|warpscape plot scree'
    'warpscape cluster f --linkage comp|warpscape cluster f --linkage complete'
    'warpscape cluster f --linkage=comp|warpscape cluster f --linkage=complete'
    'warpscape model cham|warpscape model chameleon'
    'warpscape suite run --scale=ti|warpscape suite run --scale=tiny'
    'warpscape sim -c rtx2060-m|warpscape sim -c rtx2060-mini'
    'warpscape metrics --db=fra|warpscape metrics --db=frame.csv'
    'warpscape pca fra|warpscape pca frame.csv'
    'warpscape report -o fol|warpscape report -o folder'
)
fish_becomes() { # fish prints words, not lines
    local last=${2##* }
    fish --no-config -c "source $work/warpscape.fish; complete -C '$1'" 2>&1 | cut -f 1 |
        grep -qxE -- "$last/?|${last#*=}/?"
}
zsh_becomes() { # looks at the screen until it is so, for ten seconds at most
    zsh -f -o extendedglob -c '
        zmodload zsh/zpty
        zpty z "zsh -f -i"
        zpty -w z "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $2/dump; cd $2/place; echo rea\"\"dy"
        zpty -r -m z text "*ready*"
        zpty -w -n z "$3"$'"'\\t'"'
        screen=
        for ((tries = 0; tries < 100; tries++)); do
            while zpty -r -t z text; do screen+=$text; done
            plain=${(S)${screen//[$'"'\\r\\a'"']/}//$'"'\\e'"'\[[0-9;?]#[a-zA-Z]/}
            print -r -- "$plain"
            [[ $plain != *$4* ]] || break
            sleep 0.1
        done
        zpty -d z
        ((tries < 100))' - "$work/bin" "$work" "$1" "$2" >"$work/screen" 2>&1
}
for shell in fish zsh; do
    if ! command -v $shell >/dev/null; then
        echo "left out: no $shell here (make deps-more)"
        continue
    fi
    for case in "${cases[@]}"; do
        if "${shell}_becomes" "${case%|*}" "${case#*|}"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "wrong: $shell: '${case%|*}' does not become '${case#*|}'"
            [ $shell != zsh ] || tail -n 3 "$work/screen" | cat -v
        fi
    done
done
echo "completion: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
