// heddle::check: a search from inside a test process.
//
// The workers are forks of the calling process, which itself only waits. See
// include/heddle/heddle.h for the contract.
#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "api/content.h"
#include "api/execution_view.h"
#include "base/error.h"
#include "base/exit_code.h"
#include "heddle/heddle.h"
#include "heddle/scenario.h"
#include "pool/launch.h"
#include "session/check_replay.h"
#include "session/ci_output.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "session/replay.h"
#include "session/run_search.h"
#include "wire/frameworks.h"

extern "C" {
// Of libheddle.so, which heddle-c++ links; the command, which holds this code too, has none.
__attribute__((weak)) void heddle_runtime_serve(int region_fd, void (*test)(void*), void* argument);
__attribute__((weak)) void heddle_runtime_engine_works(int works);
__attribute__((weak)) void heddle_runtime_refuse_search(const char* what);
__attribute__((weak)) int heddle_controlled(void);
__attribute__((weak)) void heddle_fail(const char* text, const char* file, unsigned line);
// Of GoogleTest, if the program has it: testing::Test::HasFatalFailure and HasNonfatalFailure.
__attribute__((weak)) bool heddle_gtest_has_fatal_failure(void) __asm__(
    "_ZN7testing4Test15HasFatalFailureEv");
__attribute__((weak)) bool heddle_gtest_has_nonfatal_failure(void) __asm__(
    "_ZN7testing4Test18HasNonfatalFailureEv");
// libheddle.so looks for it: a process that has it may call heddle::check.
HEDDLE_API extern const char heddle_engine_present;
const char heddle_engine_present = 1;
}

namespace heddle {

namespace {

uint32_t g_calls;  // of check() in this process

int thread_count() {
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return 1;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.' ? 1 : 0;
  closedir(tasks);
  return count;
}

std::vector<int> open_descriptors() {
  std::vector<int> descriptors;
  DIR* directory = opendir("/proc/self/fd");
  if (directory == nullptr) throw UserError("heddle::check needs /proc, which cannot be read");
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] == '.') continue;
    int fd = atoi(entry->d_name);
    if (fd != dirfd(directory)) descriptors.push_back(fd);
  }
  closedir(directory);
  std::sort(descriptors.begin(), descriptors.end());
  return descriptors;
}

Report refusal(const std::string& why) {
  auto content = std::make_shared<Report::Content>();
  content->refusal = why;
  content->summary.unsupported = why;  // for the JSON
  return Report(std::move(content));
}

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.empty()) words.emplace_back("test");
  return words;
}

// Below anything that the engine reaches: it calls itself nowhere.
char* test_stack() {
  constexpr uintptr_t kRoom = 256 << 10;
  constexpr uintptr_t kPage = 4096;
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return reinterpret_cast<char*>((here - kRoom) & ~(kPage - 1));
}

bool gtest_has_failure() {
  if (heddle_gtest_has_fatal_failure == nullptr || heddle_gtest_has_nonfatal_failure == nullptr) {
    return false;
  }
  return heddle_gtest_has_fatal_failure() || heddle_gtest_has_nonfatal_failure();
}

// What the test notes with GoogleTest would be lost with the worker. With heddle/gtest.h in the
// program the execution has ended where the assertion failed.
void call(void* test) {
  bool failed_before = gtest_has_failure();
  (*static_cast<std::function<void()>*>(test))();
  if (!failed_before && gtest_has_failure()) heddle_fail(wire::kCountedFailures, nullptr, 0);
}

session::Subject subject_of(std::function<void()>* test) {
  std::error_code error;
  session::Subject subject;
  subject.command = own_command_line();
  subject.path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  subject.directory = std::filesystem::current_path(error).string();
  subject.check = g_calls;
  subject.launch.command = subject.command;
  subject.launch.serve = heddle_runtime_serve;
  subject.launch.test = call;
  subject.launch.argument = test;
  subject.launch.stack = test_stack();
  subject.launch.descriptors = open_descriptors();
  subject.launch.in_child = session::Interrupt::restore_in_child;
  return subject;
}

session::Options options_of(const Options& given) {
  try {
    session::Options options;
    for (const auto& [name, value] : given.values()) session::set_option(&options, name, value);
    options.priority = user_function(given.priority());
    const char* text = getenv("HEDDLE_OPTIONS");
    if (text != nullptr) session::parse_option_text(&options, text);
    return options;
  } catch (const UserError& error) {
    throw std::invalid_argument(fmt::format("heddle: {}", error.what()));
  }
}

// What is in the buffers of this process must not come out of a worker as well.
void flush_buffers() {
  std::cout.flush();
  std::cerr.flush();
  std::clog.flush();
  fflush(nullptr);
}

// The files tell of all checks of this process so far.
void tell_ci(const session::Options& options, const report::Summary& summary) {
  report::Tests now = report::tests_of(summary, fmt::format("heddle::check {}", g_calls));
  session::write_annotations(options, now);
  if (options.junit.empty() && options.sarif.empty()) return;
  static report::Tests all;
  if (all.all.empty()) {
    all = now;
    all.timestamp = session::timestamp();
  } else {
    all.seconds += now.seconds;
    all.interrupted |= now.interrupted;
    all.all.push_back(std::move(now.all.front()));
  }
  session::write_ci_files(options, all);
}

Report search(std::function<void()>* test, const session::Options& options) {
  session::check_json_file(options);
  session::check_ci_files(options);
  session::Interrupt interrupt;
  auto content = std::make_shared<Report::Content>();
  content->summary = session::run_search(subject_of(test), options);
  content->view = session::plain_view(options);
  content->trace = options.trace;
  content->fill_failures();
  session::write_json(options, [&] { return report::json(content->summary, options.trace); });
  tell_ci(options, content->summary);
  return Report(std::move(content));
}

[[noreturn]] void replay(std::function<void()>* test, const session::CheckReplay& request,
                         const trace::ScheduleFile& file) {
  if (request.done_fd >= 0 && write(request.done_fd, "r", 1) != 1) perror("heddle");
  int code = exit_code::internal;
  try {
    session::Options options = session::replay_options(file, request.schedule);
    session::parse_option_text(&options, request.options, session::kReplay);
    session::Interrupt interrupt;
    session::Subject subject = subject_of(test);
    session::Replayed replayed = session::replay(subject, options, file, request.schedule);
    if (request.story_fd >= 0 && session::can_be_debugged(replayed)) {
      session::write_debugged(replayed, subject, request.schedule,
                              {request.region_fd, request.story_fd});
      options.quiet = true;
    }
    if (!options.quiet) session::print_report(options, session::replay_text(replayed, options));
    session::write_json(options, [&] { return report::json(replayed.summary, options.trace); });
    code = report::exit_code(replayed.summary);
  } catch (const UserError& error) {
    fmt::print(stderr, "heddle: {}\n", error.what());
    code = exit_code::refused;
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle: internal error, please report it: {}\n", error.what());
  }
  flush_buffers();
  _exit(code);
}

// What is mapped meanwhile is not the program's.
class EngineAtWork {
 public:
  EngineAtWork() { heddle_runtime_engine_works(1); }
  ~EngineAtWork() { heddle_runtime_engine_works(0); }
  EngineAtWork(const EngineAtWork&) = delete;
  EngineAtWork& operator=(const EngineAtWork&) = delete;
};

// `name`: of the function that was called.
Report search_or_replay(std::function<void()> test, const session::Options& values,
                        const char* name) {
  ++g_calls;
  if (heddle_runtime_serve == nullptr) {
    return refusal(
        "this program was not built with heddle-c++; rebuild it, e.g. heddle-c++ -O1 -g "
        "test.cc -o test");
  }
  if (heddle_controlled != nullptr && heddle_controlled() != 0) {
    heddle_runtime_refuse_search(name);
  }
  if (int threads = thread_count(); threads > 1) {
    return refusal(
        fmt::format("{} other threads run in this process; {} forks it, which they would not "
                    "survive: call it before they start or after they end",
                    threads - 1, name));
  }
  flush_buffers();
  EngineAtWork at_work;
  try {
    if (std::optional<session::CheckReplay> request = session::requested_check_replay()) {
      trace::ScheduleFile file = trace::read_schedule_file(request->schedule);
      bool is_this = file.check.value_or(1) == g_calls;
      if (is_this && request->region_fd >= 0 && request->story_fd < 0) {
        pool::become_debugged(subject_of(&test).launch, request->region_fd);
      }
      if (is_this) replay(&test, *request, file);
      auto content = std::make_shared<Report::Content>();
      content->skipped = true;
      return Report(std::move(content));
    }
    return search(&test, values);
  } catch (const UserError& error) {
    return refusal(error.what());
  } catch (const InternalError& error) {
    auto content = std::make_shared<Report::Content>();
    content->internal_error = error.what();
    return Report(std::move(content));
  }
}

}  // namespace

Report check(std::function<void()> test, const Options& options) {
  return search_or_replay(std::move(test), options_of(options), "heddle::check");
}

Report Scenario::ask(bool exists) const {
  session::Options values = options_of(options_);
  values.question = exists ? options::Question::exists : options::Question::forall;
  values.may_be_empty = may_be_empty_;
  return search_or_replay(test_, std::move(values), "heddle::scenario");
}

}  // namespace heddle
