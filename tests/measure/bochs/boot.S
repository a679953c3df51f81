/* A disk image that boots straight into the kernels: the BIOS loads the first sector at 0x7c00; that reads the rest
 * behind itself, goes from real to 64-bit mode, switches SSE, AVX and AVX-512 state on and calls prove_kernels(). */
#define LOADED 0x7c00
#define TABLES 0x1000        /* three page tables: 0x1000 to 0x3fff */
#define STACK 0x9f000        /* of the loader at first, then of C; below the BIOS's own data */
#define SECTORS_AT_ONCE 32

    .code16
    .section .boot, "ax", @progbits
    .globl start
start:
    cli
    cld
    xor %ax, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $LOADED, %sp
    ljmp $0, $1f
1:
    mov $image_sectors, %cx /* from link.ld */
2:
    push %cx
    mov $0x42, %ah          /* extended read; %dl is the disk we came from */
    mov $packet, %si
    int $0x13
    jc stop
    addl $SECTORS_AT_ONCE, sector
    addw $(SECTORS_AT_ONCE * 512 / 16), segment
    pop %cx
    sub $SECTORS_AT_ONCE, %cx
    ja 2b

    mov $0x2401, %ax        /* address line 20 */
    int $0x15
    xor %eax, %eax          /* one table of 512 pages of 2 MiB: the first GiB, each address to itself */
    mov $TABLES, %edi
    mov $(3 * 4096 / 4), %ecx
    rep stosl
    movl $(TABLES + 0x1003), TABLES
    movl $(TABLES + 0x2003), TABLES + 0x1000
    mov $(TABLES + 0x2000), %edi
    mov $0x83, %eax
    mov $512, %ecx
3:
    mov %eax, (%edi)
    add $0x200000, %eax
    add $8, %edi
    loop 3b

    mov $TABLES, %eax
    mov %eax, %cr3
    mov $0x40620, %eax      /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
    mov %eax, %cr4
    mov $0xc0000080, %ecx   /* EFER: long mode */
    rdmsr
    or $0x100, %eax
    wrmsr
    lgdt descriptors
    mov $0x80000003, %eax   /* paging, coprocessor watched, protected mode */
    mov %eax, %cr0
    ljmp $8, $long_mode
stop:
    hlt
    jmp stop

    .p2align 2
packet:
    .byte 16, 0
    .word SECTORS_AT_ONCE, 0
segment:
    .word (LOADED + 512) / 16
sector:
    .quad 1
    .p2align 3
table:
    .quad 0, 0x00209a0000000000 /* code, 64-bit */
descriptors:
    .word descriptors - table - 1
    .long table

    .code64
long_mode:
    xor %eax, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $STACK, %esp
    xor %ecx, %ecx
    mov $0xd, %eax          /* what state this CPU has; all of it, but never tiles */
    cpuid
    and $0xe7, %eax
    xor %ecx, %ecx
    xor %edx, %edx
    xsetbv
    mov $bss_begin, %edi
    mov $bss_end, %ecx
    sub %edi, %ecx
    xor %eax, %eax
    rep stosb
    call prove_kernels
5:
    hlt
    jmp 5b

    .org 510
    .word 0xaa55
    .section .note.GNU-stack,"",@progbits
