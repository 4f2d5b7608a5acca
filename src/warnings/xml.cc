#include "warnings/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

constexpr size_t kMaxDepth = 100;  // the tools' documents have less than ten

void append_utf8(uint32_t code, std::string* out) {
  auto byte = [&](uint32_t value) { out->push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Element parse() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    // Above the root.
    stack_.emplace_back();
    while (at_ < text_.size()) {
      if (text_[at_] == '<') {
        markup();
      } else {
        characters();
      }
    }
    if (stack_.size() > 1)
      fail(fmt::format("the document ends inside <{}> of line {}", shown(stack_.back().name),
                       stack_.back().line));
    if (stack_.front().children.empty()) fail("the document has no element");
    return std::move(stack_.front().children.front());
  }

 private:
  [[noreturn]] void fail(const std::string& why) {
    throw UserError(fmt::format("line {}: {}", line(at_), why));
  }

  // Places are asked for in order, so that lines are counted once.
  uint32_t line(size_t at) {
    at = std::min(at, text_.size());
    if (at < counted_) {
      counted_ = 0;
      line_ = 1;
    }
    line_ += static_cast<uint32_t>(std::count(text_.begin() + static_cast<ptrdiff_t>(counted_),
                                              text_.begin() + static_cast<ptrdiff_t>(at), '\n'));
    counted_ = at;
    return line_;
  }

  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }

  // Goes behind the text; what was passed over.
  std::string_view until(std::string_view end, const char* what) {
    size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(fmt::format("{} has no end", what));
    std::string_view passed = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return passed;
  }

  void markup() {
    if (starts("<!--")) {
      until("-->", "a comment");
    } else if (starts("<![CDATA[")) {
      at_ += std::strlen("<![CDATA[");
      if (stack_.size() == 1) fail("text outside of the root element");
      stack_.back().text += until("]]>", "a CDATA section");
    } else if (starts("<?")) {
      until("?>", "a processing instruction");
    } else if (starts("<!DOCTYPE") && stack_.size() == 1) {
      until(">", "a declaration");
    } else if (starts("</")) {
      at_ += 2;
      std::string_view name = trimmed(until(">", "an end tag"));
      if (stack_.size() == 1 || stack_.back().name != name)
        fail(fmt::format("</{}> ends nothing that has begun", shown(name)));
      close();
    } else {
      ++at_;
      begin_element();
    }
  }

  void close() {
    Element done = std::move(stack_.back());
    stack_.pop_back();
    stack_.back().children.push_back(std::move(done));
  }

  void characters() {
    size_t end = std::min(text_.find('<', at_), text_.size());
    std::string_view raw = text_.substr(at_, end - at_);
    if (stack_.size() == 1) {
      if (!trimmed(raw).empty()) fail("text outside of the root element: " + shown(raw));
    } else {
      stack_.back().text += decoded(raw);
    }
    at_ = end;
  }

  std::string decoded(std::string_view raw) {
    std::string out;
    while (!raw.empty()) {
      size_t ampersand = raw.find('&');
      out += raw.substr(0, ampersand);
      if (ampersand == std::string_view::npos) break;
      raw.remove_prefix(ampersand + 1);
      size_t end = raw.find(';');
      if (end == std::string_view::npos || end > 10) fail("an & that begins no entity");
      entity(raw.substr(0, end), &out);
      raw.remove_prefix(end + 1);
    }
    return out;
  }

  void entity(std::string_view name, std::string* out) {
    if (name == "lt") return out->push_back('<');
    if (name == "gt") return out->push_back('>');
    if (name == "amp") return out->push_back('&');
    if (name == "quot") return out->push_back('"');
    if (name == "apos") return out->push_back('\'');
    bool is_hex = name.starts_with("#x");
    if (!name.starts_with('#')) fail(fmt::format("&{}; is not an entity of XML", shown(name)));
    std::string_view digits = name.substr(is_hex ? 2 : 1);
    uint32_t code = 0;
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
    bool is_number = error == std::errc() && end == digits.data() + digits.size();
    if (!is_number || code == 0 || code > 0x10ffff)
      fail(fmt::format("&{}; is not a character", shown(name)));
    append_utf8(code, out);
  }

  static bool is_name(char c) {
    auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '-' || c == '.' || c == ':';
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  std::string_view name() {
    size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin) fail("a name is missing after <, or in a tag");
    return text_.substr(begin, at_ - begin);
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void begin_element() {
    if (stack_.size() == 1 && !stack_.front().children.empty()) fail("a second root element");
    if (stack_.size() > kMaxDepth) fail("elements are nested too deeply");
    Element element;
    element.line = line(at_);
    element.name = name();
    for (;;) {
      skip_space();
      if (at_ >= text_.size()) fail(fmt::format("<{} has no end", shown(element.name)));
      if (text_[at_] == '>') {
        ++at_;
        stack_.push_back(std::move(element));
        return;
      }
      if (starts("/>")) {
        at_ += 2;
        stack_.back().children.push_back(std::move(element));
        return;
      }
      attribute(&element);
    }
  }

  void attribute(Element* element) {
    std::string key(name());
    skip_space();
    if (!starts("=")) fail(fmt::format("the attribute {} has no value", shown(key)));
    ++at_;
    skip_space();
    if (!starts("\"") && !starts("'"))
      fail(fmt::format("the value of {} has no quotes", shown(key)));
    char quote = text_[at_++];
    std::string_view raw = until(std::string_view(&quote, 1), "the value of an attribute");
    element->attributes.emplace_back(std::move(key), decoded(raw));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t counted_ = 0;  // up to here, lines have been counted
  uint32_t line_ = 1;
  std::vector<Element> stack_;
};

}  // namespace

const Element* Element::child(std::string_view child_name) const {
  auto found = std::ranges::find(children, child_name, &Element::name);
  return found == children.end() ? nullptr : &*found;
}

std::string Element::child_text(std::string_view child_name) const {
  const Element* found = child(child_name);
  return found == nullptr ? "" : std::string(trimmed(found->text));
}

std::string Element::attribute(std::string_view attribute_name) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute_name) return value;
  return "";
}

Element parse_xml(std::string_view text) { return Parser(text).parse(); }

}  // namespace heddle::warnings
