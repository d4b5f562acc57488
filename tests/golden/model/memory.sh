# Memories of STT-MRAM: all SRAM is what model power says; parts add up; the study's identities; the same from live
# runs, from traces with values, on any number of workers.
$WARPSCAPE suite run --scale tiny --profile --trace . --values -d p.db MM PR NW 2>/dev/null
column() { # column NAME FILE: its values
    sed 's/"[^"]*"//g' "$2" |
        awk -F, -v name="$1" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }'
}
sum() { column "$1" "$2" | awk '{ n += $1 } END { printf "%.9e\n", n }'; }
model() { $WARPSCAPE model memory -d p.db "$@"; }
model --regfile sram --shared sram --readonly sram >sram.csv
$WARPSCAPE model power -d p.db --config sttram-sram --joules >power.csv
for part in registers shared; do
    paste <(column ${part}_read sram.csv) <(column ${part}_write sram.csv) <(column ${part}_leakage sram.csv) \
        <(column $part power.csv) |
        awk -v part=$part '{ d = ($1 + $2 + $3) / $4 - 1; if (d > 1e-9 || d < -1e-9) print "not the same: " $0; n++ }
        END { print n " workloads have the same joules in " part }'
done
diff <(column cycles sram.csv) <(column cycles power.csv) && echo "and the same cycles"
for per in launch kernel workload suite; do model --regfile stt:width=4 --shared hybrid:16K,ways=2 --per $per \
    >$per.csv; done
for name in cycles seconds joules registers_write shared_read readonly_leakage registers_bits_written shared_wear; do
    for per in kernel workload suite; do [ "$(sum $name $per.csv)" = "$(sum $name launch.csv)" ] ||
        echo "$name of $per: $(sum $name $per.csv), $(sum $name launch.csv)"; done
done
model --regfile stt --shared stt >plain.csv
column registers_write_change plain.csv | awk '{ printf "%.9f\n", $1 }' | uniq
for k in 1 2 4 8 16 32; do model --regfile stt:width=$k --shared stt:width=$k --per suite >width.csv
    paste <(column registers_bits_written width.csv) <(column shared_bits_written width.csv); done |
    awk '{ if ($1 < a || $2 < b || !$1) print "less: " $0; a = $1; b = $2; n++ }
    END { print n " widths write no less, one after the other" }'
diff <(model --shared hybrid:0 | grep -v '^#' | cut -d, -f 4-) <(model --shared stt | grep -v '^#' | cut -d, -f 4-) &&
    echo "a section of nothing is none"
for size in 0 8K 16K 32K; do model --shared hybrid:$size,ways=4 --per suite >hybrid.csv
    column shared_bits_written hybrid.csv; done |
    awk 'NR > 1 && $1 >= last { print "more: " $0 } { last = $1 } END { print NR " sizes write less and less" }'
# Constants: buffers without energy leave what the same file writes without them, less word lines and merges.
for pass in 0 1 2; do model --regfile stt:coalesce --per suite --constant coalesce.pass=$pass >pass.csv
    column registers_write pass.csv; done |
    awk '{ a[NR] = $1 } END { d = (a[3] - a[2]) / (a[2] - a[1]) - 1
        print (a[1] > 0 && d < 1e-6 && d > -1e-6 ? "the energy of buffers is in proportion to that of a pass" : "buffers: " d) }'
model --constant cell.around=4.9F --per suite >around.csv
awk -v a="$(column registers_leakage around.csv)" -v b="$(column registers_leakage sram.csv | awk '{ n += $1 } END { print n }')" \
    -v c="$(column cycles_change around.csv)" \
    'BEGIN { d = a / b / c; print (d > 0.97 && d < 1.03 ? "drivers that leak as SRAM does leave its leakage" : "leaks: " d) }'
model --shared sram --retention 0.001ms --per suite >short.csv
model --shared sram --retention 0.001ms --scrub 0.001ms --per suite >scrub.csv
model --shared sram --retention 0.001ms --regfile stt:sram_long --per suite >long.csv
awk -v a="$(column registers_decayed short.csv)" -v b="$(column registers_decayed scrub.csv)" \
    -v c="$(column registers_decayed long.csv)" -v e="$(column registers_scrub scrub.csv)" \
    'BEGIN { print (a > 0 && b == 0 && c == 0 && e > 0 ? "what would decay is scrubbed, or in SRAM" : "decayed: " a ", " b ", " c) }'
# A map of combinations: one of them is in front at least.
model --regfile sram --regfile stt:width=1 --regfile stt:width=8 --shared sram --shared hybrid:8K --readonly sram \
    --readonly stt >map.csv
awk -F, '/^#/ || !n++ { next } { rows[$1]++; front[$1] += $NF }
    END { for (w in rows) print w, rows[w], (front[w] > 0 && front[w] < rows[w] ? "some in front" : front[w]) }' \
    map.csv | sort
# The same from traces and on any number of workers.
for w in MM NW PR; do $WARPSCAPE replay --profile --db r.db $w.wst >/dev/null 2>&1; done
diff <(model | grep -v '^#' | sort) <($WARPSCAPE model memory -d r.db | grep -v '^#' | sort) &&
    echo "traces with values say the same"
$WARPSCAPE suite run --scale tiny --profile -j 1 -d one.db NW 2>/dev/null
$WARPSCAPE suite run --scale tiny --profile -j 7 -d seven.db NW 2>/dev/null
diff <($WARPSCAPE model memory -d one.db --per launch |
    grep -v '^#') <($WARPSCAPE model memory -d seven.db --per launch | grep -v '^#') && echo "so do any workers"
# Estimates of machines whose memories are magnetic say what organisations say, but for whole cycles: by the counters
# that simulations fill.
estimate() { # estimate REGISTERS SHARED SETTING...
    model $port --regfile "$1" --shared "$2" --readonly "$readonly" >organisation.csv
    local set=()
    for s in "${@:3}"; do set+=(--set "$s"); done
    $WARPSCAPE model power -d p.db --config sttram "${set[@]}" $port --joules >machine.csv
    for part in registers shared; do
        paste <(column ${part}_read organisation.csv) <(column ${part}_write organisation.csv) \
            <(column ${part}_leakage organisation.csv) <(column $part machine.csv)
    done | awk '{ d = ($1 + $2 + $3) / $4 - 1; if (d > 2e-3 || d < -2e-3) print "not the same: " $0 }'
    paste <(column cycles organisation.csv) <(column cycles machine.csv) |
        awk '{ d = $1 - $2; if (d > 6 || d < -6) print "not the same cycles: " $0; n++ }
        END { print n " workloads, estimated" }'
}
readonly=sram port=
estimate stt stt
estimate stt:width=4 stt:width=1 registers.width=4 shared.width=1
estimate stt:ewt stt:ewt registers.ewt=1 shared.ewt=1
estimate stt:width=1,coalesce hybrid:16K,ways=2,width=1 registers.width=1 registers.coalesce=32 shared.memory=hybrid \
    shared.width=1
estimate stt hybrid:16K,ways=2,width=1,final shared.memory=hybrid shared.width=1 shared.final=1
estimate sram hybrid:8K,ram registers.file=banked registers.write=2 shared.memory=hybrid shared.size=8KB shared.ram=1
estimate stt hybrid:16K,ways=2,gate=30 shared.memory=hybrid shared.gate=30
estimate stt stt shared.memory=hybrid shared.size=0
port='--set registers.port=1' # a word at a time, in SRAM, too
estimate sram sram registers.file=banked registers.write=2 shared.memory=sram shared.read=20 shared.write=20
estimate stt:width=1 stt registers.width=1
estimate stt:width=1,coalesce stt registers.width=1 registers.coalesce=32
readonly=stt port=
estimate sram sram registers.file=banked registers.write=2 shared.memory=sram shared.read=20 shared.write=20 \
    texture.memory=stt constant.memory=stt
paste <(column readonly_read organisation.csv) <(column readonly_write organisation.csv) \
    <(column readonly_leakage organisation.csv) <(column texture machine.csv) <(column constant machine.csv) |
    awk '{ d = ($1 + $2 + $3) / ($4 + $5) - 1; if (d > 2e-3 || d < -2e-3) print "not the same: " $0; n++ }
    END { print n " workloads, read-only caches" }'
model --config sttram-sram --set texture.memory=stt 2>&1
$WARPSCAPE model power -d p.db --config sttram --set registers.sram_registers=8 2>&1
# What is wrong.
$WARPSCAPE suite run --scale tiny --trace . -d n.db MM 2>/dev/null
$WARPSCAPE replay --profile --db novalues.db MM.wst >/dev/null 2>&1
$WARPSCAPE model memory -d novalues.db 2>&1
$WARPSCAPE model memory -d n.db 2>&1
$WARPSCAPE model power -d novalues.db --config sttram 2>&1
model --regfile stt:width=3 2>&1
model --regfile stt:width=4,ewt 2>&1
model --regfile stt:coalesce,wide=3 2>&1
model --regfile stt:wide=4 2>&1
model --set registers.port=3 2>&1
model --shared hybrid:64K 2>&1
model --shared hybrid:16K,ways=3 2>&1
model --regfile mram 2>&1
model --readonly hybrid 2>&1
model --config sttram --set registers.file=differential 2>&1
for wrong in coalesce coalesce.depth=1 coalesce.pass=-1 cell.around=1m; do model --constant $wrong 2>&1; done
model --tech none 2>&1 | sed 's|/.*/||'
model --scrub 1s 2>&1
for wrong in "--retention 0s" "--retention 5" "--scrub -1s" "--per year" "--costs none" "--shared stt --shared stt" \
    "file.wst"; do model $wrong 2>&1 | head -n 1; done
