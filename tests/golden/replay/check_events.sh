# Events of a trace are held against what they promise; a file of the first format is read, its instructions described
# by their text.
"$WARPSCAPE" replay "$TOP/tests/data/trace-1.wst" --check-events
"$WARPSCAPE" exec "$TOP/tests/kernels/flow_nested.ptx" "$TOP/tests/kernels/flow_nested.launch" --trace new.wst \
    >/dev/null
"$WARPSCAPE" replay new.wst --check-events --workers 3 | cut -d, -f1-6
