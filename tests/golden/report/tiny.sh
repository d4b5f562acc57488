# Everything is there, needs nothing beside it, and comes out the same again.
$WARPSCAPE suite run --scale tiny MM MT PR BFS KM FWT 2>/dev/null || exit
$WARPSCAPE report -o one/two --k 3 && $WARPSCAPE report -o other --k 3 && diff -r one/two other &&
    find other -type f | sort
grep -o '<h2>[^<]*' other/index.html
grep -cE 'src="(http|/)|href="http' other/index.html
for frame in other/frames/*.csv; do head -n 1 "$frame"; done | sort -u
