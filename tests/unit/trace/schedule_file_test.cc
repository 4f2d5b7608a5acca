#include "trace/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/random.h"
#include "sample_count.h"
#include "trace/built_program.h"

namespace heddle::trace {
namespace {

using testing::HasSubstr;

ScheduleFile sample() {
  ScheduleFile file;
  file.program = "/home/ada/philosophers";
  file.directory = "/home/ada";
  file.build_id = "3fa4b7";
  file.arguments = {"b c",  "", "\"quoted\"\\", "line\nbreak\ttab\x01", "\xff\xfe not UTF-8",
                    "ä # x"};
  file.options = {{"accesses", "sync"}, {"max-steps", "1000"}};
  file.failure = "deadlock";
  file.location = "philosophers.cc:17";
  file.steps = 33;
  file.sequence = 0x5f3a9c0e12345678;
  file.decisions = {{12, 1, "2", "T2 preempts T1: lock mutex forks[1]"}, {15, 3, "1.1", ""}};
  return file;
}

// All but the notes, which are comments.
bool equal(const ScheduleFile& a, const ScheduleFile& b) {
  auto same_decision = [](const NamedDecision& x, const NamedDecision& y) {
    return x.step == y.step && x.choice == y.choice && x.thread == y.thread;
  };
  return a.program == b.program && a.directory == b.directory && a.build_id == b.build_id &&
         a.arguments == b.arguments && a.options == b.options && a.check == b.check &&
         a.failure == b.failure && a.location == b.location && a.steps == b.steps &&
         a.sequence == b.sequence &&
         std::equal(a.decisions.begin(), a.decisions.end(), b.decisions.begin(), b.decisions.end(),
                    same_decision);
}

std::string error_of(const std::string& text) {
  try {
    parse_schedule(text, "x.heddle");
  } catch (const ScheduleFileError& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScheduleFile, ReadsAsDocumented) {
  ScheduleFile file = sample();
  file.arguments = {"b c"};
  EXPECT_EQ(
      format_schedule(file),
      "heddle schedule 1\n"
      "# Leads the program below to its failure. To see it again, type: heddle replay THIS_FILE\n"
      "program /home/ada/philosophers\n"
      "directory /home/ada\n"
      "build-id 3fa4b7\n"
      "argument \"b c\"\n"
      "option accesses sync\n"
      "option max-steps 1000\n"
      "failure deadlock philosophers.cc:17\n"
      "steps 33\n"
      "sequence 5f3a9c0e12345678\n"
      "decisions 2\n"
      "# At this step, take this option instead of the default; it lets this thread go.\n"
      "# T2 preempts T1: lock mutex forks[1]\n"
      "12 1 thread 2\n"
      "15 3 thread 1.1\n"
      "end 25e8c0deacca1d1e\n");
}

TEST(ScheduleFile, RoundTrip) {
  std::vector<ScheduleFile> files(6, sample());
  files[1].program = " starts with a space";
  files[1].directory = "new\nline \"and quote";
  files[2].build_id = "";
  files[2].check = 0;
  files[3].check = 4294967295;
  files[3].location = "";
  files[4].decisions.clear();
  files[4].arguments.clear();
  files[4].options.clear();
  files[5].options = {{"out", ""}, {"out", "#"}, {"name", "a b  c"}};
  files[5].location = "name with space.cc:3";
  files[5].decisions[0].note = "a note with\na line break";
  for (const ScheduleFile& file : files) {
    std::string text = format_schedule(file);
    ScheduleFile read = parse_schedule(text, "x.heddle");
    EXPECT_TRUE(equal(file, read)) << text;
  }
  EXPECT_EQ(parse_schedule(format_schedule(sample()), "x").schedule().size(), 2u);
}

TEST(ScheduleFile, CommentsEmptyLinesAndCarriageReturnsDoNotCount) {
  std::string text = format_schedule(sample());
  std::string changed = replaced(text, "steps 33\n", "steps 33\n\n# mine\n\n");
  changed = replaced(changed, "# T2 preempts", "# Here T2 preempts");
  EXPECT_TRUE(equal(sample(), parse_schedule(changed + "# the end\n", "x")));
  std::string windows;
  for (char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(equal(sample(), parse_schedule(windows, "x")));
}

TEST(ScheduleFile, ErrorsSayWhereAndWhatToDo) {
  std::string text = format_schedule(sample());
  EXPECT_THAT(error_of(""), HasSubstr("x.heddle:1: this is not a schedule of heddle's"));
  EXPECT_THAT(error_of("\x7f"
                       "ELF\x02"),
              HasSubstr("x.heddle:1: this is not a schedule of heddle's"));
  EXPECT_THAT(error_of("{ \"json\": 1 }\n"), HasSubstr("not a schedule"));
  EXPECT_THAT(error_of(replaced(text, "schedule 1", "schedule 2")),
              HasSubstr("x.heddle:1: the schedule has version 2, and this heddle"));
  EXPECT_THAT(error_of(replaced(text, "schedule 1", "schedule x")),
              HasSubstr("x.heddle:1: the version"));
  EXPECT_THAT(error_of(replaced(text, "build-id 3fa4b7", "build-id 3fx")),
              HasSubstr("x.heddle:5: the build id"));
  EXPECT_THAT(error_of(replaced(text, "steps 33", "strides 33")),
              HasSubstr("`strides` is unknown"));
  EXPECT_THAT(error_of(replaced(text, "steps 33", "steps many")),
              HasSubstr("`steps` needs a number"));
  EXPECT_THAT(error_of(replaced(text, "steps 33", "steps 99999999999")),
              HasSubstr("`steps` needs a number"));
  EXPECT_THAT(error_of(replaced(text, "steps 33", "steps 33\nsteps 33")),
              HasSubstr("a second `steps`"));
  EXPECT_THAT(error_of(replaced(text, "steps 33\n", "")), HasSubstr("`steps` is missing above"));
  EXPECT_THAT(error_of(replaced(text, "argument \"b c\"", "argument b c")),
              HasSubstr("JSON string"));
  EXPECT_THAT(error_of(replaced(text, "argument \"b c\"", "argument \"b c")),
              HasSubstr("JSON string"));
  EXPECT_THAT(error_of(replaced(text, "12 1 thread 2", "12 one thread 2")),
              HasSubstr("STEP CHOICE thread PATH"));
  EXPECT_THAT(error_of(replaced(text, "12 1 thread 2", "12 0 thread 2")),
              HasSubstr("choice 0 is the default"));
  EXPECT_THAT(error_of(replaced(text, "12 1 thread 2", "15 1 thread 2")), HasSubstr("do not rise"));
  EXPECT_THAT(error_of(replaced(text, "15 3", "33 3")), HasSubstr("step 33 of only 33 steps"));
  EXPECT_THAT(error_of(replaced(text, "decisions 2", "decisions 3")),
              HasSubstr("1 decisions of 3 are missing"));
  EXPECT_THAT(error_of(replaced(text, "decisions 2", "decisions 1")),
              HasSubstr("more than 1 decisions"));
  EXPECT_THAT(error_of(text.substr(0, text.find("end "))), HasSubstr("it was cut off"));
  EXPECT_THAT(error_of(text + "more\n"), HasSubstr("something follows after `end`"));
  EXPECT_THAT(error_of(text + "more"), HasSubstr("something follows after `end`"));
}

TEST(ScheduleFile, EditedFilesAreRefusedUnlessTheySaySo) {
  std::string text = replaced(format_schedule(sample()), "12 1 thread", "13 1 thread");
  EXPECT_THAT(error_of(text), HasSubstr("edited"));
  EXPECT_THAT(error_of(text), HasSubstr("`end unchecked`"));
  std::string marked = text.substr(0, text.find("end ")) + "end unchecked\n";
  EXPECT_EQ(parse_schedule(marked, "x").decisions[0].step, 13u);
}

TEST(ScheduleFile, CutOffAnywhereIsAnError) {
  std::string text = format_schedule(sample());
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(error_of(text.substr(0, size)), "no error") << "cut to " << size << " bytes";
  }
}

// Whatever byte changes, the file is refused or means the same (a comment changed).
TEST(ScheduleFile, ChangedBytesNeverChangeTheMeaning) {
  std::string text = format_schedule(sample());
  ScheduleFile original = sample();
  auto check = [&](const std::string& changed) {
    try {
      EXPECT_TRUE(equal(original, parse_schedule(changed, "x"))) << changed;
    } catch (const ScheduleFileError&) {
    }
  };
  for (size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      check(changed);
    }
  }
  Random random(7);
  for (int round = 0; round < sample_count(4000, 20000); ++round) {
    std::string changed = text;
    for (uint64_t n = random.below(4) + 1; n > 0; --n) {
      size_t at = random.below(changed.size());
      switch (random.below(3)) {
        case 0:
          changed[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          changed.erase(at, random.below(40));
          break;
        default:
          changed.insert(at, changed.substr(random.below(changed.size()), random.below(40)));
          break;
      }
      if (changed.empty()) break;
    }
    if (changed.find("end unchecked") == std::string::npos) check(changed);
  }
}

TEST(ScheduleFile, WritesWholeFilesAndMakesTheFolder) {
  TemporaryDirectory folder;
  std::string path = folder / "heddle-out/deep/philosophers-1.heddle";
  write_schedule_file(path, sample());
  EXPECT_TRUE(equal(sample(), read_schedule_file(path)));
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0600, 0600u);
  EXPECT_EQ(status.st_mode & 0111, 0u);
  ScheduleFile other = sample();
  other.steps = 34;
  write_schedule_file(path, other);
  EXPECT_EQ(read_schedule_file(path).steps, 34u);
  // No temporary file is left behind.
  EXPECT_EQ(run_lines("ls -A " + (folder / "heddle-out/deep")).size(), 1u);
}

TEST(ScheduleFile, FilesThatAreNotThere) {
  TemporaryDirectory folder;
  EXPECT_THROW(read_schedule_file(folder / "none.heddle"), ScheduleFileError);
  EXPECT_THROW(read_schedule_file(folder / ""), ScheduleFileError);
  write_text(folder / "file", "");
  EXPECT_THROW(write_schedule_file(folder / "file/x.heddle", sample()), UserError);
  EXPECT_THROW(read_schedule_file(folder / "file"), ScheduleFileError);
}

TEST(ScheduleFile, ManyDecisions) {
  ScheduleFile file = sample();
  file.steps = 1000000;
  file.decisions.clear();
  for (uint32_t i = 0; i < 300000; ++i) file.decisions.push_back({i * 3, i % 5 + 1, "1", ""});
  ScheduleFile read = parse_schedule(format_schedule(file), "x");
  EXPECT_TRUE(equal(file, read));
}

}  // namespace
}  // namespace heddle::trace
