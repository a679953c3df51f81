#!/usr/bin/env bash
# The runner of documents itself: it must find what differs, and pass over what is no command of ours.
set -u
runner=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#!/bin/sh\necho "say $*"\n[ "$1" != fail ]\n' >"$scratch/program"
chmod +x "$scratch/program"
failures=0

expect() { # CODE TEXT-OF-DOCUMENT
    printf "$2" >"$scratch/doc.md"
    "$runner" "$scratch/program" "$scratch/doc.md" >"$scratch/log" 2>&1
    local code=$?
    if [ $code != "$1" ]; then
        echo "exit $code instead of $1 for:"
        cat "$scratch/doc.md" "$scratch/log"
        failures=$((failures + 1))
    fi
}

expect 0 'No block at all.\n'
expect 0 '```console\n$ roofline a b\nsay a b\n```\n'
expect 1 '```console\n$ roofline a b\nsay a c\n```\n'
expect 1 '```console\n$ roofline a\nsay a\nmore\n```\n'
expect 0 '```console\n$ roofline a\n...\n```\n'
expect 0 '```console\n$ ./run x | sed p\nsay x\n...\n$ roofline y\nsay y\n```\n'
expect 1 '```console\n$ roofline a\nsay a\n$ roofline b\nsay c\n```\n'
expect 1 '```console\n$ roofline fail\n```\n'
expect 0 '```console varies\n$ roofline fail\n```\n'
expect 0 '```console\n$ false\nnothing of ours\n```\n```\n$ roofline fail\n```\n'
"$runner" "$scratch/program" "$scratch/absent.md" >/dev/null || failures=$((failures + 1))
[ $failures = 0 ]
