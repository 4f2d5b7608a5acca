// The commands that are run in the end, word for word.
#include "wrap/compose.h"

#include <gtest/gtest.h>

namespace heddle::wrap {
namespace {

using Words = std::vector<std::string>;

Installation installation() {
  Installation where;
  where.library_dir = "/h/lib";
  where.runtime = "/h/lib/libheddle.so";
  where.engine = "/h/lib/libheddle-engine.so";
  where.specs = "/h/lib/heddle/gcc.specs";
  where.include = "/h/include";
  return where;
}

std::string composed(std::string_view compiler, Family family, const Words& arguments,
                     const Installation& where = installation()) {
  const auto no_files = [](const std::string&) { return std::optional<std::string>(); };
  return quote(compose(parse_compiler("heddle-c++", compiler), family, where,
                       read_command_line(arguments, no_files)));
}

TEST(Compose, GccCompiles) {
  EXPECT_EQ(composed("g++", Family::kGcc, {"-O2", "-c", "a.cc"}),
            "g++ -specs=/h/lib/heddle/gcc.specs -idirafter /h/include -O2 -c a.cc");
}

TEST(Compose, ClangCompiles) {
  EXPECT_EQ(composed("clang++", Family::kClang, {"-O2", "-c", "a.cc"}),
            "clang++ --start-no-unused-arguments -Xclang -fsanitize=thread -fno-builtin-memcmp "
            "-fno-builtin-bcmp "
            "-mllvm -tsan-distinguish-volatile=1 -mllvm -capture-tracking-max-uses-to-explore=0 "
            "-idirafter /h/include --end-no-unused-arguments -O2 -c a.cc");
}

TEST(Compose, TheRuntimeComesBeforeAndTheEngineAfterTheInputs) {
  EXPECT_EQ(composed("g++", Family::kGcc, {"a.cc", "-o", "a"}),
            "g++ -specs=/h/lib/heddle/gcc.specs -idirafter /h/include "
            "-Wl,--build-id -Wl,--push-state,--no-as-needed /h/lib/libheddle.so -Wl,--pop-state "
            "a.cc -o a "
            "-Wl,-z,now -Xlinker -rpath=/h/lib "
            "-Wl,--push-state,-Bdynamic,--as-needed -Xlinker /h/lib/libheddle-engine.so "
            "-Wl,--pop-state");
}

TEST(Compose, BehindTwoDashesThereAreOnlyFiles) {
  const std::string command = composed("clang++", Family::kClang, {"-o", "a", "--", "a.cc"});
  EXPECT_TRUE(command.ends_with(
      "-o a -Wl,-z,now -Xlinker -rpath=/h/lib "
      "-Wl,--push-state,-Bdynamic,--no-as-needed -Xlinker /h/lib/libheddle-engine.so "
      "-Wl,--pop-state -- a.cc"))
      << command;
}

TEST(Compose, WithoutInputNothingIsAdded) {
  EXPECT_EQ(composed("g++", Family::kGcc, {"--version"}), "g++ --version");
  EXPECT_EQ(composed("ccache g++", Family::kGcc, {}), "ccache g++");
}

TEST(Compose, CodeThatIsLeftAloneStillGetsTheRuntime) {
  const std::string command =
      composed("g++", Family::kGcc, {"-fno-sanitize=thread", "a.cc", "-o", "a"});
  EXPECT_EQ(command.find("specs"), std::string::npos) << command;
  EXPECT_NE(command.find("libheddle.so"), std::string::npos) << command;
}

TEST(Compose, PartsThatAreNotInstalledAreLeftOut) {
  Installation where = installation();
  where.engine.clear();
  where.include.clear();
  EXPECT_EQ(composed("g++", Family::kGcc, {"a.o"}, where),
            "g++ -specs=/h/lib/heddle/gcc.specs "
            "-Wl,--build-id -Wl,--push-state,--no-as-needed /h/lib/libheddle.so -Wl,--pop-state "
            "a.o -Wl,-z,now -Xlinker -rpath=/h/lib");
}

TEST(Compose, LlvmTakesItsOptionsOnlyOnce) {
  const std::string command = composed("clang++", Family::kClang,
                                       {"-mllvm", "-tsan-distinguish-volatile=1", "-mllvm",
                                        "-capture-tracking-max-uses-to-explore=0", "-c", "a.cc"});
  EXPECT_EQ(command.find("-tsan-distinguish"), command.rfind("-tsan-distinguish")) << command;
  EXPECT_EQ(command.find("-capture-tracking"), command.rfind("-capture-tracking")) << command;
}

TEST(Compose, TheAssemblerThatLooksForInlineAssembly) {
  Installation where = installation();
  where.assembler = "/h/lib/heddle/heddle-";
  const std::string gcc = composed("g++", Family::kGcc, {"-c", "a.cc"}, where);
  EXPECT_NE(gcc.find(" -B/h/lib/heddle/heddle- "), std::string::npos) << gcc;
  EXPECT_EQ(gcc.find("integrated-as"), std::string::npos) << gcc;
  const std::string clang = composed("clang++", Family::kClang, {"-c", "a.cc"}, where);
  EXPECT_NE(clang.find(" -fno-integrated-as -B/h/lib/heddle/heddle- "), std::string::npos) << clang;
}

TEST(Compose, ClangsOwnAssemblerForAssemblyOfTheUser) {
  Installation where = installation();
  where.assembler = "/h/lib/heddle/heddle-";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"-c", "a.cc", "b.s"}, {"a.S"}, {"-x", "assembler-with-cpp", "-c", "a"}}) {
    const std::string command = composed("clang++", Family::kClang, arguments, where);
    EXPECT_EQ(command.find("integrated-as"), std::string::npos) << command;
  }
}

TEST(Quote, AShellReadsTheSameWords) {
  EXPECT_EQ(quote({"g++", "-DX=1", "a b.cc", "it's", "", "$x"}),
            R"(g++ -DX=1 'a b.cc' 'it'\''s' '' '$x')");
}

}  // namespace
}  // namespace heddle::wrap
