#!/usr/bin/env bash
# A real measurement, as quick as it gets: what is printed and saved, what is kept, and how it fails. The numbers are
# not compared: they are this machine's.
#
#   measure.sh PROGRAM
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home"
export HOME=$scratch/home LC_ALL=C TERM=dumb
unset XDG_DATA_HOME NO_COLOR
cd "$scratch" || exit 1
place=$HOME/.local/share/roofline/machines
failed=0

fail() {
    echo "--- $*"
    [ ! -s out ] || sed 's/^/out: /' out
    [ ! -s err ] || sed 's/^/err: /' err
    failed=$((failed + 1))
}

run() { # CODE COMMAND...: leaves out and err
    local wanted=$1
    shift
    "$@" >out 2>err </dev/null
    local code=$?
    [ $code = "$wanted" ] || fail "$* exits with $code, not $wanted"
}

has() { # FILE PATTERN
    grep -qE -- "$2" "$1" || fail "$1 has no line like '$2'"
}

quick="$program measure --quick"

# The first: measured, saved, and nothing beside it.
run 0 $quick
has out '^[^ ].* cores? +'
has out ' f64 +[a-z0-9]+ fma'
has out '^ +L1 +1 '
has out '^  saved '
[ ! -s err ] || fail "a measurement says something on stderr"
[ "$(ls -A "$place" | wc -l)" = 1 ] || fail "not one file in $place: $(ls -A "$place")"
wide=$(awk 'length($0) > 80' out)
[ -z "$wide" ] || fail "wider than 80 columns: $wide"
before=$(cksum "$place"/*)

# It is what --on this and no --on mean; every roof is above zero. A machine that is too busy may hide its DRAM: then the
# last line says so, and questions that need it are refused.
answers=0
if ! grep -q '"level": "DRAM"' "$place"/*; then
    sed "s|^|no DRAM: |" out
    tail -n 2 out | tr -s ' \n' ' ' >last
    has last '^ lacks the DRAM bandwidth, '
    answers=1
fi
run $answers "$program" op gemm m=64 n=64 k=64 dtype=f64
run $answers "$program" op gemm m=64 n=64 k=64 dtype=f64 --on this:1 --json
[ $answers = 1 ] || has out '"id": "this:1"'
run 0 "$program" machines --show this --csv
awk -F, '/^"/ { next } NR > 1 && $2 != "" && !($2 > 0) { bad = 1 } /vector|bandwidth/ { roofs++ } END { exit bad || roofs < 3 }' out ||
    fail "roofs that are not above zero, or too few"

# The second is compared and not saved.
run 0 $quick --diff
has out '^Saved 20[0-9-]+ against new'
has out '^  f64 vector +1 +[0-9.]+ GFLOP/s +[0-9.]+ GFLOP/s +[0-9.,]+x'
has out '^  kept '
[ "$(cksum "$place"/*)" = "$before" ] || fail "--diff changed the saved file"

# An end half-way: nothing is written, the old file is as it was.
"$program" measure --thorough >out 2>err </dev/null &
sleep 1
kill -TERM $!
wait $!
code=$?
[ $code = 1 ] || fail "interrupted, it exits with $code, not 1"
has err '^roofline: interrupted: nothing was saved$'
[ "$(ls -A "$place" | wc -l)" = 1 ] || fail "left beside the saved file: $(ls -A "$place")"
[ "$(cksum "$place"/*)" = "$before" ] || fail "an interrupted measurement changed the saved file"

# A worse run takes nothing away, a better one adds to it; --replace saves what one run found. Without memory there are
# few series.
brief="$quick --memory 1 --save better.json"
run 0 $brief
tail -n 2 out | tr -s ' \n' ' ' >last
has last '^ lacks the DRAM bandwidth, '
run 0 $brief --json
has err '^note: no DRAM bandwidth was found: what is saved has no memory roof$'
sed -i '0,/"value": /s//"value": 9/' better.json # ten times the first roof, at least
high=$(grep -m 1 -o '"value": [0-9]*' better.json)
series=$(grep -c '"pattern"' better.json)
run 0 $brief
has out '^  saved '
has out '^  lower '
[ "$(grep -m 1 -o '"value": [0-9]*' better.json)" = "$high" ] || fail "a worse run took the better roof away"
[ "$(grep -c '"pattern"' better.json)" -ge "$series" ] || fail "a run took series away"
run 0 $brief --diff
has out '^  kept '
run 0 $brief --diff --keep-best
[ "$(grep -m 1 -o '"value": [0-9]*' better.json)" = "$high" ] || fail "--keep-best lost the better roof"
run 0 $brief --replace
[ "$(grep -m 1 -o '"value": [0-9]*' better.json)" != "$high" ] || fail "--replace replaced nothing"

# Nowhere to save: the answer is there all the same.
run 1 $quick --json --save /dev/full
has out '"measurement": \{'
has err "^roofline: cannot write '/dev/full': no space left on device$"
run 1 env -u HOME $quick --csv
has out '^fma,[a-z0-9]+,vector,f64,,1,'
has err '^roofline: no place for measurements: HOME is not set to a folder$'

# That is said before measuring, not after.
touch file
XDG_DATA_HOME=$scratch/file "$program" measure --thorough >out 2>err </dev/null &
sleep 1
kill -TERM $!
wait $!
has err "^roofline: warning: cannot write '.*/file/roofline/machines/.*\.json': not a directory; measuring all the same$"

# Another CPU's measurement neither: a saved file that was brought along.
sed 's/"cpu": "[^"]*"/"cpu": "Another"/' "$place"/*.json >other.json
run 0 $quick --diff --no-save
! grep -q 'the saved one was measured on' out || fail "the same CPU is called another"
run 0 $quick --diff --save other.json
tr -s ' \n' ' ' <out >flat
has flat 'note: the saved one was measured on Another, and this is '
run 1 $quick --save other.json
has err "^roofline: the saved measurement is from another CPU, 'Another', and was not replaced$"
has other.json '"cpu": "Another"'

# What is no measurement is not overwritten by chance.
echo '{"id": "mine", "roofs": [{"kind": "memory", "level": "DRAM", "value": 1}]}' >mine.json
run 1 $quick --save mine.json
has err "^roofline: 'mine.json' holds no measurement, so it was not replaced$"
has mine.json '"mine"'

[ $failed = 0 ]
