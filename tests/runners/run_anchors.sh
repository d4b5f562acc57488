#!/usr/bin/env bash
# Holds `warpscape sim --config rtx2060` against GPGPU-Sim 4.2 in performance mode with its configuration SM75_RTX2060,
# on the four kernels of tests/anchors/four.cu: the same PTX, launches and sizes, one run each; with its four lines of
# L1 a cycle, where the machine has the card's one. docs/simulator-measured.md has the table.
# usage: run_anchors.sh PROGRAM
set -u
WARPSCAPE=$(realpath "${1:?program}")
cd "$(dirname "$0")/../anchors" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$WARPSCAPE" exec four.ptx four.launch --trace "$work/four.wst" >/dev/null &&
    "$WARPSCAPE" sim --config rtx2060 --set l1.ports=4 "$work/four.wst" >"$work/four.csv" ||
        { echo 'anchors: 0 passed, 1 failed'; exit 1; }
# theirs: kernel, column, value, how far off in percent ours may be
cat >"$work/theirs" <<'END'
vecadd cycles 14423 25
reduce cycles 17500 25
tiled cycles 91992 25
naive cycles 209158 25
tiled l1_accesses 270336 2
tiled l1_misses 229312 10
END
grep -v '^#' "$work/four.csv" | awk -F, '
    NR == FNR {
        split($0, f, " "); rows++; kernel[rows] = f[1]; column[rows] = f[2]; theirs[rows] = f[3]
        most[rows] = f[4]; next
    }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { for (i = 1; i <= rows; i++) if (kernel[i] == $2) ours[i] = $at[column[i]] }
    END {
        for (i = 1; i <= rows; i++) {
            off = 100 * (ours[i] / theirs[i] - 1)
            good = off <= most[i] && -off <= most[i]
            passed += good
            if (!good)
                printf "%s %s: %d, GPGPU-Sim has %d, %+.1f %% (at most %d)\n", kernel[i], column[i], ours[i], theirs[i],
                    off, most[i]
            if (ENVIRON["VERBOSE"])
                printf "| %s | %s | %d | %d | %.3f |\n", kernel[i], column[i], theirs[i], ours[i], ours[i] / theirs[i]
        }
        printf "anchors: %d passed, %d failed\n", passed, rows - passed
        exit passed < rows
    }' "$work/theirs" -
