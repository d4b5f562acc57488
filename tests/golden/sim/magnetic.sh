# Registers and shared memory of STT-MRAM: what today's options say stays, a section of nothing is none, and what cells
# are written.
export WARPSCAPE_DATA=$TOP/data
"$WARPSCAPE" suite run --scale tiny --trace . -d s.db FWT 2>/dev/null
cycles() { awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next }
    /,total,/ { printf "%s ", $at } END { print "" }'; }
count() { # count FILE COUNTER...: sums over launches
    for counter in "${@:2}"; do awk -F, -v c="$counter" \
        '/^#/ { next } $4 "." $6 == c { sum += $10 } END { printf "%s %.0f\n", c, sum }' "$1"; done
}
"$WARPSCAPE" sim -c sttram-sram FWT.wst | grep -v '^#' >plain.csv
slow='--set registers.write=4 --set shared.read=16 --set shared.write=40'
"$WARPSCAPE" sim -c sttram-sram $slow FWT.wst | grep -v '^#' >slow.csv
"$WARPSCAPE" sim -c sttram-sram --set shared.memory=sram FWT.wst | grep -v '^#' | cmp - plain.csv &&
    echo "sram is what there was"
"$WARPSCAPE" sim -c sttram FWT.wst | grep -v '^#' | cmp - slow.csv && echo "plain writes take what slow banks take"
"$WARPSCAPE" sim -c sttram --set shared.memory=hybrid --set shared.size=0 FWT.wst | grep -v '^#' | cmp - slow.csv &&
    echo "a section of nothing is none"
"$WARPSCAPE" sim -c sttram --set shared.memory=hybrid --activity a.csv FWT.wst | cycles
count a.csv shared.words shared.section_writes shared.section_reads shared.cell_reads shared.writebacks
"$WARPSCAPE" sim -c sttram --set shared.memory=hybrid --set shared.size=1KB --set shared.ways=8 --activity a.csv \
    FWT.wst | cycles
count a.csv shared.words shared.section_writes shared.section_reads shared.cell_reads shared.writebacks
echo 'live, with values'
for width in 1 4 32; do
    "$WARPSCAPE" sim -c sttram --set registers.width=$width --set shared.width=$width --activity a.csv --power p.csv \
        --suite FWT 2>/dev/null | cycles
    count a.csv registers.write_lanes registers.cell_lanes registers.cell_parts shared.cell_writes shared.cell_parts
done
"$WARPSCAPE" sim -c sttram --set registers.file=differential --set registers.read=2 --set registers.write=4 \
    --set shared.memory=sram --suite FWT 2>/dev/null | cycles
"$WARPSCAPE" sim -c sttram --set registers.width=32 --suite FWT 2>/dev/null | cycles
echo 'a word at a time, and coalesced'
for set in registers.coalesce=0 registers.coalesce=32; do
    "$WARPSCAPE" sim -c sttram --set registers.port=1 --set $set --activity a.csv FWT.wst | cycles
    count a.csv registers.more_turns registers.buffered_lanes registers.merged
done
echo 'final updates: what is written less is what nobody reads, in the same time'
for final in 0 1; do
    "$WARPSCAPE" sim -c sttram --set shared.memory=hybrid --set shared.size=8KB --set shared.width=1 \
        --set shared.final=$final --activity a.csv --suite NQU 2>/dev/null | cycles
    count a.csv shared.cell_writes shared.unread shared.writebacks
done | awk '{ v[NR] = $NF } END { print (v[1] == v[5] && v[2] == v[6] + v[7] && v[3] == v[7] && v[7] > 0 && v[4] == v[8]) }'
try() { "$WARPSCAPE" sim "$@" 2>&1 | sed "s|$TOP|TOP|g"; echo "exit status ${PIPESTATUS[0]}"; }
try -c sttram --set registers.width=3 FWT.wst
try -c sttram --set registers.width=4 --set registers.ewt=1 FWT.wst
try -c sttram --set shared.width=4 FWT.wst
try -c sttram --set registers.width=4 FWT.wst
try -c sttram --set registers.coalesce=65 FWT.wst
try -c sttram-sram --set registers.port=3 FWT.wst
try -c sttram --set registers.wide=48 FWT.wst
try -c sttram --set registers.row=80 FWT.wst
try -c sttram --set shared.memory=hybrid --set shared.size=48KB FWT.wst
try -c sttram --set shared.memory=hybrid --set shared.ways=3 FWT.wst
try -c sttram --set shared.memory=hybrid --set shared.ram=1 --set shared.final=1 FWT.wst
try -c sttram --set shared.ways=2 FWT.wst
try -c sttram --set shared.memory=mram FWT.wst
try -c qv100 --set shared.memory=stt FWT.wst
"$WARPSCAPE" suite run --scale tiny --profile -d p.db FWT 2>/dev/null
"$WARPSCAPE" model power -d p.db --config sttram 2>&1 |
    awk -F, '/^#/ || !n++ { next } { print "estimated: " ($5 > 0 && $8 > 0) }'
"$WARPSCAPE" what-if --simulate sttram-sram sttram FWT.wst 2>/dev/null | awk -F, '/^#/ || !n++ { next }
    $2 == "sttram" && $1 == "FWT" { print "what-if: more cycles, fewer watts: " ($9 > 1 && $12 < 1) }'
