# Bash completion of warpscape, which says itself what fits: warpscape --complete WORD... (printed by warpscape --completion bash)
#
# Readline cuts words at the letters of COMP_WORDBREAKS, which has = in it unless somebody took it out: "--linkage=si" is one word or the
# three "--linkage" "=" "si". They are put together first; what comes back is what readline replaces, the value alone when it cut there.
_warpscape() {
    local joined=() word value line cut= keep= i
    COMPREPLY=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#joined[@]} > 0)) && [[ $word == = && ${joined[-1]} == -* && ${joined[-1]} != *=* ]]; then
            joined[-1]+== # the sign, and with the next word the value
        elif ((i > 1)) && [[ ${COMP_WORDS[i - 1]} == = && ${joined[-1]} == -*= ]]; then
            joined[-1]+=$word
        else
            joined+=("$word")
        fi
    done
    word=${joined[-1]}
    value=$word
    if [[ $word == --*=* ]]; then
        value=${word#*=}
        if [[ $COMP_WORDBREAKS == *=* ]]; then cut=${word%%=*}=; else keep=${word%%=*}=; fi
    fi
    while IFS= read -r line; do
        case $line in
        :files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -P "$keep" -- "$value") ;;
        :folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -P "$keep" -- "$value") ;;
        *) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$cut"}") && continue ;;
        esac
        compopt -o filenames 2>/dev/null
    done < <("${COMP_WORDS[0]}" --complete "${joined[@]}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -F _warpscape warpscape
