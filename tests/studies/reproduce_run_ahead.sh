#!/usr/bin/env bash
# Measures what renamed registers are worth to race detection (Tabbakh, Efficient Memory Coherence and Consistency
# Support for Enabling Data Sharing in GPUs, 2018, chapter 4): some workloads of tests/studies/races_workloads.txt on
# the machine `races`, signatures of 4 Kb, with and without them, beside the appendix there
# (data/published/races-benchmarks.csv). Puts the table into docs/reproduction-races.md. Simulations stay in FOLDER, and
# are not made again. With WORKLOAD... their rows alone are made, and held against the page.
# usage: reproduce_run_ahead.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study run-ahead "$@"
page=docs/reproduction-races.md theirs=data/published/races-benchmarks.csv
workloads=${sample:-$(awk '!/^#/ { print $1 }' tests/studies/races_workloads.txt)}

# NAME PROTOCOL [OPTION=VALUE]...; a register file has 1024 registers of a warp.
machines() {
    echo 'rc noncoherent coherence.consistency=rc'
    echo 'I4 drd-ideal'
    echo 'N4 drd'
    echo 'K4 drd-spec'
    echo 'R4 drd-spec coherence.race_registers=1024registers'
    echo 'Kh drd-spec coherence.race_wire=0' # signatures take no bytes on the network
    echo 'Rh drd-spec coherence.race_wire=0 coherence.race_registers=1024registers'
}

# simulate NAME WORKLOAD PROTOCOL [OPTION]...: two files, kept when both are whole.
simulate() {
    simulated "$dir/$1-$2" races "${*:4}" --protocol "$3" --power "$dir/$1-$2.power" --suite "$2" --scale tiny
}

for w in $workloads; do
    grep -q "^$w " tests/studies/races_workloads.txt ||
        { echo "no such workload in tests/studies/races_workloads.txt: $w"; exit 1; }
    machines | while read -r name protocol options; do
        # shellcheck disable=SC2086
        simulate "$name" "$w" "$protocol" $options </dev/null
    done
    # Lines "RUN WORKLOAD COLUMN VALUE": the last row of a simulation is its total; joules are those of all launches.
    machines | while read -r name protocol options; do
        for kind in csv power; do totals "$name $w" "$dir/$name-$w.$kind"; done
    done
done >"$dir/values"

awk -v whole="$([ -n "$sample" ] || echo 1)" '
    function over_base(name, w) { return v[name, w, "cycles"] / v["rc", w, "cycles"] }
    function share(part, all) { return all ? 100 * part / all : 0 }
    BEGIN { runs = split("I4 N4 K4 R4 Kh Rh", run, " ") }
    FILENAME ~ /races_workloads/ { if (!/^#/) bench[$1] = $2; next }
    FILENAME ~ /benchmarks/ {
        split($0, f, ",")
        if (f[1] == "quantity") for (i in f) if (f[i] == "K1") k1 = i
        if (f[1] == "renaming") table[f[2]] = f[k1]
        next
    }
    { v[$1, $2, $3] = $4; if (!($2 in seen)) { seen[$2] = 1; order[++n] = $2 } }
    END {
        if (whole)
            print "| | I4 | N4 | K4 | with registers | K4, no bytes | with registers | early, % of accesses | " \
                "refuted, % of early | again, % of instructions | table, % of energy |\n| --- | --- | --- | --- | " \
                "--- | --- | --- | --- | --- | --- | --- |"
        for (i = 1; i <= n; i++) {
            w = order[i]
            printf "| %s, %s", w, bench[w]
            for (j = 1; j <= runs; j++) { printf " | %.2f", over_base(run[j], w); sum[j] += over_base(run[j], w) }
            printf " | %.1f | %.1f | %.2f | %.3f, %.3f |\n", share(v["R4", w, "race_early"], v["R4", w, "l1_accesses"]),
                share(v["R4", w, "race_failed"], v["R4", w, "race_early"]),
                share(v["R4", w, "race_reexecuted"], v["R4", w, "warp_instructions"]), table[bench[w]],
                    share(v["R4", w, "joules_tracking"], v["rc", w, "joules"])
        }
        if (!whole) exit
        printf "| mean"
        for (j = 1; j <= runs; j++) printf " | %.2f", sum[j] / n
        print " | | | | |"
    }' tests/studies/races_workloads.txt "$theirs" "$dir/values" >"$dir/rows"
if [ -n "$sample" ]; then
    end_with_rows "$page"
fi
put_table "races ahead" "$dir/rows"
