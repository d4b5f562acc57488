# Launches that are stopped when they are steady: the whole has as many instructions, cycles within the interval; blocks
# that do more late are counted, and widen it; what is never steady, has too few waves or is given up is not projected.
# heavy: simulates long launches; test_steady goes through the same code
{
    printf 'buffer p f32 80000\nbuffer out f32 76800\n'
    printf 'launch work grid %s block 128 args p out %s\n' 600 '20 0 0' 600 '20 20 400' 40 '20 0 0'
} >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/sim/steady.ptx" x.launch --trace x.wst >/dev/null
sim() { "$WARPSCAPE" sim -c rtx2060-mini "$@"; }
# kernel launch ended instructions cycles bound simulated bound-of-instructions, "-" for what is not there
rows() { grep -v '^#' "$1" | awk -F, 'function of(c) { return c in at && $at[c] != "" ? $at[c] : "-" }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $2, of("launch"), $4, of("warp_instructions"), of("cycles"), of("cycles_bound"), of("simulated"),
        of("warp_instructions_bound") }'; }
sim x.wst >whole.csv
sim --steady 10 x.wst >steady.csv
paste -d ' ' <(rows whole.csv) <(rows steady.csv) | awk '{ off = $13 - $5; if (off < 0) off = -off; bound = $14 / $13
    print $1, $2, $3 " / " $11, ($4 == $12 ? "the same instructions" : "OTHER INSTRUCTIONS"),
        ($7 == "-" && $15 == 1 ? "whole" : $15 < 0.4 ? "much saved" : "some saved"),
            (bound == 0 ? "no bound" : bound < 0.3 ? "narrow" : "wide"),
        ($11 == "done" ? "" : off <= $14 ? "within" : "BEYOND"), $16 }'
grep '^# steady' steady.csv
# Of a list, the interval is that of both.
printf 'workload,launch,weight,stratum,launches,spread\nsteady,1,3,1,3,0.02\n' >list.csv
sim --launches list.csv x.wst >listed.csv
sim --launches list.csv --steady 10 x.wst >both.csv
paste -d ' ' <(rows listed.csv | grep total) <(rows both.csv | grep total) |
    awk '{ print $3, $11, ($4 == $12 ? "the same instructions" : "OTHER INSTRUCTIONS"),
    ($14 > $6 ? "wider" : "NARROWER") }'
# Never steady: as without. Given up: nothing is projected, and no bound is claimed.
sim --steady 0.01 x.wst | rows /dev/stdin | cut -d ' ' -f 1-3,6-7
paste -d ' ' <(sim --steady 0.01 x.wst | rows /dev/stdin) <(rows whole.csv) |
    awk '$5 != $13 { print "OTHER CYCLES", $0 }'
sim --steady 10 --max-cycles 20000 x.wst 2>&1 >limit.csv
rows limit.csv
sim --steady 10 --protocol gtsc-rc x.wst 2>/dev/null | rows /dev/stdin | cut -d ' ' -f 1-4
# Where it cannot be.
for options in '--check --protocol bl' '--checkpoint c' '--activity a' '--traffic t'; do
    # shellcheck disable=SC2086
    sim --steady 1 $options x.wst 2>&1 | sed -n 1p
done
sim --steady 1 "$TOP/tests/golden/sim/steady.ptx" x.launch 2>&1 | sed -n 1p
sim --steady 1 --suite MM 2>&1 | sed -n 1p
sim --steady 0 x.wst 2>&1 | sed -n 1p
sim --steady few x.wst 2>&1 | sed -n 1p
