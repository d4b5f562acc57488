#!/usr/bin/env bash
# Measures what Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies (2013), chapters 3 and 6 and section 7.1.5, claims of memories of
# STT-MRAM on the chip, by `warpscape model memory` over profiles of the 23 workloads of its table 7-10. Puts the table into docs/reproduction.md, section STT-MRAM, and draws its
# figures (docs/img/sttram-*.svg); which organisations are best for each workload goes into docs/memory.md. The last column is written by hand and stays with its claim; ends with 1 when a claim that does not hold has no such words. Profiles stay in
# FOLDER: four minutes of processor time, or a second.
# With WORKLOAD... their rows of the table in docs/memory.md alone are made, and held against it.
# usage: reproduce_sttram.sh PROGRAM [FOLDER [WORKLOAD...]]
set -eu -o pipefail
program=$(realpath "${1:?program}")
mkdir -p "${2:-build/sttram}"
dir=$(realpath "${2:-build/sttram}")
sample=${*:3}
cd "$(dirname "$0")/.."
page=docs/reproduction.md
workloads=${sample:-'MM MT 64H LIB NW LPS RAY SLA ST3D BFS HY NE PNS BN CP FWT LU NN PR BP GS NQU SRAD'}
# shellcheck disable=SC2086
"$program" suite run --resume --scale small --profile -d "$dir/small.db" $workloads >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }

# Which of 36 organisations are on the front of each workload and of all, and which has the least energy times cycles.
organisations=()
for r in sram stt stt:width=1 stt:width=2 stt:width=4 stt:width=8; do organisations+=(--regfile "$r"); done
for m in sram stt stt:width=1 hybrid:8K,ways=2,width=1 hybrid:16K,ways=2,width=1 hybrid:16K,ways=2,width=1,gate=20; do organisations+=(--shared "$m"); done
if [ -n "$sample" ]; then
    "$program" model memory -d "$dir/small.db" "${organisations[@]}" >"$dir/workload.csv"
    missing=$(awk -f tests/sttram_map.awk "$dir/workload.csv" | grep -vxFf docs/memory.md) || exit 0
    printf 'docs/memory.md has no such row:\n%s\n' "$missing"
    exit 1
fi
# measure NAME REGFILE SHARED READONLY: lines "NAME WORKLOAD COLUMN VALUE".
measure() {
    "$program" model memory -d "$dir/small.db" --regfile "$2" --shared "$3" --readonly "$4" | awk -F, -v run="$1" '
        /^#/ { next } !n++ { for (i = 4; i <= NF; i++) column[i] = $i; next }
        { for (i = 4; i <= NF; i++) print run, $1, column[i], $i == "NA" ? 0 : $i }'
}
{
    measure sram sram sram sram
    measure stt stt stt stt
    for width in 1 2 4 8; do measure width-$width stt:width=$width sram sram; done
    measure coalesce stt:width=1,coalesce sram sram
    measure registers stt sram sram
    measure shared sram stt sram
    measure hybrid sram hybrid:16K,ways=2 sram
    measure readonly sram sram stt
    measure together stt:width=1,coalesce hybrid:16K,ways=2,width=1 stt
    measure overall stt:width=1 hybrid:16K,ways=2,width=1 stt
} >"$dir/values"
awk -v workloads="$workloads" -v dir="$dir" -f tests/sttram_claims.awk "$dir/values" >"$dir/claims.md"
"$program" plot bars "$dir/writes.csv" -o docs/img/sttram-writes.svg --title 'Energy of register writes over that of SRAM, by width of arrays' --width 1100
"$program" plot bars "$dir/flips.csv" -o docs/img/sttram-flips.svg --title 'Bits that change, percent of bits written' --width 1100
"$program" plot bars "$dir/whole.csv" -o docs/img/sttram-whole.svg --title 'Energy of the memories, and cycles, over those with SRAM' --width 1100
for per in workload suite; do "$program" model memory -d "$dir/small.db" --per $per "${organisations[@]}" >"$dir/$per.csv"; done
"$program" plot front "$dir/suite.csv" -o docs/img/memory-front.svg --title 'Energy and cycles of the memories, over those with SRAM'
awk -f tests/sttram_map.awk "$dir/workload.csv" "$dir/suite.csv" >"$dir/map.md"
awk -v map="$dir/map.md" '/^<!-- map: begin/ { print; while ((getline line < map) > 0) print line; inside = 1 } /^<!-- map: end/ { inside = 0 } !inside' docs/memory.md >"$dir/memory.md"
cp "$dir/memory.md" docs/memory.md
awk -v claims="$dir/claims.md" '
    /^<!-- sttram: begin/ { print; print "| claim | theirs | ours | same direction? | why not |\n| --- | --- | --- | --- | --- |"; inside = 1; next }
    /^<!-- sttram: end/ { while ((getline line < claims) > 0) { split(line, f, " *[|] *"); print line " " (f[5] == "no" ? words[f[2]] : "") " |" }; inside = 0 }
    inside { split($0, f, " *[|] *"); if (f[2] != "claim" && f[6] != "") words[f[2]] = f[6]; next }
    { print }' "$page" >"$dir/page.md"
cp "$dir/page.md" "$page"
awk -F ' *[|] *' '/^<!-- sttram: begin/ { inside = 1 } /^<!-- sttram: end/ { inside = 0 } inside && $5 == "no" && $6 == "" { print "no words for: " $2; bad = 1 } END { exit bad }' "$page"
