#include "report/html.h"

#include <fmt/format.h>

#include <map>

#include "base/hash.h"

namespace heddle::report {
namespace {

// As it may stand in a script element: nothing in it ends that, or begins a comment. In JSON these
// characters stand in strings alone.
std::string inert(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += c;
    }
  }
  return out;
}

// By it the browser knows which scripts are ours. The same for the same page, and nothing that a
// text in the page could say beforehand.
std::string nonce_of(std::string_view model) {
  uint64_t a = 1;
  uint64_t b = 2;
  for (char c : model) {
    a = mix(a, static_cast<unsigned char>(c));
    b = mix(b, a);
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

}  // namespace

std::string html_page(const trace::TraceFile& found, const std::vector<std::string>& program) {
  std::string model = inert(html_model(found, program));
  const std::map<std::string_view, std::string> parts = {{"NONCE", nonce_of(model)},
                                                         {"STYLE", page_style()},
                                                         {"SCRIPT", page_script()},
                                                         {"MODEL", model}};
  std::string page;
  std::string_view frame = page_frame();
  while (!frame.empty()) {
    size_t begin = std::min(frame.find("{{"), frame.size());
    page += frame.substr(0, begin);
    frame.remove_prefix(begin);
    if (frame.empty()) break;
    size_t end = frame.find("}}");
    page += parts.at(frame.substr(2, end - 2));
    frame.remove_prefix(end + 2);
  }
  return page;
}

}  // namespace heddle::report
