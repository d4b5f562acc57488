# Schedulers that hold loads back, on loads of 32 lines each: cycles; what they report; what is refused.
# heavy: simulates twenty times; test_sim_laws, test_held_loads and test_occlusion go through the same code
printf 'buffer a f32 12582912\nbuffer x f32 64\nbuffer y f32 1536\nlaunch rows grid 6 block 256 args a x y 8192 16\n' \
    >rows.launch
here=$TOP/tests/golden/sim
"$WARPSCAPE" exec "$here/divergent.ptx" rows.launch --trace rows.wst >/dev/null
run() { # COLUMNS NAME [OPTION...]: these columns of the launch
    local columns=$1 name=$2
    shift 2
    "$WARPSCAPE" sim --config "$here/divergent.ini" "$@" rows.wst |
        awk -F, -v name="$name" -v columns="$columns" '/^#/ { next }
            !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { k = split(columns, c, " "); printf "%s:", name;
                for (i = 1; i <= k; i++) printf " %s", c[i] in at ? $at[c[i]] : "none"; print ""; exit }'
}
run cycles gto
run cycles 'oaws, nothing predicted' -s sm.scheduler=oaws -s scheduler.mode=0 -s scheduler.smr=0
run cycles 'oaws, half of the lanes' -s sm.scheduler=oaws -s scheduler.mode=0
run cycles 'oaws, learned' -s sm.scheduler=oaws
run cycles 'loads of protected warps' -s sm.scheduler=oaws -s scheduler.mode=2
run cycles ccws -s sm.scheduler=ccws
run cycles daws -s sm.scheduler=daws
run cycles mascar -s sm.scheduler=mascar
run cycles 'mascar, aside' -s sm.scheduler=mascar -s scheduler.reexecute=32
run 'load_store_busy load_store_more load_store_mshr load_store_line load_store_port load_store_other' \
    'gto, load/store unit'
run 'divergent_loads divergent_occlusion coherent_occlusion divergent_occlusion_share stall_load_store_only stall_held' 'gto, occlusion'
run 'mshrs_per_load mshrs_rank_slope mshrs_rank_fit mshrs_rank_knee issues_oldest_3 issues_oldest_8' 'gto, by rank'
run 'forecast_misses forecast_error false_admissions false_blocks' 'gto predicts'
run 'forecast_misses forecast_error false_admissions false_blocks stall_held' 'oaws predicts' -s sm.scheduler=oaws -j 2
run load_store_aside 'put aside' -s sm.scheduler=mascar -s scheduler.reexecute=32
# The best limit: every one, on all processors.
"$WARPSCAPE" explore "$here/divergent.ini" --simulate -s sm.scheduler=swl -s scheduler.scope=1 \
    --vary scheduler.limit=1,2,4,8 rows.wst | grep -v '^#' | cut -d, -f1,2
"$WARPSCAPE" sim -c "$here/divergent.ini" -s sm.scheduler=ccws -p gtsc-rc rows.wst
"$WARPSCAPE" sim -c "$here/divergent.ini" -s sm.scheduler=mascar -s scheduler.reexecute=8 -p mesi rows.wst
"$WARPSCAPE" sim -c "$here/divergent.ini" -s sm.scheduler=oaws -s scheduler.first=60 rows.wst
"$WARPSCAPE" sim --options -s sm.scheduler=oaws | grep '^scheduler\.'
