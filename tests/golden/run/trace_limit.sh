# A trace that meets a limit on the size of files is told; the signal that the system sends does not end the program.
(ulimit -f 100; "$WARPSCAPE" run --trace traces "$(dirname "$WARPSCAPE")"/workloads/MUM --scale tiny; \
    echo "status $?") 2>&1 |
    sed 's|/.*/traces|FOLDER|'
