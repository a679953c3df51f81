#!/bin/sh
# What the tables claim of every x86-64 kernel, also of those that this CPU cannot run, counted in the machine code
# by the definitions of the Intel 64 and IA-32 Architectures Software Developer's Manual: FLOPs, updates of each
# accumulator and the distance between them; bytes loaded and stored, non-temporal ones apart; instructions of a
# chain; and that no register is used which belongs to the caller. Arguments: objdump, the program measure_x86.
set -eu
objdump=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" --list >"$work/list"
"$objdump" -d --no-show-raw-insn "$program" >"$work/code"
awk '
function fail(what) { print name ": " what; bad++ }

# Bytes of the registers an instruction works on: by its last register operand.
function width(text) {
    return text ~ /%zmm/ ? 64 : text ~ /%ymm/ ? 32 : 16
}

# FLOPs of an instruction: elements of its operands times operations on each.
function flops_of(i,    m) {
    m = mnemonic[i]
    if (m == "tdpbf16ps") return 16 * 16 * 32 * 2
    if (m == "tdpbssd") return 16 * 16 * 64 * 2
    if (m == "vdpbf16ps") return width(operands[i]) / 4 * 2 * 2
    if (m == "vpdpbusd") return width(operands[i]) / 4 * 4 * 2
    if (m == "vpmaddubsw") return width(operands[i]) / 2 * 3  # two products and their sum
    if (m == "vpmaddwd") return width(operands[i]) / 4        # times one: only the sums count
    if (m == "vpaddd") return width(operands[i]) / 4
    if (m !~ /^v?(add|mul|fmadd(213|231))[sp][shd]$/) return 0
    return (m ~ /fmadd/ ? 2 : 1) * (m ~ /s[shd]$/ ? 1 : width(operands[i]) / (m ~ /d$/ ? 8 : m ~ /h$/ ? 2 : 4))
}

function last_operand(text) {
    sub(/.*,/, "", text)
    return text
}

# The innermost loop of a function: begin to end.
function find_loop(symbol,    i, to) {
    begin = end = 0
    for (i = start[symbol]; i && i <= stop[symbol]; i++) {
        if (operands[i] ~ /%(rbx|ebx|rbp|ebp|rsp|r1[2345])/)
            fail("uses a register of the caller: " mnemonic[i] " " operands[i])
        to = mnemonic[i] ~ /^jne/ && (operands[i] in at) ? at[operands[i]] : 0
        if (!begin && to >= start[symbol] && to <= i && to) {
            begin = to
            end = i
        }
    }
    if (!begin)
        fail("no loop")
    else if (address[begin] !~ /[048c]0$/)
        fail("the loop begins at " address[begin] ", no multiple of 64")
    return begin != 0
}

# Every row wide enough to use the upper halves of registers cleans them up before it returns.
function check_end(symbol,    i, wide, cleaned) {
    for (i = start[symbol]; i <= stop[symbol]; i++) {
        if (operands[i] ~ /%[yz]mm/) wide = 1
        if (mnemonic[i] == "vzeroupper") cleaned = 1
        if (mnemonic[i] == "ret" && wide != cleaned) fail("vzeroupper")
    }
}

# What an instruction does: the patterns of roofline_measure.h, FMA 0, MUL 1, ADD 2, DOT 5.
function kind_of(m) {
    return m ~ /^vfmadd/ ? 0 : m ~ /^v?mul/ ? 1 : m ~ /^v?add/ ? 2 : 5
}

# MUL_ADD is 3, FMA_ADD 4: `adds` accumulators ADD, `add_times` times, where given; else one half. Helpers of a dot
# product in three instructions write no accumulator.
function check_compute(pattern, dtype, flops, accumulators, times, adds, add_times, bytes,
                       i, register, sum, count, previous, kind, kinds, body, element, wanted, other) {
    wanted = pattern == 2 ? accumulators : pattern != 3 && pattern != 4 ? 0 : adds ? adds : accumulators / 2
    element = dtype == "f64" ? "d$" : dtype == "f32" ? "s$" : dtype == "f16" ? "h$" : dtype == "bf16" ? "bf16ps$" : "d$"
    for (i = begin; i < end; i++) {
        body++
        sum += flops_of(i)
        if (mnemonic[i] == "dec" || mnemonic[i] == "vpmaddubsw" || mnemonic[i] == "vpmaddwd")
            continue
        if (!flops_of(i))
            fail("in the loop: " mnemonic[i] " " operands[i])
        if (mnemonic[i] !~ element)
            fail(mnemonic[i] " does not work on " dtype)
        if (mnemonic[i] !~ /^t|s[shd]$/ && width(operands[i]) != bytes)
            fail(operands[i] " is not " bytes " bytes wide")
        register = last_operand(operands[i])
        if (count[register]++ == 0)
            kinds[kind[register] = kind_of(mnemonic[i])]++
        else if (i - previous[register] < (adds ? adds : accumulators))
            fail(register " is needed too early: " address[i])
        if (kind[register] != kind_of(mnemonic[i]))
            fail(register " takes part in " mnemonic[i] " and others")
        previous[register] = i
    }
    for (register in count)
        if (count[register] != (kind[register] == 2 && adds ? add_times : times))
            fail(register " is updated " count[register] " times")
    other = pattern == 3 ? 1 : pattern == 4 ? 0 : pattern
    if (kinds[2] + 0 != wanted || (pattern != 2 && kinds[other] + wanted != accumulators))
        fail(kinds[0] + 0 " FMA accumulators, " kinds[1] + 0 " MUL, " kinds[2] + 0 " ADD, " kinds[5] + 0 " DOT")
    if (sum != flops)
        fail(sum " FLOPs, not " flops)
    if (body < 96)
        fail("a body of " body " instructions")
}

# Patterns are numbered as in roofline_measure.h: load 6, store, copy, triad, update 10, store nt, copy nt, triad nt.
# `counted`: bytes the pattern names for each byte of one array.
function check_stream(pattern, counted, step, flops,    i, loaded, stored, hints, sum, writes, reads) {
    for (i = begin; i < end; i++) {
        if (mnemonic[i] !~ /^(v?(mov(apd|ntpd|dqa|dqa64)|paddq)|v?(mulpd|addpd|fmadd213pd)|add|cmp)$/)
            fail("in the loop: " mnemonic[i] " " operands[i])
        if (operands[i] !~ /\(/)
            ;
        else if (last_operand(operands[i]) ~ /\)/) {
            stored += width(operands[i])
            if (mnemonic[i] ~ /movnt/) hints += width(operands[i])
        } else
            loaded += width(operands[i])
        if (mnemonic[i] ~ /pd$/) sum += flops_of(i)
    }
    writes = pattern == 6 ? 0 : 1
    reads = counted - writes
    if (loaded + 0 != reads * step || stored + 0 != writes * step)
        fail(loaded + 0 " bytes loaded, " stored + 0 " stored of " step " of an array")
    if (hints + 0 != (pattern >= 11 ? stored : 0))
        fail("non-temporal stores of " hints + 0 " bytes")
    if (sum + 0 != flops * step)
        fail(sum + 0 " FLOPs, not " flops * step)
    if (pattern >= 11 && mnemonic[end + 3] != "sfence") # after the loop: dec, jne, sfence
        fail("no sfence at the end")
}

function check_chain(op,    i, count) {
    for (i = begin; i < end; i++)
        if (mnemonic[i] == op && operands[i] == "%rdx,%rax")
            count++
    if (count != 64 || end - begin != 65)
        fail(count + 0 " dependent instructions of " end - begin)
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
    text = $0
    sub(/^[^:]*:[ \t]*/, "", text)
    sub(/^\{vex\} */, "", text)
    mnemonic[lines] = text
    sub(/[ \t].*/, "", mnemonic[lines])
    sub(/^[^ \t]+[ \t]*/, "", text)
    sub(/[ \t]*[<#].*/, "", text)
    operands[lines] = text
    stop[symbol] = lines
    next
}
FNR == NR { next }
{ name = $2; checked++ }
find_loop("kernel_" name) { check_end("kernel_" name) }
$1 == "compute" && begin { check_compute($3, $4, $5, $6, $7, $8, $9, $10) }
$1 == "stream" && begin { check_stream($3, $4, $5, $6) }
END {
    name = "chain_adds"
    if (find_loop(name))
        check_chain("add")
    name = "chain_multiplies"
    if (find_loop(name))
        check_chain("imul")
    print checked + 0 " kernels and 2 chains looked at, " bad + 0 " findings"
    exit bad || !checked
}
' "$work/code" "$work/list"
