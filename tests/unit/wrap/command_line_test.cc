// What a command line is understood to do.
#include "wrap/command_line.h"

#include <gmock/gmock.h>

#include <map>

namespace heddle::wrap {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

using Words = std::vector<std::string>;

CommandLine read(const Words& arguments, const std::map<std::string, std::string>& files = {}) {
  return read_command_line(arguments, [&](const std::string& path) -> std::optional<std::string> {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  });
}

// One letter for what a command does: link, compile (or preprocess, …) only, or nothing.
char action(const Words& arguments) {
  const CommandLine line = read(arguments);
  EXPECT_THAT(line.arguments, ElementsAreArray(arguments));
  return line.links ? 'L' : line.has_input ? 'C' : '-';
}

TEST(CommandLine, FilesAndLibrariesAreLinked) {
  EXPECT_EQ(action({"a.cc"}), 'L');
  EXPECT_EQ(action({"a.cc", "b.o", "-o", "prog"}), 'L');
  EXPECT_EQ(action({"-shared", "-o", "liba.so", "a.o"}), 'L');
  EXPECT_EQ(action({"-lmain_is_here"}), 'L');
  EXPECT_EQ(action({"-l", "main_is_here"}), 'L');
  EXPECT_EQ(action({"-x", "c++", "-"}), 'L');
  EXPECT_EQ(action({"-MD", "-MF", "a.d", "a.cc"}), 'L');
  EXPECT_EQ(action({"-###", "a.cc"}), 'L');
  EXPECT_EQ(action({"-nostdlib", "a.cc"}), 'L');
}

TEST(CommandLine, SomeOptionsStopBeforeTheLink) {
  for (const char* option : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--compile",
                             "--preprocess", "--precompile", "--analyze"}) {
    EXPECT_EQ(action({option, "a.cc"}), 'C') << option;
    EXPECT_EQ(action({"a.cc", option}), 'C') << option;
  }
}

TEST(CommandLine, RelocatableOutputIsNotLinked) {
  EXPECT_EQ(action({"-r", "a.o", "b.o", "-o", "c.o"}), 'C');
  EXPECT_EQ(action({"-nostdlib", "-Wl,-r", "a.o"}), 'C');
  EXPECT_EQ(action({"-Wl,-x,--relocatable", "a.o"}), 'C');
  EXPECT_EQ(action({"-Xlinker", "-r", "a.o"}), 'C');
  EXPECT_EQ(action({"-Wl,-rpath,/x", "a.o"}), 'L');
}

TEST(CommandLine, HeadersArePrecompiled) {
  EXPECT_EQ(action({"a.h"}), 'C');
  EXPECT_EQ(action({"a.hpp", "-o", "a.hpp.gch"}), 'C');
  EXPECT_EQ(action({"-x", "c++-header", "a.inc"}), 'C');
  EXPECT_EQ(action({"-xc++-header", "a.inc"}), 'C');
  EXPECT_EQ(action({"-x", "c++-header", "-x", "none", "a.cc"}), 'L');
  EXPECT_EQ(action({"-x", "c++", "a.h"}), 'L');
  EXPECT_EQ(action({"-include", "a.h", "a.cc"}), 'L');
}

TEST(CommandLine, WithoutInputNothingIsDone) {
  EXPECT_EQ(action({}), '-');
  EXPECT_EQ(action({"--version"}), '-');
  EXPECT_EQ(action({"-v"}), '-');
  EXPECT_EQ(action({"-print-prog-name=ld"}), '-');
  EXPECT_EQ(action({"-Wl,--version"}), '-');
  EXPECT_EQ(action({"-O2", "-o", "a.cc"}), '-');
  EXPECT_EQ(action({"-m32", "-static", "-print-multi-directory"}), '-');
}

TEST(CommandLine, ArgumentsOfOptionsAreNoInput) {
  for (const char* option : {"-o", "-I", "-D", "-isystem", "-MF", "-Xlinker", "-Xclang", "-mllvm",
                             "-target", "--param", "--sysroot", "-T", "-u", "-z"}) {
    EXPECT_EQ(action({option, "x86_64-linux-gnu"}), '-') << option;
  }
}

TEST(CommandLine, AnUnfinishedOptionIsLeftToTheCompiler) {
  EXPECT_EQ(action({"a.cc", "-o"}), '-');
  EXPECT_EQ(action({"a.cc", "-Xlinker"}), '-');
}

TEST(CommandLine, TheFrontendsOwnCommandsAreLeftAlone) {
  EXPECT_EQ(action({"-cc1", "-emit-obj", "a.cc"}), '-');
  EXPECT_EQ(action({"-cc1as", "a.s"}), '-');
}

TEST(CommandLine, ResponseFilesAreUnderstoodAndPassedOn) {
  const CommandLine compile = read({"@flags", "a.cc"}, {{"flags", "-O2 -c"}});
  EXPECT_TRUE(compile.has_input);
  EXPECT_FALSE(compile.links);
  EXPECT_THAT(compile.arguments, ElementsAre("@flags", "a.cc"));
  // The option's argument stands outside the file.
  const CommandLine link = read({"@objects", "prog"}, {{"objects", "'a b.o' -o"}});
  EXPECT_TRUE(link.links);
  EXPECT_THAT(link.arguments, ElementsAre("@objects", "prog"));
}

TEST(CommandLine, ThreadSanitizerIsDropped) {
  EXPECT_THAT(read({"-fsanitize=thread", "a.cc"}).arguments, ElementsAre("a.cc"));
  EXPECT_THAT(read({"-fsanitize=undefined,thread", "a.cc"}).arguments,
              ElementsAre("-fsanitize=undefined", "a.cc"));
  EXPECT_THAT(read({"a.cc", "-ltsan", "-static-libtsan"}).arguments, ElementsAre("a.cc"));
  EXPECT_THAT(read({"a.cc", "-l", "tsan", "-lm"}).arguments, ElementsAre("a.cc", "-lm"));
  EXPECT_THAT(read({"a.cc", "-o", "-ltsan"}).arguments, ElementsAre("a.cc", "-o", "-ltsan"));
}

TEST(CommandLine, ThreadSanitizerIsDroppedFromResponseFiles) {
  const CommandLine line =
      read({"@keep", "@change", "-g"}, {{"keep", "-O2"}, {"change", "'a b.cc' -fsanitize=thread"}});
  EXPECT_THAT(line.arguments, ElementsAre("@keep", "a b.cc", "-g"));
}

TEST(CommandLine, TheUserMayLeaveCodeAlone) {
  EXPECT_TRUE(read({"a.cc"}).instruments);
  EXPECT_FALSE(read({"-fno-sanitize=thread", "a.cc"}).instruments);
  EXPECT_FALSE(read({"-fsanitize=thread", "-fno-sanitize=all", "a.cc"}).instruments);
  EXPECT_TRUE(read({"-fno-sanitize=thread", "-fsanitize=thread", "a.cc"}).instruments);
}

TEST(CommandLine, ConflictingSanitizers) {
  EXPECT_EQ(read({"-fsanitize=address", "a.cc"}).sanitizer_option, "-fsanitize=address");
  EXPECT_EQ(read({"-fsanitize=undefined,leak", "-c", "a.cc"}).sanitizer_option, "-fsanitize=leak");
  EXPECT_EQ(read({"@f", "a.cc"}, {{"f", "-fsanitize=memory"}}).sanitizer_option,
            "-fsanitize=memory");
  EXPECT_EQ(read({"-fsanitize=undefined,integer", "a.cc"}).sanitizer_option, "");
  EXPECT_EQ(read({"-fsanitize=address", "-fno-sanitize=address", "a.cc"}).sanitizer_option, "");
  EXPECT_EQ(read({"-fsanitize=address", "-fno-sanitize=all", "a.cc"}).sanitizer_option, "");
}

TEST(CommandLine, StaticMattersOnlyAtTheLink) {
  EXPECT_EQ(read({"-static", "a.o"}).static_option, "-static");
  EXPECT_EQ(read({"-static-pie", "a.cc"}).static_option, "-static-pie");
  EXPECT_EQ(read({"-static", "-c", "a.cc"}).static_option, "");
  EXPECT_EQ(read({"-static-libstdc++", "-static-libgcc", "a.cc"}).static_option, "");
}

TEST(CommandLine, OtherMachines) {
  EXPECT_EQ(read({"-m32", "a.cc"}).machine_option, "-m32");
  EXPECT_EQ(read({"-m32", "-m64", "a.cc"}).machine_option, "");
  EXPECT_EQ(read({"--target=aarch64-linux-gnu", "a.cc"}).machine_option,
            "--target=aarch64-linux-gnu");
  EXPECT_EQ(read({"-target", "i386-linux-gnu", "a.cc"}).machine_option, "-target i386-linux-gnu");
  EXPECT_EQ(read({"--target=x86_64-linux-gnux32", "a.cc"}).machine_option,
            "--target=x86_64-linux-gnux32");
  EXPECT_EQ(read({"--target=x86_64-pc-linux-gnu", "-march=native", "a.cc"}).machine_option, "");
}

TEST(CommandLine, WhatTheCMakePackageAddsIsSeen) {
  EXPECT_FALSE(read({"a.cc"}).volatile_option_given);
  EXPECT_TRUE(read({"-mllvm", "-tsan-distinguish-volatile=1", "a.cc"}).volatile_option_given);
  EXPECT_FALSE(read({"a.cc"}).capture_option_given);
  EXPECT_TRUE(
      read({"-mllvm", "-capture-tracking-max-uses-to-explore=0", "a.cc"}).capture_option_given);
}

TEST(CommandLine, EndOfOptions) {
  EXPECT_EQ(read({"-o", "p", "a.cc"}).end_of_options, 3U);
  EXPECT_EQ(read({"-o", "p", "--", "-odd.cc"}).end_of_options, 2U);
  EXPECT_TRUE(read({"-o", "p", "--", "-odd.cc"}).links);
}

}  // namespace
}  // namespace heddle::wrap
