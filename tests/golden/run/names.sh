# One name of a kernel everywhere, as people write it, with the program's own in a column "mangled": what sim, metrics,
# launches and replay print of one run can be joined.
"$WARPSCAPE" run -q --trace traces "$(dirname "$WARPSCAPE")/programs/app" work 3 2 empty >/dev/null
names() { # COMMAND...: "kernel|mangled" of each row
    "$@" | grep -v '^#' | sed 's/"\([^",]*\), \([^"]*\)"/\1; \2/' | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["kernel"] "|" $at["mangled"] }'
}
names "$WARPSCAPE" sim traces/app.wst | tee sim
names "$WARPSCAPE" metrics --set study --per launch | diff <(grep -v '^total' sim) - && names "$WARPSCAPE" launches |
    diff <(grep -v '^total' sim) - &&
    names "$WARPSCAPE" replay traces/app.wst | diff <(grep -v '^total' sim) - && echo 'all the same'
names "$WARPSCAPE" metrics --set study --per kernel | sort | diff <(grep -v '^total' sim | sort -u) - &&
    echo 'kernels too'
# Rows are called by one of the names.
"$WARPSCAPE" metrics --set study --per kernel | "$WARPSCAPE" cluster - --columns I_total,I_fop | grep -v "^#" |
    cut -d, -f1-4
