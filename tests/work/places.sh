#!/bin/sh
# Usage: places.sh SOURCES: no code says shape[3] of an operation: every place has a name (work/ops.h). The shapes of
# tensors in read/gguf and of lines of a table (a plain array `shape`) are no operation's. It first shows that it can
# find one.
pattern='(operation(\.|->)|out->|trial(\.|->)|[=*] *)shape\[[0-9]'
shown=$(printf 'operation->shape[2] = 1;\ndouble n = shape[0];\n' | grep -cE "$pattern")
[ "$shown" = 2 ] || { echo "the pattern finds $shown of 2"; exit 1; }
found=$(find "$1" \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) ! -path '*/read/gguf/*' ! -path '*/profile/tables/*' \
    -exec grep -nE "$pattern" {} +)
[ -z "$found" ] || { echo "$found"; exit 1; }
