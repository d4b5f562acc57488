#!/usr/bin/env bash
# Holds `warpscape sim --config rtx2060` against another simulator of that card, on kernels of our own (what the machine
# file owes to them: docs/simulator.md): those of tests/peers/forty.launch, the same PTX, sizes and inputs. A file of
# tests/peers says what the peer had, and what is known to be off.
# usage: run_peers.sh PROGRAM [NAME]          (NAME.peer in tests/peers: gpgpusim or accelsim; gpgpusim)
# CSV=FILE also writes the table. JOBS=N simulates N kernels at a time.
# With a line `pipeline` in the file, all are simulated again with these options besides, which say how the peer differs
# from the card, and held to its line `within`. It fails when the mean absolute error net of launch cost is above the
# file's `mean`, the correlation is below its `correlation`, a kernel that no row `off` names is further off than
# `most`, or one that is named is outside of what its row says. One that is named and within `most` is said.
set -u
WARPSCAPE=$(realpath "${1:?program}")
cd "$(dirname "$0")/../peers" || exit 1
peer=$PWD/${2:-gpgpusim}.peer
[ -r "$peer" ] || { echo "peers: $peer: no such file; there are: $(ls -- *.peer | tr '\n' ' ')" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp forty.ptx "$work"
options=$(sed -n 's/^options //p' "$peer")
export WARPSCAPE work options
# Each kernel alone, with the buffers that it names: what the host copied is in L2 when it starts.
awk -v folder="$work" '
    $1 == "buffer" { line[$2] = $0; name[++names] = $2 }
    $1 == "launch" {
        file = folder "/" $2 ".launch"
        for (i = 1; i <= names; i++) if (index(" " $0 " ", " " name[i] " ")) print line[name[i]] > file
        print > file
        close(file)
    }' forty.launch
simulate() {
    "$WARPSCAPE" exec forty.ptx "$1.launch" --trace "$1.wst" >"$1.log" && "$WARPSCAPE" sim --config rtx2060 $options \
        "$1.wst" >"$1.csv" ||
        echo "peers: $1: $(tail -n 1 "$1.log")" >&2
}
export -f simulate
# simulate_all: lines KERNEL CYCLES.
simulate_all() {
    (cd "$work" && awk '$1 == "launch" { print $2 }' "$OLDPWD/forty.launch" |
        xargs -P "${JOBS:-1}" -I '{}' bash -c 'simulate "$1"' _ '{}')
    cat "$work"/*.csv | awk -F, '
        /^#/ { next }
        /^[a-z]+,[a-z]+/ && !/,[0-9]/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["launch"] != "total" { print $at["kernel"], $at["cycles"] }'
}
launch=$("$WARPSCAPE" sim --config rtx2060 --options | awk -F, '$1 == "chip.launch" { print $2 }')
simulate_all >"$work/ours"
before=
pipeline=$(sed -n 's/^pipeline //p' "$peer")
if [ -n "$pipeline" ]; then
    options="$options $pipeline"
    simulate_all >"$work/piped"
    awk -v launch="${launch:-0}" -v pipeline=1 -f peers.awk "$work/piped" "$peer" && before=passed || before=failed
fi
awk -v launch="${launch:-0}" -v csv="${CSV:-}" -v before="$before" -f peers.awk "$work/ours" "$peer"
