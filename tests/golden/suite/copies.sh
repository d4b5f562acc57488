# Bytes copied: MM takes 32 x 32 and 32 x 48 floats and gives 32 x 48 back after its last launch. BFS takes its masks,
# edge lists and costs, and a flag a level both ways.
"$WARPSCAPE" suite run --scale tiny --set study MM BFS 2>/dev/null || exit 1
"$WARPSCAPE" metrics --set study --per launch | grep -v '^#' > launches.csv
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "H2D") up = i; if ($i == "D2H") down = i }; next }
    { h[$1] += $up; d[$1] += $down; levels[$1]++ }
    END { print "MM", h["MM"], d["MM"];
        print "BFS flags and costs back:", d["BFS"] - 4 * levels["BFS"] / 2 - 1500 * 4 }' launches.csv
