#!/bin/sh
# The shared library exports exactly the functions that the public headers declare. Arguments: the checkout, the C compiler,
# the shared library.
set -eu
. "$(dirname "$0")/layers.sh"
headers=$1/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

for header in "$headers"/*.h; do
    "$2" -E -P -x c "$header"
done | grep -oE 'roof_[a-z0-9_]+[[:space:]]*\(' | tr -d '( ' | sort -u >"$work/declared"
# Names in __ belong to the compiler (sanitizers, coverage).
nm -D --defined-only "$3" | awk '$2 != "A" { print $3 }' | grep -vE '^(__.*|_init|_fini|_edata|_end)$' | sort -u >"$work/exported"
[ -s "$work/declared" ] || finding "no declaration was found in $headers"

for name in $(comm -13 "$work/declared" "$work/exported"); do
    finding "$name is exported but no header of include/ declares it"
done
for name in $(comm -23 "$work/declared" "$work/exported"); do
    header=$(cd "$headers" && grep -lE "(^|[^a-z0-9_])$name[[:space:]]*\(" ./*.h | sed 's|^\./||' | tr '\n' ' ')
    finding "$name is declared in ${header% } but not exported"
done
for name in $(grep -v '^roof_' "$work/exported" || true); do
    finding "$name is exported without the prefix roof_"
done
finish
