# A path that SQLite cannot take is told as such.
long=$(printf 'long%.0s' {1..50})
mkdir -p $long/$long/$long
"$WARPSCAPE" run --db $long/$long/$long/x.db true 2>&1 | sed 's|/.*/x.db|PATH/x.db|; s|long.*long|LONG|'
