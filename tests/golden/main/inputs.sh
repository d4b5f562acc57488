# What is read is a file, or a pipe where people pipe: a device without end and a named pipe without a writer are
# refused by name, at once. (Frames may come from named pipes: these have a writer here.)
mkfifo fifo
printf 'name,a,b\nx,1,2\ny,2,5\nz,4,3\n' >f.csv
cat >k.ptx <<'P'
.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) { ret; }
P
printf 'buffer a u8 10\nlaunch k args a\n' >k.launch
"$WARPSCAPE" exec --trace k.wst k.ptx k.launch >/dev/null
printf -- '-inter_config_file fifo\n' >fifo.config
printf '[memory]\npart = ./fifo\n' >part.ini
says() {
    echo "--- $*"
    "$WARPSCAPE" "$@" 2>&1 >/dev/null | grep -v '^Try '
    [ "${PIPESTATUS[0]}" -ne 0 ] || echo "and ends with 0"
}
says pca /dev/zero
says pca - </dev/zero
says subset --sizes 2 --cost /dev/zero:a f.csv
says plot heatmap /dev/urandom -o x.svg
says diff /dev/zero /dev/zero
for f in /dev/zero ./fifo; do
    printf 'buffer a u8 10 file "%s"\nlaunch k args a\n' $f >data.launch
    says exec $f k.launch
    says exec k.ptx $f
    says exec k.ptx data.launch
    says sim -c $f k.wst
    says sim -c rtx2060-mini $f
    says sim -c rtx2060-mini --checkpoint $f --resume k.wst
    says replay $f
    says import $f
    says metrics -d $f
    says run $f
    says model chiplets --arguments $f k.wst
    says model chameleon --supply $f
done
says model noc --traffic /dev/zero
says sim -c rtx2060-mini --launches /dev/zero k.wst
echo "--- through pipes"
"$WARPSCAPE" pca f.csv | grep -v '^# command' >file
for how in '<f.csv -' '<f.csv /dev/stdin' 'fifo' '<(cat f.csv)'; do
    cat f.csv >fifo &
    [ "$how" = fifo ] || cat fifo >/dev/null
    eval "\"\$WARPSCAPE\" pca $how" | grep -v '^# command' | cmp - file && echo "$how"
    wait
done
"$WARPSCAPE" exec <(cat k.ptx) <(cat k.launch)
"$WARPSCAPE" diff <(cat f.csv) f.csv | head -n 3
echo "--- nothing is read back from an output that keeps nothing"
"$WARPSCAPE" explore rtx2060-mini --simulate -o /dev/full -v chip.core_clock=1GHz,1.2GHz k.wst 2>&1
"$WARPSCAPE" explore rtx2060-mini --simulate -o /dev/stdout -v chip.core_clock=1GHz,1.2GHz k.wst | grep -v '^#' |
    cut -d, -f 1
