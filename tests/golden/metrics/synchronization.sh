# The set of synchronization: device fences of barriers of the grid are as many as docs/synchronization.md says, 4S, S +
# 1, ST + 1 and 2ST an episode (S = 8 SMs, T = 2 blocks each, 3 episodes, one leading warp a block); atomics the least
# number or more; a frame does not hang on the number of workers; a file without the set says so.
w=$(dirname "$WARPSCAPE")/workloads
columns() { # columns DB NAME...: of its rows
    "$WARPSCAPE" metrics --set synchronization --db "$1" | grep -v '^#' >frame
    shift
    awk -F, -v want="$*" 'NR == 1 { n = split(want, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = $1; for (k = 1; k <= n; k++) line = line " " name[k] "=" $at[name[k]]; print line }' frame
}
for barrier in 1 2 3 4; do
    "$WARPSCAPE" run -q -j 1 --set synchronization -n "barrier$barrier" -d b.db -- "$w/GBAR" --scale tiny \
        --size "barrier=$barrier,sms=8,blocks=2,episodes=3"
done
columns b.db sync_fences_1 sync_episodes sync_wait_blocks
columns b.db sync_atomics_0 sync_atomics_1 |
    awk '{ split($2, a, "="); split($3, b, "="); split("8*16+8*8+2 16+2*8+1 16+1 16", least, " ")
    min[1] = 8 * 16 + 8 * 8 + 2; min[2] = 16 + 2 * 8 + 1; min[3] = 16 + 1; min[4] = 16;
        print $1, (a[2] + b[2] >= 3 * min[NR] ? "at least" : "less") }'
# Readers of an SM for each writer: T - 1.
for blocks in 2 5 9; do
    "$WARPSCAPE" run -q -j 1 --set synchronization -n "blocks$blocks" -d r.db -- "$w/RWSEM" --scale tiny \
        --size "form=3,size=10,sms=2,blocks=$blocks,audit=0,rounds=3" >log
done
columns r.db sync_critical_readers sync_critical_sections sync_critical_accesses
for j in 1 3; do
    for name in HIS PRK HUF BABEL LUL; do
        "$WARPSCAPE" run -q -j $j --set synchronization -n $name -d w$j.db -- "$w/$name" --scale tiny >log
    done
    "$WARPSCAPE" metrics --set synchronization --per launch -d w$j.db | grep -v '^# \(command\|run\)' >w$j.csv
done
cmp w1.csv w3.csv && echo same
columns w1.db contention_share_1 contention_gathered_3 contention_migrations chips_reuse_0 chips_remote_1
"$WARPSCAPE" suite run --scale tiny -d m.db MM >log 2>&1
"$WARPSCAPE" metrics --set synchronization -d m.db 2>&1 >log
"$WARPSCAPE" metrics --set synchronization -d m.db 2>/dev/null | grep -c '^# missing: '
