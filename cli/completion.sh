#!/bin/sh
# Prints bash completion for the program, made from its own tables.  usage: completion.sh PROGRAM
program=${1:?program}
commands=$("$program" --list-commands | tr '\n' ' ')
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
    case "$command ${COMP_WORDS[COMP_CWORD - 1]}" in
TEXT
printf '    "plot plot") words="%s" ;;\n' "$figures"
cat <<'TEXT'
    "suite suite") words="list run" ;;
    *" --linkage") words="single complete average ward" ;;
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
