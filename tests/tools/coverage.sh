#!/usr/bin/env bash
# Lines covered by the tests that ran in a MODE=cov tree: per file, worst first, and in all.  usage: coverage.sh
# build/cov
set -u
cd "$(dirname "$0")/../.." || exit 1
find "${1:?tree}" -name '*.gcda' -print0 | xargs -0 -r gcov -n 2>/dev/null |
    awk -F"'" '/^File / { file = $2 }
        /^Lines executed:/ && file !~ /^\/|^tests|^data/ {
            split($0, part, /[:% ]+/)
            lines = part[5]; covered = lines * part[3] / 100
            if (covered > best[file]) best[file] = covered
            all[file] = lines
            file = ""
        }
        END {
            for (f in all) if (f != "") {
                printf "%5.1f %% of %4d  %s\n", 100 * best[f] / all[f], all[f], f | "sort -n"
                c += best[f]; n += all[f]
            }
            close("sort -n")
            if (n) printf "%5.1f %% of %d lines\n", 100 * c / n, n
        }'
