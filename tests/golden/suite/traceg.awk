# traceg.awk - reads global loads of traces in the format of Accel-Sim, for loads.awk and lru.awk. read_load() says
# whether the line is a load with lanes; then n_lanes, address[1..n_lanes], width, and apart: the bytes from lane to
# lane, `any` when that is no one number.
function number(hex,    i, value) {
    sub(/^0x/, "", hex)
    for (i = 1; i <= length(hex); i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return value
}
function lanes_of(mask,    i, n, digit) {
    for (i = 1; i <= length(mask); i++)
        for (digit = number(substr(mask, i, 1)); digit > 0; digit = int(digit / 2))
            n += digit % 2
    return n + 0
}
function read_load(    at, mode, lane) {
    if ($0 !~ /^[0-9a-f]+ [0-9a-f]+ [0-9]+ /)
        return 0
    at = 4 + $3
    if ($at !~ /^LDG/)
        return 0
    at += 2 + $(at + 1)
    width = $at
    mode = $(at + 1)
    n_lanes = lanes_of($2)
    apart = mode == 1 ? $(at + 3) + 0 : "any"
    for (lane = 1; lane <= n_lanes; lane++)
        address[lane] = lane == 1 ? number($(at + 2)) : mode == 1 ? address[lane - 1] + apart : \
            mode == 2 ? address[lane - 1] + $(at + 1 + lane) : number($(at + 1 + lane))
    return n_lanes > 0
}
