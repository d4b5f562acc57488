printf 'workload,I_sop\nMM,1\n' >frame.csv
"$WARPSCAPE" metrics --db frame.csv
