#!/usr/bin/env bash
# Does any line compare the sum of a place and a size? Such a sum wraps for what kernels, programs and files choose;
# base/bounds.h has comparisons that do not. Constants (sizeof among them) may be added.  usage: check_bounds.sh
# [FILE...]
set -u
cd "$(dirname "$0")/../.." || exit 1
size='[a-z_.>-]*(bytes|size|length|extent|total)([a-z_.]*|\([^()]*\))'
term='[]A-Za-z_0-9.>()*[-]+'
compare=' (<=|>=|<|>) '
[ $# -gt 0 ] || set -- base/*.[ch] collect/*/*.[ch]
files=$#
found=$(grep -Hn '' "$@" | sed 's/sizeof/SZ/g' |
    grep -E "$term \+ $size$compare|[^A-Za-z_.>]$size \+ $term$compare|$compare$term \+ $size([^A-Za-z_]|\$)|$compare$size \+ $term" |
    grep -vE '^base/bounds\.h:|for \(|^[^:]*:[0-9]*: \*|/\* *[^*]*\+[^*]*\*/ *$')
wrong=$(printf '%s' "$found" | cut -d: -f1 | sort -u | grep -c .)
if [ "$wrong" -gt 0 ]; then
    printf '%s\n' "$found"
    echo "expected ws_range_within() or ws_range_between() of base/bounds.h, or a difference instead of a sum"
fi
echo "bounds: $((files - wrong)) passed, $wrong failed"
[ "$wrong" -eq 0 ]
