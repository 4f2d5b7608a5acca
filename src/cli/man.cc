// heddle help --man: the manual's pages as roff, from the option table and the texts of the verbs.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/help_text.h"
#include "cli/pages.h"
#include "cli/verbs.h"
#include "symbols/nearest.h"

namespace heddle::cli {

namespace {

constexpr const char* kWrapper = "heddle-c++";
constexpr const char* kCWrapper = "heddle-cc";

// Text as roff takes it: no escape and no request by mistake; options with hyphens that can be
// copied.
std::string roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool at_begin = out.empty() || out.back() == '\n';
    if (text.substr(i).starts_with("…")) {
      out += "...";
      i += std::string_view("…").size() - 1;
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (at_begin && (c == '.' || c == '\'')) {
      out += fmt::format("\\&{}", c);
    } else {
      out += c;
    }
  }
  return out;
}

std::string head(const std::string& name, std::string_view purpose) {
  return fmt::format(
      ".\\\" Made by: heddle help \\-\\-man {0}\n.TH \"{1}\" 1 \"\" \"heddle {2}\" \"Heddle\"\n"
      ".SH NAME\n{3} \\- {4}\n",
      name, roff(name), HEDDLE_VERSION, roff(name), roff(purpose));
}

// "--seed N": the name bold, what stands for a value in italics.
std::string tag(const options::OptionRecord& record) {
  std::string name = ".TP\n\\fB" + roff(fmt::format("--{}", record.name)) + "\\fR";
  if (record.metavar != nullptr) name += " \\fI" + roff(record.metavar) + "\\fR";
  return name + "\n";
}

std::vector<std::string_view> split_paragraphs(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find("\n\n"), text.size());
    std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    if (one.ends_with('\n')) one.remove_suffix(1);
    parts.push_back(one);
  }
  return parts;
}

std::string paragraph(std::string_view text) { return ".PP\n" + roff(text) + "\n"; }

// The paragraphs of a verb's text: how to call it, then what it does.
std::string synopsis_and_description(std::string_view text) {
  std::string synopsis, description;
  for (std::string_view one : split_paragraphs(text)) {
    if (one.starts_with("heddle ") && one.find('\n') == one.npos) {
      synopsis += (synopsis.empty() ? "" : ".br\n") + roff(one) + "\n";
    } else {
      description += paragraph(one);
    }
  }
  return ".SH SYNOPSIS\n" + synopsis + ".SH DESCRIPTION\n" + description;
}

std::string options_section(unsigned verb) {
  std::string out = ".SH OPTIONS\n";
  for (const Topic& topic : topics(verb)) {
    out += fmt::format(".SS {}\n", roff(topic.heading));
    for (const options::OptionRecord* record : topic.options)
      out += tag(*record) + roff(explanation(*record, verb)) + ".\n";
  }
  return out;
}

// From lines like "  0    no failure".
std::string exit_section(unsigned verb) {
  std::string out = ".SH EXIT STATUS\n", lines = exit_codes(verb);
  for (size_t at = 0; at < lines.size();) {
    size_t end = lines.find('\n', at);
    std::string line = lines.substr(at, end - at);
    size_t code = line.find_first_not_of(' ');
    size_t gap = line.find(' ', code);
    out += fmt::format(".TP\n{}\n{}.\n", line.substr(code, gap - code),
                       roff(line.substr(line.find_first_not_of(' ', gap))));
    at = end + 1;
  }
  return out;
}

std::string see_also(const std::string& self) {
  std::string out;
  for (const std::string& page : man_pages()) {
    if (page != self && page != kCWrapper)
      out += fmt::format("{}.BR {} (1)", out.empty() ? "" : ",\n", roff(page));
  }
  return ".SH SEE ALSO\n" + out + "\n";
}

constexpr std::string_view kEnvironment =
    ".SH ENVIRONMENT\n"
    ".TP\n.B HEDDLE_OPTIONS\nOptions for tests that call heddle::check, as on the command line; "
    "they "
    "come after those in the code.\n"
    ".TP\n.B HEDDLE_CC\n.TQ\n.B HEDDLE_CXX\nThe compilers behind the wrappers, with options if you "
    "like; gcc and g++ unless set.\n"
    ".TP\n.B HEDDLE_ASLR\n1: addresses of the program are randomised, as without Heddle.\n"
    ".TP\n.B NO_COLOR\nNo colours in reports.\n"
    ".SH FILES\n"
    ".TP\n.I heddle\\-out/\nSchedules of failures, each with its trace, and what "
    ".B heddle run \\-\\-resume\nneeds.\n";

std::string main_page() {
  std::string out = head("heddle", "systematic testing of concurrent C and C++");
  out +=
      ".SH SYNOPSIS\n.B heddle\n.I VERB\n[\\fIOPTIONS\\fR] ...\n.br\n.B heddle help\n"
      "[\\fIVERB\\fR|\\fITOPIC\\fR]\n.SH DESCRIPTION\n"
      "Heddle takes the thread scheduler into its own hands, and runs a test along one "
      "interleaving "
      "after another, until one fails or all are covered. A failure comes with the steps that led "
      "to "
      "it, and with a schedule that leads to it every time. Programs are built with\n.BR "
      "heddle\\-c++ (1).\n.SH VERBS\n";
  for (const Verb& verb : verbs())
    out += fmt::format(".TP\n.B {}\n{}.\n", verb.name, roff(verb.help));
  return out + std::string(kEnvironment) + exit_section(options::kRun) + see_also("heddle");
}

std::string verb_page(const std::string& name, const Verb& verb) {
  return head(name, verb.help) + synopsis_and_description(verb_text(verb.options)) +
         options_section(verb.options) + exit_section(verb.options) + see_also(name);
}

constexpr std::string_view kAboutWrappers =
    "heddle-c++ and heddle-cc are the C++ and the C compiler as they are, with their options, "
    "messages and exit codes. To what they compile they add the instrumentation, to what they "
    "link "
    "the runtime: the program can then be searched by heddle run. Started plainly, it runs as "
    "without Heddle.\n\n"
    "All of a program should be compiled so, its own libraries too. Use them in the place of the "
    "compiler: make CXX=heddle-c++, CXX=heddle-c++ ./configure, CXX=heddle-c++ cmake -S . -B "
    "build, CXX=heddle-c++ meson setup build. -g gives reports their source lines.\n\n"
    "What cannot work with Heddle, like -static or another sanitizer, is refused with exit code "
    "2.\n";

std::string wrapper_page() {
  std::string out = head(kWrapper, "the C++ compiler, for tests under Heddle");
  out +=
      ".SH SYNOPSIS\n.B heddle\\-c++\n[\\fIOPTIONS OF THE COMPILER\\fR] \\fIFILE\\fR ...\n.br\n"
      ".B heddle\\-cc\n[\\fIOPTIONS OF THE COMPILER\\fR] \\fIFILE\\fR ...\n.SH DESCRIPTION\n";
  for (std::string_view one : split_paragraphs(kAboutWrappers)) out += paragraph(one);
  out +=
      ".SH OPTIONS\n.TP\n.B \\-\\-heddle\\-print\nAs the first word: print the command that would "
      "be "
      "run, and do not run it.\n"
      ".SH ENVIRONMENT\n.TP\n.B HEDDLE_CXX\n.TQ\n.B HEDDLE_CC\nThe compiler to use, with options "
      "if "
      "you like: GCC 12 or later, or Clang 14 or later; g++ and gcc unless set.\n";
  return out + see_also(kWrapper);
}

}  // namespace

std::vector<std::string> man_pages() {
  std::vector<std::string> pages = {"heddle", kWrapper, kCWrapper};
  for (const Verb& verb : verbs()) {
    if (verb.options != 0) pages.push_back(fmt::format("heddle-{}", verb.name));
  }
  return pages;
}

std::string man_page(const std::string& name) {
  if (name == "heddle") return main_page();
  if (name == kWrapper) return wrapper_page();
  if (name == kCWrapper) return fmt::format(".so man1/{}.1\n", kWrapper);
  for (const Verb& verb : verbs()) {
    if (verb.options != 0 && name == fmt::format("heddle-{}", verb.name))
      return verb_page(name, verb);
  }
  std::string near = symbols::nearest(name, man_pages());
  throw UserError(fmt::format(
      "there is no page {}{}", name,
      near.empty() ? "; heddle help --man lists them" : "; did you mean " + near + "?"));
}

}  // namespace heddle::cli
