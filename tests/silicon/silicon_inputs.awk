# An input of the programs of silicon.sh, of the shape of the one that the suite ships, from a seed: awk -v file=NAME -f
# silicon_inputs.awk. Run it with LC_ALL=C: some are binary.
function uniform() { # Park and Miller; products stay below 2^53
    seed = seed * 16807 % 2147483647
    return seed / 2147483647
}
function byte(b) { printf "%c", b }
function short(n) { byte(n % 256); byte(int(n / 256)) }
function word(n) { short(n % 65536); short(int(n / 65536)) }
# A float in [1, 2) or, with half set, [0.5, 1): its bytes need no logarithm.
function float_(half) { short(int(uniform() * 65536)); short((half ? 16128 : 16256) + int(uniform() * 128)) }
function matrix(rows, columns,    i) {
    printf "%d %d ", rows, columns
    for (i = 0; i < rows * columns; i++) printf "%.4f ", uniform()
}
function lines(n, low, high,    i) { for (i = 0; i < n; i++) printf "%.6f\n", low + (high - low) * uniform() }
function frame(width, height,    i) {
    short(width); short(height)
    for (i = 0; i < width * height; i++) short(16 + int(uniform() * 220))
}
BEGIN {
    seed = 1
    for (i = 1; i <= length(file); i++)
        seed = (seed * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789_.", substr(file, i, 1))) % 2147483646 + 1
    if (file == "mil.txt") { # a permutation of a million keys
        n = 1000000
        print n
        for (i = 0; i < n; i++) key[i] = i
        for (i = n - 1; i > 0; i--) { j = int(uniform() * (i + 1)); t = key[i]; key[i] = key[j]; key[j] = t }
        for (i = 0; i < n; i++) print key[i]
    } else if (file == "command.txt") printf "j 6000 3000\nk 10000\n"
    else if (file == "image.pgm") {
        printf "P2\n458 502\n255\n"
        for (i = 0; i < 458 * 502; i++)
            printf "%d%s", 60 + 120 * ((i % 458) * int(i / 458) % 97) / 97 + 40 * uniform(), i % 16 == 15 ? "\n" : " "
        print ""
    } else if (file == "matrix1.txt") matrix(1024, 992)
    else if (file == "matrix2.txt") matrix(992, 1056)
    else if (file == "matrix2t.txt") matrix(1056, 992)
    else if (file == "64_64_64.bin") { # k-space of 2048 samples, 64 x 64 x 64 voxels
        word(2048); word(262144)
        for (i = 0; i < 5 * 2048 + 3 * 262144; i++) float_(1)
    } else if (file == "temp_512") lines(262144, 320, 345)
    else if (file == "power_512") lines(262144, 0, 0.02)
    else if (file == "kdd_cup")
        for (i = 1; i <= 494020; i++) {
            printf "%d", i
            for (j = 0; j < 34; j++) printf " %d", uniform() * 100
            print ""
        }
    else if (file == "reference.bin" || file == "frame.bin") frame(176, 144)
    else { print "silicon_inputs.awk: no input " file > "/dev/stderr"; exit 1 }
}
