# A program with an SQLite and a Zstandard of its own, whose names others could see: ours are not these.
program=$(dirname "$WARPSCAPE")/programs/own_sqlite
"$WARPSCAPE" run --trace traces "$program" 2>&1 || echo "exit status $?"
"$WARPSCAPE" launches | cut -d, -f1-4
