# A sample of many launches: few are measured, what is known of all is exact, and most bounds hold (make sampling looks
# closer).
app=$(dirname "$WARPSCAPE")/programs/app
program() { "$WARPSCAPE" run -q -j 1 "$@" "$app" vary 300 5 grow 40 fill 10 copy 100 vary 10 6 copy 7; }
program -d whole.db
program -d sampled.db --sample 5% --seed 3
program -d again.db --sample 5% --seed 3
program -d other.db --sample 5% --seed 4
"$WARPSCAPE" launches -d sampled.db | awk -F, 'NR > 1 { n++; m += $(NF - 3) == "Y"; w += $(NF - 2) }
    END { printf "%d launches, weights %.3f, measured: %s\n", n, w, m < n / 3 ? "less than a third" : m }'
frame() { "$WARPSCAPE" metrics --set all "$@" | grep -v '^#'; }
for what in '' --bounds; do
    frame -d sampled.db $what > first.csv
    frame -d again.db $what | cmp - first.csv && echo "the same seed, the same bytes"
    frame -d other.db $what | cmp -s - first.csv || echo "another seed, others"
done
for column in I_total K_n H2D D2H; do # of all launches: exact
    for db in whole sampled; do
        "$WARPSCAPE" metrics --set study -d $db.db | grep -v '^#' |
            awk -F, -v name=$column \
            'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { printf "%.6g ", $at }'
    done
    echo $column
done
lines() { frame "$@" | tail -n 1 | tr , '\n'; }
lines -d whole.db > 1
lines -d sampled.db > 2
lines -d sampled.db --bounds > 3
paste -d ' ' 1 2 3 | awk 'NR > 1 && $3 != "NA" && $1 != "NA" { e = $1 - $2; if (e < 0) e = -e; n++;
    held += e <= $3 + 1e-6 * ($1 < 0 ? -$1 : $1) }
    END { print (n > 300 ? "more than 300 columns have bounds" : n),
        (held >= 0.8 * n ? "and most of them hold" : held) }'
"$WARPSCAPE" metrics --set study -d sampled.db | grep -c '^# sampled: app: '
"$WARPSCAPE" metrics --set study -d whole.db --bounds
"$WARPSCAPE" metrics --set study -d sampled.db --bounds --per kernel
