# Everything is there, needs nothing beside it, and comes out the same again but for seconds; nothing runs twice.
# unsanitized: the commands of a whole study, twice; its parts, interrupt.sh and report/tiny.sh go through the same code
study() { $WARPSCAPE study "$@" --db s.db --scale tiny --machines tiny --simulate tiny --draws 20 MM PR BFS MT 2>&1 |
    sed 's/, [0-9.]* s$//'; }
study -o one/two && study -o other
find one/two -type f | sort
grep -o '<h2>[^<]*' other/index.html
grep -cE 'src="(http|/)|href="http' other/index.html
for frame in other/frames/*.csv; do head -n 1 "$frame"; done | sort -u
rm other/*.db one/two/*.db
diff -r one/two other && echo the same
grep -v '^#' other/frames/machines.csv | cut -d , -f 1 | tr '\n' ' '; echo
grep 'between 1 and 3' other/claims.md
cut -d '|' -f 2 other/claims.md | sed 's/^ *//; s/ *$//'
judged=$(sed -n 's,.*<dt>\(.*\)</dt><dd>claims that were judged.*,\1,p' other/index.html)
[ "$judged" = "$(grep -cE '\| (size|direction) \|$' other/claims.md) of $(grep -cE '\| (size|direction|no) \|$' other/claims.md)" ] &&
    echo claims are counted || echo "$judged claims"
grep 'SS: many integer' other/claims.md
cut -d '|' -f 5 other/claims.md | sort | uniq -c
