#!/bin/sh
# No #include points rightwards: a file includes the public headers, its own room and rooms to its left, nothing else of
# ours. And a folder's headers are its own: a header is seen by the files of its folder and of folders below it; who else
# may see it stands in shared.txt ("header folders reason"; a folder stands for those below it too).
# Argument: the checkout.
set -eu
. "$(dirname "$0")/layers.sh"
shared=${2:-$(cd "$(dirname "$0")" && pwd)/shared.txt}
headers=$(cd "$1/include" && echo *.h)
cd "$1/src"
used=$(mktemp)
trap 'rm -f "$used"' EXIT

# is_shared header folder: does shared.txt name the folder, or one above it?
is_shared() {
    echo "$1" >>"$used"
    folders=$(awk -v header="$1" '$1 == header { print $2 }' "$shared" | tr ',' ' ')
    for one in $folders; do
        case $2/ in
        "$one"/*) return 0 ;;
        esac
    done
    return 1
}

# check place folder header: a header of ours by its path from src/.
check() {
    other=${3%%/*}
    room=${2%%/*}
    if [ "$(rank_of "$other")" = unknown ]; then
        finding "src/$1: \"$3\" is in no room"
    elif ! may_use "$room" "$other"; then
        finding "src/$1: $room includes \"$3\", which is not to its left"
    elif [ ! -f "$3" ]; then
        finding "src/$1: \"$3\" does not exist"
    else
        case $2/ in
        "${3%/*}"/*) ;;
        *) is_shared "$3" "$2" || finding "src/$1: \"$3\" is seen by ${3%/*} only (tests/layers/shared.txt names exceptions)" ;;
        esac
    fi
}

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
        file=${line%%:*}
        target=$(printf '%s\n' "$line" | sed 's/.*"\([^"]*\)".*/\1/')
        case " $headers " in
        *" $target "*) continue ;;
        esac
        case $target in
        *..*) finding "src/$place: \"$target\" climbs out of its folder" ;;
        */*) check "$place" "${file%/*}" "$target" ;;
        *) [ -f "${file%/*}/$target" ] || finding "src/$place: \"$target\" is not in ${file%/*}" ;;
        esac
    done <<LIST
$includes
LIST
done

# What nobody uses is no exception.
while read -r header folders reason; do
    case $header in
    '' | '#'*) continue ;;
    esac
    [ -n "$reason" ] || finding "shared.txt: $header is shared with $folders without a reason"
    grep -qxF "$header" "$used" || finding "shared.txt: $header is not used outside its folder"
done <"$shared"
finish
