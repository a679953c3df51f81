#!/bin/sh
# Every C file is laid out as .clang-format says. Arguments: the checkout, clang-format (version 14, as in Debian 12:
# other versions differ in details).
set -eu
. "$(dirname "$0")/layers.sh"
cd "$1"
found=$(find src include tests fuzz bench examples -name '*.[ch]' 2>/dev/null | sort | xargs "$2" --dry-run -Werror 2>&1 | grep ': error: code should be clang-formatted' || true)
if [ -n "$found" ]; then
    for file in $(printf '%s\n' "$found" | sed 's/:.*//' | sort -u); do
        finding "$file: not laid out as .clang-format says; clang-format -i $file"
    done
fi
finish
