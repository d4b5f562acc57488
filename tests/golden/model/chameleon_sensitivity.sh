# A row for each constant with two ends, notes for ends that do not go with the rest; a policy's gain as it is does not
# depend on the row.
quick='--set loop.fine=60s --set loop.coarse=600s --set activity.stall_length=120s'
"$WARPSCAPE" model chameleon --sensitivity $quick --supply LpHv --workload MM --set battery.start=0.3 >s.csv
grep -v '^# \(command\|tool\)' s.csv | grep '^#'
awk -F, '!/^#/ { print $1, $2, $3, $4, $5 }' s.csv
awk -F, '!/^[#o]/ { print $8, $11 }' s.csv | sort | uniq -c | wc -l
awk -F, '!/^[#o]/ && $6 != $7 { n++ } END { print (n > 20 ? "many constants matter" : n) }' s.csv
