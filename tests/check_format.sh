#!/usr/bin/env bash
# Is the C laid out as agreed? Everywhere: no tabs, no blanks at line ends, a newline at the end. In the folders of
# `held`, where clang-format is installed: exactly as .clang-format says (tables and aligned columns are kept elsewhere).
# usage: check_format.sh [--list]   (--list: the files of the held folders)
set -u
cd "$(dirname "$0")/.." || exit 1
held=(plots)
mapfile -t files < <(find base collect metrics pca cluster plots model cli data bench tests -name '*.[ch]' 2>/dev/null | sort)
mapfile -t strict < <(find "${held[@]}" -name '*.[ch]' 2>/dev/null | sort)
if [ "${1:-}" = --list ]; then
    printf '%s\n' "${strict[@]}"
    exit
fi
if ! command -v clang-format >/dev/null; then
    echo "note: clang-format is not installed, only blanks were checked"
    strict=()
fi
declare -A wrong=()
for file in "${files[@]}"; do
    if grep -nP '\t|[ \r]$' "$file" /dev/null || [ -n "$(tail -c 1 "$file")" ]; then
        echo "$file: tabs, blanks at a line's end, or no newline at the end"
        wrong[$file]=1
    fi
done
for file in "${strict[@]}"; do
    if ! clang-format --dry-run -Werror "$file" >/dev/null 2>&1; then
        wrong[$file]=1
        echo "$file: run make format"
    fi
done
echo "format: $((${#files[@]} - ${#wrong[@]})) passed, ${#wrong[@]} failed"
[ ${#wrong[@]} -eq 0 ]
