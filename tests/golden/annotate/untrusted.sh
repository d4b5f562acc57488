# PTX names files as it likes. Sources are read as regular files below the current folder, that of the kernels and those
# of --sources; neither a link nor `..` leads out of them, and a pipe is not waited for. What lies elsewhere is shown
# only as it was when a program ran that might read it.
mkdir work kernels private elsewhere
echo 'the key of my neighbour' >private/key
echo '// a kernel' >kernels/k.cu
echo '// a header' >elsewhere/h.cuh
here=$PWD
cd work || exit
ln -s ../private/key link
mkfifo fifo
name() { # FILE: kernels that come from its first line
    cat >../kernels/k.ptx <<P
.version 7.2
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a) { .loc 1 1 0
ret; }
.file 1 "$1"
P
}
printf 'buffer a u8 10\nlaunch k args a\n' >k.launch
try() { # FILE EXEC_OPTIONS... -- ANNOTATE_OPTIONS...: what is shown of it
    local exec=()
    name "$1"
    shift
    while [ "$1" != -- ]; do exec+=("$1"); shift; done
    shift
    rm -f k.db
    "$WARPSCAPE" exec --lines --db k.db "${exec[@]}" ../kernels/k.ptx k.launch >/dev/null 2>&1 || echo "exec failed"
    "$WARPSCAPE" annotate --db k.db "$@" 2>&1 | sed "1d; s|$here/||; /^   instr/d"
}
for file in "$here/private/key" ../private/key "$here/work/../private/key" link fifo /dev/zero "$here/private" \
    nowhere; do
    echo "--- ${file#"$here"/}"
    try "$file" --
done
echo "--- below the folder of the kernels: as it was when they ran"
try "$here/kernels/k.cu" --
echo "--- in a folder that is named, when the kernel runs, when it is shown, or both; one that has moved there"
try "$here/elsewhere/h.cuh" --
try "$here/elsewhere/h.cuh" --sources ../elsewhere --
try "$here/elsewhere/h.cuh" -- --sources ../elsewhere
try "$here/elsewhere/h.cuh" --sources ../private --sources ../elsewhere -- --sources ../private --sources ../elsewhere
try /home/nobody/src/h.cuh -- --source ../elsewhere
try "/x/../private/key" -- --sources ../elsewhere
WARPSCAPE_SOURCES=/nowhere:$here/elsewhere try "$here/elsewhere/h.cuh" --
echo "--- not of a text that has changed since"
try "$here/elsewhere/h.cuh" --sources ../elsewhere -- >/dev/null
echo '// other words' >../elsewhere/h.cuh
"$WARPSCAPE" annotate --db k.db | sed -n 3p
"$WARPSCAPE" report --db k.db -o report 2>&1 | grep -o 'elsewhere/h.cuh: .*'
grep -rl "other words\|my neighbour" report
"$WARPSCAPE" annotate --db k.db --sources /nowhere 2>&1 | head -n 1
"$WARPSCAPE" annotate --db k.db --sources k.launch 2>&1 | head -n 1
echo "--- what is left out of a report is told once for each file, however often kernels change between them"
{
    printf '.version 7.2\n.target sm_70\n.address_size 64\n'
    for k in k l; do printf '.visible .entry %s(.param .u64 a) { .loc 1 1 0\n bar.sync 0; .loc 2 1 0\n ret; }\n' \
        $k; done
    printf '.file 1 "%s"\n.file 2 "%s"\n' "$here/private/key" "$here/elsewhere/h.cuh"
} >two.ptx
printf 'buffer a u8 10\nlaunch k args a\nlaunch l args a\n' >two.launch
"$WARPSCAPE" exec --lines --db two.db two.ptx two.launch >/dev/null
"$WARPSCAPE" report --db two.db -o two 2>&1 | sed -n "s|$here/||; /outside/p"
