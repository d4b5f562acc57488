#!/bin/sh
# Prints bash completion for the program, made from its own tables.  usage: completion.sh PROGRAM
program=${1:?program}
commands=$("$program" --list-commands | tr '\n' ' ')
models=$("$program" model --help | sed -n '/^Models:/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')
policies=$("$program" model chameleon --list | sed -n 's/^policy *\([a-z]*\) .*/\1/p' | tr '\n' ' ')
supplies=$("$program" model chameleon --list | sed -n 's/^supply *\([A-Za-z]*\) .*/\1/p' | tr '\n' ' ')
figures=$("$program" plot --list | cut -d ' ' -f 1 | tr '\n' ' ')
cat <<'TEXT'
# Bash completion of warpscape; made by cli/completion.sh.
_warpscape() {
    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options= words=
    COMPREPLY=()
TEXT
printf '    local commands="%shelp --version"\n' "$commands"
cat <<'TEXT'
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands" -- "$cur"))
        return
    fi
    case $command in
TEXT
for command in $commands; do
    printf '    %s) options="%s" ;;\n' "$command" "$("$program" "$command" --list-options | tr '\n' ' ')"
done
cat <<'TEXT'
    help) COMPREPLY=($(compgen -W "$commands" -- "$cur")); return ;;
    esac
    case "$command ${COMP_WORDS[2]}" in
TEXT
for model in $models; do
    printf '    "model %s") options="%s" ;;\n' "$model" "$("$program" model "$model" --list-options | tr '\n' ' ')"
done
cat <<'TEXT'
    esac
    case "$command ${COMP_WORDS[COMP_CWORD - 1]}" in
TEXT
printf '    "plot plot") words="%s" ;;\n' "$figures"
printf '    "model model") words="%s" ;;\n' "$models"
printf '    "model --policy" | "model --base") words="%s" ;;\n' "$policies"
printf '    "model --supply") words="%sall" ;;\n' "$supplies"
cat <<'TEXT'
    "suite suite") words="list run" ;;
    *" --linkage") words="single complete average ward" ;;
    "model --per") words="workload supply policy" ;;
    "model --set") ;;
    "metrics --per") words="launch kernel workload" ;;
    *" --set") words="study modern all" ;;
    *" --scale") words="tiny small study" ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    elif [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -F _warpscape warpscape
TEXT
