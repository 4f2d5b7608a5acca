// Distances in code that is written by hand, so that every instruction is known.
#include "flow/distances.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "flow/assembled.h"

namespace heddle::flow {
namespace {

// The table for one target, the instruction at a label.
Distances toward(const Assembled& code, const std::string& label, Unit unit = Unit::instructions) {
  Target target{{code[label], code[label] + 1}};
  return distances(ProgramGraph::read_anew(code.path(), {}), std::span(&target, 1), unit);
}

uint32_t out_at(const Distances& table, uint64_t place) {
  const uint32_t* row = table.find(place);
  return row != nullptr ? row[1] : 999;
}

uint32_t toward_at(const Distances& table, uint64_t place) {
  const uint32_t* row = table.find(place);
  return row != nullptr ? row[2] : 999;
}

TEST(Distances, CountInstructionsOfTheShortestWay) {
  Assembled code(function("f", R"(
    test %edi, %edi
    je short
    nop
    nop
    nop
    short: nop
    ret)"));
  Distances table = toward(code, "short");
  EXPECT_EQ(toward_at(table, code["f"]), 2u);
  EXPECT_EQ(out_at(table, code["f"]), 4u);
  EXPECT_EQ(out_at(toward(code, "short", Unit::calls), code["f"]), 0u);
}

TEST(Distances, GoThroughCalls) {
  Assembled code(function("inner", "nop\n inside: nop\n ret") +
                 function("f", "call inner\n behind: nop\n there: call outside@plt\n ret"));
  // Into it: the call and one instruction.
  EXPECT_EQ(toward_at(toward(code, "inside"), code["f"]), 2u);
  // Through it: the call, three instructions, and one behind.
  Distances table = toward(code, "there");
  EXPECT_EQ(toward_at(table, code["f"]), 5u);
  EXPECT_EQ(toward_at(table, code["behind"] - 1), 1u);
  // Another module's function counts its call alone.
  EXPECT_EQ(out_at(table, code["f"]), 7u);
  EXPECT_EQ(out_at(toward(code, "there", Unit::calls), code["f"]), 2u);
}

TEST(Distances, WhoDoesNotReturnIsNotPassed) {
  Assembled code(function("f", "call abort@plt\n there: ret") +
                 function("loops", "again: jmp again") + function("g", "call loops\n after: ret"));
  EXPECT_EQ(toward_at(toward(code, "there"), code["f"]), kNever);
  EXPECT_EQ(toward_at(toward(code, "after"), code["g"]), kNever);
  EXPECT_EQ(out_at(toward(code, "there"), code["g"]), kNever);
  // Into it, one can go.
  EXPECT_EQ(toward_at(toward(code, "again"), code["g"]), 1u);
}

TEST(Distances, ACallAtTheEndIsNotFollowedByTheNextFunction) {
  Assembled code(function("f", "nop\n call outside@plt") + function("next", "there: ret"));
  Distances table = toward(code, "there");
  EXPECT_EQ(toward_at(table, code["f"]), kNever);
  EXPECT_EQ(toward_at(table, code["next"] - 1), kNever);
  EXPECT_EQ(toward_at(table, code["next"]), 0u);
}

TEST(Distances, AJumpToAnotherFunctionReturnsFromThere) {
  Assembled code(function("g", "nop\n ret") + function("f", "jmp g") +
                 function("h", "call f\n there: ret") + function("o", "nop\n jmp outside@plt"));
  Distances table = toward(code, "there");
  EXPECT_EQ(out_at(table, code["f"]), 3u);
  EXPECT_EQ(toward_at(table, code["h"]), 4u);
  EXPECT_EQ(out_at(table, code["o"]), 2u);
}

TEST(Distances, ATakenAddressLeadsIntoTheFunctionButNotThroughIt) {
  Assembled code(function("worker", "nop\n there: nop\n ret") +
                 function("f", "lea worker(%rip), %rdi\n call start@plt\n hlt"));
  Distances table = toward(code, "there");
  EXPECT_EQ(toward_at(table, code["f"]), 1u + 1u + 1u);
  EXPECT_EQ(out_at(table, code["f"]), kNever);
}

TEST(Distances, AnIndirectCallLeadsToWhatIsTaken) {
  Assembled code(function("taken", "there: ret") + function("other", "elsewhere: ret") +
                 function("f", "call *%rdi\n behind: ret") + ".data\n .quad taken\n .text\n");
  EXPECT_EQ(toward_at(toward(code, "there"), code["f"]), 1u);
  EXPECT_EQ(toward_at(toward(code, "elsewhere"), code["f"]), kNever);
  // Through it: the call and the return.
  EXPECT_EQ(toward_at(toward(code, "behind"), code["f"]), 2u);
}

TEST(Distances, AVirtualCallLeadsToItsSlot) {
  Assembled code(function("first", "at_first: ret") + function("second", "at_second: ret") +
                 function("f", "mov (%rdi), %rax\n call *8(%rax)\n ret") +
                 function("make", "lea 16+_ZTV1C(%rip), %rax\n mov %rax, (%rdi)\n ret") + R"(
    .section .data.rel.ro, "aw"
    .globl _ZTV1C
    .hidden _ZTV1C
    .type _ZTV1C, @object
    .size _ZTV1C, 32
    _ZTV1C: .quad 0, 0, first, second
  )");
  EXPECT_EQ(toward_at(toward(code, "at_first"), code["f"]), kNever);
  EXPECT_EQ(toward_at(toward(code, "at_second"), code["f"]), 2u);
  // Whoever makes such an object may have its functions called.
  EXPECT_EQ(toward_at(toward(code, "at_first"), code["make"]), 2u);
}

TEST(Distances, CallsThatWereSeenAreAdded) {
  Assembled code(function("seen", "nop\n there: ret") + function("taken", "ret") +
                 function("f", "call *%rdi\n behind: ret") + ".data\n .quad taken\n");
  Target target{{code["there"], code["there"] + 1}};
  ProgramGraph graph = ProgramGraph::read_anew(code.path(), {});
  graph.add_call(code["behind"] + 1, code["seen"]);   // no such call
  graph.add_call(code["behind"], code["there"] + 1);  // no such function
  EXPECT_EQ(toward_at(distances(graph, std::span(&target, 1)), code["f"]), kNever);
  graph.add_call(code["behind"], code["seen"]);
  EXPECT_EQ(toward_at(distances(graph, std::span(&target, 1)), code["f"]), 2u);
}

// Two tables, one behind the other; `third` stands in the second alone.
constexpr char kTables[] = R"(
    cmp $1, %edi
    ja third_or_end
    mov %edi, %edi
    lea table1(%rip), %rdx
    movslq (%rdx,%rdi,4), %rax
    add %rdx, %rax
    notrack jmp *%rax
    first: nop
    ret
    second: ret
    third_or_end: hlt
    lea table2(%rip), %rdx
    third: ret
    .section .rodata
    table1: .long first - table1, second - table1
    table2: .long third - table2
  )";

TEST(Distances, AJumpTableEndsWhereTheNextBegins) {
  Assembled code(function("f", kTables + std::string(".text")));
  EXPECT_EQ(toward_at(toward(code, "first"), code["f"]), 7u);
  EXPECT_EQ(toward_at(toward(code, "second"), code["f"]), 7u);
  EXPECT_EQ(toward_at(toward(code, "third"), code["f"]), kNever);
}

TEST(Distances, PointersToFunctionsAreNoJumpTable) {
  Assembled code(function("other", "there: ret") +
                     function("f", "mov pointers(,%rdi,8), %rax\n jmp *%rax") +
                     ".data\n pointers: .quad f, other\n",
                 "-no-pie -Wl,-e,f");
  EXPECT_EQ(toward_at(toward(code, "there"), code["f"]), 2u);
}

TEST(Distances, ATargetMayHaveSeveralStretches) {
  Assembled code(
      function("f", "nop\n test %edi, %edi\n je far\n nop\n near: ret\n far: nop\n nop\n ret"));
  Target both{{code["far"], code["far"] + 1}, {code["near"], code["near"] + 1}};
  Target all{{code["f"], code["near"]}};
  std::vector<Target> targets{both, all};
  Distances table = distances(ProgramGraph::read_anew(code.path(), {}), targets);
  EXPECT_EQ(table.find(code["f"])[2], 3u);
  EXPECT_EQ(table.find(code["f"])[3], 0u);
}

TEST(Distances, AStackIsLeftFrameByFrame) {
  Assembled code(function("leaf", "call hook@plt\n in_leaf: nop\n ret") +
                 function("middle", "call leaf\n in_middle: nop\n nop\n ret") +
                 function("f", "call middle\n in_f: nop\n there: ret"));
  Distances table = toward(code, "there");
  std::vector<uint64_t> stack{code["in_leaf"] - 1, code["in_middle"] - 1, code["in_f"] - 1};
  EXPECT_EQ(distance(table, 0, stack), 2u + 3u + 1u);
  // A frame of another module is left by one instruction.
  stack.insert(stack.begin(), 0);
  EXPECT_EQ(distance(table, 0, stack), 1u + 2u + 3u + 1u);
  EXPECT_EQ(distance(table, 0, std::span(stack).first(3)), kNever);
}

TEST(Distances, RowsAreInOrder) {
  Assembled code(function("a", "call b\n ret") + function("b", "call a\n ret"));
  Distances table = toward(code, "a");
  ASSERT_EQ(table.rows(), 4u);
  for (size_t i = 1; i < table.rows(); ++i) EXPECT_LT(table.row(i - 1)[0], table.row(i)[0]);
  EXPECT_EQ(table.find(code["a"] + 1), nullptr);
}

TEST(ProgramGraph, SaysWhatIsWrongWithTheFile) {
  Assembled code(function("f", "ret"), "-shared -Wl,-s");
  auto message = [](const std::string& path) -> std::string {
    try {
      ProgramGraph::read(path, {});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(code.path()).find("do not strip it"), std::string::npos);
  EXPECT_NE(message("/dev/null").find("is no program"), std::string::npos);
  EXPECT_NE(message("/nowhere/program").find("cannot read"), std::string::npos);
}

TEST(ProgramGraph, IsKeptForTheSameBuild) {
  Assembled code(function("f", "nop\n ret"));
  int calls = 0;
  Progress count = [&](uint64_t done, uint64_t total) {
    EXPECT_LE(done, total);
    ++calls;
  };
  ProgramGraph::read(code.path(), count);
  EXPECT_GT(calls, 0);
  calls = 0;
  ProgramGraph kept = ProgramGraph::read(code.path(), count);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(kept.graph().begin, ProgramGraph::read_anew(code.path(), count).graph().begin);
  EXPECT_GT(calls, 0);
}

}  // namespace
}  // namespace heddle::flow
