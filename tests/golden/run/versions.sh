# unsanitized: nothing is preloaded with sanitizers, which the last case needs.
# Versions of CUDA that there are not: each is named, with those that there are, before the program is started where
# that can be.
here=$(dirname "$WARPSCAPE")
for version in 14 99; do
    LC_ALL=C sed "s/libcudart\.so\.12/libcudart.so.$version/" "$here"/tests/cuda/vectors-12 >needs$version
    chmod +x needs$version
    "$WARPSCAPE" run ./needs$version
    echo "status $?"
done 2>&1
[ ! -e warpscape.db ] || echo "a results file was made"
"$WARPSCAPE" run "$here"/programs/app toonew 2>&1
"$WARPSCAPE" run "$here"/tests/preload/standin open libcudart.so.14 2>&1
echo "status $?"
