# Memory of the device: 80 GiB of address space, or what --device-memory says; more than that cannot be had, and pages that are not
# touched take none.
memory=$(dirname "$WARPSCAPE")/programs/memory
for size in default 1 100; do
    echo "== $size"
    options=()
    [ $size = default ] || options=(--device-memory $size)
    "$WARPSCAPE" run -q "${options[@]}" "$memory" 2>&1
    echo "exit status $?"
done
"$WARPSCAPE" run -q --device-memory 257 "$memory" 2>&1
echo "exit status $?"
WARPSCAPE_DEVICE_MEMORY=all LD_LIBRARY_PATH=$(dirname "$WARPSCAPE")/lib "$memory" 2>&1
echo "exit status $?"
