#!/usr/bin/env bash
# The charts in README.md are what the program draws: of the command above the first, of a saved measurement for the other.
#
#   picture.sh PROGRAM README IMAGE
set -eu
program=$1 readme=$2 image=$3
grep -q "docs/images/$(basename "$image")" "$readme"
command=$(sed -n 's/^\$ \.\/run \(model .*\)$/\1/p' "$readme" | head -n 1)
[ -n "$command" ]
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086 # words of a command line
"$program" $command -o "$scratch/chart.svg" >/dev/null
cmp "$scratch/chart.svg" "$image"

measured=$(dirname "$image")/measured-cpu.svg
grep -q "images/$(basename "$measured")" "$(dirname "$readme")/docs/tour.md"
"$program" machines --show "$(dirname "$0")/measured_cpu.json" -o "$scratch/measured.svg" >/dev/null
cmp "$scratch/measured.svg" "$measured"
