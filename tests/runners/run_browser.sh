#!/usr/bin/env bash
# The report's page in a browser: makes reports of a suite, one kernel, one program, odd names, 100,000 rows, and has
# tests/browser click through them. Without chromium or python3-websocket (make deps-browser) nothing is checked, and
# one line says so.
# usage: run_browser.sh PROGRAM [CHECK...]
set -u
WARPSCAPE=$(realpath "${1:?program}")
TOP=$(cd "$(dirname "$0")/../.." && pwd)
shift
python=
for p in python3 /usr/bin/python3; do ! "$p" -c 'import websocket' 2>/dev/null || python=$p; done
if ! command -v "${CHROMIUM:-chromium}" >/dev/null || [ -z "$python" ]; then
    echo "note: chromium or python3-websocket is not installed (make deps-browser), so no page was looked at"
    echo "browser: 0 passed, 0 failed"
    exit
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root" || exit 1

fail() {
    echo "$1: $(tail -n 3 log)"
    echo 'browser: 0 passed, 1 failed'
    exit 1
}
report() {
    "$WARPSCAPE" report -o "$@" >log 2>&1 || fail "report $*"
}
"$WARPSCAPE" suite run --scale tiny --lines --db suite.db 2>log || fail 'suite'
report suite --db suite.db
GNUPLOT=/nowhere/gnuplot report plain --db suite.db
"$WARPSCAPE" suite run --scale tiny --db kernels.db HY 2>log || fail 'one program'
report kernels --db kernels.db

# A kernel with lines, whose source is there.
sed -n '/^cat >src\/sums.cu/,/^END/p; /^cat >sums.ptx/,/^END/p; /^cat >sums.launch/,/^END/p' \
    "$TOP/tests/golden/annotate/kernel.sh" >one.sh
(mkdir -p src/deep && . ./one.sh) && "$WARPSCAPE" exec --lines --db one.db sums.ptx sums.launch >log 2>&1 ||
    fail 'one kernel'
report one --db one.db

"$python" - <<'END'
import csv, random
random.seed(1)
names = ['</script><b class=injected>x</b>', '<img class=injected src=x onerror="window.injected=1">', 'say "no"', "it's\na line", '&amp; &lt;', 'x' * 300,
         'void gemm<float, 4>(float const*, int)', '%41#b', '\u2028 \u00e4 \u4e2d', 'a, b; c', '__proto__', '<!-- ', ']]>', "');alert(1)//"]
with open('names.csv', 'w', encoding='utf-8', newline='') as file:
    file.write('# warpscape frame 1\n# labels: 1\n')
    out = csv.writer(file, lineterminator='\n')
    out.writerow(['name', 'x', 'y', '<i>z</i>'])
    for name in names:
        out.writerow([name] + [f'{random.gauss(0, 1):.6g}' for _ in range(3)])
with open('many.csv', 'w', encoding='ascii') as file:
    file.write('kernel,' + ','.join(f'c{j}' for j in range(30)) + '\n')
    for i in range(100000):
        file.write(f'kernel_{i},' + ','.join(f'{random.gauss(j, 1 + j):.6g}' for j in range(30)) + '\n')
with open('gaps.csv', 'w', encoding='ascii') as file:  # more than has all digits, less than has all columns
    file.write('kernel,' + ','.join(f'c{j}' for j in range(12)) + '\n')
    for i in range(9000):
        values = [f'{random.gauss(j, 1 + j) * 10 ** random.randrange(-6, 7):.6g}' for j in range(12)]
        values[i % 12] = {0: 'NA', 1: 'Inf', 2: '-Inf', 3: '1e300'}.get(i % 100, values[i % 12])
        file.write(f'kernel_{i},' + ','.join(values) + '\n')
END
report names names.csv
report many many.csv
report gaps gaps.csv
"$python" "$TOP/tests/browser/test_report.py" "$WARPSCAPE" "$root" "$@"
