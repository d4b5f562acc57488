# Lines for each shell, and what undoes them.
plain() { sed "s|$(dirname "$WARPSCAPE")|BUILD|g"; }
unset LD_LIBRARY_PATH LD_PRELOAD
"$WARPSCAPE" env | plain
"$WARPSCAPE" env --format github --workers 2 --device-memory 4 --turns barriers --bounds exact --check race,leak | plain
LD_LIBRARY_PATH=/a::/b LD_PRELOAD= WARPSCAPE_RUN=3 "$WARPSCAPE" env --format fish | plain
echo '--- a database whose name has quotes, a backslash and a line feed'
name=$'it\'s a "file"\\\nEND.db'
for format in sh fish github; do
    "$WARPSCAPE" env --format $format --db "$name" --name mine --kernels 'a|b' --launches 1-3 --no-lines --profile | plain |
        sed "s|$PWD|HERE|; /^[^W]*LD_/d"
done
echo '--- what a shell takes from it'
bash -c 'eval "$("$WARPSCAPE" env --db "$1")" && [ "$WARPSCAPE_DB" = "$PWD/$1" ] && echo the same' bash "$name"
dash -c 'eval "$("$WARPSCAPE" env --db "$1")" && [ "$WARPSCAPE_DB" = "$PWD/$1" ] && echo the same' dash "$name"
echo '--- unset'
export LD_LIBRARY_PATH=/mine LD_PRELOAD=
eval "$("$WARPSCAPE" env --db x.db -j 3)"
for format in sh fish github; do "$WARPSCAPE" env --unset --format $format | plain; done
eval "$("$WARPSCAPE" env)" && "$WARPSCAPE" env | plain | head -n 2 # again, without --db: nothing is there twice
eval "$("$WARPSCAPE" env --unset)"
env | grep -E '^(LD|WARPSCAPE|NUMBA)_' | grep -v '^WARPSCAPE='
