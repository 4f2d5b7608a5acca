// Bytes that anybody may have written: every file of the corpus of the fuzzers, and each with a few
// hundred changes. Whatever comes of it, it is an answer or a UserError; the sanitizers look on in
// another build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <tuple>

#include "causality/subtree.h"
#include "explore/bundle.h"
#include "explore/bytes_in_memory.h"
#include "explore/search_fixture.h"
#include "machines/collected.h"
#include "machines/shared_search.h"
#include "readers/targets.h"
#include "sample_count.h"
#include "session/part.h"

namespace heddle::readers {
namespace {

namespace fs = std::filesystem;
using Text = std::vector<uint8_t>;

std::vector<Text> corpus_of(const char* name) {
  std::vector<Text> texts;
  fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests/fuzzers/corpus" / name;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

Text changed(Text text, std::mt19937* random) {
  auto below = [&](size_t end) { return end == 0 ? 0 : (*random)() % end; };
  constexpr uint64_t kWords[] = {0, 1, 2, 0x7fffffff, 0xffffffff, ~uint64_t{0}, 0x10000};
  for (size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] ^= static_cast<uint8_t>(1 << below(8));
        break;
      case 1: {
        uint64_t word = kWords[below(std::size(kWords))];
        at -= at % 8;
        for (size_t i = at; i < std::min(at + 8, text.size()); ++i, word >>= 8) {
          text[i] = static_cast<uint8_t>(word);
        }
        break;
      }
      case 2:
        text.resize(at);
        break;
      case 3:
        text[at] = static_cast<uint8_t>(below(256));
        break;
      default:
        text.insert(
            text.begin() + static_cast<ptrdiff_t>(at), text.begin(),
            text.begin() + static_cast<ptrdiff_t>(below(std::min<size_t>(text.size(), 64))));
    }
  }
  return text;
}

// HEDDLE_READERS_TIMES=100: so many times as many.
int times(int usual) {
  const char* given = getenv("HEDDLE_READERS_TIMES");
  return given != nullptr ? usual * atoi(given) : usual;
}

class Readers : public ::testing::TestWithParam<Target> {};

TEST_P(Readers, TakeAnything) {
  std::vector<Text> corpus = corpus_of(GetParam().name);
  ASSERT_FALSE(corpus.empty());
  std::mt19937 random(11);
  for (const Text& text : corpus) {
    GetParam().run(text);
    for (int i = 0; i < times(sample_count(60, 300)); ++i) {
      Text other = changed(text, &random);
      GetParam().run(other);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Readers, ::testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

// Where HEDDLE_WRITE_CORPUS names a folder: how the corpus was made.
void write_corpus(const std::string& target, const std::string& name, const Text& text) {
  const char* folder = getenv("HEDDLE_WRITE_CORPUS");
  if (folder == nullptr) return;
  fs::create_directories(fs::path(folder) / target);
  std::ofstream file(fs::path(folder) / target / name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(text.data()), static_cast<std::streamsize>(text.size()));
}

Text bytes_of(std::optional<uint8_t> first, const std::function<void(ByteWriter&)>& save) {
  explore::BytesInMemory out;
  save(out);
  Text text;
  if (first) text.push_back(*first);
  while (out.left() != 0) text.push_back(out.get<uint8_t>());
  return text;
}

// A search that was stopped in its middle, as saved_search() takes it.
Text saved_bytes(uint8_t number) {
  const SavedStrategy& saved = kSavedStrategies[number];
  heddle::testing::SearchSetup setup;
  setup.strategy = saved.name;
  setup.options.reduce = saved.reduce;
  if (saved.parts != 0) setup.options.shard = {2, saved.parts};
  setup.limits.executions = 40;
  heddle::testing::FakeProgram program{.steps = {4, 4, 4}};
  heddle::testing::Searched searched;
  auto strategy = explore::find_strategy(setup.strategy).make(setup.options);
  pool::Pool pool(launch_of(program), setup.settings, *strategy);
  explore::Search search(*strategy, pool, setup.limits, searched);
  search.run();
  // No plans under way.
  return bytes_of(number, [&](ByteWriter& out) {
    out.put<uint64_t>(0);
    strategy->save(out);
  });
}

session::Part some_part() {
  session::Part part;
  part.identity = {{"program", "counter"}, {"--strategy", "dfs"}};
  part.modules = {{"counter", "01ab"}};
  part.racing = {7, 9};
  part.racing_places = {"counter.cc:5"};
  part.common = {};
  part.common.executions = 3;
  for (uint64_t i = 0; i < 20; ++i) part.distinct.add(i * 77);
  report::Summary& summary = part.summary;
  summary.program = {"counter", "2"};
  summary.executions = 40;
  summary.steps = 800;
  summary.stages.push_back({"at most 1 preemption", "pb", 1, "none", 40, false, 0.5});
  summary.stages.back().common = 3;
  summary.shard = {1, 3, true, ""};
  summary.notes = {"a note"};
  part.findings.push_back({5, 6, "counter-1.heddle", "heddle schedule 1", "trace",
                           wire::Failure::deadlock, "nobody can go on"});
  return part;
}

explore::Bundle some_subtrees() {
  explore::Bundle subtrees;
  const wire::Decision decisions[] = {{3, 1}, {7, 2}, {9, 1}};
  subtrees.add({}, {1, 11, 1, 3});
  subtrees.add(std::span(decisions).first(1), {4, 12, 1, 1});
  subtrees.add(std::span(decisions), {10, 13, 2, 2});
  return subtrees;
}

// A report, its sections behind it.
Text some_report() {
  wire::SubtreeReport report{};
  report.executions = report.counted = 6;
  report.finished = 4;
  report.pruned = 1;
  report.threads = 3;
  report.end = wire::SubtreeEnd::budget;
  report.keys = 1;
  report.fingerprints = 5;
  report.decisions = 1;
  report.entries = 2;
  return bytes_of(std::nullopt, [&](ByteWriter& out) {
    out.put(report);
    out.put(wire::SubtreeFailures{3, 1});
    for (uint64_t i = 0; i < 5; ++i) out.put(i);
    out.put(wire::Decision{2, 1});
    out.put(wire::SubtreeEntry{0, 4, 1, 1, 2});
    out.put(wire::SubtreeEntry{1, 6, 1, 1, 1});
  });
}

machines::Assignment some_assignment() {
  machines::Assignment assignment;
  assignment.command = {"counter", "2"};
  assignment.path = "/there/counter";
  assignment.directory = "/there";
  assignment.options = {{"strategy", "dfs"}};
  assignment.files = {{"counter", 1, 2}};
  assignment.modules = {{"counter", "01ab"}};
  return assignment;
}

TEST(Readers, PartsAndTasksAreDamaged) {
  machines::Collected collected;
  collected.add(some_part());
  std::string packed = some_assignment().packed(), plain;
  machines::unpack(packed, [&](ByteReader& in) {
    plain.resize(in.left());
    in.read(plain.data(), plain.size());
  });
  const std::tuple<const char*, const char*, Text> all[] = {
      {"subtree", "report", some_report()},
      {"part", "part",
       bytes_of(std::nullopt,
                [&](ByteWriter& out) {
                  session::Part part = some_part();
                  session::put_part(out, part);
                })},
      {"task", "subtrees", bytes_of(1, [&](ByteWriter& out) { some_subtrees().save(out); })},
      {"shared", "assignment",
       bytes_of(0, [&](ByteWriter& out) { out.write(plain.data(), plain.size()); })},
      {"shared", "collected", bytes_of(1, [&](ByteWriter& out) { collected.save(out); })}};
  std::mt19937 random(13);
  for (const auto& [target, name, text] : all) {
    write_corpus(target, name, text);
    auto run = std::ranges::find(kTargets, std::string_view(target), &Target::name)->run;
    run(text);
    for (int i = 0; i < times(sample_count(200, 1000)); ++i) {
      Text other = changed(text, &random);
      run(other);
    }
  }
}

// As they are they can be read: else nothing of what comes behind would be.
TEST(Readers, PartsAndTasksCanBeRead) {
  Text report = some_report();
  std::vector<uint64_t> words(report.size() / sizeof(uint64_t));
  std::memcpy(words.data(), report.data(), report.size());
  causality::Subtree subtree;
  ASSERT_TRUE(subtree.read({reinterpret_cast<const char*>(words.data()), report.size()}));
  EXPECT_TRUE(causality::is_sensible(subtree));
  wire::SubtreeReport wrapped = subtree.report;
  wrapped.finished = ~uint64_t{0};
  wrapped.pruned += subtree.report.finished + 1;
  subtree.report = wrapped;
  EXPECT_FALSE(causality::is_sensible(subtree));
  explore::BytesInMemory out;
  session::Part part = some_part();
  session::put_part(out, part);
  EXPECT_EQ(session::get_part(out).summary.executions, 40u);
  EXPECT_EQ(machines::Assignment::unpacked(some_assignment().packed()).path, "/there/counter");
}

TEST(Readers, SubtreesAreOfThoseWhoHandThemOut) {
  for (const SavedStrategy& saved : kSavedStrategies) {
    explore::StrategyOptions options;
    options.reduce = saved.reduce;
    auto strategy = explore::find_strategy(saved.name).make(options);
    ASSERT_TRUE(strategy->next());
    pool::Plan plan;
    plan.executions = 3;
    EXPECT_FALSE(strategy->knows(plan)) << saved.name;
  }
}

TEST(Readers, SavedSearchesAreDamaged) {
  std::mt19937 random(12);
  for (uint8_t number = 0; number < std::size(kSavedStrategies); ++number) {
    Text text = saved_bytes(number);
    write_corpus("saved_search", "strategy-" + std::to_string(number), text);
    saved_search(text);
    for (int i = 0; i < times(sample_count(60, 300)); ++i) {
      Text other = changed(text, &random);
      saved_search(other);
    }
  }
}

}  // namespace
}  // namespace heddle::readers
