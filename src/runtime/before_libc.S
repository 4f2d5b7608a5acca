// See before.h. Called by a stub, with the address of what looks in r11: keeps everything that may
// hold an argument of the function that the stub stands before.
    .text

    .globl heddle_before_libc
    .hidden heddle_before_libc
    .type heddle_before_libc, @function
    .align 16
heddle_before_libc:
    .cfi_startproc
    pushq %rax
    .cfi_adjust_cfa_offset 8
    pushq %r9
    .cfi_adjust_cfa_offset 8
    pushq %r8
    .cfi_adjust_cfa_offset 8
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    movq %rsp, %rdi        // Call
    movq %r11, %rsi
    subq $136, %rsp
    .cfi_adjust_cfa_offset 136
    movaps %xmm0, 0(%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    call heddle_look
    movaps 0(%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    addq $136, %rsp
    .cfi_adjust_cfa_offset -136
    popq %rdi
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rcx
    .cfi_adjust_cfa_offset -8
    popq %r8
    .cfi_adjust_cfa_offset -8
    popq %r9
    .cfi_adjust_cfa_offset -8
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size heddle_before_libc, . - heddle_before_libc

// Stands in the record of a function that has not been found yet; the record's address is in r11.
// Twice on the stack, which has to be aligned: Call::pc is the record.
    .globl heddle_before_first
    .hidden heddle_before_first
    .type heddle_before_first, @function
    .align 16
heddle_before_first:
    .cfi_startproc
    pushq %r11
    .cfi_adjust_cfa_offset 8
    pushq %r11
    .cfi_adjust_cfa_offset 8
    leaq heddle_find(%rip), %r11
    call heddle_before_libc
    popq %r11
    .cfi_adjust_cfa_offset -8
    popq %r11
    .cfi_adjust_cfa_offset -8
    jmp *(%r11)
    .cfi_endproc
    .size heddle_before_first, . - heddle_before_first

    .section .note.GNU-stack, "", @progbits
