#include "warnings/xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::warnings {
namespace {

using testing::HasSubstr;

TEST(Xml, HasElementsAttributesAndText) {
  Element root = parse_xml(
      "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<a x='1' y = \"&lt;2&#33;&#x41;\">\n <b/>"
      "t&amp;u<![CDATA[<raw>]]>\n <c>one</c><c>two</c></a>\n");
  EXPECT_EQ(root.name, "a");
  EXPECT_EQ(root.line, 3u);
  EXPECT_EQ(root.attribute("x"), "1");
  EXPECT_EQ(root.attribute("y"), "<2!A");
  EXPECT_EQ(root.attribute("z"), "");
  EXPECT_THAT(root.text, HasSubstr("t&u<raw>"));
  ASSERT_EQ(root.children.size(), 3u);
  EXPECT_EQ(root.children[0].line, 4u);
  EXPECT_EQ(root.child_text("c"), "one");
  EXPECT_EQ(root.child("d"), nullptr);
}

TEST(Xml, RefusesWhatIsNotWellFormed) {
  auto why = [](const std::string& text) -> std::string {
    try {
      parse_xml(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "it was accepted";
  };
  EXPECT_THAT(why("<a>\n<b>\n</a>"), HasSubstr("line 3: </a> ends nothing"));
  EXPECT_THAT(why("<a>\n<b>"), HasSubstr("the document ends inside <b> of line 2"));
  EXPECT_THAT(why("<a></a><b/>"), HasSubstr("a second root"));
  EXPECT_THAT(why("<a>&nope;</a>"), HasSubstr("&nope; is not an entity"));
  EXPECT_THAT(why("<a>&#0;</a>"), HasSubstr("not a character"));
  EXPECT_THAT(why("<a>& b</a>"), HasSubstr("begins no entity"));
  EXPECT_THAT(why("<a x=1/>"), HasSubstr("no quotes"));
  EXPECT_THAT(why("<a x/>"), HasSubstr("no value"));
  EXPECT_THAT(why("<a x='1/>"), HasSubstr("no end"));
  EXPECT_THAT(why("<a"), HasSubstr("no end"));
  EXPECT_THAT(why("<a><!b></a>"), HasSubstr("a name is missing"));
  EXPECT_THAT(why("text"), HasSubstr("outside of the root"));
  EXPECT_THAT(why(""), HasSubstr("no element"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THAT(why(deep), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace heddle::warnings
