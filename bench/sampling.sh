#!/usr/bin/env bash
# Do launches that `warpscape sample` chooses stand for all? Simulates workloads whole and by lists, and prints the
# tables of docs/sampling.md.
#     bench/sampling.sh PROGRAM [FOLDER [SCALE [WORKLOAD...]]]
# FOLDER keeps results files, traces and simulations, so what was stopped goes on [a temporary one]; SCALE [tiny].
# Machine: rtx2060-mini; SECONDS_EACH (300) is how long a whole simulation may take: workloads that do not finish are
# left out, and named. The first table has workloads of which not all launches were chosen: launches of how many, the
# error of total cycles in per cent, half of its 95 % interval, cycles of all over cycles simulated, errors of bursts
# read from memory. The second has methods, on cycles of launches of the whole runs: workloads with more than two
# launches, mean and worst error in per cent, launches, cycles of all over those of chosen launches. STEADY=PERCENT: a
# third table, of `sim --steady PERCENT` on all launches: workloads of which a launch was stopped, launches stopped of
# all, share of instructions that was simulated, error of total cycles, half of its interval, errors of bursts read from
# memory.
set -u
export LC_ALL=C
program=$(realpath "${1:?program}") scale=${3:-tiny}
if [ -n "${2:-}" ]; then
    mkdir -p "$2"
    folder=$(realpath "$2")
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
shift $(($# < 3 ? $# : 3))
cd "$folder" || exit 1
[ $# -gt 0 ] || mapfile -t names < <("$program" suite list | awk -F, 'NR > 1 { print $1 }')
[ $# -eq 0 ] || names=("$@")
mkdir -p "traces-$scale" "whole-$scale" "list-$scale"
simulate() { "$program" sim --config rtx2060-mini "$@"; }

done_names=()
for name in "${names[@]}"; do
    [ -s "traces-$scale/$name.wst" ] || "$program" suite run --scale "$scale" --db "$scale.db" --trace "traces-$scale" \
        "$name" >/dev/null 2>&1
    whole=whole-$scale/$name.csv
    if [ ! -s "$whole" ]; then
        timeout "${SECONDS_EACH:-300}" "$program" sim --config rtx2060-mini "traces-$scale/$name.wst" >part.csv &&
            mv part.csv "$whole"
    fi
    [ ! -s "$whole" ] || done_names+=("$name")
done
echo "whole: ${#done_names[@]} of ${#names[@]} workloads at scale $scale" >&2
for method in strata sieve pka random; do
    "$program" sample --db "$scale.db" --method $method -o "$method-$scale.csv" "${done_names[@]}" >/dev/null || exit 1
done
for name in "${done_names[@]}"; do
    [ -s "list-$scale/$name.csv" ] || simulate --launches "strata-$scale.csv" "traces-$scale/$name.wst" \
        >"list-$scale/$name.csv"
done

# Rows of a frame of `sim` as "kernel launch ended cycles dram_reads cycles_bound".
rows() {
    awk -F, '/^#/ { next }
        !names { names = NR; for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            print ($2 == "total" ? "total" : "launch"), $3 + 0, $4, $at["cycles"], $at["dram_reads"],
                ("cycles_bound" in at ? $at["cycles_bound"] : 0)
        }' "$1"
}

echo "| workload ($scale) | launches | of | error % | interval ± % | times less | memory reads, error % |"
echo '| --- | --- | --- | --- | --- | --- | --- |'
for name in "${done_names[@]}"; do
    { rows "whole-$scale/$name.csv" | sed 's/^/whole /'; rows "list-$scale/$name.csv" | sed 's/^/list /'; } |
        awk -v name="$name" '
        $2 == "launch" { n[$1]++; sum[$1] += $5; reads[$1] += $6; next }
        { total[$1] = $5; memory[$1] = $6; bound = $7 }
        END {
            error = 100 * (total["list"] / sum["whole"] - 1)
            m = reads["whole"] ? sprintf("%.2f", 100 * (memory["list"] / reads["whole"] - 1)) : "-"
            printf "%s %s | %d | %d | %.2f | %.2f | %.1f | %s |\n", n["list"] < n["whole"] ? "|" : "whole |", name,
                n["list"], n["whole"], error, 100 * bound / total["list"], sum["whole"] / sum["list"], m
        }'
done >"table-$scale.txt"
grep '^|' "table-$scale.txt"
awk -F' [|] |^[|] | [|]$' '
    { e = $5 < 0 ? -$5 : $5; n++; sum += e; if (e > worst) worst = e; held += e <= $6 + 0.005 }
    !/^whole/ { some++; some_sum += e; some_held += e <= $6 + 0.005; logs += log($7) }
    END { if (n) printf "\nAll %d: mean error %.2f %%, worst %.2f %%, within the interval %d. The %d above: mean %.2f %%, within the interval %d, %.1f times less (geometric mean).\n",
          n, sum / n, worst, held, some, some_sum / (some ? some : 1), some_held, exp(logs / (some ? some : 1)) }' \
              "table-$scale.txt"

echo
echo "| method ($scale) | mean error % | worst error % | launches | of | times less |"
echo '| --- | --- | --- | --- | --- | --- |'
for method in strata sieve pka random; do
    for name in "${done_names[@]}"; do
        rows "whole-$scale/$name.csv" | sed "s/^/$name /"
    done | awk -v method=$method -v list="$method-$scale.csv" '
        $2 == "launch" { cycles[$1, $3] = $5; all[$1] += $5; n[$1]++ }
        END {
            FS = ","
            while ((getline line < list) > 0) {
                if (line ~ /^#/) continue
                fields = split(line, f, ",")
                if (!named) { for (i = 1; i <= fields; i++) at[f[i]] = i; named = fields; continue }
                more = fields - named # commas in the names of kernels
                estimate[f[1]] += f[at["weight"] + more] * cycles[f[1], launch_of(f, at, more)]
                some += cycles[f[1], launch_of(f, at, more)]; chosen++
            }
            for (w in all) {
                total += all[w]; launches += n[w]
                if (n[w] <= 2) continue
                e = 100 * (estimate[w] / all[w] - 1); e = e < 0 ? -e : e
                sum += e; count++; if (e > worst) worst = e
            }
            printf "| %s | %.2f | %.2f | %d | %d | %.2f |\n", method, sum / count, worst, chosen, launches, total / some
        }
        # A title with commas is quoted, and so is the mangled name never: the number stands before the reason.
        function launch_of(f, at, more) { return f[at["launch"] + more] }'
done
[ -n "${STEADY:-}" ] || exit 0

mkdir -p "steady-$scale-$STEADY"
echo
echo "| workload ($scale, --steady $STEADY%) | stopped | launches | simulated | error % | interval ± % | memory" \
    "reads, error % |"
echo '| --- | --- | --- | --- | --- | --- | --- |'
for name in "${done_names[@]}"; do
    steady=steady-$scale-$STEADY/$name.csv
    [ -s "$steady" ] || { simulate --steady "$STEADY" "traces-$scale/$name.wst" >part.csv && mv part.csv "$steady"; }
    { sed 's/^/whole,/' "whole-$scale/$name.csv"; sed 's/^/steady,/' "$steady"; } | grep -v ',#' |
        awk -F, -v name="$name" '
        # Kernels with commas in their titles: columns are counted from the end.
        $2 == "workload" { columns = NF; for (i = 1; i <= NF; i++) at[$1, $i] = NF - i; next }
        /,total,,/ { next }
        { w = $1; cycles[w] += $(NF - at[w, "cycles"]); reads[w] += $(NF - at[w, "dram_reads"]) }
        w == "steady" {
            launches++
            stopped += $(NF - at[w, "ended"]) == "steady"
            bound += $(NF - at[w, "cycles_bound"])
            all += $(NF - at[w, "warp_instructions"])
            some += $(NF - at[w, "warp_instructions"]) * $(NF - at[w, "simulated"])
        }
        END {
            m = reads["whole"] ? sprintf("%.2f", 100 * (reads["steady"] / reads["whole"] - 1)) : "-"
            if (stopped)
                printf "| %s | %d | %d | %.3f | %.2f | %.2f | %s |\n", name, stopped, launches, some / all,
                    100 * (cycles["steady"] / cycles["whole"] - 1), 100 * bound / cycles["steady"], m
        }'
done >"table-steady-$scale.txt"
cat "table-steady-$scale.txt"
awk -F' [|] |^[|] | [|]$' '
    { e = $6 < 0 ? -$6 : $6; n++; sum += e; if (e > worst) worst = e; held += e <= $7 + 0.005 }
    END {
        if (n)
            printf "\n%d workloads: mean error %.2f %%, worst %.2f %%, within the interval %d.\n", n, sum / n, worst,
                held
    }' "table-steady-$scale.txt"
