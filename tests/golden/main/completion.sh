# What the tab key offers, with and without = among the letters that cut words, as readline cuts them.
"$WARPSCAPE" --completion bash >completion.bash && . ./completion.bash 2>/dev/null
warpscape() { "$WARPSCAPE" "$@"; } # as the first word is called
touch frame.csv 'two words.csv' && mkdir folder
offer() { # WORD...: the last one is being typed
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _warpscape 2>/dev/null
    printf '%s:' "$*"
    printf ' [%s]' "${COMPREPLY[@]}"
    echo
}
offer warpscape stu
offer warpscape plot s
offer warpscape plot scree --lin
echo "= cuts: ${COMP_WORDBREAKS//[!=]/}"
offer warpscape cluster f --linkage ''
offer warpscape cluster f --linkage =
offer warpscape cluster f --linkage = c
offer warpscape metrics --per = k
offer warpscape metrics --db = f
offer warpscape cluster f -l w
offer warpscape report --output = f
offer warpscape metrics --missing = r --db = fr
offer warpscape suite run --scale = s
offer warpscape sim --protocol = tc
offer warpscape model chameleon --per = s
offer warpscape plot scree two
offer warpscape pca --subspace = DV fr
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
echo '= does not cut'
offer warpscape cluster f --linkage=c
offer warpscape metrics --per=
offer warpscape metrics --db=f
offer warpscape cluster f --linkage
offer warpscape run --db=f ./a
offer warpscape run -n x ./app --li
offer warpscape model ch
offer warpscape model chameleon --base ''''''
offer warpscape whatif gtsc-m
offer warpscape sim -c rtx2060-
offer warpscape sim --suite BF
offer warpscape pca --columns simd_efficiency,log_u
offer warpscape explain log_i
offer warpscape help ex
offer warpscape nothing x
