# computed PID HUNDREDTHS: waits until a process has computed for that many hundredths of a second, or is over; so the
# load of the machine does not decide how far it is. child PID NAME: prints the number of the process of this name that
# another one starts; waits for it. Sourced.
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
    local stat one
    while kill -0 "$1" 2>/dev/null; do
        for one in /proc/[0-9]*; do
            stat=$(cat "$one/stat" 2>/dev/null) || continue
            # shellcheck disable=SC2086 # words: the state, then the parent
            set -- "$1" "$2" ${stat##*) }
            [ "$4" != "$1" ] || [ "$(cat "$one/comm" 2>/dev/null)" != "$2" ] || { echo "${one#/proc/}"; return; }
        done
        sleep 0.02
    done
}

# catches PID: waits until the process has a handler of SIGINT, or is over. gone PID: waits until it is over.
catches() {
    until grep -qs '^SigCgt:.*[2367abef]$' "/proc/$1/status"; do
        kill -0 "$1" 2>/dev/null || return
        sleep 0.02
    done
}

gone() {
    local stat
    while stat=$(cat "/proc/$1/stat" 2>/dev/null) && [[ ${stat##*) } != Z* ]]; do sleep 0.02; done
}
