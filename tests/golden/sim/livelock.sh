# A launch whose warps only wait for one another is ended and named: the tree of counters with the exit test as it is
# printed; blocks that have no room to begin while those that are there wait for them; and a cooperative launch of as
# many is refused. A kernel that works for longer than that between waits is none, and neither is one that is not
# watched.
sim() { "$WARPSCAPE" sim -c rtx2060-mini -s sm.waits=1 --suite --scale tiny "$@" 2>log | awk -F, '
    /^#/ { next }
    !seen++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["ended"], $at["waits"], $at["atomics_local"], $at["atomics_device"], $at["swaps"],
        $at["swaps_failed"], $at["fences_local"], $at["fences_device"] }'
    echo "status ${PIPESTATUS[0]}"; sed 's/, [0-9.]* s$//' log; }
sim --livelock 50000 --size barrier=6 GBAR
sim -s sm.blocks=1 --livelock 50000 --size barrier=2,together=0 GBAR
sim -s sm.blocks=1 --size barrier=2 GBAR
sim --livelock 2000 --size barrier=2,critical=200,episodes=2 GBAR
sim --livelock 0 --max-cycles 60000 --size barrier=6 GBAR
# Operations of three episodes of each barrier, and of semaphores.
for form in 1 2 3 4 5; do sim --size barrier=$form GBAR; done
for form in 1 2 3 4; do sim --size form=$form,audit=0 RWSEM; done
# The time of blocks in barriers is near what their clocks say before and after, less what is computed before the first
# fence or poll; loops alone are less.
for form in 1 2 3 4; do
    WARPSCAPE_SIMULATE=rtx2060-mini WARPSCAPE_SIMULATE_SET=sm.waits=1 WARPSCAPE_SIMULATE_ROWS=rows.csv \
        "$(dirname "$WARPSCAPE")/workloads/GBAR" --scale tiny \
        --size barrier=$form,sms=2,blocks=4,threads=32,critical=20,report=1 >clock
    share=$(sed -n 's/.* wait, \([0-9.]*\) % of.*/\1/p' clock)
    awk -F, -v clock="$share" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { sync = 100 * $at["sync_share"];
            print $at["syncs"], (sync <= clock && sync > 0.8 * clock ? "near" : sync " is not " clock),
            ($at["wait_share"] <= $at["sync_share"] ? "loops are of it" : "not") }' rows.csv
done
# What a loop looks at is said by line and word, and by how many.
cat >spin.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 p)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, %ctaid.x;
    and.b32 %r1, %r1, 1;
    mul.wide.u32 %d2, %r1, 128;
    add.u64 %d3, %d1, %d2;
L:  ld.acquire.gpu.u32 %r1, [%d3];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra L;
    ret;
}
END
cat >spin.launch <<'END'
buffer a u32 64 fill 0
launch spin grid 3 block 64 args a
END
"$WARPSCAPE" sim -c rtx2060-mini --livelock 5000 spin.ptx spin.launch 2>&1 >/dev/null
# Wrong words.
"$WARPSCAPE" sim --livelock -1 --suite GBAR 2>&1 | head -n 1
"$WARPSCAPE" sim --livelock 10 x.wst 2>&1 | head -n 1
"$WARPSCAPE" sim --size barrier=2 --suite 2>&1 | head -n 1
"$WARPSCAPE" sim --size barrier=2 x.wst 2>&1 | head -n 1
sim --size barrier=7 GBAR
"$WARPSCAPE" sim -c rtx2060-mini --suite --scale tiny --size backoff=1000 GBAR 2>&1 >/dev/null | sed 's/, [0-9.]* s$//'
true
