# Accesses outside allocations: done and counted in mapped pages, each kernel's first with a line and all in the
# verdict, the same on any number of workers; with exact bounds the program gets errors.
app=$(dirname "$WARPSCAPE")/tests/cuda/strays-13
"$WARPSCAPE" run --workers 1 "$app" pages >one.stdout 2>one.stderr || echo "exit status $?"
"$WARPSCAPE" run --workers 3 "$app" pages >three.stdout 2>three.stderr || echo "exit status $?"
cmp one.stdout three.stdout
cmp one.stderr three.stderr
cat one.stdout
grep -v 'MB back' one.stderr
"$WARPSCAPE" run --quiet --bounds pages "$app" pages 2>&1 | grep 'error of the program' || echo 'quiet is quiet'
echo '--- exact'
"$WARPSCAPE" run --bounds exact "$app" 2>&1 | sed 's/, the first:.*//'
"$WARPSCAPE" run --bounds exact "$app" pages 2>&1 | grep -o "cudaErrorIllegalAddress, not cudaSuccess"
WARPSCAPE_BOUNDS=loose "$app" 2>&1 >/dev/null || echo "exit status $?"
