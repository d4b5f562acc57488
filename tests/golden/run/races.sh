# Warps that add to the same element without atomics are named when somebody asks; programs that order what they do are
# not.
here=$(dirname "$WARPSCAPE")/tests/cuda
"$WARPSCAPE" run --quiet --races "$here"/together-13 2>&1 | sed 's/image [0-9]*>/image>/g; s/ 0x[0-9a-f]*//'
"$WARPSCAPE" run --quiet --races "$here"/vectors-13 2>&1 | grep -w race: || echo "none in vectors"
"$WARPSCAPE" run --quiet "$here"/together-13 2>&1 | grep -w race: || echo "none unless asked for"
