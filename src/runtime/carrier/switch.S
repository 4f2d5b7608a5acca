// Switching between threads on one carrier: callee-saved registers, floating-point control, stack pointer, FS base.
    .text

// void heddle_switch(void** save_sp /* rdi */, void* load_sp /* rsi */, uint64_t fs /* rdx */)
    .globl heddle_switch
    .hidden heddle_switch
    .type heddle_switch, @function
    .align 16
heddle_switch:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movl (%rsp), %r8d
    movzwl 4(%rsp), %r9d
    movq %rsp, (%rdi)
    cmpb $0, heddle_use_wrfsbase(%rip)
    je 2f
    wrfsbase %rdx
1:
    movq %rsi, %rsp
    // Loading these is slow; they rarely differ.
    cmpl (%rsp), %r8d
    jne 3f
    cmpw 4(%rsp), %r9w
    jne 3f
4:
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
2:
    movq %rsi, %r10
    movl $158, %eax        // arch_prctl(ARCH_SET_FS, fs)
    movl $0x1002, %edi
    movq %rdx, %rsi
    syscall
    movq %r10, %rsi
    movl (%rsp), %r8d
    movzwl 4(%rsp), %r9d
    jmp 1b
3:
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    jmp 4b
    .cfi_endproc
    .size heddle_switch, . - heddle_switch

// Where a new thread starts: calls the function in rbx, which does not return. The end of the stack for unwinders.
    .globl heddle_thread_start
    .hidden heddle_thread_start
    .type heddle_thread_start, @function
    .align 16
heddle_thread_start:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    callq *%rbx
    ud2
    .cfi_endproc
    .size heddle_thread_start, . - heddle_thread_start

    .section .note.GNU-stack, "", @progbits
