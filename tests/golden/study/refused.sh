# Each fails with one line, and loses nothing.
try() { $WARPSCAPE study "$@" 2>&1 >/dev/null | grep '^warpscape' | sed 's/; there are .*, .*/; there are .../'; }
try
try -o d --scale huge
try -o d XYZ
try -o d --draws 0
try -o d --machines big
try -o /dev/null/d
$WARPSCAPE suite run --scale tiny --seed 2 MM 2>/dev/null
try -o d --scale tiny
try -o d
$WARPSCAPE suite run --scale tiny --db two.db MM MT 2>/dev/null
try -o d --db two.db --scale tiny --machines none MM MT
$WARPSCAPE suite run --scale tiny --set study --db few.db MM MT PR 2>/dev/null
try -o d --db few.db --scale tiny --machines none MM MT PR
# The format's number stands in bytes 60 to 63 of the file.
printf '\0\0\0\1' | dd of=few.db bs=1 seek=60 conv=notrunc status=none && try -o d --db few.db --scale tiny MM MT PR
echo garbage >damaged.db
try -o d --db damaged.db --scale tiny
$WARPSCAPE metrics --db warpscape.db | grep -o '^# run: MM scale=tiny seed=2'
