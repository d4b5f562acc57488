#!/usr/bin/env bash
# The study's claims that its characterization alone can answer, beside what a results file of ours says: the table of
# docs/reproduction.md, as Markdown.  usage: reproduce.sh PROGRAM RESULTS.db
set -eu -o pipefail
program=$(realpath "${1:?program}") db=$(realpath "${2:?results file}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
warpscape() { "$program" "$@"; }
data() { grep -v '^#' "$1" | tail -n +2; }
# value FRAME ROW COLUMN: a cell by the name of its row and column.
value() {
    grep -v '^#' "$1" | awk -F, -v row="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i; next }
        $1 == row { print $c }'
}
# column FRAME COLUMN: "row value" lines.
column() {
    grep -v '^#' "$1" | awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i; next } { print $1, $c }'
}
percent() { awk -v x="$1" 'BEGIN { printf "%.1f %%", 100 * x }'; }
answer() { if awk "BEGIN { exit !($1) }"; then echo yes; else echo no; fi; }
row() { printf '| %s | %s | %s | %s |\n' "$@"; }

warpscape metrics --db "$db" >study.csv
warpscape metrics --db "$db" --set all >all.csv
warpscape pca study.csv --variance 0.9 --eigenvalues eigen.csv >scores.csv
for rule in "--variance 0.7" --kaiser; do
    # shellcheck disable=SC2086
    warpscape pca study.csv $rule >"pca${rule// /}.csv"
done
kept() { sed -n 's/^# pca: .* \([0-9]*\) of [0-9]* components.*/\1/p' "$1"; }
rows=$(data study.csv | wc -l)
columns=$(sed -n 's/^# pca: \([0-9]*\) columns.*/\1/p' scores.csv)

echo "$rows workloads: $(data study.csv | cut -d, -f1 | tr '\n' ' ')"
echo "Scale, seed and version of each run: $(sed -n 's/^# run: [^ ]* \(scale=[^ ]* seed=[^ ]* version=[^ ]*\).*/\1/p' study.csv | sort -u | paste -sd ';')"
echo
echo '| Claim | The study | Here | Same direction? |'
echo '| --- | --- | --- | --- |'

row 'Dimensions that vary' '93 of 129' "$columns of 129" "$(answer "$columns < 129")"
k70=$(kept pca--variance0.7.csv) k90=$(kept scores.csv) kaiser=$(kept pca--kaiser.csv)
row 'Components for 70 % of the variance, for 90 %, by the Kaiser rule' '7, 16, 20 (of 37)' "$k70, $k90, $kaiser (of $((rows - 1)))" \
    "$(answer "$k70 < $k90 && $k90 <= $kaiser")"
share() { value eigen.csv "PC$1" share; }
p12=$(awk "BEGIN { print $(share 1) + $(share 2) }") p34=$(awk "BEGIN { print $(share 3) + $(share 4) }")
row 'Variance in components 1 and 2; 3 and 4' '39 %; 14 %' "$(percent "$p12"); $(percent "$p34")" "$(answer "$p12 > $p34 && $p12 < 0.6")"

for linkage in single complete; do
    warpscape subset scores.csv --linkage $linkage --sizes 4,6,8,12 --cost study.csv:I_total >subset-$linkage.csv
    speedups=$(data subset-$linkage.csv | awk -F, '{ printf "%s%.2f", (NR > 1 ? ", " : ""), $NF }')
    theirs='3.60, 2.38, 1.53, 1.05'
    [ $linkage = complete ] || theirs='3.60, 2.38, 1.80, 1.51'
    row "Speedup of subsets of 4, 6, 8, 12 by $linkage linkage" "$theirs" "$speedups" \
        "$(data subset-$linkage.csv | awk -F, 'NR > 1 && $NF + 0 > last + 0 { bad = 1 } { last = $NF } END { print bad ? "no" : "yes" }')"
done
members() { data "subset-$1.csv" | awk -F, -v n="$2" '$1 == n { print $3 }' | tr ' ' '\n' | sort | paste -sd ' '; }
alike=()
for n in 4 6 8 12; do
    [ "$(members single $n)" != "$(members complete $n)" ] || alike+=("$n")
done
row 'Sizes at which both linkages choose the same members' '4, 6' "$(IFS=,; echo "${alike[*]:-none}")" \
    "$(case " ${alike[*]:-} " in *' 4 '*) echo yes ;; *) echo no ;; esac)"
row 'Members of the subset of 6 (complete linkage)' 'SS, SLA, PR, KM, BN, NE' "$(members complete 6 | sed 's/ /, /g')" \
    "$(n=0; for m in SLA PR KM BN; do case " $(members complete 6) " in *" $m "*) n=$((n + 1)) ;; esac; done; echo "$n of the 4 of theirs that are here")"

warpscape evaluate all.csv subset-complete.csv --columns evaluation_activity_factor,evaluation_simd_parallelism >errors.csv
for pair in 'evaluation_activity_factor:activity factor:16.7, 5.5, 1.1 %' 'evaluation_simd_parallelism:SIMD parallelism:17.2, 6.0, 0.5 %'; do
    IFS=: read -r name word theirs <<<"$pair"
    errors=$(grep -v '^#' errors.csv | awk -F, -v column="$name" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i; next }
        $3 < 12 { printf "%s%.1f", (n++ ? ", " : ""), 100 * $c }')
    row "Error of the mean $word, subsets of 4, 6, 8" "$theirs" "$errors %" \
        "$(awk -v e="$errors" 'BEGIN { split(e, x, ", "); print (x[1] + 0 > x[3] + 0 ? "yes" : "no") }')"
done

mean() { column all.csv "$1" | awk '$2 != "NA" { s += $2; n++ } END { print s / n }'; }
most() { column all.csv "$1" | awk '$2 != "NA" && $2 > m { m = $2; w = $1 } END { printf "%s %.1f %%", w, 100 * m }'; }
reg=$(mean bitflip_reg_k1)
row 'Register bits that change in a write, mean' '20 %' "$(percent "$reg")" "$(answer "$reg > 0.1 && $reg < 0.4")"
row 'Register bits that change in a write, most' 'NW 45 %' "$(most bitflip_reg_k1)" "$(case $(most bitflip_reg_k1) in NW*) echo yes ;; *) echo no ;; esac)"
for pair in PR:15 FWT:40 SRAD:35 BN:20; do
    name=${pair%:*}
    ours=$(value all.csv "$name" bitflip_shared_k1)
    row "Shared-memory bits that change in a write, $name" "${pair#*:} %" "$(percent "$ours")" \
        "$(answer "$ours > ${pair#*:} / 200 && $ours < ${pair#*:} / 50")"
done

# Farthest from the middle in a subspace: what the study calls diverse there.
farthest() {
    warpscape pca study.csv --subspace "$1" --variance 0.9 | warpscape cluster - --k 1 --assign "$1.csv" >/dev/null
    column "$1.csv" distance | sort -k2,2gr | head -n 4 | cut -d ' ' -f 1 | paste -sd ' ' | sed 's/ /, /g'
}
common() { # common OURS THEIRS
    local n=0 name
    for name in $2; do case ", $1," in *", $name,"*) n=$((n + 1)) ;; esac; done
    echo "$n in common"
}
dv=$(farthest DV) co=$(farthest CO)
row 'Farthest out by divergence' 'SS, SLA, MUM, HS, BN, NE' "$dv" "$(common "$dv" 'SLA HS BN')"
row 'Farthest out by coalescing' 'SLA, KM, SS, PR' "$co" "$(common "$co" 'SLA KM PR')"
