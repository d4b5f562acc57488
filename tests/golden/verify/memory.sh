# Closed forms of magnetic memories beside simulations of the same machines: counts are equal; a band of nothing is
# missed.
# heavy: simulates two workloads with each magnetic memory; model/memory.sh and test_power go through the same code
"$WARPSCAPE" suite run --scale tiny --profile -d p.db FWT PR 2>/dev/null
"$WARPSCAPE" verify --memory p.db >v.csv 2>summary
grep -v '^#' v.csv | sed ':next; s/"\([^",]*\),\([^"]*\)"/"\1 \2"/; t next; s/"//g' | awk -F, 'NR == 1 { print; next }
    $4 == "energy" || $4 == "cycles_change" { print $1, $2, $3, $4, ($5 > 0 && $6 > 0), $9; next }
    { print $1, $2, $3, $4, $5, $6, $9 }'
sed 's/[0-9.]* %/N %/g' summary
"$WARPSCAPE" verify --memory p.db --worst 0 >/dev/null 2>summary
echo "exit status $?"
tail -n 1 summary | sed 's/[0-9]* energies/N energies/'
try() { "$WARPSCAPE" verify "$@" 2>&1 | sed -n 1p; echo "exit status ${PIPESTATUS[0]}"; }
try --memory none.db
try --memory p.db --energy
try --memory p.db --config sttram
try --scale tiny
