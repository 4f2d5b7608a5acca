// Which compiler is wrapped.
#include "wrap/compiler.h"

#include <gmock/gmock.h>

namespace heddle::wrap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Compiler, TheNameOfTheToolDecides) {
  EXPECT_THAT(parse_compiler("heddle-c++", "").command, ElementsAre("g++"));
  EXPECT_THAT(parse_compiler("heddle-cc", "").command, ElementsAre("gcc"));
  EXPECT_EQ(variable_for("heddle-c++"), "HEDDLE_CXX");
  EXPECT_EQ(variable_for("heddle-cc"), "HEDDLE_CC");
}

TEST(Compiler, LaunchersAndArguments) {
  const Compiler compiler =
      parse_compiler("heddle-c++", "  ccache clang++  -target x86_64-linux-gnu");
  EXPECT_THAT(compiler.command, ElementsAre("ccache", "clang++"));
  EXPECT_THAT(compiler.arguments, ElementsAre("-target", "x86_64-linux-gnu"));
  EXPECT_THAT(parse_compiler("heddle-cc", " ").command, ElementsAre("gcc"));
  EXPECT_THAT(parse_compiler("heddle-cc", "cc").arguments, IsEmpty());
}

TEST(Compiler, FamilyFromTheName) {
  const auto family = [](const char* setting) {
    return family_of(parse_compiler("heddle-c++", setting));
  };
  EXPECT_EQ(family("g++-12"), Family::kGcc);
  EXPECT_EQ(family("ccache x86_64-linux-gnu-gcc"), Family::kGcc);
  EXPECT_EQ(family("/opt/llvm/bin/clang++-17 -O1"), Family::kClang);
}

TEST(Compiler, ProgramsAreFoundOnThePath) {
  EXPECT_EQ(resolve_program("no-such-compiler"), "");
  EXPECT_EQ(resolve_program("/no/such/compiler"), "");
  EXPECT_EQ(resolve_program("sh"), resolve_program("/bin/sh"));
}

}  // namespace
}  // namespace heddle::wrap
