# A results file that cannot grow any more: said once, launches that are not in it are counted, and the program goes
# on: the signal that the system sends with a limit on files does not end it.
app=$(dirname "$WARPSCAPE")/programs/app
run() {
    (ulimit -f 300; "$WARPSCAPE" run "$app" work 40 1 copy 100 "$@" 2>&1; echo "status $?") |
        sed 's/, [0-9]* not kept/, N not kept/; s/[0-9]* launches could/N launches could/; s,: /.*/warpscape.db: .*: the launch,: FILE: REASON: the launch,'
}
run
[ "$("$WARPSCAPE" launches | wc -l)" -gt 1 ] && echo "what fitted is there"
run exit 5
