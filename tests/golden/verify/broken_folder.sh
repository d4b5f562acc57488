# A folder of traces of which one is empty, or breaks off, is refused by that one's name.
mkdir empty cut
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n' >k.ptx
printf 'launch k grid 40 block 64\nlaunch k grid 2 block 64\n' >k.launch
"$WARPSCAPE" exec --trace good.wst k.ptx k.launch >/dev/null
for folder in empty cut; do cp good.wst $folder/b.wst; done
: >empty/a.wst
head -c $(($(stat -c %s good.wst) - 40)) good.wst >cut/a.wst
for folder in empty cut; do
    for command in "verify -p bl" "model sharing" "model races" "whatif gtsc rtx2060-mini"; do
        # shellcheck disable=SC2086
        "$WARPSCAPE" $command $folder 2>&1 >/dev/null | sed 's/byte [0-9]*/byte N/'
        echo "status ${PIPESTATUS[0]}"
    done
done
