// sched_yield: what the program keeps in registers is left on the stack, where it is compared with
// what it was the last time round (carrier/local_state.h). To find it by unwinding takes longer
// than all the rest of a yield.
    .text

    .globl sched_yield
    .type sched_yield, @function
    .align 16
sched_yield:
    .cfi_startproc
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r15, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r14, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r13, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r12, 0
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    movq %rsp, %rdi        // KeptRegisters
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call heddle_sched_yield
    addq $56, %rsp
    .cfi_adjust_cfa_offset -56
    ret
    .cfi_endproc
    .size sched_yield, . - sched_yield

    .section .note.GNU-stack, "", @progbits
