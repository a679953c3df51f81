/* AMX tiles: six accumulators of 16 x 16 results. The tile configuration is set here and released at the end. */
#include "macros.inc"

    .section .rodata
    .p2align 6
tile_configuration: /* palette 1; eight tiles of 64 bytes by 16 rows */
    .byte 1, 0
    .zero 14
    .rept 8
    .word 64
    .endr
    .zero 16
    .rept 8
    .byte 16
    .endr
    .zero 8
    .text

.macro tile_kernel name, instruction
    function \name
    ldtilecfg tile_configuration(%rip)
    mov $64, %eax
    tileloadd STATE_TILES(%rdi,%rax,1), %tmm6
    tileloadd STATE_TILES + 1024(%rdi,%rax,1), %tmm7
    .irp i, 0,1,2,3,4,5
    tileloadd STATE_ACCUMULATORS + 1024 * \i(%rdi,%rax,1), %tmm\i
    .endr
    .p2align 6
1:
    .rept 20
    .irp i, 0,1,2,3,4,5
    \instruction %tmm7, %tmm6, %tmm\i
    .endr
    .endr
    dec %rsi
    jnz 1b
    .irp i, 0,1,2,3,4,5
    tilestored %tmm\i, STATE_ACCUMULATORS + 1024 * \i(%rdi,%rax,1)
    .endr
    tilerelease
    end_function \name, xmm
.endm

tile_kernel kernel_amx_bf16_dot, tdpbf16ps
tile_kernel kernel_amx_int8_dot, tdpbssd
