#!/usr/bin/env bash
# Golden tests of the command.
#
#   run.sh PROGRAM [--update] [PATTERN...]      PATTERN: names of cases, as "op-*"; all without one
#
# A case is cases/NAME.cmd, a line of shell in which `roofline` is the program. It runs in an empty folder that holds a
# copy of files/. Beside it: NAME.out (stdout), NAME.err (stderr), NAME.code (exit code); a missing one means empty, or 0.
# --update rewrites them. Text on stdout must fit 80 columns, unless it is JSON, CSV or a generated file.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
[ $# -gt 0 ] || set -- '*'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/roofline"

# What a measurement saved here is called (built with the tests): `saved FILE` puts one where --on this looks, as of
# this CPU.
ln -s "$(dirname "$program")/../../tests/cli/measure_host" "$scratch/bin/measure_host"
saved() {
    mkdir -p "$HOME/.local/share/roofline/machines"
    sed "s|\"Test CPU\"|\"$(measure_host cpu)\"|" "$1" >"$HOME/.local/share/roofline/machines/$(measure_host).json"
}
export -f saved

# The same everywhere: no colour, no Unicode, unless the case asks for them.
export PATH="$scratch/bin:$PATH" LC_ALL=C TERM=dumb
export HOME="$scratch/home" # where measurements are saved
unset XDG_DATA_HOME NO_COLOR LC_CTYPE LANG

run_case() { # NAME: leaves out, err and code in $scratch
    rm -rf "$scratch/work" "$scratch/home"
    mkdir "$scratch/home"
    cp -R "$here/files" "$scratch/work"
    (cd "$scratch/work" && bash -c "$(cat "$here/cases/$1.cmd")") >"$scratch/out" 2>"$scratch/err" </dev/null
    echo $? >"$scratch/code"
}

keep() { # FILE GOLDEN DEFAULT: the golden is there only when it says something
    if [ "$(cat "$1")" = "$3" ]; then
        rm -f "$2"
    else
        cp "$1" "$2"
    fi
}

same() { # NAME PART DEFAULT
    local golden=$here/cases/$1.$2
    if [ ! -e "$golden" ]; then
        golden=$scratch/default
        printf '%s' "$3" >"$golden"
        [ -z "$3" ] || echo >>"$golden"
    fi
    diff -u "$golden" "$scratch/$2" >"$scratch/diff" && return 0
    echo "--- $1: $2 is not as expected:"
    tail -n +3 "$scratch/diff"
    return 1
}

fits() { # NAME: no line of stdout is wider than 80 columns
    local line LC_ALL=C.UTF-8
    grep -qE -- '--(json|csv|generate)|\.(svg|json|csv)' "$here/cases/$1.cmd" && return 0
    while IFS= read -r line; do
        line=$(printf '%s' "$line" | sed $'s/\033\\[[0-9;]*m//g')
        if [ ${#line} -gt 80 ]; then
            echo "--- $1: ${#line} columns: $line"
            return 1
        fi
    done < <(awk 'length($0) > 80' "$scratch/out")
}

passed=0 failed=0
for pattern in "$@"; do
    for file in "$here"/cases/$pattern.cmd; do
        [ -e "$file" ] || { echo "no case is named $pattern"; failed=$((failed + 1)); continue; }
        name=$(basename "$file" .cmd)
        run_case "$name"
        if [ $update = yes ]; then
            keep "$scratch/out" "$here/cases/$name.out" ''
            keep "$scratch/err" "$here/cases/$name.err" ''
            keep "$scratch/code" "$here/cases/$name.code" 0
        fi
        good=yes
        same "$name" out '' || good=no
        same "$name" err '' || good=no
        same "$name" code 0 || good=no
        fits "$name" || good=no
        if [ $good = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
