# Loads of chosen forms: their lines, and how far lanes are apart. And what a cache of 32 KB and lines of 128 bytes,
# least recently used going first, makes of one and two warps that walk with 32,768 bytes from lane to lane, or in two
# arrays with 16,384, beside a word that all share: hits, misses by cause and loads that were there whole are those that
# one can count by hand. In 32 sets of 8 ways all lanes of a load meet one or two sets, and each drives out the others;
# 8 sets of 32 ways hold one warp's lines of one array.
w=$(dirname "$WARPSCAPE")/workloads
trace() { # trace SIZES: into sass/
    rm -rf sass traces
    "$WARPSCAPE" run -q -n SYN -d s.db --trace traces -- "$w/SYN" --scale tiny --size "$1" >log || cat log
    "$WARPSCAPE" replay --accelsim sass traces/SYN.wst >/dev/null
}
for sizes in pattern=1,stride=128 pattern=1,stride=1024,arrays=2 pattern=1,stride=4224,arrays=4,shared=0 \
    pattern=1,lanes=5 pattern=2 pattern=2,lanes=7,arrays=3 \
    pattern=2,lanes=0 pattern=3 pattern=3,lanes=16; do
    trace $sizes
    awk -v workload=$sizes -f "$GOLDEN/traceg.awk" -f "$GOLDEN/loads.awk" sass/kernel-1.traceg
done
for form in stride=32768 stride=16384,arrays=2; do
    for warps in 1 2; do
        trace pattern=1,steps=64,$form,warps=$warps
        for shape in '32 8' '8 32'; do
            set -- $shape
            loads=$(($(grep -c arrays <<<"$form") + 2))
            echo "$form warps=$warps $1x$2: $(awk -v sets=$1 -v ways=$2 -v loads=$loads -f "$GOLDEN/traceg.awk" \
                -f "$GOLDEN/lru.awk" sass/kernel-1.traceg)"
        done
    done
done
"$w/SYN" --size warps=4096,steps=65536
"$w/ATAX" --size pitch=4
true
