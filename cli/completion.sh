#!/bin/sh
# Prints bash completion for the program, made from its own tables.  usage: completion.sh PROGRAM
program=${1:?program}
tree=$(dirname "$0")/..
commands=$("$program" --list-commands | tr '\n' ' ')
models=$("$program" model --help | sed -n '/^Models:/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')
policies=$("$program" model chameleon --list | sed -n 's/^policy *\([a-z]*\) .*/\1/p' | tr '\n' ' ')
supplies=$("$program" model chameleon --list | sed -n 's/^supply *\([A-Za-z]*\) .*/\1/p' | tr '\n' ' ')
figures=$("$program" plot --list | cut -d ' ' -f 1 | tr '\n' ' ')
protocols=$(sed -n 's/^PROTOCOL(.*"\(.*\)".*/\1/p' "$tree/model/coherence/protocols.def" | tr '\n' ' ')

# what NAME COMMAND...: cases of what the options of a command take, as far as words or folders are told by their arguments:
# words with a bar between them, DIR and FOLDER. What takes a file needs none, as everything else does.
what() {
    name=$1
    shift
    "$program" "$@" --list-arguments | while read -r option argument; do
        case $argument in
        *FILE*) ;;
        DIR | FOLDER) printf '    "%s %s") folders=1 ;;\n' "$name" "$option" ;;
        *[A-Z=]*) ;;
        *'|'*) printf '    "%s %s") words="%s" ;;\n' "$name" "$option" "$(echo "$argument" | tr '|' ' ')" ;;
        esac
    done
}

cat <<'TEXT'
# Bash completion of warpscape; made by cli/completion.sh.
#
# Readline cuts words at the letters of COMP_WORDBREAKS, which has = in it unless somebody took it out: "--linkage=si" is one word or the
# three "--linkage" "=" "si". They are put together first; what comes back is what readline replaces, the value alone when it cut there.
_warpscape() {
    local command=${COMP_WORDS[1]} options= words= folders= joined=() word option value cur before= i
    COMPREPLY=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 0 && ${#joined[@]} > 0)) && [[ $word == = && ${joined[-1]} == --* && ${joined[-1]} != *=* ]]; then
            joined[-1]+== # the sign, and with the next word the value
        elif ((i > 1)) && [[ ${COMP_WORDS[i - 1]} == = && ${joined[-1]} == --*= ]]; then
            joined[-1]+=$word
        else
            joined+=("$word")
        fi
    done
    cur=${joined[-1]}
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
    if [[ $cur == --*=* ]]; then # "--linkage=si"
        option=${cur%%=*} value=${cur#*=}
        [[ $COMP_WORDBREAKS == *=* ]] || before=$option=
    else # "--linkage si", "plot sc"
        option=${joined[-2]} value=$cur
    fi
    case "$command $option" in
TEXT
for command in $commands; do
    what "$command" "$command"
done
for model in $models; do
    what model model "$model"
done
printf '    "plot plot") words="%s" ;;\n' "$figures"
printf '    "model model") words="%s" ;;\n' "$models"
printf '    "model --policy" | "model --base") words="%s" ;;\n' "$policies"
printf '    "model --supply") words="%sall" ;;\n' "$supplies"
printf '    *" --protocol" | "sim -p" | "verify -p" | "model -P") words="%snone" ;;\n' "$protocols"
cat <<'TEXT'
    "suite suite") words="list run" ;;
    *" --linkage" | *" -l") words="single complete average ward" ;;
    "model --set" | "sim --set") ;;
    "metrics --per" | "metrics -p") words="launch kernel workload" ;;
    *" --set") words="study modern all machines" ;;
    *" --scale") words="tiny small study" ;;
    *" --missing") words="refuse columns rows" ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -P "$before" -- "$value"))
    elif [[ $cur == -* && $cur != --*=* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    else # a line is a name, blanks and all
        compopt -o filenames 2>/dev/null
        if [ -n "$folders" ]; then
            mapfile -t COMPREPLY < <(compgen -d -P "$before" -- "$value")
        else
            mapfile -t COMPREPLY < <(compgen -f -P "$before" -- "$value")
        fi
    fi
}
complete -F _warpscape warpscape
TEXT
