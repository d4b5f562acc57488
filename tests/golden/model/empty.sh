# Every model that reads a results file, whatif and explore: without profiles, or without runs, there is no table, and a
# status that says so.
$WARPSCAPE suite run --scale tiny -d plain.db MM >log 2>&1
cp plain.db empty.db
$WARPSCAPE runs -d empty.db --remove 1 >log 2>&1
try() { # FILE COMMAND...
    local db=$1 status=0
    shift
    $WARPSCAPE "$@" -d "$db" >out 2>err || status=$?
    echo "$* $db: status $status, $(wc -l <out) lines; $(cut -c1-120 err)"
}
models=$($WARPSCAPE model --help | sed -n '/^Models:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
for model in $models; do
    $WARPSCAPE model "$model" --help | grep -q -- '--db=' || continue
    try empty.db model "$model"
    [ "$model" = roofline ] || try plain.db model "$model" # roofs need counts alone
done
for db in empty.db plain.db; do
    try $db whatif gtsc gtsc-mini
    try $db explore gtsc --vary l1.ways=2,4
done
