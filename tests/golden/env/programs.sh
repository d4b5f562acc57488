# Programs that a shell starts find the libraries: linked ones, with the runtime in themselves, and scripts.
tests=$(dirname "$WARPSCAPE")/tests/cuda
eval "$("$WARPSCAPE" env)"
"$tests/vectors-13" && "$(dirname "$WARPSCAPE")/programs/app" work 3 2 && sh -c "$tests/vectors-11"
ls
echo '--- measured'
eval "$("$WARPSCAPE" env --db runs.db --kernels add)"
"$tests/vectors-12" && sh -c "$tests/vectors-13"
"$WARPSCAPE" runs --db runs.db | cut -d, -f1-4
"$WARPSCAPE" launches --db runs.db | cut -d, -f1-5,16
echo '--- the commands keep their own rules'
"$WARPSCAPE" suite run --scale tiny --db suite.db MM 2>/dev/null
eval "$("$WARPSCAPE" env --unset)"
"$WARPSCAPE" suite run --scale tiny --db plain.db MM 2>/dev/null
cmp <("$WARPSCAPE" metrics --db suite.db | grep -v '^#') <("$WARPSCAPE" metrics --db plain.db | grep -v '^#') && echo the same
