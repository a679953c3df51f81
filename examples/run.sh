#!/bin/sh
# Each example prints what its .out file says, and chart.c writes an SVG. Argument: the folder of the built examples.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here"
bad=0
# prints NAME ARGUMENTS...
prints() {
    name=$1
    shift
    "$built/$name" "$@" >"$work/$name" && diff -u "$name.out" "$work/$name" || {
        echo "$name: not what $name.out says"
        bad=1
    }
}
prints operation
prints model
prints chart my_card.json "$work/chart.svg"
head -c 4 "$work/chart.svg" | grep -q '<svg' && tail -n 1 "$work/chart.svg" | grep -q '</svg>' ||
    { echo "chart: no SVG was written" && bad=1; }
# What cannot be done ends with a message and no success.
! "$built/operation" no-such-machine >"$work/none" 2>"$work/err" && grep -q "no-such-machine" "$work/err" ||
    { echo "operation: an unknown machine is no error" && bad=1; }
! "$built/chart" no-such-file.json "$work/none.svg" >"$work/none" 2>"$work/err" && grep -q "no-such-file.json" "$work/err" ||
    { echo "chart: a missing file is no error" && bad=1; }
[ $bad -eq 0 ]
