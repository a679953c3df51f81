#!/usr/bin/env bash
# The test of paths itself: it must find a file and a link that do not exist, and accept patterns of those that do.
#
#   test_paths.sh PATHS.SH
set -u
paths=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{src/work,include,docs/profiles}
touch "$scratch"/{README,CONTRIBUTING,CHANGELOG,docs/model,docs/profiles/ncu}.md "$scratch"/src/work/gemm.c
failures=0

expect() { # CODE TEXT-OF-DOCUMENT [FILE]
    printf '%s\n' "$2" 'See docs/model.md.' >"$scratch/${3:-docs/tour.md}"
    "$paths" "$scratch" >"$scratch/log" 2>&1
    local code=$?
    rm "$scratch/${3:-docs/tour.md}"
    [ $code = "$1" ] || {
        echo "exit $code instead of $1 for: $2"
        cat "$scratch/log"
        failures=$((failures + 1))
    }
}

expect 0 'The cost is in `src/work/gemm.c`.'
expect 1 'The cost is in `src/work/gem.c`.'
expect 1 'The folder `src/works/` is new.'
expect 0 'Any `src/work/<family>.c`, `src/work/NAME.c`, `src/work/*.c`.'
expect 1 'No `src/work/*.h`.'
expect 0 'A [page](profiles/ncu.md), a [part](model.md#decode), a [site](https://example.org/docs/none.md).'
expect 1 'A [page](ncu.md).'
expect 1 '/* docs/none.md derives it */' src/work/attention.c
exit $((failures > 0))
