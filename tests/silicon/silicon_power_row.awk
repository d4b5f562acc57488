# The row of silicon_power.awk: from the frames of `warpscape sim --power` and `--activity`, of one launch; -v
# kernel=NAME. The rate is of the simulated time: busy cycles of SMs a second.
BEGIN { FS = "," }
/^#/ { next }
{ gsub(/"[^"]*"/, "-") }
FILENAME != file { file = FILENAME; files++; for (i = 1; i <= NF; i++) at[files, $i] = i; next }
files == 1 { watts = $at[1, "watts"]; seconds = $at[1, "seconds"]; next }
$at[2, "component"] == "sm" && $at[2, "counter"] == "busy_cycles" { busy += $at[2, "value"] }
END {
    if (seconds > 0)
        printf "%s,%.6g,%.9g\n", kernel, watts, busy / seconds
    else exit 1
}
