# lru.awk - what a cache of `sets` sets and `ways` ways would make of the loads of a kernel whose warps take turns,
# `loads` loads each time: lines of 128 bytes, the set is the line's number modulo sets, least recently used goes, what
# is missed is there at once. Prints hits, first misses, misses of what the same warp drove out, and of what another
# did; and loads of more than two lines that were there whole, in part, and not. usage: awk -v sets=N -v ways=N -v
# loads=N -f traceg.awk -f lru.awk kernel-1.traceg
/^warp =/ { warp = warps++ }
read_load() {
    n = made[warp]++
    split("", seen)
    for (lane = 1; lane <= n_lanes; lane++) {
        line = sprintf("%.0f", int(address[lane] / 128))
        if (!seen[line]++)
            lines[warp, n] = lines[warp, n] " " line
    }
}
# When the line was last used, or 0; and it is used now.
function use(warp, line,    set, way, oldest, hit) {
    set = line % sets
    for (way = 0; way < ways; way++) {
        if (tag[set, way] == line) { used[set, way] = ++now; return 1 }
        if (!oldest || used[set, way] + 0 < used[set, oldest - 1] + 0) oldest = way + 1
    }
    way = oldest - 1
    if (!(line in driven)) first++
    else if (driven[line] == warp) intra++
    else inter++
    driven[line] = -1
    if (tag[set, way] != "") driven[tag[set, way]] = warp
    tag[set, way] = line
    used[set, way] = ++now
    return 0
}
END {
    for (turn = 0; turn < made[0]; turn += loads)
        for (w = 0; w < warps; w++)
            for (n = turn; n < turn + loads; n++) {
                count = split(lines[w, n], part, " ")
                for (i = hit = 0; i < count;) hit += use(w, part[++i])
                hits += hit
                if (count > 2) whole += hit == count
                if (count > 2) none += hit == 0
                if (count > 2) some += hit > 0 && hit < count
            }
    printf "%d/%d/%d/%d; %d/%d/%d\n", hits, first, intra, inter, whole, some, none
}
