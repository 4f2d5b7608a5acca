#include "options/parse_backtracking.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "options/options.h"

namespace heddle::options {
namespace {

std::string error_of(const std::string& text) {
  Options options;
  try {
    parse_option_text(&options, text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

Options parsed(const std::string& text) {
  Options options;
  parse_option_text(&options, text);
  return options;
}

// The paper's general advice: (H, random, 0.9), for several H.
TEST(ParseBacktracking, Defaults) {
  Options options;
  EXPECT_EQ(options.descent.thresholds, (std::vector<uint32_t>{5, 10, 20, 50, 100}));
  EXPECT_EQ(options.descent.jump, explore::Jump::random);
  EXPECT_EQ(options.descent.ratio.constant, parse_ratio("0.9").constant);
  EXPECT_EQ(options.descent.order, wire::DescentOrder::by_thread);
  EXPECT_FALSE(options.match.has_value());
}

TEST(ParseBacktracking, Thresholds) {
  EXPECT_EQ(parse_thresholds("0"), (std::vector<uint32_t>{0}));
  EXPECT_EQ(parse_thresholds("10,0,1000000"), (std::vector<uint32_t>{10, 0, 1'000'000}));
  for (const char* bad : {"many", "", "5,", ",5", "-1", "1000001", "1.5"}) {
    EXPECT_THROW(parse_thresholds(bad), UserError) << bad;
  }
}

TEST(ParseBacktracking, Ratios) {
  EXPECT_EQ(parse_ratio("0").constant, 0u);
  EXPECT_EQ(parse_ratio("1").constant, ~uint64_t{0});
  EXPECT_EQ(parse_ratio("1.0").constant, ~uint64_t{0});
  EXPECT_EQ(parse_ratio("0.5").constant, uint64_t{1} << 63);
  EXPECT_EQ(parse_ratio("0.25").constant, uint64_t{1} << 62);
  EXPECT_EQ(parse_ratio("0.9").divisor, 0u);
  EXPECT_EQ(parse_ratio("1-d/100").divisor, 100u);
  EXPECT_EQ(parse_ratio("1-d/1").divisor, 1u);
  for (const char* bad : {"1.5", "-0.1", "nan", "inf", "", "0.9x", "1-d/0", "1-d/", "1-d/x",
                          "1-d/-5", "1-d/1.5", "1 - d/100", "2-d/100"}) {
    EXPECT_THROW(parse_ratio(bad), UserError) << bad;
  }
}

TEST(ParseBacktracking, AsOptions) {
  Options options = parsed(
      "--strategy backtrack --threshold 7,30 --jump luby --ratio 1-d/50 --backtrack-order switch "
      "--match off");
  EXPECT_EQ(options.descent.thresholds, (std::vector<uint32_t>{7, 30}));
  EXPECT_EQ(options.descent.jump, explore::Jump::luby);
  EXPECT_EQ(options.descent.ratio.divisor, 50u);
  EXPECT_EQ(options.descent.order, wire::DescentOrder::other_than_last);
  EXPECT_EQ(options.match, false);
  EXPECT_EQ(parsed("--jump fixed").descent.jump, explore::Jump::fixed);
  EXPECT_EQ(parsed("--jump random").descent.jump, explore::Jump::random);
  EXPECT_EQ(parsed("--backtrack-order random").descent.order, wire::DescentOrder::by_chance);
  EXPECT_EQ(parsed("--backtrack-order default").descent.order, wire::DescentOrder::by_thread);
  EXPECT_EQ(parsed("--match on").match, true);
}

TEST(ParseBacktracking, MistakesSayWhatToType) {
  EXPECT_EQ(
      error_of("--ratio 1.5"),
      "--ratio: '1.5' is neither a number from 0 to 1 nor 1-d/C with a whole number C above 0; "
      "type e.g. --ratio 0.9 or --ratio 1-d/100");
  EXPECT_EQ(error_of("--jump far"), "--jump: there is no 'far'; known: fixed, random, luby");
  EXPECT_EQ(
      error_of("--threshold many"),
      "--threshold: 'many' is not a whole number from 0 to 1000000; type e.g. --threshold 10, "
      "or 5,10,20,50,100");
  EXPECT_EQ(error_of("--backtrack-order any"),
            "--backtrack-order: there is no 'any'; known: default, random, switch");
  EXPECT_EQ(error_of("--match maybe"), "--match: there is no 'maybe'; known: on, off");
}

}  // namespace
}  // namespace heddle::options
