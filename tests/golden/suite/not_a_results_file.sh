# A file that is something else stays as it is.
echo "dear diary" > diary.db
"$WARPSCAPE" suite run --scale tiny --db diary.db MM
status=$?
cat diary.db
exit $status
