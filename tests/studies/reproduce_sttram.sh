#!/usr/bin/env bash
# Measures what Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies
# (2013), chapters 3 and 6 and section 7.1.5, claims of memories of
# STT-MRAM on the chip, by `warpscape model memory` over profiles of the 23 workloads of its table 7-10. Puts the table
# into docs/reproduction.md, section STT-MRAM, and draws its figures (docs/img/sttram-*.svg); which organisations are
# best for each workload goes into docs/memory.md. The last column is written by hand and stays with its claim; ends
# with 1 when a claim that does not hold has no such words. Profiles stay in
# FOLDER: four minutes of processor time, or a second.
# With WORKLOAD... their rows of the table in docs/memory.md alone are made, and held against it.
# usage: reproduce_sttram.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study sttram "$@"
page=docs/reproduction.md
workloads=${sample:-'MM MT 64H LIB NW LPS RAY SLA ST3D BFS HY NE PNS BN CP FWT LU NN PR BP GS NQU SRAD'}
# shellcheck disable=SC2086
"$program" suite run --resume --scale small --profile -d "$dir/small.db" $workloads >"$dir/log" 2>&1 ||
    { cat "$dir/log" >&2; exit 1; }

# Which of 36 organisations are on the front of each workload and of all, and which has the least energy times cycles.
organisations=()
for r in sram stt stt:width=1 stt:width=2 stt:width=4 stt:width=8; do organisations+=(--regfile "$r"); done
for m in sram stt stt:width=1 hybrid:8K,ways=2,width=1 hybrid:16K,ways=2,width=1 hybrid:16K,ways=2,width=1,gate=20; \
    do organisations+=(--shared "$m"); done
if [ -n "$sample" ]; then
    "$program" model memory -d "$dir/small.db" "${organisations[@]}" >"$dir/workload.csv"
    awk -f tests/studies/claims.awk -f tests/studies/sttram_map.awk "$dir/workload.csv" >"$dir/rows"
    end_with_rows docs/memory.md
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
awk -v workloads="$workloads" -v dir="$dir" -f tests/studies/claims.awk -f tests/studies/sttram_claims.awk \
    "$dir/values" >"$dir/claims.md"
figure bars writes 'Energy of register writes over that of SRAM, by width of arrays' --width 1100
figure bars flips 'Bits that change, percent of bits written' --width 1100
figure bars whole 'Energy of the memories, and cycles, over those with SRAM' --width 1100
for per in workload suite; do "$program" model memory -d "$dir/small.db" --per $per "${organisations[@]}" \
    >"$dir/$per.csv"; done
"$program" plot front "$dir/suite.csv" -o docs/img/memory-front.svg \
    --title 'Energy and time of the memories, 23 workloads together'
awk -f tests/studies/claims.awk -f tests/studies/sttram_map.awk "$dir/workload.csv" "$dir/suite.csv" >"$dir/map.md"
page=docs/memory.md put_table map "$dir/map.md"
put_table sttram "$dir/claims.md" 5
check_words sttram 5
