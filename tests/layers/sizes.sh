#!/bin/sh
# No function over 60 lines (100 in tests, benchmarks and fuzz targets), no file over 800 lines (a public header, which is
# mostly its own manual: 1,000, and no line of it over 100 columns), no more than 40 files in a folder of src. Catalogue and test files are tables of figures and values and may be longer. Argument: the checkout.
# Functions are found by their layout (.clang-format): they begin at a line that starts in the first column and ends
# in "{", and end at the next "}" in the first column.
set -eu
. "$(dirname "$0")/layers.sh"
cd "$1"
file_limit=800
folder_limit=40

files=$(find src include tests fuzz bench examples -name '*.[ch]' 2>/dev/null | sort)
for file in $files; do
    lines=$(wc -l <"$file")
    case $file in
    src/catalog/* | tests/*) ;;
    include/*)
        [ "$lines" -le 1000 ] || finding "$file: $lines lines, more than 1000"
        wide=$(awk 'length > 100 { print FNR; exit }' "$file")
        [ -z "$wide" ] || finding "$file:$wide: wider than 100 columns"
        ;;
    *) [ "$lines" -le $file_limit ] || finding "$file: $lines lines, more than $file_limit" ;;
    esac
    case $file in
    src/*) function_limit=60 ;;
    *) function_limit=100 ;;
    esac
    long=$(awk -v limit=$function_limit '
        /^[a-zA-Z_].*\)[^;]*\{$/ { start = NR; name = $0 }
        /^\}/ && start { if (NR - start + 1 > limit) print start ": " NR - start + 1 " lines: " name; start = 0 }
    ' "$file")
    [ -z "$long" ] || finding "$file:$long"
done
for folder in $(find src -type d | sort); do
    count=$(find "$folder" -maxdepth 1 -name '*.[chS]' | wc -l)
    [ "$count" -le $folder_limit ] || finding "$folder: $count files, more than $folder_limit"
done
finish
