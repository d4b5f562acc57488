#!/usr/bin/env bash
# Runs the forms of tests/card, and compares hashes of their results with those of an NVIDIA H200: all but those of
# known.txt must be equal, and those must not be. Shows which are not so and, last, "card: N passed, N failed".
# usage: run_card.sh [--rewrite] PROGRAM [LIBRARIES]
#   PROGRAM    build/release/tests/card/card
#   LIBRARIES  folder of the libcuda.so.1 to use. Without it the system's: a card's, for which known.txt does not count.
#   --rewrite  writes known.txt anew, from what differs now
set -u
rewrite=
[ "${1:-}" != --rewrite ] || { rewrite=1; shift; }
program=$(realpath "${1:?program}")
libraries=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../card" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
for bundle in *.ptxs.gz; do
    gzip -dc "$bundle" >"$work/forms.ptxs"
    "$program" "$work/forms.ptxs" >>"$work/got" 2>"$work/errors" ||
        { cat "$work/errors"; echo "$bundle: $program failed"; }
done
gzip -dc expected.txt.gz >"$work/expected"
if [ -n "$rewrite" ]; then
    awk -f verdicts.awk -f known.awk "$work/expected" "$work/got" known.txt >"$work/known" &&
        cp "$work/known" known.txt
fi
known=${libraries:+known.txt}
awk -f verdicts.awk -f compare.awk "$work/expected" "$work/got" ${known:+"$known"}
