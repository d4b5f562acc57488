# Draws places from what places.awk writes: a line of code by chance, then one of its places; no line twice. COUNT lines
# of the input, in the order of drawing. The same seed and places give the same draws with every awk.
# usage: awk -v seed=N -v count=N -f draw.awk

BEGIN { FS = "\t"; state = seed % 2147483646 + 1; for (i = 0; i < 8; i++) draw(1) }
{
    if ($1 FS $2 != line) {
        line = $1 FS $2
        start[++lines] = NR
    }
    place[NR] = $0
}
END {
    start[lines + 1] = NR + 1
    for (i = 1; i <= count && i <= lines; i++) {
        # What is drawn changes places with the first one that is left.
        j = i + draw(lines - i + 1)
        at = (j in order) ? order[j] : j
        order[j] = (i in order) ? order[i] : i
        print place[start[at] + draw(start[at + 1] - start[at])]
    }
}

# A number from 0 to below `below`: Park and Miller's generator, in numbers that doubles hold exactly.
function draw(below) {
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * below)
}
