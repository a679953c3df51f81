#!/usr/bin/env bash
# op --run: the operation is really run, and every output shows its time under the roof. Arguments: the program, and a
# machine file of "this" machine whose roofs no machine reaches.
set -u
roofline=$1
machine=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C TERM=dumb
bad=0

# has FILE PATTERN...: every pattern (grep -E) is in the file.
has() {
    local file=$1 pattern
    shift
    for pattern; do
        grep -qE -- "$pattern" "$scratch/$file" && continue
        echo "$file: no '$pattern' in:"
        sed 's/^/    /' "$scratch/$file"
        bad=1
    done
}

run() { # FILE arguments...
    local file=$1
    shift
    "$roofline" op "$@" --on "$machine" --run >"$scratch/$file" 2>"$scratch/err" && [ ! -s "$scratch/err" ] && return
    echo "op $* failed:"
    cat "$scratch/err"
    bad=1
}

number='[0-9][0-9.e+-]*'
run json triad n=20000 --threads 1 --json
has json '"bound": "memory"' '"roof": "L2"' '"l2": 480000' '"dram": 0' '"measured": \{' "\"seconds\": $number" "\"headroom\": $number" \
    "\"median\": $number" "\"worst\": $number" '"executions": [1-9]' '"threads": 1' '"level": "L2"' '"set_bytes": 480000' \
    '"method": "[a-z0-9]+ triad"' '"error": 0'
# The time that was found is above the least time: 480 kB at 8 TB/s are 60 ns.
headroom=$(sed -n 's/.*"headroom": \([0-9]*\).*/\1/p' "$scratch/json")
[ "${headroom:-0}" -ge 1 ] || { echo "headroom is '$headroom'"; bad=1; }

run text dot n=20000 dtype=f32 --threads 1
has text 'note: 160 kB fit in L2: judged there' 'L2 traffic' 'measured  .* of the L2 roof' 'least time' '1 core, [a-z0-9]+ dot' 'repeated'

run stores triad n=20000 --threads 1
has stores 'write_allocate=1 counts'
run counted triad n=20000 --threads 1 write_allocate=1
! grep -q 'write_allocate=1 counts' "$scratch/counted" || { echo "counted: says so though it is counted"; bad=1; }

run csv copy n=1000,100000 --threads 1 --csv
has csv '^machine,kind,n,.*,measured_seconds,headroom,median,worst,executions,threads,level,method$'
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR != 3 }' "$scratch/csv" ||
    { echo "csv: rows of other lengths"; bad=1; }

run table axpy n=1000,50000 --threads 1
has table 'level +run, ' ' L1 ' ' L2 '

run svg triad n=20000 --threads 1 -o -
"$roofline" op triad n=20000 --on "$machine" --run -o "$scratch/chart.svg" >"$scratch/out" 2>&1 || { cat "$scratch/out"; bad=1; }
has chart.svg 'measured [0-9.]+ ' 'rings: measured' 'byte of L2 traffic'

run require triad n=20000 --require 'measured.headroom>=1'
exit $bad
