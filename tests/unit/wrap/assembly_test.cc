// Which inline assembly touches memory, and where it is.
#include "wrap/assembly.h"

#include <gtest/gtest.h>

namespace heddle::wrap {
namespace {

using Places = std::vector<std::string>;

bool touches(std::string_view statement) { return touches_memory(statement, false, false); }

TEST(TouchesMemory, OperandsInMemory) {
  for (const char* statement :
       {"movl (%rdi), %eax", "xchgl %eax,c(%rip)", "lock xaddl %eax, 8(%rdx,%rcx,4)",
        "lock cmpxchg16b (%rsi)", "movl counter, %eax", "incl counter+4", "movl %eax, -8(%rbp)",
        "rep movsb", "stosq", "rep stosl", "vmovdqu ymm(%rip), %ymm0", "fldcw (%rax)",
        "xsave (%rdi)", "pushq (%rax)", "movsbl (%rdi), %eax"}) {
    EXPECT_TRUE(touches(statement)) << statement;
  }
}

TEST(TouchesMemory, HintsFencesAndRegisters) {
  for (const char* statement : {"",
                                "pause",
                                "nop",
                                "rep nop",
                                "nopw 0(%rax)",
                                "mfence",
                                "lfence",
                                "sfence",
                                "cpuid",
                                "rdtsc",
                                "movl %eax, %ebx",
                                "movl $4, %eax",
                                "leaq 8(%rdi), %rax",
                                "prefetcht0 (%rax)",
                                "clflush (%rax)",
                                "jmp 1f",
                                "jne .L4",
                                "call *8(%rax)",
                                "lock orl $0, (%rsp)",
                                "lock addq $0,-4(%rsp)",
                                "movq %fs:0, %rax",
                                "movq %fs:(%rax), %rbx",
                                "fadd %st(1), %st",
                                ".byte 0xf0",
                                "pushq %rax",
                                "pause # (%rdi)",
                                "syscall",
                                "bswap %eax",
                                "ret"}) {
    EXPECT_FALSE(
        touches(std::string_view(statement).substr(0, std::string_view(statement).find('#'))))
        << statement;
  }
}

TEST(TouchesMemory, TheFrameIsTheFunctionsOwn) {
  EXPECT_FALSE(touches_memory("movl -8(%rbp), %eax", false, true));
  EXPECT_TRUE(touches_memory("movl -8(%rbp), %eax", false, false));
}

TEST(TouchesMemory, IntelsSyntax) {
  EXPECT_TRUE(touches_memory("mov eax, DWORD PTR [rdi]", true, false));
  EXPECT_TRUE(touches_memory("lock xadd [rdi], eax", true, false));
  EXPECT_FALSE(touches_memory("mov eax, ebx", true, false));
  EXPECT_FALSE(touches_memory("lock or dword ptr [rsp], 0", true, false));
}

TEST(AssemblyPlaces, OfGcc) {
  const char* text =
      "\t.file\t\"a.cc\"\n"
      "f:\n"
      "\tmovl\t(%rdi), %eax\n"
      "#APP\n"
      "# 4 \"a.cc\" 1\n"
      "\tpause; 1: movl c(%rip),%eax\n"
      "# 0 \"\" 2\n"
      "# 9 \"folder/b.h\" 1\n"
      "\tlock; incl (%rdi)\n"
      "# 0 \"\" 2\n"
      "#NO_APP\n"
      "\tmovl\t%eax, c(%rip)\n"
      "#APP\n"
      "# 4 \"a.cc\" 1\n"
      "\tmovl c(%rip),%eax\n"
      "# 0 \"\" 2\n"
      "# 12 \"a.cc\" 1\n"
      "\t\n"
      "# 0 \"\" 2\n"
      "#NO_APP\n";
  EXPECT_EQ(assembly_places(text), (Places{"a.cc:4", "folder/b.h:9"}));
}

TEST(AssemblyPlaces, OfClangWithDebugInformation) {
  const char* text =
      "\t.file\t\"a.cc\"\n"
      "\t.file\t0 \"/tmp\" \"a.cc\" md5 0x1\n"
      "\t.file\t1 \"/usr/include\" \"b.h\" md5 0x2\n"
      "f:                                      # @f\n"
      "\t.loc\t0 4 45 is_stmt 1                # a.cc:4:45\n"
      "\t#APP\n"
      "\txchgl\t%eax, c(%rip)\n"
      "\t#NO_APP\n"
      "\t.loc\t1 7 1\n"
      "\t#APP\n"
      "\tmovl\t(%rdi), %eax\n"
      "\t#NO_APP\n";
  EXPECT_EQ(assembly_places(text), (Places{"a.cc:4", "/usr/include/b.h:7"}));
}

TEST(AssemblyPlaces, OfClangWithoutIt) {
  const char* text =
      "\t.file\t\"a.cc\"\n"
      "_Z4loadPi:                              # @_Z4loadPi\n"
      "\tpushq\t%rbp\n"
      "\tmovq\t%rsp, %rbp\n"
      "\t#APP\n"
      "\tmovl\t-8(%rbp), %eax\n"
      "\t#NO_APP\n"
      "_Z5storePi:\n"
      "\t#APP\n"
      "\tmovl\t%eax, (%rbp)\n"
      "\t#NO_APP\n";
  EXPECT_EQ(assembly_places(text), (Places{"a.cc in store(int*)"}));
}

TEST(AssemblyPlaces, OfAWholeFile) {
  const char* text =
      "\t.file\t\"a.c\"\n"
      "\t.text\n"
      "#APP\n"
      "\t.globl f\n"
      "f: movq (%rdi), %rax\n"
      "ret\n"
      "#NO_APP\n";
  EXPECT_EQ(assembly_places(text), (Places{"a.c"}));
}

TEST(AssemblyPlaces, NoneInWhatIsCompiled) {
  EXPECT_EQ(assembly_places("f:\n\tmovl\t(%rdi), %eax\n"), Places{});
}

}  // namespace
}  // namespace heddle::wrap
