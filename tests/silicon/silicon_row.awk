# The row of `warpscape sim` (one launch) as a row of data/silicon: silicon.sh, -v kernel=NAME. Stores write through, so
# those that found a copy are `updates`, and what else was not served was asked for by loads; a read in flight that
# serves a second load counts as a hit. What L2 reads from memory is what its loads missed.
BEGIN { FS = "," }
/^#/ { next }
{ gsub(/"[^"]*"/, "-") }
!header++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
function of(c) { return c in at ? $at[c] : "" }
$at["launch"] == "total" { next }
!done++ {
    miss = of("l1_misses") - of("l1_accesses") + of("l1_loads")
    known = "l1_loads" in at
    printf "%s,%d,%s,%s,%s,%s,%s,%s,%d,%d,%s,%s,%s,,,\n", kernel, of("cycles"), known ? of("l1_loads") - miss : "",
        known ? miss : "",
        of("l1_updates"), known ? of("l1_stores") - of("l1_updates") : "", of("constant_accesses"), of("shared_passes"),
            of("dram_reads"), of("dram_writes"),
        known ? of("l2_loads") - of("dram_reads") : "", known ? of("dram_reads") : "", of("l2_stores")
}
