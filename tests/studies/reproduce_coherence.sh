#!/usr/bin/env bash
# Measures the claims of G-TSC (Tabbakh, Qian, Annavaram, 2018) on the cycle simulator, puts the table into
# docs/reproduction.md, section Coherence, and draws the figures of that section (docs/img/coherence-*.svg). The last
# column of the table is written by hand and stays with its claim; ends with 1 when a claim that does not hold has no
# such words. With scale small only the rows of the main runs are made, for the page's second table (some ten minutes;
# tiny: one).
# usage: reproduce_coherence.sh PROGRAM [tiny|small]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_short_study coherence "$@"
scale=${2:-tiny}
page=docs/reproduction.md

# The paper's BH CC DLP VPR STN BFS need coherence, its CCP GE HS KM BP SGM do not.
shared='BH CCL DLP VPR STN BFW' private='CP GS HS KM BP MM'
protocols='bl noncoherent vi tc-strong tc-weak gtsc-sc gtsc-rc mesi'
# Copies may serve volatile loads, with which our workloads read what they share; see the page.
common=(--config gtsc --scale "$scale" -s coherence.polls=0)
# The blocks of STN wait for each other and have to fit the machine at the same time.
[ "$scale" = tiny ] || { protocols='bl tc-strong tc-weak gtsc-sc gtsc-rc'; common+=(-s sm.registers=98304); }

# simulate NAME PROTOCOL WORKLOADS [OPTION=VALUE]...: lines "NAME WORKLOAD COLUMN VALUE" of each workload's total.
simulate() {
    local name=$1 protocol=$2 workloads=$3 set=()
    shift 3
    for option; do set+=(-s "$option"); done
    # shellcheck disable=SC2086
    "$program" sim "${common[@]}" --protocol "$protocol" ${set[@]+"${set[@]}"} --suite $workloads \
        >"$dir/frame.csv" 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
    grep -v '^#' "$dir/frame.csv" | awk -F, -v name="$name" '
        NR == 1 { for (i = 5; i <= NF; i++) column[i] = $i; next }
        { launches[$1] += $3 != ""; row[$1] = $0 } # the total comes last
        END {
            for (w in row) {
                n = split(row[w], cell, ",")
                for (i = 5; i <= n; i++) print name, w, column[i], cell[i] == "NA" ? 0 : cell[i]
                print name, w, "launches", launches[w]
            }
        }' >>"$dir/values"
}

for p in $protocols; do simulate "$p" "$p" "$shared $private"; done
steps='-3 -2 -1 0 1 2 3 4'
if [ "$scale" = tiny ]; then
    for lease in 8 12 16 20 30000; do simulate lease:$lease gtsc-rc "$shared" coherence.lease=$lease; done
    for k in $steps; do
        simulate "gtsc-rc:$k" gtsc-rc "$shared" coherence.lease="$(awk "BEGIN { print int(10 * 2 ^ $k + 0.5) }")"
        for p in tc-weak tc-strong; do
            simulate "$p:$k" $p "$shared" coherence.lease_cycles="$(awk "BEGIN { print 400 * 2 ^ $k }")"
        done
    done
    simulate forward gtsc-rc "$shared" coherence.combine=0
    simulate two-copies gtsc-rc "$shared" coherence.visibility=2
    for bits in 6 7 8 9 10 11 12 13 14 15 16; do simulate bits:$bits gtsc-rc "$shared" coherence.timestamp=$bits; done
    for p in tc-strong tc-weak gtsc-sc gtsc-rc; do simulate polls:$p $p "$shared" coherence.polls=1; done
fi

awk -v shared="$shared" -v private="$private" -v scale="$scale" -v dir="$dir" -v steps="$steps" \
    -f tests/studies/coherence_claims.awk "$dir/values" >"$dir/claims.md"

if [ "$scale" != tiny ]; then
    awk '
        FNR == NR { claims = claims $0 "\n"; next }
        /^<!-- coherence small -->/ {
            print
            printf "| Claim | The paper | Here | Same direction? |\n| --- | --- | --- | --- |\n%s", claims
            skip = 1
            next
        }
        /^<!-- end -->/ { skip = 0 }
        !skip' "$dir/claims.md" "$page" >"$dir/page"
    cp "$dir/page" "$page"
    exit 0
fi

failed=0
put_short_claims '| Claim | The paper | Here | Same direction? | Why not |\n| --- | --- | --- | --- | --- |' || failed=1

figure curves lease 'Longer and shorter leases, six workloads that share data'
figure bars consistency 'Cycles without an L1 over cycles'
figure bars traffic 'Bytes between SMs and L2'
figure curves timestamps 'Fewer bits for timestamps, gtsc-rc'
echo "$page: section Coherence; docs/img/coherence-*.svg"
exit "$failed"
