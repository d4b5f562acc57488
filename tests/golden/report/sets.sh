# The study's set is one option away, with its own subspaces and judges; of features that were not measured no map is
# made.
$WARPSCAPE suite run --set study --scale tiny MM MT PR BFS KM FWT 2>/dev/null || exit
$WARPSCAPE report -o report
$WARPSCAPE metrics 2>&1 >/dev/null
$WARPSCAPE report -o report --set study --k 3 && find report -name 'scores-*' | sort
$WARPSCAPE suite run --scale tiny MM MT PR BFS KM FWT 2>/dev/null || exit
$WARPSCAPE report -o ranks --k 3 && $WARPSCAPE report -o values --values --k 3 &&
    $WARPSCAPE report -o study --set study --k 3
for set in ranks values study; do
    echo "$set: $(head -n 1 <(grep -v '^#' $set/frames/errors.csv)); $(grep -c '<p class="caution">' \
        $set/index.html) cautions"
done
$WARPSCAPE report -o fractions --fractions --k 3
$WARPSCAPE metrics --fractions | grep -v '^#' | cmp - <(grep -v '^#' fractions/frames/map.csv) &&
    echo 'fractions: the map is of what metrics prints'
# What the commands choose is what the report chooses.
$WARPSCAPE metrics | $WARPSCAPE pca --ranks - | $WARPSCAPE subset - --sizes 4 2>/dev/null | grep -v '^#' | cut -d, -f1-4
grep '^4,support' ranks/frames/subsets.csv | cut -d, -f1-4
