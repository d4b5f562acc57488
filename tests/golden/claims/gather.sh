# Tables of one name in several pages become one frame: texts as they stand, and their first numbers, none in
# parentheses; a table without rows adds none.
cat >one.md <<'END'
# A page

<!-- light headlines: begin -->
| | theirs | ours |
| --- | --- | --- |
| speed | +1 %, almost +4 % | -16 % (16 bytes: -3 %) |
| latency of 64H | nearly -0.5 | 64H \| HY +2.5 % |
| order | first | (3) |
<!-- light headlines: end -->

<!-- light claims: begin -->
| claim | verdict |
| --- | --- |
<!-- light claims: end -->
END
cat >two.md <<'END'
<!-- dark headlines: begin -->
<!-- dark headlines: end -->
<!-- memory headlines: begin -->
| what | ours | theirs |
| --- | --- | --- |
| writes | 12 % | 9 % |
<!-- memory headlines: end -->
END
$WARPSCAPE claims --gather headlines one.md two.md | grep -v '^# [tc]'
$WARPSCAPE claims --gather claims one.md 2>&1
$WARPSCAPE claims --gather headlines 2>&1 | head -n 1
$WARPSCAPE claims --gather headlines one.md --check 2>&1 | head -n 1
sed '/headlines: end/d' one.md >open.md
$WARPSCAPE claims --gather headlines open.md 2>&1
true
