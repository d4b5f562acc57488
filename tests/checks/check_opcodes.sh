#!/usr/bin/env bash
# Does anything outside the decoders look into the text of opcodes? What an instruction is stands in ws_instr
# (collect/trace/instr.h), decoded once for each instruction set, and in ws_matrix (collect/trace/instr_matrix.h),
# decoded for who asks.  usage: check_opcodes.sh [FILE...]
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- $(find base metrics pca cluster plots model record library cli collect/trace collect/wst \
    collect/cuda collect/cudart -name '*.[ch]' ! -path collect/trace/instr_matrix.c | sort)
files=$#
# A comparison or search with the text, its first letters by index, or the text as an argument of a word-finder.
looks='(str|mem)[a-z]*(cmp|str|chr|mem|spn|pbrk)\([^;]*opcode|opcode\[|\*[a-z_>.-]*->opcode|(_has|starts_with|_find)\([^;]*opcode'
found=$(grep -HnE "$looks" "$@")
wrong=$(printf '%s' "$found" | cut -d: -f1 | sort -u | grep -c .)
if [ "$wrong" -gt 0 ]; then
    printf '%s\n' "$found"
    echo "expected a fact of ws_instr (collect/trace/instr.h) that collect/ptx/ptx_facts.c and collect/sass/sass.c" \
        "decode"
fi
echo "opcodes: $((files - wrong)) passed, $wrong failed"
[ "$wrong" -eq 0 ]
