#!/bin/sh
# Limits set from outside are seen: one CPU by taskset, 256 MB of address space by ulimit. Arguments: print_host, and
# whether it may run under ulimit -v (the address sanitizer cannot). Without /sys nothing complains.
set -eu
if command -v taskset >/dev/null; then
    cpu=$(taskset -cp $$ | sed 's/.*: //; s/[^0-9].*//')
    set -- "$1" "$2" "$(taskset -c "$cpu" "$1")"
    case $3 in
    '1 1 '*) ;;
    *) echo "under taskset: $3"; exit 1 ;;
    esac
fi
if unshare -rm mount -t tmpfs none /sys 2>/dev/null; then
    bare=$(unshare -rm sh -c 'mount -t tmpfs none /sys && exec "$0"' "$1" 2>&1)
    case $bare in
    [1-9]*' '[1-9]*' '[0-9]*' '[A-Zc]*) ;;
    *) echo "without /sys: $bare"; exit 1 ;;
    esac
    [ "$(echo "$bare" | wc -l)" = 1 ] || { echo "without /sys: $bare"; exit 1; }
fi
[ "$2" = yes ] || exit 0
limited=$( (ulimit -v 262144 && "$1"))
case $limited in
*' RLIMIT_AS') ;;
*) echo "under ulimit -v: $limited"; exit 1 ;;
esac
bytes=$(echo "$limited" | cut -d' ' -f3)
[ "$bytes" -gt 150000000 ] && [ "$bytes" -lt 268435456 ] || { echo "under ulimit -v: $bytes bytes"; exit 1; }
