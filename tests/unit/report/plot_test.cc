#include "report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Plot, MarksAreRoundNumbers) {
  EXPECT_DOUBLE_EQ(mark_distance(1), 0.1);
  EXPECT_DOUBLE_EQ(mark_distance(1.5), 0.2);
  EXPECT_DOUBLE_EQ(mark_distance(10), 1);
  EXPECT_DOUBLE_EQ(mark_distance(3.2), 0.5);
  EXPECT_DOUBLE_EQ(mark_distance(7), 1);
  EXPECT_DOUBLE_EQ(mark_distance(0.004), 0.0005);
  for (double most : {0.0013, 0.9, 1.0, 1.1, 2.0, 2.1, 5.0, 5.1, 9.9, 123.0, 45678.0}) {
    double marks = most / mark_distance(most);
    EXPECT_GE(marks, 4) << most;
    EXPECT_LE(marks, 10) << most;
  }
}

TEST(Plot, ALineFromCornerToCorner) {
  std::string drawing = svg({"title", "x", "y", {{"one", "", {{0, 0}, {5, 2000}}}}});
  // The plane: from 80 to 860 - 170, and from 440 - 55 up to 50.
  EXPECT_THAT(drawing, HasSubstr("points=\"80.0,385.0 690.0,50.0\""));
  EXPECT_THAT(drawing, HasSubstr("cx=\"690.0\" cy=\"50.0\""));
  EXPECT_THAT(drawing, HasSubstr(">2,000</text>"));
  EXPECT_THAT(drawing, HasSubstr(">4.5</text>"));
  EXPECT_THAT(drawing, HasSubstr("prefers-color-scheme: dark"));
}

TEST(Plot, NothingToDraw) {
  for (const Plot& plot : {Plot{}, Plot{"t", "x", "y", {{"empty", "", {}}}},
                           Plot{"t", "x", "y", {{"zero", "", {{0, 0}}}}}}) {
    std::string drawing = svg(plot);
    EXPECT_THAT(drawing, HasSubstr("</svg>"));
    EXPECT_THAT(drawing, Not(HasSubstr("nan")));
    EXPECT_THAT(drawing, Not(HasSubstr("inf")));
  }
}

TEST(Plot, ManyLines) {
  Plot plot{"t", "x", "y", {}};
  for (int i = 0; i < 25; ++i) plot.lines.push_back({"s", "", {{0, 0}, {1, double(i)}}});
  std::string drawing = svg(plot);
  EXPECT_THAT(drawing, HasSubstr("stroke-dasharray"));
  EXPECT_THAT(drawing, HasSubstr("viewBox=\"0 0 860 550\""));  // 50 + 25 * 20
}

TEST(Plot, TextForXml) {
  EXPECT_EQ(xml_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c'");
  EXPECT_EQ(xml_text("gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb5"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb5");
  const std::string kBad = "\xef\xbf\xbd";
  EXPECT_EQ(xml_text("a\x01\x1b"), "a" + kBad + kBad);
  EXPECT_EQ(xml_text("\xff\xc3"), kBad + kBad);                        // no beginning, no end
  EXPECT_EQ(xml_text("\xc0\xaf"), kBad + kBad);                        // too long a form of /
  EXPECT_EQ(xml_text("\xed\xa0\x80"), kBad + kBad + kBad);             // a surrogate
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), kBad + kBad + kBad);             // U+FFFF
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80"), kBad + kBad + kBad + kBad);  // beyond the last
}

}  // namespace
}  // namespace heddle::report
