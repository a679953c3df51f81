#!/usr/bin/env bash
# The commands of a document are tests: every ```console block of README.md (or of the files named) is run.
#
#   readme.sh PROGRAM FILE...
#
# A line "$ roofline ..." (or "$ ./run ...", which is the same program) is a command; the lines up to the next "$" or the
# end of the block are what it must print, where a line "..." stands for any lines. Other commands are not run, and
# neither are blocks whose fence says more than "console": "```console varies" shows what differs from run to run.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/work"
ln -s "$program" "$scratch/bin/roofline"
ln -s "$(cd "$(dirname "$0")/.." && pwd)" "$scratch/work/tests" # files that a document names from the checkout
export PATH="$scratch/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb
mkdir "$scratch/home"
export HOME="$scratch/home" # where measurements are saved
unset XDG_DATA_HOME NO_COLOR
commands=0 failed=0

matches() { # WANTED GOT: lines equal, "..." for any number of lines
    awk -v wanted="$1" '
        BEGIN { while ((getline line < wanted) > 0) want[++n] = line; at = 1 }
        { got[++m] = $0 }
        function match_from(i, j) {
            while (i <= n && want[i] != "...") {
                if (j > m || want[i] != got[j]) return 0
                i++; j++
            }
            if (i > n) return j > m
            for (; j <= m + 1; j++) if (match_from(i + 1, j)) return 1
            return 0
        }
        END { exit !match_from(1, 1) }' "$2"
}

check() { # COMMAND, with the wanted output in $scratch/want
    [ -n "$1" ] || return 0
    commands=$((commands + 1))
    (cd "$scratch/work" && bash -c "${1/#.\/run/roofline}") >"$scratch/got" 2>&1 </dev/null
    local code=$?
    if [ ! -s "$scratch/want" ]; then
        [ $code = 0 ] && return 0
        echo "--- \$ $1 exits with $code"
        cat "$scratch/got"
    else
        matches "$scratch/want" "$scratch/got" && return 0
        echo "--- \$ $1 prints something else:"
        diff -u "$scratch/want" "$scratch/got" | tail -n +3
    fi
    failed=$((failed + 1))
}

for file in "$@"; do
    inside=no command=
    [ -e "$file" ] || continue
    while IFS= read -r line; do
        case $inside,$line in
        no,'```console') inside=yes command= ;;
        no,*) ;;
        yes,'```') check "$command"; inside=no ;;
        yes,'$ roofline'* | yes,'$ ./run '*) check "$command"; command=${line#'$ '}; : >"$scratch/want" ;;
        yes,'$ '*) check "$command"; command= ;;
        *) [ -z "$command" ] || printf '%s\n' "$line" >>"$scratch/want" ;;
        esac
    done <"$file"
done
echo "$commands commands run, $failed failed"
[ $failed = 0 ]
