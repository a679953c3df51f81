#!/bin/sh
# The library does not know the program: no text outside src/cli names one of its options or verbs. An option of another
# program stands behind that program's name. Argument: the source tree.
set -eu
tree=$1
here=$(cd "$(dirname "$0")" && pwd)
others='ncu|nsys|rocprof[a-z0-9-]*|rocpd|advisor|omp-stream|BabelStream|vllm|sglang|TraceLens[A-Za-z_]*|docker'
verbs='op|ops|model|models|profile|measure|calibrate|machines'

texts=$(cd "$tree" && find src -name '*.[ch]' ! -path 'src/cli/*' ! -name html_assets.c -exec awk -f "$here/literals.awk" {} +)
{
    printf '%s\n' "$texts" | grep -E -e '(^|[^A-Za-z0-9]|%s)--[a-z]' | grep -Ev "(^|[^A-Za-z])($others)[^A-Za-z].*--[a-z]"
    printf '%s\n' "$texts" | grep -E "(^|[^A-Za-z])roofline ($verbs|-)([^A-Za-z]|\$)" | grep -v AMDuProfPcm
} | sort -u | sed 's/^/names an option or a verb of the program: /' | grep . && exit 1
exit 0
