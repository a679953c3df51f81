#!/usr/bin/env bash
# Random command lines over the table of options: no crash, no finding of a sanitizer, no "nan" or "inf" in an answer,
# only the exit codes that the manual names, and an answer or a reason. The same lines every time; another SEED or a
# larger COUNT by hand.
#
#   random_lines.sh PROGRAM [COUNT [SEED]]
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
count=${2:-250}
RANDOM=${3:-20261201} # bash: the same numbers from the same seed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home" "$scratch/work"
cp -r "$here/files/." "$scratch/work"
cp "$here/../../fuzz/corpus/machine/catalogue.json" "$scratch/work/machine.json"
cp "$here/../../fuzz/corpus/config/gpt2" "$scratch/work/config.json"
export HOME=$scratch/home LC_ALL=C TERM=dumb
unset XDG_DATA_HOME
cd "$scratch/work" || exit 1
failed=0

# What the help of a verb offers: "--name" or "--name VALUE", a line each. What measures for real is left out.
for verb in op model profile calibrate machines models ops; do
    "$program" $verb --help | sed -nE 's/^  (-[a-z], )?(--[a-z-]+)( ([^ ].*[^ ]|[^ ]))?(  .*)?$/\2\3/p' | awk '{print $1, ($2 != "" && $2 ~ /^[A-Z[a-z|]/ && $2 !~ /^[a-z]+$/) ? $2 : ""}' |
        grep -vE -- '^--(run|threads|output|save|help) ?' | sort -u >"../options.$verb"
    [ "$(wc -l <"../options.$verb")" -ge 2 ] || { echo "no options of $verb were found"; exit 1; }
done

values=(0 1 2 -1 64 1e9 1e300 1e-320 '' x '=' ',' 1..8 '8..1' '1,2,3' '1..4*2' bf16 int4 fp8 nan inf 99999999999999999999
    h100-sxm this machine.json nowhere.json 50us 20TFLOP/s 180tok/s 3TB/s 'f16=20TFLOP/s' 'decode.seconds<1' 'a>=' vllm
    alone decode all auto . / $'\e[31m' '%s%n' 4GB llama-3.1-8b q8_0 fp8-128x128)
words=(gemm attention 'm=8 n=8 k=8' 'm=0' 'n=1e18' softmax grouped-gemm all-reduce fft llama-3.1-8b mixtral-8x7b
    gpt2 config.json machine.json profiles/kernels.csv nothing '' h100 '*' '--' -)

any() { # ARRAY-NAME: one of it
    local -n list=$1
    echo "${list[RANDOM % ${#list[@]}]}"
}

judge() { # words...: one line, run
    timeout 60 "$program" "$@" >../out 2>../err </dev/null
    local code=$? why=
    [ $code -le 3 ] || why="exit code $code"
    [ -s ../out ] || [ -s ../err ] || why="neither an answer nor a reason"
    ! grep -qE 'runtime error|AddressSanitizer|LeakSanitizer' ../err || why="a sanitizer's finding"
    ! grep -qiE '(^|[^a-z_-])(-?nan|-?inf)(x|%|[^a-z-]|$)' ../out || why="nan or inf in the answer"
    [ $code = 0 ] || [ $code = 3 ] || ! grep -q $'\e' ../err || why="a control character in an error"
    [ -z "$why" ] && return
    echo "--- $why: roofline $(printf '%q ' "$@")"
    head -5 ../err | cat -v
    failed=$((failed + 1))
}

# Each option alone, then random ones together.
for verb in op model profile calibrate machines models ops; do
    mapfile -t lines <"../options.$verb"
    declare -A subject=([op]='gemm m=64 n=64 k=64' [model]=gpt2 [profile]=profiles/kernels.csv [calibrate]=profiles/kernels.csv
        [machines]= [models]= [ops]=)
    for line in "${lines[@]}"; do
        read -r name value <<<"$line"
        # shellcheck disable=SC2086 # words
        if [ -n "$value" ]; then
            judge $verb ${subject[$verb]} $name "$(any values)"
        else
            judge $verb ${subject[$verb]} $name
        fi
    done
    for ((i = 0; i < count / 7; i++)); do
        line=($verb)
        for ((k = RANDOM % 3; k > 0; k--)); do
            # shellcheck disable=SC2207
            line+=($(any words))
        done
        for ((k = RANDOM % 4; k > 0; k--)); do
            read -r name value <<<"$(any lines)"
            line+=("$name")
            [ -z "$value" ] || line+=("$(any values)")
        done
        judge "${line[@]}"
    done
done
[ $failed = 0 ] && echo "random lines: answers or reasons"
