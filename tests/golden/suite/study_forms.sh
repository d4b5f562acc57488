# Workloads that do something of their own at scale study: right results, and the threads, launches and barriers that
# the study's table asks for.
$WARPSCAPE suite run --scale study --set study NQU AES CP GS NE MM MT CS LPS HS LU 2>&1 | sed 's/, [0-9.]* s$//'
$WARPSCAPE metrics --set study | grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    { print $1, $at["T_total"], $at["K_n"], ($at["I_bar"] > 0) }'
