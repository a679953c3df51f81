#!/bin/sh
# No two files of a room need each other, directly or by way of others: within a room files have an order too, and
# tsort must find one. Arguments: lists of lines "room object"; last, the allow list: lines "file file reason", an edge
# of the call graph that is left out. The list may only shrink: an edge that is gone, or that hides no cycle, is a finding.
set -eu
. "$(dirname "$0")/layers.sh"
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for allowed; do :; done # the last argument

# One line an object and symbol: "room file U|T|R... name".
while [ $# -gt 1 ]; do
    cat "$1"
    shift
done | while read -r room object; do
    case $object in
    */roofline_cli.dir/*) file=cli/${object##*/roofline_cli.dir/} ;;
    *) file=${object##*/src/} ;;
    esac
    nm "$object" | awk -v room="$room" -v file="src/${file%.o}" '{ print room, file, $(NF - 1), $NF }'
done >"$work/symbols"
[ -s "$work/symbols" ] || finding "no object was looked at"

# "room file file": the first needs the second.
awk 'NR == FNR { if ($3 ~ /^[TRDVW]$/) owner[$1 " " $4] = $2; next }
     $3 == "U" && ($1 " " $4) in owner && owner[$1 " " $4] != $2 { print $1, $2, owner[$1 " " $4] }
' "$work/symbols" "$work/symbols" | sort -u >"$work/edges"
[ -s "$work/edges" ] || finding "no file needs another: the call graph is empty"

grep -E '^src/' "$allowed" >"$work/allowed" || true
awk 'FILENAME == ARGV[1] { edge[$2 " " $3] = 1; next } !(($1 " " $2) in edge) { print $1 " no longer needs " $2 ": take the line off the allow list" }
     NF < 3 { print $1 " " $2 ": an allowed edge says why" }' "$work/edges" "$work/allowed" >"$work/stale"
awk 'FILENAME == ARGV[1] { left[$1 " " $2] = 1; next } !(($2 " " $3) in left) { print $2, $3 }' "$work/allowed" "$work/edges" >"$work/order"
tsort "$work/order" >/dev/null 2>"$work/loops" || true

# Each loop as tsort found it: its files between two lines "input contains a loop".
sed 's/^tsort: //' "$work/loops" | awk '/contains a loop/ { if (n) print line; line = "a cycle:"; n = 1; next } { line = line " " $0 } END { if (n) print line }' >"$work/found"
cat "$work/stale" >>"$work/found"
while IFS= read -r line; do
    finding "$line"
done <"$work/found"
finish
