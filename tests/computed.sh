# computed PID HUNDREDTHS: waits until a process has computed for that many hundredths of a second, or is over; so the load of the machine does not decide
# how far it is. child PID NAME: prints the number of the process of this name that another one starts; waits for it. Sourced.
computed() {
    local ticks stat
    ticks=$(($2 * $(getconf CLK_TCK) / 100))
    while stat=$(cat "/proc/$1/stat" 2>/dev/null); do
        # shellcheck disable=SC2086 # words: what follows the name, which may hold blanks
        set -- "$1" "$2" ${stat##*) }
        [ "$3" != Z ] && [ $((${14} + ${15})) -lt "$ticks" ] || return 0
        sleep 0.02
    done
}

child() {
    local one
    while kill -0 "$1" 2>/dev/null; do
        for one in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            [ "$(cat "/proc/$one/comm" 2>/dev/null)" != "$2" ] || { echo "$one"; return; }
        done
        sleep 0.02
    done
}
