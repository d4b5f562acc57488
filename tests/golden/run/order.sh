# Each race of streams of tests/cuda/order.cu is found, and nothing when the operations are in order, by whatever; what
# made them is named.
program=$(dirname "$WARPSCAPE")/tests/cuda/order-13
races() { "$WARPSCAPE" run --quiet --check race "$@" 2>&1 |
    sed 's/ 0x2[0-9a-f]*//; s/ by [a-z_]* (order\.cu:[0-9]*)\(, called by [a-z_]* (order\.cu:[0-9]*)\)\?//g'; }
races "$program"
# One run has those that race in places of their own: further races in the same places are only counted.
together='launches early filled copied_in copied_out staged rows allocated freed counted flag'
cases=$(sed -n '/^} cases/,/;$/p' "$(dirname "$0")/../../cuda/order.cu" | grep -o '{"[a-z_]*"' | tr -d '{"')
for case in "$together" $(grep -vxF "${together// /$'\n'}" <<<"$cases"); do
    echo "== $case"
    races "$program" $case
done
echo "== the lines that launched"
"$WARPSCAPE" run --quiet --check race "$program" late 2>&1 | grep -o 'late (order\.cu:[0-9]*)' | tr -dc '0-9\n' |
    while read -r line; do
    sed -n "${line}p" "$(dirname "$0")/../../cuda/order.cu"
done
echo "== with the runtime of another version, on any number of workers, and off"
for workers in 1 3; do
    "$WARPSCAPE" run --quiet -j $workers --check race "$program" late branches >$workers 2>&1
done
cmp 1 3
races "$(dirname "$WARPSCAPE")/tests/cuda/order-12" early
"$WARPSCAPE" run --quiet --check init "$program" early
echo "== a program of streams and graphs has none"
"$WARPSCAPE" run --quiet --check race "$(dirname "$WARPSCAPE")/tests/cuda/graphs-13"
