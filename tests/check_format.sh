#!/usr/bin/env bash
# Is the C laid out as .clang-format says?  usage: check_format.sh [--list]   (--list: the files it looks at)
set -u
cd "$(dirname "$0")/.." || exit 1
mapfile -t files < <(find base collect metrics pca cluster plots model cli data bench tests -name '*.[ch]' 2>/dev/null | sort)
if [ "${1:-}" = --list ]; then
    printf '%s\n' "${files[@]}"
    exit
fi
if ! command -v clang-format >/dev/null; then
    echo "note: clang-format is not installed, nothing checked"
    echo "format: 0 passed, 0 failed"
    exit
fi
passed=0 failed=0
for file in "${files[@]}"; do
    if clang-format --dry-run -Werror "$file" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$file: run make format"
    fi
done
echo "format: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
