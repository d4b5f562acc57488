#!/usr/bin/env bash
# Is the C laid out as agreed? No tabs, no blanks at line ends, a newline at the end; and, where clang-format is
# installed, exactly as .clang-format says. Rows of tables that it would scatter stand between `clang-format off` and
# `on`.
# usage: check_format.sh [--list]   (--list: the files)
set -u
cd "$(dirname "$0")/../.." || exit 1
mapfile -t files < <(find base collect metrics pca cluster plots model record library cli data bench tests \
    -name '*.[ch]' 2>/dev/null | sort)
if [ "${1:-}" = --list ]; then
    printf '%s\n' "${files[@]}"
    exit
fi
declare -A wrong=()
while IFS= read -r file; do
    grep -nP '\t|[ \r]$' "$file" /dev/null
    echo "$file: tabs, blanks at a line's end, or no newline at the end"
    wrong[$file]=1
done < <({ grep -lP '\t|[ \r]$' "${files[@]}"; grep -LzP '\n\z' "${files[@]}"; } | sort -u)
if command -v clang-format >/dev/null; then
    while read -r file; do
        echo "$file: run make format"
        wrong[$file]=1
    done < <(printf '%s\n' "${files[@]}" | xargs clang-format --dry-run 2>&1 |
        sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: .*/\1/p' | sort -u)
else
    echo "note: clang-format is not installed, only blanks were checked"
fi
echo "format: $((${#files[@]} - ${#wrong[@]})) passed, ${#wrong[@]} failed"
[ ${#wrong[@]} -eq 0 ]
