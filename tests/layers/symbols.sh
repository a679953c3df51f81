#!/bin/sh
# What the objects of the library need and keep:
#   - core, work, catalog and advice need libm and the C library's string functions, nothing else: no heap, no files,
#     no clock, no output; read and chart may need more, and allowed.txt names it file by file;
#   - a room calls functions of its own and of rooms to its left only;
#   - no object keeps writable data (no global state).
# Arguments: a list of lines "room object" (plain objects, without sanitizers), allowed.txt, the C compiler.
set -eu
. "$(dirname "$0")/layers.sh"
export LC_ALL=C
list=$1
allowed=$2
cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Functions of the C library that neither keep state nor do input or output.
pure='memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr
strcpy strcat strspn strcspn strpbrk snprintf vsnprintf strtod strtol strtoul strtoull strtoll qsort bsearch abs labs
isalnum isalpha isdigit isspace isupper islower isprint ispunct isxdigit tolower toupper
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __isoc99_sscanf sscanf _GLOBAL_OFFSET_TABLE_'
nm -D --defined-only "$("$cc" -print-file-name=libm.so.6)" | awk '{ sub(/@.*/, "", $3); print $3 }' >"$work/pure"
printf '%s\n' $pure >>"$work/pure"

# The ranks again, as data for awk: "room rank".
for room in core work catalog json expect advice read measure chart cli; do
    echo "$room $(rank_of $room)"
done >"$work/ranks"

# One line a symbol: "room file U|T|D... name".
while read -r room object; do
    file=${object##*/src/} # from the room on: CMake keeps the folders of a source
    nm "$object" | awk -v room="$room" -v file="src/${file%.o}" '{ print room, file, $(NF - 1), $NF }'
done <"$list" >"$work/symbols"

awk -v ranks="$work/ranks" -v pure="$work/pure" -v allowed="$allowed" '
    function fits(name, pattern) {
        if (pattern ~ /\*$/)
            return index(name, substr(pattern, 1, length(pattern) - 1)) == 1
        return name == pattern
    }
    function is_allowed(room, file, name, words, i, n) { # rooms left of read get no exception
        if ((rank[room] < rank["read"] && room != "json") || !(file in exceptions))
            return 0
        n = split(exceptions[file], words, " ")
        for (i = 1; i <= n; i++)
            if (fits(name, words[i]))
                return 1
        return 0
    }
    BEGIN {
        while ((getline line < ranks) > 0) { split(line, w, " "); rank[w[1]] = w[2] }
        while ((getline line < pure) > 0) is_pure[line] = 1
        while ((getline line < allowed) > 0) {
            if (line ~ /^src\//) { file = line; sub(/ .*/, "", file); sub(/^[^ ]* */, "", line); exceptions[file] = exceptions[file] " " line }
        }
    }
    NR == FNR { if ($3 ~ /^[TRVW]$/) owner[$4] = $1; next }
    $3 ~ /^[BbDdCGgSs]$/ { print $2 " keeps writable data: " $4 }
    $3 != "U" { next }
    $4 in owner {
        if (owner[$4] != $1 && rank[owner[$4]] >= rank[$1])
            print $2 " calls " $4 " of " owner[$4] ", which is not to the left of " $1
        next
    }
    !($4 in is_pure) && !is_allowed($1, $2, $4) { print $2 " needs " $4 ", which the " $1 " room may not use" }
' "$work/symbols" "$work/symbols" >"$work/findings"
while IFS= read -r line; do
    finding "$line"
done <"$work/findings"
[ -s "$work/symbols" ] || finding "no object was looked at"
finish
