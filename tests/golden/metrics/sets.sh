# Every set has its columns, none twice; all is study, then modern.
"$WARPSCAPE" suite run --scale tiny MM 2>log
for set in study modern all; do
    "$WARPSCAPE" metrics --set $set | grep -v '^#' | head -1 | cut -d, -f2- | tr ',' '\n' >$set
done
wc -l <study
cat study modern | cmp - all
sort all | uniq -d
