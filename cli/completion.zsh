#compdef warpscape
# Zsh completion of warpscape, which says itself what fits: warpscape --complete WORD... (printed by warpscape --completion zsh)
_warpscape() {
    local line text open=() closed=() files= prefix=
    for line in "${(@f)$("${words[1]}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        '') ;;
        :files) files=-f ;;
        :folders) files=-/ ;;
        *)
            text=${line%%$'\t'*}
            line=${text//:/\\:}:${line#*$'\t'}
            if [[ $text == *= ]]; then open+=("$line"); else closed+=("$line"); fi
            ;;
        esac
    done
    ((${#open})) && _describe -t options option open -S ''
    ((${#closed})) && _describe -t values value closed
    if [[ -n $files ]]; then
        [[ $PREFIX != --*=* ]] || compset -P '*='
        _files ${files#-f}
    fi
}
if [[ ${funcstack[1]-} == _warpscape ]]; then _warpscape "$@"; else compdef _warpscape warpscape; fi
