#!/usr/bin/env bash
# The chart in README.md is what the command above it draws.
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
