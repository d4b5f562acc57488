#!/usr/bin/env bash
# Do the readers for Python and R read what the program writes, and do the examples of docs/readers.md run? A language
# that is not there is left out, and said so.  usage: run_readers.sh PROGRAM
set -u
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD work=$(mktemp -d) passed=0 failed=0
trap 'rm -rf "$work"' EXIT
export WARPSCAPE_DATA=$tree/data PYTHONPATH=$tree/data/readers/python PYTHONDONTWRITEBYTECODE=1 R_LIBS=$work/library
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if (cd "$work" && "$@") >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "wrong: $what"
        cat "$work/log"
    fi
}
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" docs/readers.md | grep -v '^```'; } # block LANGUAGE: the page's examples
says() { # says WORDS COMMAND...: succeeds, and prints these words
    local words=$1
    shift
    "$@" >said 2>&1 && grep -qF -- "$words" said || { cat said; false; }
}
mkdir "$work/bin" "$work/library"
ln -s "$program" "$work/bin/warpscape"
block sh >"$work/example.sh"
block python >"$work/example.py"
block r >"$work/example.R"
check 'the commands of docs/readers.md' env PATH="$work/bin:$PATH" sh -e example.sh
python=$(for p in /usr/bin/python3 python3; do $p -c 'import pandas' 2>/dev/null && echo $p && break; done)
if [ -n "$python" ]; then
    check 'the Python of docs/readers.md' says 'Lanes that executed' "$python" example.py
    check 'the Python reader' says 'python: good' "$python" "$tree/tests/readers/check_readers.py" results.db \
        metrics.csv "$tree/tests/readers/odd.csv"
else
    echo 'left out: Python has no pandas here (make deps-more)'
fi
if command -v Rscript >/dev/null && Rscript -e 'library(RSQLite)' >/dev/null 2>&1; then
    check 'R CMD INSTALL' R CMD INSTALL --library="$work/library" "$tree/data/readers/R/warpscape"
    check 'the R of docs/readers.md, with the components of prcomp' says '[1] TRUE' Rscript example.R
    check 'the R reader' says 'R: good' Rscript "$tree/tests/readers/check_readers.R" results.db metrics.csv \
        "$tree/tests/readers/odd.csv"
else
    echo 'left out: no R with RSQLite here (make deps-more)'
fi
echo "readers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
