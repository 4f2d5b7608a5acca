// Bytes that anybody may have written: every file of the corpus of the fuzzers, and each with a few
// hundred changes. Whatever comes of it, it is an answer or a UserError; the sanitizers look on in
// another build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "explore/bytes_in_memory.h"
#include "explore/search_fixture.h"
#include "readers/targets.h"
#include "sample_count.h"

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

class Readers : public ::testing::TestWithParam<Target> {};

TEST_P(Readers, TakeAnything) {
  std::vector<Text> corpus = corpus_of(GetParam().name);
  ASSERT_FALSE(corpus.empty());
  std::mt19937 random(11);
  for (const Text& text : corpus) {
    GetParam().run(text);
    for (int i = 0; i < 300; ++i) {
      Text other = changed(text, &random);
      GetParam().run(other);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Readers, ::testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

// A search that was stopped in its middle, as saved_search() takes it.
Text saved_bytes(uint8_t number) {
  const SavedStrategy& saved = kSavedStrategies[number];
  heddle::testing::SearchSetup setup;
  setup.strategy = saved.name;
  setup.options.reduce = saved.reduce;
  setup.limits.executions = 40;
  heddle::testing::FakeProgram program{.steps = {4, 4, 4}};
  heddle::testing::Searched searched;
  auto strategy = explore::find_strategy(setup.strategy).make(setup.options);
  pool::Pool pool(launch_of(program), setup.settings, *strategy);
  explore::Search search(*strategy, pool, setup.limits, searched);
  search.run();
  explore::BytesInMemory out;
  strategy->save(out);
  Text text = {number, 0, 0, 0, 0, 0, 0, 0, 0};  // no plans under way
  while (out.left() != 0) text.push_back(out.get<uint8_t>());
  return text;
}

TEST(Readers, SavedSearchesAreDamaged) {
  std::mt19937 random(12);
  for (uint8_t number = 0; number < std::size(kSavedStrategies); ++number) {
    Text text = saved_bytes(number);
    if (const char* folder = getenv("HEDDLE_WRITE_CORPUS")) {
      std::ofstream file(fs::path(folder) / ("strategy-" + std::to_string(number)),
                         std::ios::binary);
      file.write(reinterpret_cast<const char*>(text.data()),
                 static_cast<std::streamsize>(text.size()));
    }
    saved_search(text);
    for (int i = 0; i < sample_count(60, 300); ++i) {
      Text other = changed(text, &random);
      saved_search(other);
    }
  }
}

}  // namespace
}  // namespace heddle::readers
