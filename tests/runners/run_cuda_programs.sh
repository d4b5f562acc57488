#!/usr/bin/env bash
# Runs CUDA programs on our libraries and says how many do what they are to do:
# executables of one source; of many, DIR/SOURCE/PROGRAM; the table of what has been run:
#     tests/runners/run_cuda_programs.sh [OPTION...] DIR [-- OPTION OF warpscape run...]
#     tests/runners/run_cuda_programs.sh [OPTION...] --sources DIR [-- OPTION OF warpscape run...]
#     tests/runners/run_cuda_programs.sh --results FILE... --table FILE
# They are what nvcc built (-cudart shared, and the default, which needs --warpscape), or the programs of tests/cuda.
# Beside the program X may stand X.args (its arguments, one line) and X.cwd (the folder to run in, one line, from DIR if
# it begins with no /).
#   --warpscape PROGRAM  run each under `PROGRAM run`; else with --libraries DIR (build/release/lib) in LD_LIBRARY_PATH
#   --seconds N          a program has so long (300)
#   --logs DIR           keep what they print: DIR/PROGRAM.log, DIR/SOURCE/PROGRAM.log
#   --results FILE       keep a line for each, and run only those that have none yet; the last line of a program counts
#   --again REGEX        run those whose SOURCE/PROGRAM or verdict matches again
#   --table FILE         write the table by source, and what is not right (Markdown)
#   --verdicts FILE      what is said of single programs (cuda_verdicts.txt beside this script, which says how)
#   --name NAME          of the line that sums up (cuda-programs)
# Verdicts, one for each program:
#   right    it exited with 0 and its own check said that all is well: by the usual words below, or as --verdicts says
#   none     it came to its end, and checks nothing, says --verdicts
#   waived   it says itself that the device lacks something
#   fault    it is wrong by its own fault, which --verdicts names
#   library  it stopped at a vendor's library of machine code, which a line of ours names
#   refused  it stopped at what we do not support, which a line of ours names
#   slow     it was not done in time
#   wrong    everything else, also a program that says nothing of a check and is not in --verdicts
set -u
verdicts=$(dirname "$(realpath "$0")")/cuda_verdicts.txt
warpscape='' libraries=build/release/lib seconds=300 name=cuda-programs logs='' sources='' again='^$' table='' \
    only_table='' kept=()
while [ $# -gt 1 ]; do
    case $1 in
    --warpscape) warpscape=$(realpath "$2") ;;
    --libraries) libraries=$2 ;;
    --seconds) seconds=$2 ;;
    --name) name=$2 ;;
    --verdicts) verdicts=$(realpath "$2") || exit 2 ;;
    --logs) mkdir -p "$2" && logs=$(realpath "$2") || exit 2 ;;
    --sources) sources=$2 ;;
    --results) kept+=("$2") ;;
    --again) again=$2 ;;
    --table) table=$2 ;;
    *) break ;;
    esac
    shift 2
done
folder=$sources
[ -n "$folder" ] || [ $# -eq 0 ] || [ "$1" = -- ] || { folder=$1 && shift; }
[ -n "$folder" ] || [ -z "$table" ] || [ ${#kept[@]} -eq 0 ] || only_table=1
if [ "${1:---}" != -- ] || ! { [ -d "$folder" ] || [ "$only_table" ]; }; then
    sed -n '2,/^[^#]/s/^# \?//p' "$0" >&2
    exit 2
fi
[ -z "$folder" ] || folder=$(realpath "$folder")
[ $# -eq 0 ] || shift
options=${*:+$(printf "%q " "$@")}
work=$(mktemp -d)
logs=${logs:-$work/logs}
trap 'rm -rf "$work"' EXIT
[ ${#kept[@]} -gt 0 ] || kept=("$work/results")
touch "${kept[0]}" && results=$(realpath "${kept[0]}") || exit 2
[ -n "$warpscape" ] || [ -n "$only_table" ] || libraries=$(realpath "$libraries") || exit 2
export warpscape libraries seconds folder work verdicts logs options sources results

# What programs print whose check found something, and what they print when it found nothing. Counts of 0 are nothing
# bad.
harmless='(^|[^0-9.])0 ([a-z]+ )?([Ff]ail|[Ee]rror|[Mm]ismatch|[Ii]ncorrect|[Ww]rong)|([Ff]ail[a-z]*|FAIL[A-Z]*|[Mm]ismatch[a-z]*) ?[:=] ?0([^0-9.]|$)'
wrong='(^|[^[:alnum:]_])(FAIL(S|ED|URE)?|[Ff]ail(s|ed|ure)?|INCORRECT|[Ii]ncorrect|[Ww]rong|WRONG|MISMATCH|[MmDd]ismatch(es|ed)?)([^[:alnum:]_]|$)|[1-9][0-9]* ([a-z]+ )?([Ff]ailures|[Ee]rrors)|Non-Matching .*: [1-9]|Number of misses: [1-9]|skipping self-check|([Dd]o(es)?( not|n.?t)|DO(ES)? NOT|[Dd]id not) (match|MATCH|agree|pass)|CUDA [Ee]rror|GPUassert|cudaError[A-Z]'
right='(^|[^[:alnum:]_])(PASS|PASSED|Test passed|Test success|Test Success(ful)?|completed, returned OK)([^[:alnum:]_]|$)|PostSync PASSED|Non-Matching CPU-GPU Outputs Beyond Error Threshold of [0-9.]+ Percent: 0$|^Number of misses: 0$|Test Results: 0 Failures'
expected='is (-?[0-9]+) \(expected (-?[0-9]+)\)'
waives='[Ww]aived|Waiving|WAIVED'
# What our own lines say: a launch failed; kernels of a library could not run; a library, or something else, is not
# supported.
goes_on='; the kernel goes on, as on a GPU$'
failed='^warpscape: kernel |^warpscape run: .*, [1-9][0-9]* failed'
missing='^warpscape run: .*kernels of .* could not run'
library='^warpscape: .* is a library of machine code'
refusal='^warpscape( run)?: .*(not supported|not implemented|cannot run here|expected PTX|needs? more than|are possible|in an old way)'
export harmless wrong right expected waives goes_on failed missing library refusal

# line REGEX FILE: the first that matches, short; fails when none does.
line() { grep -a -m 1 -E -- "$1" "$2" | tr -d '\r' | tr '\t' ' ' | sed 's/^ *//; s/ *$//' | cut -c 1-200 | grep .; }

# rule SOURCE PROGRAM: "HOW REST" of --verdicts, by SOURCE/PROGRAM, else SOURCE/*, else PROGRAM; nothing when none is
# there.
rule() {
    awk -v long="$1/$2" -v source="$1/*" -v short="$2" '
        $1 == long || $1 == source || $1 == short { name = $1; sub(/^[^ ]+ +/, ""); found[name] = $0 }
        END { print long in found ? found[long] : source in found ? found[source] : found[short] }' "$verdicts"
}

# objection LOG STATUS HOW: what is wrong, whoever says so; fails when nothing is. Launches that fail are meant to in
# our own programs, which stand in no folders by source, and may be in programs of others that have a rule.
objection() {
    local said=$work/said.$BASHPID
    case $2 in
    0 | 125) ;; # the latter: it ended well, and nothing was measured
    *) echo "exit status $2" && return ;;
    esac
    grep -av '^warpscape' "$1" | grep -avE "$harmless" >"$said"
    grep -a '^warpscape' "$1" | grep -avE "$goes_on" >"$said.ours"
    line "$missing" "$1" || { [ "$sources" ] && [ ! "$3" ] && line "$failed" "$said.ours"; } || line "$wrong" "$said" ||
        grep -a -E "$expected" "$1" | grep -m 1 -vE "is (-?[0-9]+) \(expected \1\)"
}

# judge SOURCE PROGRAM LOG STATUS: its verdict, and why.
judge() {
    local how rest why words=$right
    read -r how rest < <(rule "$1" "$2")
    case $how in
    '' | none) ;;
    words | status | quiet) words=$rest ;;
    fault) ! grep -qaE -- "${rest%%  *}" "$3" || { echo "fault ${rest##*  }" && return; } ;;
    *) echo "wrong ${verdicts##*/}: expected status, words, quiet, none or fault, got '$how'" && return ;;
    esac
    if why=$(line "$waives" "$3"); then
        echo "waived $why"
    elif [ "$4" = 124 ] || [ "$4" = 137 ]; then
        echo "slow not done in $seconds s"
    elif ! why=$(objection "$3" "$4" "$how") && [ "$how" = none ]; then
        echo "none $rest"
    elif [ -z "$why" ] && why=$(line "$words" "$3"); then
        echo "right $why"
    elif line "$library" "$3" >/dev/null; then
        line "$library" "$3" | sed -E 's/^warpscape: [^:]*: (.*) is a library.*/library \1/'
    elif line "$refusal" "$3" >/dev/null; then
        echo "refused $(line "$refusal" "$3")"
    else
        echo "wrong ${why:-does not say that its check found nothing wrong}"
    fi
}

# one PROGRAM: runs it, keeps its line, and shows it.
one() {
    local program=$1 base source='' log where status=0 arguments=() own=() verdict why took
    base=$(basename "$program") source=$(basename "$(dirname "$program")")
    log=$logs/${sources:+$source/}$base.log where=$work/$source/$base
    mkdir -p "$where" "$(dirname "$log")"
    [ ! -r "$program.args" ] || read -r -a arguments <"$program.args"
    [ ! -r "$program.cwd" ] || { where=$(<"$program.cwd") && [[ $where == /* ]] || where=$folder/$where; }
    eval "own=($options)"
    local begin=$SECONDS
    if [ -n "$warpscape" ]; then
        (cd "$where" && timeout -k 9 "$seconds" "$warpscape" run --db "$work/$source/$base.db" "${own[@]}" -- \
            "$program" "${arguments[@]}")
    else
        (cd "$where" && LD_LIBRARY_PATH=$libraries timeout -k 9 "$seconds" "$program" "${arguments[@]}")
    fi >"$log" 2>&1 </dev/null
    status=$?
    took=$((SECONDS - begin))
    rm -rf "${work:?}/$source/$base"*
    read -r verdict why < <(judge "$source" "$base" "$log" $status)
    printf '%s\t%s\t%s\t%d\t%s\n' "$source" "$base" "$verdict" $took "$why" >>"$results"
    [ "$verdict" = right ] && [ "${QUIET:-}" ] && return
    [ "$verdict" != right ] || why=''
    printf '%-7s %-32s %4d s  %s\n' "$verdict" "${sources:+$source/}$base" $took "$why"
    [ "$verdict" != wrong ] || grep -a -m 3 '^warpscape: ' "$log" | cut -c 1-300 | sed 's/^/      /'
}
export -f one judge objection rule line

# to_run: programs that have no line, and those that are to run again.
to_run() {
    find -L "$folder" -mindepth "$depth" -maxdepth "$depth" -type f -perm -u+x ! -name '*.*sh' | sort |
        awk -v again="$again" -F '\t' '
        FILENAME == ARGV[1] { verdict[$1 "/" $2] = $3; next }
        { n = split($0, part, "/"); id = part[n - 1] "/" part[n] }
        !(id in verdict) || id ~ again || verdict[id] ~ again' "$results" -
}

# The last line of each program.
last_lines() { awk -F '\t' '{ last[$1 FS $2] = $0 } END { for (i in last) print last[i] }' "${kept[@]}" | sort -f; }

# The table by source, then of each source what is not right, by verdict.
write_table() {
    last_lines | awk -F '\t' '
        BEGIN { n = split("right none fault waived library refused slow wrong", verdicts, " ")
                print "| source | tried | right | checks nothing | own fault | waived | vendor'\''s library | " \
                    "refused | too slow | wrong | right of those with a check |"
                print "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |" }
        function row(name, s,    i, text, with_check) {
            text = "| " name " | " tried[s]
            for (i = 1; i <= n; i++) text = text " | " count[s, verdicts[i]] + 0
            with_check = count[s, "right"] + count[s, "refused"] + count[s, "slow"] + count[s, "wrong"]
            print text " | " (with_check ? sprintf("%.1f %%", 100 * count[s, "right"] / with_check) : "-") " |"
        }
        !tried[$1]++ { source[++sources] = $1 }
        { tried["all"]++; count[$1, $3]++; count["all", $3]++ }
        $3 == "right" { next }
        { gsub(/[|`*]/, "/", $5); gsub(/[<>]/, "", $5); why = length($5) > 160 ? substr($5, 1, 157) "..." : $5
          list[$1, $3] = list[$1, $3] (list[$1, $3] ? "; " : "") "`" $2 "`" (why ? " (" why ")" : "") }
        END {
            for (i = 1; i <= sources; i++) row(source[i], source[i])
            row("all " sources " sources", "all")
            for (i = 1; i <= sources; i++) {
                if (tried[source[i]] == count[source[i], "right"]) continue
                printf "\n%s:\n\n", source[i]
                for (v = 2; v <= n; v++)
                    if ((source[i], verdicts[v]) in list)
                        printf "- %s: %s.\n", verdicts[v], list[source[i], verdicts[v]]
            }
        }'
}

depth=${sources:+2}
depth=${depth:-1}
[ -z "$folder" ] || to_run | tr '\n' '\0' | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
[ -z "$table" ] || write_table >"$table" || exit 2
last_lines | awk -F '\t' -v name="$name" '{ n[$3]++ }
    END { bad = n["library"] + n["refused"] + n["slow"] + n["wrong"]
          printf "%s: %d passed, %d failed", name, n["right"], bad
          split("none fault waived library refused slow wrong", verdicts, " ")
          for (i = 1; i in verdicts; i++) if (n[verdicts[i]]) printf ", %d %s", n[verdicts[i]], verdicts[i]
          print ""
          exit bad > 0 || !n["right"] }'
