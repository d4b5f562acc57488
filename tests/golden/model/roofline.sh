# Roofs of machines, and which of them bounds kernels, workloads, launches; a kernel in a line; what cannot be asked.
"$WARPSCAPE" suite run --scale tiny MM SLA 2>log
for machine in qv100 gtsc; do "$WARPSCAPE" model roofline --roofs --config $machine --format table; done
"$WARPSCAPE" model roofline | grep -v '^# run'
for per in workload launch; do "$WARPSCAPE" model roofline --per $per --columns 'cycles,headroom' --config rtx2060 \
    --format table; done
"$WARPSCAPE" model roofline --set chip.sms=1 --columns cycles --format md
"$WARPSCAPE" summary | grep 'at best'
"$WARPSCAPE" summary --config fermi . matmul | grep 'at best'
"$WARPSCAPE" summary --config none | grep -c 'at best'
"$WARPSCAPE" explain headroom
"$WARPSCAPE" suite run --scale tiny --set study --db study.db MM 2>log
for wrong in '--config nobody' '--db nothing.db' '--db study.db' '--set chip.sms' '--columns headrom' warpscape.db; do
    "$WARPSCAPE" model roofline $wrong 2>&1 >&- | head -1 | sed "s|/[^ ]*/data/|data/|"
done
echo '--- products of matrices'
"$WARPSCAPE" exec --db mma.db "$TOP/tests/kernels/matrix_mma.ptx" "$TOP/tests/kernels/matrix_mma.launch" >log 2>&1
for machine in qv100 h100 gtsc; do "$WARPSCAPE" model roofline --db mma.db --config $machine \
    --columns operations,cycles --format table; done
"$WARPSCAPE" metrics --db mma.db --set modern --columns 'matrix_*' --format md
"$WARPSCAPE" model roofline --db mma.db --config h100 --set chip.sms=1 | "$WARPSCAPE" plot roofline - -o above.svg &&
    grep -o 'matrix products  [^<]*' above.svg
"$WARPSCAPE" model roofline | "$WARPSCAPE" plot roofline - -o below.svg && grep -c 'matrix products' below.svg
