# shellcheck shell=bash
# counting.sh - what passes and fails is counted in `passed` and `failed`. Sourced by scripts that check one thing after
# the other.
passed=0 failed=0

# check WHAT COMMAND...: does it end well? Else what it said last is shown, and check returns 1.
check() {
    local log
    if log=$("${@:2}" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "wrong: $1"
        tail -n 60 <<<"$log"
        return 1
    fi
}

# count WHAT COMMAND...: adds up its last line, "NAME: N passed, N failed"; what it said is shown when something failed,
# or nothing passed.
count() {
    local log
    log=$("${@:2}" 2>&1)
    if [[ ${log##*$'\n'} =~ :\ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]] && [ "${BASH_REMATCH[1]}" -gt 0 ]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        [ "${BASH_REMATCH[2]}" -gt 0 ] || return 0
    else
        failed=$((failed + 1))
    fi
    printf -- '--- %s\n%s\n' "$1" "$log"
}
