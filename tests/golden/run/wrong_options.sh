"$WARPSCAPE" run
"$WARPSCAPE" run --sample 0 true
"$WARPSCAPE" run --values true
"$WARPSCAPE" run --db '' true
"$WARPSCAPE" run --turns never true
"$WARPSCAPE" run --metrics-set some true
"$WARPSCAPE" run --bounds loose true
