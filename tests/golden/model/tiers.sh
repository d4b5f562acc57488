# On this machine with leases of one length, and where no warp waits for them, closed forms and replay count the same.
"$WARPSCAPE" suite run --scale tiny --profile --trace traces MM BFS SRAD 2>log
columns='workload|protocol|reads|writes|fills|renewals|acks|network_bytes|network_flits|loads|l1_hits|resets|memory_reads'
pick() { grep -v '^#' | awk -F, -v c="^($columns)\$" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ c) want[++n] = i }
    { for (i = 1; i <= n; i++) printf "%s",
        (i > 1 ? "," : "") (i > 2 && NR > 1 ? sprintf("%.0f", $want[i]) : $want[i]); print "" }'; }
some='--protocol bl --protocol noncoherent --protocol vi --protocol tc-weak --protocol gtsc-sc --protocol gtsc-rc'
sed '/^predict/d; /^lease_cycles/d' "$TOP/data/configs/gtsc.ini" >fixed.ini
export WARPSCAPE_DATA=$TOP/data
"$WARPSCAPE" model coherence --config ./fixed.ini --clock issue $some | pick >first.csv
"$WARPSCAPE" model coherence --config ./fixed.ini $some --tier 2 --trace traces | pick >second.csv
cat first.csv
awk -F, 'NR == FNR { row[$1 "," $2] = $0; next } row[$1 "," $2] != $0 { print "differs:", $0 }' first.csv second.csv
wc -l <second.csv
echo 'one trace, all protocols'
"$WARPSCAPE" model coherence --tier 2 --trace traces/MM.wst | pick | cut -d, -f1,2
echo 'leases that slices predict: closed forms say what they take instead'
notes() { sed -n '/^# closed forms/p; $s/.*/end/p'; }
for tier in '1' '2 --trace traces/MM.wst'; do
    "$WARPSCAPE" model coherence --protocol tc-weak --protocol tc-strong --tier $tier | notes
done
"$WARPSCAPE" model coherence --protocol gtsc-rc | notes
"$WARPSCAPE" model coherence --config ./fixed.ini | notes
