#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/findings.h"

namespace heddle::report {
namespace {

using testing::HasSubstr;
using testing::Not;

nlohmann::json model_of(const trace::TraceFile& found) {
  return nlohmann::json::parse(html_model(found, {"/home/ada/philosophers", "3"}));
}

TEST(Html, HasTheFailure) {
  nlohmann::json model = model_of({deadlock(), {}, {}});
  EXPECT_EQ(model["failure"]["kind"], "deadlock");
  EXPECT_EQ(model["failure"]["location"], "philosophers.cc:17");
  EXPECT_EQ(model["failure"]["steps"], 7);
  EXPECT_EQ(model["failure"]["preemptions"], 1);
  EXPECT_EQ(model["failure"]["replay"], "heddle replay heddle-out/philosophers-1.heddle");
  EXPECT_EQ(model["program"], (nlohmann::json{"/home/ada/philosophers", "3"}));
}

TEST(Html, HasAColumnForEachPropertyOfSteps) {
  nlohmann::json model = model_of({deadlock(), {}, {}});
  const nlohmann::json& run = model["run"];
  EXPECT_EQ(run["first"], 0);
  for (const char* column : {"thread", "op", "words", "plain", "object", "stack", "flags"}) {
    EXPECT_EQ(run[column].size(), 7u) << column;
  }
  EXPECT_EQ(run["thread"], (nlohmann::json{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(model["texts"][run["words"][4].get<size_t>()], "lock mutex forks[0]");
  EXPECT_EQ(model["texts"][run["object"][4].get<size_t>()], "forks[0]");
  EXPECT_EQ(run["flags"][5].get<int>() & 1, 1);
  EXPECT_EQ(run["ops"][run["op"][4].get<size_t>()][2], "lock");
  // The user's place, not the library's.
  size_t place = model["userPlaces"][run["stack"][4].get<size_t>()];
  EXPECT_EQ(model["texts"][model["places"][place][3].get<size_t>()], "philosophers.cc:16");
}

TEST(Html, HasWhoWaitsForWhom) {
  nlohmann::json model = model_of({deadlock(), {}, {}});
  const nlohmann::json& end = model["atEnd"];
  ASSERT_EQ(end.size(), 3u);
  EXPECT_EQ(end[0]["joins"], true);
  EXPECT_EQ(end[1]["state"], "waiting");
  EXPECT_EQ(end[1]["words"], "waits to lock mutex forks[1]");
  EXPECT_EQ(end[1]["holder"], 2);
}

TEST(Html, HasTheSource) {
  trace::TraceFile found{deadlock(), {}, {}};
  found.sources = {{"/home/ada/philosophers.cc", {{16, {"  lock(left);", "  lock(right);"}}}}};
  nlohmann::json model = model_of(found);
  EXPECT_EQ(model["sources"][0]["parts"][0]["first"], 16);
  EXPECT_EQ(model["sources"][0]["parts"][0]["lines"][1], "  lock(right);");
  EXPECT_EQ(model["texts"][model["sources"][0]["file"].get<size_t>()], "/home/ada/philosophers.cc");
}

// Nothing of the program's can end the element that it stands in, or is no UTF-8.
TEST(Html, TextsAreInert) {
  trace::TraceFile found{deadlock(), {}, {}};
  found.finding.message = "</script><script>alert(1)</script><!-- {{SCRIPT}} \xff\xfe &amp;";
  std::string page = html_page(found, {"<b>\xff"});
  EXPECT_THAT(page, HasSubstr("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
  EXPECT_THAT(page, HasSubstr("{{SCRIPT}}"));
  EXPECT_EQ(page, html_page(found, {"<b>\xff"}));
}

// No address stands in it but the one that SVG elements are named by.
TEST(Html, AsksNobody) {
  std::string page = html_page({deadlock(), {}, {}}, {});
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  constexpr std::string_view kNamespace = "http://www.w3.org/2000/svg";
  size_t at = page.find(kNamespace);
  ASSERT_NE(at, page.npos);
  page.erase(at, kNamespace.size());
  for (const char* word : {"http:", "https:", "src=\"", "@import", "url(\""}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
}

TEST(Html, AFailureOfWhichNothingIsKnown) {
  trace::TraceFile found;
  found.finding.kind = wire::Failure::crash;
  nlohmann::json model = model_of(found);
  EXPECT_EQ(model["run"]["thread"].size(), 0u);
  EXPECT_THAT(html_page(found, {}), HasSubstr("</html>"));
}

}  // namespace
}  // namespace heddle::report
