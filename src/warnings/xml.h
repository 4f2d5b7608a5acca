// As much of XML as the tools write: elements, attributes, text, entities, comments and CDATA. A
// document that is not well formed is refused, with its line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::warnings {

struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Element> children;
  std::string text;  // its own, without that of its children
  uint32_t line = 0;

  // Null: there is none.
  const Element* child(std::string_view child_name) const;
  // Empty: there is none, or it is.
  std::string child_text(std::string_view child_name) const;
  std::string attribute(std::string_view attribute_name) const;
};

// The root. Throws UserError: "line 12: …".
Element parse_xml(std::string_view text);

}  // namespace heddle::warnings
