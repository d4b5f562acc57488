# Launch files and arguments that do not fit: one line each.
cp "$GOLDEN/example.ptx" .
try() {
    printf 'buffer a f32 32\nbuffer n u8 4\n%s\n' "$1" >x.launch
    "$WARPSCAPE" exec example.ptx x.launch 2>&1 | tail -n 1
}
try 'launch vadd args a a'
try 'launch vadd args a a a -1'
try 'launch vadd args a a a 1.5'
try 'launch vadd args a a 1e3 5'
try 'launch vadd args a a a u8 5'
try 'launch vadd args a a a a'
try 'launch scale args a 5'
try 'launch scale args a { s32 1 f32 2 a u8 1 }'
try 'launch elephant'
try 'launch vadd grid 70000 70000 block 1 args a a a 0'
try 'symbol nothing u8 1 launch vadd args a a a 0'
try 'buffer f u8 4 file "absent" launch vadd args a a a 0'
printf 12345 >five
try 'buffer f u8 4 file "five" launch vadd args a a a 0'
printf 123 >three
try 'buffer f u8 4 file "three" launch vadd args a a a 0'
try 'launch vadd args a b'
try ''
"$WARPSCAPE" exec example.ptx absent.launch
"$WARPSCAPE" exec absent.ptx x.launch
head -c 300 example.ptx >cut.ptx
"$WARPSCAPE" exec cut.ptx x.launch
echo 'exit status' $?
