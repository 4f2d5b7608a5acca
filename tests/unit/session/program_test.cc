#include "session/program.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace heddle::session {
namespace {

namespace fs = std::filesystem;

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-program-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    before_ = fs::current_path();
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static std::string error_of(const std::string& name) {
    try {
      find_program({name});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  static void write(const std::string& name, const std::string& text, bool executable) {
    std::ofstream(name) << text;
    if (executable) fs::permissions(name, fs::perms::owner_all);
  }

  fs::path folder_;
  fs::path before_;
};

TEST_F(ProgramTest, MistakesSayWhatToType) {
  EXPECT_EQ(error_of("./none"), "there is no program ./none");
  EXPECT_EQ(error_of("heddle-none"),
            "there is no program 'heddle-none', neither on the PATH nor in this directory");
  EXPECT_EQ(error_of("."), "there is no program '.', neither on the PATH nor in this directory");
  EXPECT_EQ(error_of(""), "no program given; type: heddle run [OPTIONS] PROGRAM [ARGUMENTS]");
  EXPECT_EQ(error_of("/tmp"), "/tmp is a directory, not a program");
  write("here", "x", false);
  EXPECT_EQ(error_of("here"),
            "there is no program 'here' on the PATH; type ./here for the one in this directory");
  EXPECT_EQ(error_of("./here"),
            "./here is not executable; if it is a program, type: chmod +x ./here");
  write("script", "#!/bin/sh\n", true);
  EXPECT_EQ(error_of("./script"),
            "./script is not a compiled program (no ELF file); if it is a script, give heddle the "
            "program that it starts");
  EXPECT_EQ(error_of("sh"),
            "sh was not built with heddle-c++; rebuild it, e.g. heddle-c++ -O1 -g sh.cc -o sh; or "
            "control its library calls alone: heddle run --uninstrumented sh");
}

TEST_F(ProgramTest, AFileThatIsElfInNameOnlyIsRefused) {
  write("short", "\177ELF", true);
  EXPECT_NE(error_of("./short"), "");
  write("junk", "\177ELF\2\1\1" + std::string(500, '\377'), true);
  EXPECT_NE(error_of("./junk"), "");
}

TEST_F(ProgramTest, BuildIds) {
  EXPECT_EQ(build_id_of("/nonexistent"), "");
  write("text", "text", false);
  EXPECT_EQ(build_id_of("text"), "");
  std::string own = build_id_of("/bin/sh");
  EXPECT_EQ(own.size(), 40u);
  EXPECT_EQ(own.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace heddle::session
