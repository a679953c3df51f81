#!/bin/sh
# What the tables claim of every AArch64 kernel, counted in the machine code by the Arm Architecture Reference Manual's
# definitions: FLOPs and updates of each accumulator in the loop, bytes a stream loads and stores, instructions of a chain.
# Arguments: objdump, the program cross_kernels, the command that runs it.
set -eu
objdump=$1
program=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$@" "$program" --list >"$work/list"
"$objdump" -d --no-show-raw-insn "$program" >"$work/code"
awk '
function fail(what) { print name ": " what; bad++ }

# FLOPs of an instruction, of SVE for 16 bytes. Elements of the result times operations for each of them.
function flops_of(i,    each) {
    each = ops[mnemonic[i]]
    if (!each)
        return 0
    if (operands[i] ~ /^[ds][0-9]/)
        return each
    if (operands[i] ~ /^(v[0-9]+\.2d|z[0-9]+\.d)/)
        return each * 2
    if (operands[i] ~ /^(v[0-9]+\.4s|z[0-9]+\.s)/)
        return each * 4
    return each * 8
}

# The innermost loop of a function: first[] to last[].
function find_loop(symbol,    i) {
    begin = end = 0
    for (i = start[symbol]; i && i <= stop[symbol]; i++)
        if (mnemonic[i] ~ /^b\./ && (operands[i] in at) && at[operands[i]] <= i && at[operands[i]] >= start[symbol]) {
            begin = at[operands[i]]
            end = i
            break
        }
    if (!begin)
        fail("no loop")
    else if (address[begin] !~ /[048c]0$/)
        fail("the loop begins at " address[begin] ", no multiple of 64")
    return begin != 0
}

function check_compute(flops, accumulators, times,    i, sum, register, count, distinct, previous, updates) {
    for (i = begin; i < end; i++) {
        register = operands[i]
        sub(/[.,].*/, "", register)
        if (!ops[mnemonic[i]]) {
            if (mnemonic[i] != "subs")
                fail("in the loop: " mnemonic[i] " " operands[i])
            continue
        }
        sum += flops_of(i)
        updates++
        if (count[register]++ == 0)
            distinct++
        else if (i - previous[register] < accumulators)
            fail(register " is needed too early: " address[i])
        previous[register] = i
    }
    for (register in count)
        if (count[register] != times)
            fail(register " is updated " count[register] " times, not " times)
    if (distinct != accumulators)
        fail(distinct " accumulators, not " accumulators)
    if (sum != flops)
        fail(sum " FLOPs, not " flops)
    if (updates < 96)
        fail("a body of " updates " instructions")
}

# An SVE loop handles eight vectors; they are taken as 16 bytes each. `counted`: bytes the
# pattern names for each byte of one array.
function check_stream(pattern, counted, step, flops,    i, loaded, stored, sum, hints, size, reads, writes) {
    for (i = begin; i < end; i++) {
        size = operands[i] ~ /^q/ ? 32 : operands[i] ~ /^[{]z/ ? 16 : 0
        if (mnemonic[i] ~ /^ld/)
            loaded += size
        if (mnemonic[i] ~ /^st/)
            stored += size
        if (mnemonic[i] == "stnp")
            hints += size
        sum += flops_of(i)
    }
    if (name ~ /^sve/)
        step = 128
    writes = pattern ~ /load/ ? 0 : 1
    reads = counted - writes
    if (loaded + 0 != reads * step || stored + 0 != writes * step)
        fail(loaded + 0 " bytes loaded, " stored + 0 " stored of " step " of an array")
    if (hints + 0 != (name ~ /_nt$/ ? stored : 0))
        fail("non-temporal stores of " hints + 0 " bytes")
    if (sum + 0 != flops * step)
        fail(sum " FLOPs, not " flops * step)
}

function check_chain(op, register,    i, count) {
    for (i = begin; i < end; i++)
        if (mnemonic[i] == op && operands[i] == register ", " register ", x1")
            count++
    if (count != 64 || end - begin != 65)
        fail(count " dependent instructions of " end - begin)
}

BEGIN {
    ops["fmadd"] = ops["fmla"] = 2
    ops["fmul"] = ops["fadd"] = 1
    ops["bfdot"] = 2 * 2  # two products and two sums
    ops["bfmmla"] = 2 * 4 # 2x4 by 4x2 into 2x2
    ops["sdot"] = 2 * 4
    ops["smmla"] = 2 * 8  # 2x8 by 8x2 into 2x2
}
FNR == NR && /^[0-9a-f]+ <.*>:$/ {
    symbol = substr($2, 2, length($2) - 3)
    start[symbol] = lines + 1
    next
}
FNR == NR && /^ *[0-9a-f]+:/ {
    lines++
    address[lines] = substr($1, 1, length($1) - 1)
    at[address[lines]] = lines
    mnemonic[lines] = $2
    text = $0
    sub(/^[^:]*:[ \t]*[^ \t]+[ \t]*/, "", text)
    sub(/[ \t]*(<|\/\/).*/, "", text)
    operands[lines] = text
    stop[symbol] = lines
    next
}
FNR == NR { next }
{ name = $2; checked++ }
$1 == "compute" && find_loop("arm64_" name) { check_compute($3, $4, $5) }
$1 == "stream" && find_loop("arm64_" name) { check_stream($3, $(NF - 2), $(NF - 1), $NF) }
END {
    name = "chain_adds"
    if (find_loop("arm64_chain_adds"))
        check_chain("add", "x0")
    name = "chain_multiplies"
    if (find_loop("arm64_chain_multiplies"))
        check_chain("mul", "x3")
    print checked + 0 " kernels and 2 chains looked at, " bad + 0 " findings"
    exit bad || !checked
}
' "$work/code" "$work/list"
