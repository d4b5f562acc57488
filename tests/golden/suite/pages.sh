# `suite run --pages`: memory lies as it does under `run`, so the simulator sees the same addresses; without it, others.
w=$(dirname "$WARPSCAPE")/workloads
"$WARPSCAPE" run -q --trace run -n GS -d s.db -- "$w/GS" --scale tiny --size side=32 >/dev/null
"$WARPSCAPE" suite run -d s.db --scale tiny --size side=32 --trace suite GS 2>/dev/null
"$WARPSCAPE" suite run -d s.db --scale tiny --size side=32 --trace pages --pages GS 2>/dev/null
for folder in run pages suite; do
    echo "$folder $("$WARPSCAPE" sim --config photonic-electrical $folder/GS.wst 2>/dev/null | tail -n 1 | cut -d, -f6)"
done
"$WARPSCAPE" suite list --pages 2>&1 | head -n 1
