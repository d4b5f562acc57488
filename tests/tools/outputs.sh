#!/usr/bin/env bash
# What the program says of the built-in workloads, as files that two builds can be compared by:
#     tests/tools/outputs.sh PROGRAM DIR
#     tests/tools/outputs.sh OLD before && tests/tools/outputs.sh NEW after && diff -r before after
# Metrics of every workload (live, and of their traces), predicted coherence, simulations on several machines under
# every protocol, verification of models, the study's tables. A change that is to keep results keeps every byte. OUTPUTS
# names parts, else all are made.
set -u
[ $# -eq 2 ] && [ -x "$1" ] || { sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2; }
warpscape=$(realpath "$1") out=$2
mkdir -p "$out" && out=$(realpath "$out") || exit 2
protocols=$("$warpscape" sim --help >/dev/null && sed -nE 's/^PROTOCOL\( *[a-z_]+, *"([^"]+)" *\)$/\1/p' \
    "$(dirname "$(realpath "$0")")/../../model/coherence/protocols.def")
machines='gtsc rtx2060 photonic-electrical'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

keep() { # keep FILE COMMAND...: its output and exit status
    local file=$out/$1
    shift
    "$@" 2>/dev/null | sed "s|$work|WORK|g" >"$file"
    echo "exit status ${PIPESTATUS[0]}" >>"$file"
}

metrics() {
    local trace name
    "$warpscape" suite run --scale tiny --set all --profile --trace "$work/traces" --db "$work/live.db" >/dev/null \
        2>&1 || failed=1
    keep metrics.csv "$warpscape" metrics --per launch --set all --db "$work/live.db"
    keep model.csv "$warpscape" model coherence --db "$work/live.db"
    for trace in "$work"/traces/*.wst; do
        name=$(basename "$trace" .wst)
        keep "replay.$name.csv" "$warpscape" replay --set all --db "$work/replayed.db" "$trace"
        keep "export.$name.csv" "$warpscape" replay --accelsim "$work/accelsim" "$trace"
        find "$work/accelsim" -type f -print0 | sort -z | xargs -0 cat | sha256sum >>"$out/export.$name.csv"
        rm -rf "$work/accelsim"
    done
    keep replayed.csv "$warpscape" metrics --per launch --set all --db "$work/replayed.db"
    keep verify.csv "$warpscape" verify "$work/traces"
}

simulations() {
    local machine protocol
    for machine in $machines; do
        keep "sim.$machine.csv" "$warpscape" sim --config "$machine" --suite --scale tiny
        for protocol in $protocols; do
            keep "sim.$machine.$protocol.csv" "$warpscape" sim --config "$machine" --protocol "$protocol" \
                --suite --scale tiny
        done
    done
}

study() {
    keep study.txt "$warpscape" study --scale tiny --machines tiny --simulate tiny --cycles 20000 --draws 100 \
        -o "$work/study" \
        --db "$work/study.db"
    # Costs and what is gained by subsets hang on seconds that were measured.
    (cd "$work/study" && find . -name '*.csv' ! -name 'costs.csv' ! -name 'subsets-*' -exec cp --parents {} "$out" \;)
}

for part in ${OUTPUTS:-metrics simulations study}; do
    $part || failed=1
done
exit $failed
