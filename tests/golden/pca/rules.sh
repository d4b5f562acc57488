# How many components each rule keeps, and what --whiten does to their variance.
for rule in "" "--variance 0.5" "--variance 1" "--kaiser" "--pcs 2" "--whiten --pcs 2" "--subspace DV" \
    "--drop alu,mem" "--columns alu,mem,length" "--columns alu,mem --drop mem"; do
    echo "$rule: $($WARPSCAPE pca $GOLDEN/suite.csv $rule | awk -F, '/^workload/ { n = NF - 1 }
        /^[A-Z]/ { for (i = 2; i <= NF; i++) s[i] += $i * $i } END { printf "%d components, variances", n;
        for (i = 2; i <= n + 1; i++) printf " %.4f", s[i] / 5 }')"
done
