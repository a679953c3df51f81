#!/bin/sh
# No function over 100 lines, no file over 800 lines (data tables of the catalogue aside). Argument: the checkout.
# Functions are found by their layout (.clang-format): they begin at a line that starts in the first column and ends
# in "{", and end at the next "}" in the first column.
set -eu
. "$(dirname "$0")/layers.sh"
cd "$1"
function_limit=100
file_limit=800

files=$(find src include tests fuzz bench -name '*.[ch]' 2>/dev/null | sort)
for file in $files; do
    lines=$(wc -l <"$file")
    case $file in
    src/catalog/*) ;; # tables of figures, one row a machine
    tests/*) ;;       # tables of expected values
    *) [ "$lines" -le $file_limit ] || finding "$file: $lines lines, more than $file_limit" ;;
    esac
    long=$(awk -v limit=$function_limit '
        /^[a-zA-Z_].*\)[^;]*\{$/ { start = NR; name = $0 }
        /^\}/ && start { if (NR - start + 1 > limit) print start ": " NR - start + 1 " lines: " name; start = 0 }
    ' "$file")
    [ -z "$long" ] || finding "$file:$long"
done
finish
