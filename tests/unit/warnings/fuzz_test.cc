// Damaged reports: whatever is in them, a reader ends with a reading or a UserError, and of what it
// has lost it says so.
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "sample_count.h"
#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using Random = std::mt19937;

size_t below(size_t limit, Random* random) { return limit == 0 ? 0 : (*random)() % limit; }

char byte_of(Random* random) {
  // What has a meaning in one of the formats comes more often than by chance.
  constexpr std::string_view kSpecial = "\n\0<>&;\"'{}[]():,#=-/ 0999\x80\xff";
  if (below(2, random) == 0) return kSpecial[below(kSpecial.size(), random)];
  return static_cast<char>(below(256, random));
}

std::string changed_byte(std::string text, Random* random) {
  if (!text.empty()) text[below(text.size(), random)] = byte_of(random);
  return text;
}

std::string damaged(std::string text, Random* random) {
  size_t at = below(text.size(), random);
  size_t length = 1 + below(below(2, random) == 0 ? 8 : text.size() - at, random);
  switch (below(5, random)) {
    case 0:
      return text.substr(0, at);
    case 1:
      return text.erase(at, length);
    case 2:
      return text.insert(below(text.size(), random), text.substr(at, length));
    case 3: {
      std::string garbage;
      for (size_t i = 0; i < length % 100; ++i) garbage += byte_of(random);
      return text.insert(at, garbage);
    }
    default:
      for (size_t i = 0; i < 20; ++i) text = changed_byte(std::move(text), random);
      return text;
  }
}

// Of which there must not be fewer in silence.
size_t count(const Reading& reading) {
  size_t all = reading.unread.size();
  for (const Warning& warning : reading.warnings) all += 1 + warning.repeats.size();
  return all;
}

void expect_sound(const Reading& reading, const std::string& text) {
  auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n') + 1);
  for (const Warning& warning : reading.warnings) {
    ASSERT_FALSE(warning.tool.empty());
    ASSERT_LE(warning.line, lines);
    ASSERT_GT(warning.where.line, 0u);
    ASSERT_FALSE(warning.where.file.empty());
    ASSERT_FALSE(warning.needed.empty());
    ASSERT_FALSE(warning.sequences.empty());
    for (const Sequence& sequence : warning.sequences) {
      ASSERT_FALSE(sequence.empty());
      for (const Location& place : sequence) ASSERT_GT(place.line, 0u);
    }
  }
  for (const std::string& unread : reading.unread) ASSERT_EQ(unread.find('\n'), std::string::npos);
}

template <typename Damage, typename Check>
void for_each_damage(int times, Damage damage, Check check) {
  Random random(7);
  int read = 0;
  int refused = 0;
  for (const std::string& path : all_reports()) {
    std::string whole = text_of(path);
    size_t expected = count(read_text(whole, path));
    ASSERT_GT(expected, 0u) << path;
    for (int i = 0; i < times; ++i) {
      std::string text = damage(whole, &random);
      try {
        Reading reading = read_text(text, path);
        ++read;
        expect_sound(reading, text);
        check(reading, expected, text, path);
      } catch (const UserError& error) {
        ++refused;
        ASSERT_STRNE(error.what(), "");
      }
      if (testing::Test::HasFailure()) return;
    }
  }
  // Both happen.
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, NoDamageIsTooMuch) {
  for_each_damage(sample_count(40, 200), damaged,
                  [](const Reading&, size_t, const std::string&, const std::string&) {});
}

TEST(Fuzz, ABytesChangeLosesNoWarningInSilence) {
  for_each_damage(sample_count(60, 400), changed_byte,
                  [](const Reading& reading, size_t expected, const std::string& text,
                     const std::string& path) {
                    EXPECT_GE(count(reading), expected) << path << "\n" << text;
                  });
}

}  // namespace
}  // namespace heddle::warnings
