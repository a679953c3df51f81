/* Chains of dependent integer instructions, 64 an iteration: %rdi is how many, the number run is returned. */
#include "macros.inc"

.macro chain name, instruction
    function \name
    add $63, %rdi
    and $-64, %rdi
    mov %rdi, %rsi
    mov $1, %eax
    mov $3, %edx
    shr $6, %rsi
    jz 2f
    .p2align 6
1:
    .rept 64
    \instruction %rdx, %rax
    .endr
    dec %rsi
    jnz 1b
2:
    mov %rdi, %rax
    end_function \name, xmm
.endm

chain chain_adds, add
chain chain_multiplies, imul
