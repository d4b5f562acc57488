# Can a frame of `sim` be so? Numbers are finite, none is negative but a slope, shares are at most 1, and parts sum up.
# Prints what cannot.
BEGIN { FS = "," }
/^# column / { split($0, part, " "); ratio[part[3]] = part[4] == "unit=ratio"; next }
/^#/ { next }
!header { header = 1; for (i = 1; i <= NF; i++) { name[i] = $i; at[$i] = i } next }
function value(column) { return at[column] && $(at[column]) != "NA" ? $(at[column]) : 0 }
function same(what, left, right) {
    if (left - right > 1e-6 * (1 + left) || right - left > 1e-6 * (1 + left)) print what ": " left " and " right
}
function rising(list,    n, column, i, last) {
    n = split(list, column, " ")
    for (i = 1; i <= n; i++) {
        if (value(column[i]) < last * (1 - 1e-9))
            print column[i] " = " value(column[i]) " is less than " last
        last = value(column[i])
    }
}
{
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^-?(nan|inf)/)
            print name[i] " = " $i
        else if ($i ~ /^-[0-9]/ && name[i] !~ /slope/)
            print name[i] " = " $i
        # Over a mean, or over what others have: may be above 1.
        else if (ratio[name[i]] && $i > 1 + 1e-9 && $i ~ /^[0-9]/ &&
            name[i] !~ /burstiness|_peak_|l2_compulsory|l1_merge_factor/)
            print name[i] " = " $i " is a share"
    }
    rising("l1_hits l1_accesses")
    rising("l2_misses l2_accesses")
    same("update_misses and what leaves", value("update_misses"),
        value("update_evictions") + value("update_mismatches") + value("update_flushed") + value("update_unsent"))
    same("update_messages and update_misses", value("update_messages"), value("update_misses") - value("update_unsent"))
    same("package_update_requests and its parts", value("package_update_requests"),
        value("package_update_hits") + value("package_update_misses") + value("package_update_passed"))
    same("package_update_messages and what leaves", value("package_update_messages"),
        value("package_update_evictions") + value("package_update_mismatches") + value("package_update_flushed"))
    if (at["cta_cycles_min"]) {
        rising("cta_cycles_min cta_cycles_mean cta_cycles_max")
        rising("blocks_by_1 blocks_by_2 blocks_by_3 blocks_by_4 blocks_by_6 blocks_by_8 blocks_by_12 blocks_by_16")
        rising("stores_abreast stores_abreast_most")
    }
    if (at["race_found"])
        rising("race_found_wrongly race_found")
        rising("race_false_syncs race_race_syncs")
        rising("race_kept race_early")
}
