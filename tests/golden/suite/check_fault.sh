# An error of the program fails its workload, under every check; the others are checked, and what is found in them is
# said. A limit of ours is no error of the program. MT is a stand-in.
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
built=$(dirname "$WARPSCAPE")
ln -s "$built"/lib bin/lib
ln -s "$built"/workloads/{MM,PNS} bin/workloads/
try() { # BODY of MT, workloads
    printf '#!/bin/sh\n%s\n' "$1" >bin/workloads/MT
    chmod +x bin/workloads/MT
    shift
    bin/warpscape suite run --scale tiny --check race,init "$@" 2>&1 | sed 's/, [0-9.]* s$//; s/ 0x[0-9a-f]*//g'
    echo "exit status ${PIPESTATUS[0]}"
}
try "WARPSCAPE_BOUNDS=exact LD_LIBRARY_PATH='$built/lib' exec '$built/tests/cuda/strays-13' pages 2>&1" MT
try "WARPSCAPE_MAX_INSTRUCTIONS=1 exec '$built/workloads/MT' \"\$@\"" PNS MT
