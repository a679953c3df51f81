#!/bin/sh
# Every public function that takes an array or a buffer with its length is called by test_null_arguments.c, which gives
# it NULL and 0. Arguments: the checkout, the C compiler.
set -eu
. "$(dirname "$0")/layers.sh"
test=$1/tests/layers/test_null_arguments.c
functions=$(for header in "$1"/include/*.h; do "$2" -E -P -x c "$header"; done | tr '\n' ' ' | tr ';' '\n' |
    grep -v typedef | grep -E '\*[a-z_]+, (size_t \*?(count|size|capacity|length|[a-z]*_count)|int rank)\>|size_t \*count' |
    grep -oE 'roof_[a-z0-9_]+ *\(' | tr -d '( ' | sort -u)
[ -n "$functions" ] || finding "no function with an array was found in $1/include"
for name in $functions; do
    grep -qE "(^|[^a-z_])$name\(" "$test" || finding "$name takes an array or a buffer: $test does not try it with NULL"
done
finish
