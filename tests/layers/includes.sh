#!/bin/sh
# No #include points rightwards: a file includes the public header, its own room and rooms to its left, nothing else of
# ours. Argument: the checkout.
set -eu
. "$(dirname "$0")/layers.sh"
cd "$1/src"

for folder in */; do
    room=${folder%/}
    if [ "$(rank_of "$room")" = unknown ]; then
        finding "src/$room: a room that has no place in the order of the layers (tests/layers/layers.sh)"
        continue
    fi
    includes=$(find "$room" -name '*.[ch]' -exec grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + || true)
    [ -n "$includes" ] || continue
    while IFS= read -r line; do
        place=${line%%:#*}
        target=$(printf '%s\n' "$line" | sed 's/.*"\([^"]*\)".*/\1/')
        case $target in
        roofline.h | roofline_measure.h | roofline_profile.h | roofline_expected.h) ;;
        *..*) finding "src/$place: \"$target\" climbs out of its folder" ;;
        */*)
            other=${target%%/*}
            if [ "$(rank_of "$other")" = unknown ]; then
                finding "src/$place: \"$target\" is in no room"
            elif ! may_use "$room" "$other"; then
                finding "src/$place: $room includes \"$target\", which is not to its left"
            fi
            ;;
        *) [ -f "$room/$target" ] || finding "src/$place: \"$target\" is not in $room" ;;
        esac
    done <<LIST
$includes
LIST
done
finish
