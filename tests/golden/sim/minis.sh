# A machine NAME-mini is NAME but for how many parts it has: what else its file says is the same, and it runs.
configs=$(dirname "$WARPSCAPE")/../../data/configs
settings() { sed 's/ *[;#].*//; /^$/d' "$1" | awk '/^\[/ { section = $0; next } { print section, $0 }'; }
for mini in "$configs"/*-mini.ini; do
    name=$(basename "$mini" -mini.ini)
    echo "$name:"
    diff <(settings "$configs/$name.ini") <(settings "$mini") | grep '^>'
    "$WARPSCAPE" sim -c "$mini" --suite --scale tiny HS 2>/dev/null | grep '^HS,total' | cut -d, -f1,2,4
done
