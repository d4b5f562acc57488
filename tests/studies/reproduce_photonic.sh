#!/usr/bin/env bash
# Measures what Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies
# (2013), chapter 4, claims of crossbars of light, memory in sub-channels and the interconnect-aware scheduler on the
# cycle simulator: the 17 workloads of tests/studies/photonic_workloads.txt on every machine below. Puts the tables into
# docs/reproduction.md, section Photonics, and draws its figures (docs/img/photonic-*.svg). The last column of the
# claims is written by hand and stays with its claim; ends with 1 when a claim that does not hold has no such words.
# Traces and simulations stay in FOLDER, and are not made again: forty minutes of processor time, or none. With
# WORKLOAD... their rows of the last table alone are made, and held against the page.
# usage: reproduce_photonic.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study photonic "$@"
mkdir -p "$dir/sims" "$dir/traces"

# NAME CONFIG [OPTION=VALUE]...
machines() {
    local eight='chip.sms=8 memory.channels=4 network.cluster=2SMs network.width=2routers network.height=2routers'
    local always='scheduler.adaptive=0' small='l2.sets=32'
    local gddr3='memory.part=dram_gddr3 chip.memory_clock=800MHz' \
        gddr5='memory.part=dram_gddr5_3600 chip.memory_clock=900MHz'
    local optical='memory.channel=optical memory.part=dram_stack_optical'
    for bytes in 16 32 64; do
        echo "mwsr-$bytes photonic-mwsr network.flit_bytes=${bytes}bytes"
        echo "held-$bytes photonic-mwsr network.flit_bytes=${bytes}bytes network.packets=16packets"
        echo "swmr-$bytes photonic-swmr network.flit_bytes=${bytes}bytes"
    done
    cat <<E2
mesh photonic-electrical
ias photonic-electrical sm.scheduler=ias
ias-always photonic-electrical sm.scheduler=ias $always
eight photonic-electrical $eight
eight-ias photonic-electrical $eight sm.scheduler=ias
eight-always photonic-electrical $eight sm.scheduler=ias $always
E2
    for size in '' small-; do # of 8 MB of L2, and of 512 KB
        local l2=''
        [ -z "$size" ] || l2=$small
        echo "${size}gddr3 photonic-swmr $gddr3 $l2"
        echo "${size}gddr5 photonic-swmr $gddr5 $l2"
        echo "${size}sa photonic-swmr $optical $l2"
        echo "${size}ca photonic-swmr $optical memory.concurrent=1 $l2"
    done
    echo "sa-ias photonic-swmr $optical sm.scheduler=ias"
    echo "ca-ias photonic-swmr $optical memory.concurrent=1 sm.scheduler=ias"
    echo "mesh-gddr3 photonic-electrical $gddr3"
    echo "together photonic-mwsr $optical network.packets=16packets sm.scheduler=ias"
    for stride in 1 4 16 32 64 256; \
        do echo "eight-$stride photonic-electrical $eight sm.scheduler=ias $always scheduler.stride=$stride"; done
}

# simulate NAME CONFIG OPTIONS WORKLOAD: two files, kept when both are whole.
simulate() { simulated "$dir/sims/$1-$4" "$2" "$3" --power "$dir/sims/$1-$4.power" "$dir/traces/$4.wst"; }

workloads=${sample:-$(awk '!/^#/ { print $1 }' tests/studies/photonic_workloads.txt)}
names='.*'
[ -z "$sample" ] || names='mesh|swmr-32|mwsr-32|held-32'
chosen() { machines | grep -E "^($names) "; }
for w in $workloads; do
    read -ra options < <(awk -v w="$w" '$1 == w { $1 = $2 = $3 = ""; print }' tests/studies/photonic_workloads.txt) ||
        true
    [ -s "$dir/traces/$w.wst" ] || "$program" run -q -j1 --trace "$dir/traces" -n "$w" -d "$dir/traces.db" -- \
        "$(dirname "$program")/workloads/$w" ${options[@]+"${options[@]}"}
done
chosen | while read -r name config options; do
    for w in $workloads; do printf '%s\0' "$name" "$config" "$options" "$w"; done
done | in_parallel 4 simulate

# Lines "MACHINE WORKLOAD COLUMN VALUE": the last row of a simulation is its total; joules are watts in their seconds.
for name in $(chosen | cut -d' ' -f1); do
    for w in $workloads; do
        totals "$name $w" "$dir/sims/$name-$w.csv" -v missing=0
        awk -F, -v run="$name" -v w="$w" '
            /^#/ { next }
            !n++ { for (i = 1; i <= NF; i++) { name[i] = $i; at[$i] = i } next }
            {
                s = $at["seconds"]; total += s
                for (i = at["watts"]; i <= NF; i++) if (name[i] != "joules") part[name[i]] += $i * s
            }
            END { for (p in part) print run, w, "watts_" p, part[p] / total }' "$dir/sims/$name-$w.power"
    done
done >"$dir/values"
if [ -n "$sample" ]; then
    awk -v sample=1 -f tests/studies/claims.awk -f tests/studies/photonic_claims.awk \
        tests/studies/photonic_workloads.txt "$dir/values" >"$dir/rows"
    end_with_rows docs/reproduction.md
fi
awk -v dir="$dir" -f tests/studies/claims.awk -f tests/studies/photonic_claims.awk \
    tests/studies/photonic_workloads.txt "$dir/values" \
    >"$dir/claims.md"

figure bars requests 'Latency from cores to memory over that of the mesh' --width 1100
figure bars replies 'Latency from memory to cores over that of the mesh' --width 1100
figure bars speed 'Speed over that of the mesh' --width 1100
figure bars power 'Watts of the network' --width 1100
figure bars memory 'Speed over that with GDDR3' --width 1100
figure bars together 'Speed of all schemes together over that of the mesh with GDDR3' --width 900
figure bars ias 'What the interconnect-aware scheduler gains over turns, percent' --width 1100
figure curves strides 'Eight cores: what it gains over turns, by stride'

# Tables between marks of the page; words in the last column stay with their claim.
page=docs/reproduction.md
put_tables 5 claims latency traffic memory
check_words "photonic claims" 5
