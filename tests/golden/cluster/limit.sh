# Work that needs more memory than there is says so before it begins, with what it needs and what to do.
awk 'BEGIN { print "w,a,b,c"; for (i = 0; i < 400; i++) printf "r%d,%g,%g,%g\n", i, sin(i), cos(i * i), sin(3 * i) }' \
    >rows.csv
awk 'BEGIN { printf "w"; for (j = 0; j < 9000; j++) printf ",c%d", j; print ""
    for (i = 0; i < 3; i++) { printf "r%d", i; for (j = 0; j < 9000; j++) printf ",%g", sin(i * j); print "" }
        }' >wide.csv
export WARPSCAPE_MAX_MEMORY=200K
try() { "$WARPSCAPE" "$@" 2>&1 >out |
    sed 's/ need [0-9.e-]* GiB .* [0-9.e-]* GiB are left/ need N GiB of memory, and M GiB are left/'; }
try cluster rows.csv
try subset rows.csv --sizes 4
try agree rows.csv rows.csv
try stability rows.csv --draws 2 --sizes 4
try plot dendrogram rows.csv -o d.svg
try plot heatmap rows.csv -o d.svg
# A picture has so many pixels.
try plot heatmap wide.csv -o h.svg
WARPSCAPE_MAX_MEMORY=1M try cluster rows.csv
WARPSCAPE_MAX_MEMORY='much' try cluster rows.csv
ls *.svg 2>/dev/null
