# Which workloads are kernels that a seed draws, and what does a seed change? The same seed gives the same launches with
# any number of workers; sizes say how many and how large.
"$WARPSCAPE" suite list --drawn | cut -d, -f1-5
"$WARPSCAPE" suite run --scale tiny --drawn -d x.db 2>&1 | sed 's/,.*//'
drawn() { # drawn SEED SIZES WORKERS: launches of more than one block that wait for none
    rm -f s.db
    "$WARPSCAPE" suite run --scale tiny --seed "$1" --size "$2" -j "$3" -d s.db RND >log 2>&1 || cat log
    "$WARPSCAPE" launches -d s.db | grep -v "^#" | cut -d, -f2-5,14
}
drawn 5 kernels=6,blocks=16,waits=0 1 >one
drawn 5 kernels=6,blocks=16,waits=0 2 >two
cmp one two && cat one
drawn 6 kernels=6,blocks=16,waits=0 1 | cmp -s one - || echo "another seed, other launches"
w=$(dirname "$WARPSCAPE")/workloads
"$w/RND" --scale tiny --size blocks=7 2>&1 | head -n 1
