#!/usr/bin/env bash
# What the shells complete: verbs, options, and what an option takes. bash is asked as it asks itself; fish and zsh where
# they are there.
#
#   completions.sh PROGRAM
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/home" "$scratch/empty"
ln -s "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")" "$scratch/bin/roofline"
export PATH="$scratch/bin:$PATH" HOME="$scratch/home"
unset XDG_DATA_HOME
cd "$scratch/empty" || exit 1
: >a-file.json
failed=0

fail() {
    echo "--- $*"
    failed=$((failed + 1))
}

roofline --generate bash >../bash && source ../bash || exit 1

offered() { # words of a command line, the last one begun: what is offered, a line each
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _roofline
    [ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
}
offers() { # WORD words...
    local want=$1
    shift
    offered "$@" >../got
    grep -qxF -- "$want" ../got || fail "'$*' does not offer $want, but: $(tr '\n' ' ' <../got)"
}
offers_not() { # WORD words...
    local want=$1
    shift
    offered "$@" >../got
    ! grep -qxF -- "$want" ../got || fail "'$*' offers $want"
}

offers measure roofline me
offers --on roofline op gemm --o
offers gemm roofline op ge
offers m= roofline op gemm ''
offers llama-3.1-8b roofline model llama-3
offers a-file.json roofline model a-
offers h100-sxm roofline op gemm --on h100
offers a-file.json roofline op gemm --on a-
offers h100-sxm roofline op gemm --on = h100
offers bf16 roofline op gemm --dtype b
offers nvfp4 roofline model llama-3.1-8b --weights nv
offers fp8 roofline model llama-3.1-8b --kv-cache f
offers decode roofline model llama-3.1-8b --phase d
offers ncu-raw roofline profile x.csv --format n
offers list roofline measure --device l
offers NVIDIA roofline machines --vendor N
offers h100-sxm roofline machines --show h100
offers llama-3.1-8b roofline models --show llama
offers_not h100-sxm roofline models --show ''
offers a-file.json roofline op gemm -o a-
offers_not --batch roofline op gemm --

# What is offered is accepted: each value of each listing option.
each_is_accepted() { # words of a command line, its last the option
    offered "$@" '' | while read -r value; do
        [ ! -e "$value" ] || continue
        "${@}" "$value" >../out 2>&1 </dev/null || grep -q 'has no .* peak' ../out || echo "--- '$* $value' was offered: $(head -1 ../out)"
    done >../refused
    [ ! -s ../refused ] || fail "$(cat ../refused)"
    [ -n "$(offered "$@" '')" ] || fail "'$*' offers nothing"
}
each_is_accepted roofline machines --vendor
each_is_accepted roofline models --family
each_is_accepted roofline op gemm m=64 n=64 k=64 --on h100-sxm --engine
each_is_accepted roofline model qwen3-0.6b --on b200-sxm --weights
each_is_accepted roofline model qwen3-0.6b --on b200-sxm --kv-cache
each_is_accepted roofline machines --color

roofline --generate fish >../fish
if command -v fish >/dev/null 2>&1; then
    fish_offers() { # WORD LINE
        fish -c "source ../fish; complete -C '$2'" 2>../err | cut -f1 >../got
        grep -qxF -- "$1" ../got || fail "fish: '$2' does not offer $1, but: $(head -5 ../got ../err | tr '\n' ' ')"
    }
    fish_offers h100-sxm 'roofline op gemm --on h100'
    fish_offers bf16 'roofline op gemm --dtype b'
    fish_offers NVIDIA 'roofline machines --vendor N'
    fish_offers llama 'roofline models --family l'
    fish_offers gemm 'roofline op ge'
fi
roofline --generate zsh >../zsh
if command -v zsh >/dev/null 2>&1; then
    zsh -n ../zsh || fail "zsh does not read its completion"
fi

[ $failed = 0 ] && echo "completions: what is offered is accepted"
