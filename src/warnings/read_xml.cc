// Reports in XML: Helgrind's (valgrindoutput) and cppcheck's (results).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "warnings/diagnostic.h"
#include "warnings/helgrind.h"
#include "warnings/readers.h"
#include "warnings/text.h"
#include "warnings/xml.h"

namespace heddle::warnings {
namespace {

Frame frame_of(const Element& element) {
  Frame frame;
  std::string dir = shown(element.child_text("dir"), kMessage);
  std::string file = shown(element.child_text("file"), kMessage);
  bool is_whole = dir.empty() || dir == "." || file.starts_with('/');
  frame.where.file = is_whole ? file : dir + "/" + file;
  frame.where.line = number(element.child_text("line")).value_or(0);
  frame.where.function = shown(element.child_text("fn"), kMessage);
  frame.module = element.child_text("obj");
  return frame;
}

// A text stands before the call stack that it is about.
HelgrindError error_of(const Element& element) {
  HelgrindError error;
  error.line = element.line;
  std::string heading;
  uint32_t heading_line = element.line;
  for (const Element& child : element.children) {
    if (child.name == "stack") {
      Stack stack{heading, heading_line, {}, false};
      for (const Element& frame : child.children)
        if (frame.name == "frame") stack.frames.push_back(frame_of(frame));
      error.stacks.push_back(std::move(stack));
      heading.clear();
    } else if (child.name.ends_with("what")) {
      const Element* text = child.child("text");
      heading = trimmed(text != nullptr ? text->text : child.text);
      heading_line = child.line;
      if (error.what.empty()) error.what = heading;
    }
  }
  return error;
}

// What stands beside errors in valgrind's documents.
bool is_known(std::string_view name) {
  constexpr std::array<std::string_view, 16> kNames = {"protocolversion",
                                                       "protocoltool",
                                                       "preamble",
                                                       "pid",
                                                       "ppid",
                                                       "tool",
                                                       "args",
                                                       "status",
                                                       "announcethread",
                                                       "errorcounts",
                                                       "suppcounts",
                                                       "usercomment",
                                                       "logfilequalifier",
                                                       "clientmsg",
                                                       "suppression",
                                                       "core_file"};
  return std::ranges::find(kNames, name) != kNames.end();
}

void read_valgrind(const Element& root, Reading* reading) {
  reading->format = "Helgrind's XML";
  std::string tool = root.child_text("protocoltool");
  if (tool.empty()) tool = root.child_text("tool");
  if (tool != "helgrind")
    throw UserError(
        fmt::format("a report of valgrind's tool \"{}\", not of helgrind", shown(tool)));
  for (const Element& child : root.children) {
    if (child.name == "error") {
      HelgrindError error = error_of(child);
      if (error.what.empty()) error.what = "an error without a text";
      judge_helgrind(error, reading);
    } else if (child.name == "fatal_signal") {
      reading->unread.push_back(at_line(
          child.line, "a fatal signal, " + shown(child.child_text("signame")) + ": no warning"));
    } else if (!is_known(child.name)) {
      reading->unread.push_back(at_line(child.line, "<" + shown(child.name) + "> is not known"));
    }
  }
}

// Newest first: the first location is the warned one, what leads there follows backwards.
std::optional<Diagnostic> diagnostic_of(const Element& element, Reading* reading) {
  Diagnostic diagnostic;
  diagnostic.rule = element.attribute("id");
  diagnostic.severity = element.attribute("severity");
  diagnostic.message = shown(element.attribute("msg"), kMessage);
  diagnostic.line = element.line;
  bool has_place = false;
  for (const Element& child : element.children) {
    if (child.name != "location") {
      if (child.name != "symbol")
        reading->unread.push_back(at_line(child.line, "<" + shown(child.name) + "> is not known"));
      continue;
    }
    Location where;
    where.file = shown(child.attribute("file"), kMessage);
    where.line = number(child.attribute("line")).value_or(0);
    where.column = number(child.attribute("column")).value_or(0);
    if (where.file.empty() || where.line == 0) return std::nullopt;
    if (!has_place) {
      diagnostic.where = where;
      has_place = true;
    } else {
      std::string info = child.attribute("info");
      if (info.empty()) info = diagnostic.message;
      diagnostic.notes.insert(diagnostic.notes.begin(), {std::move(where), std::move(info)});
    }
  }
  if (!has_place || diagnostic.rule.empty()) return std::nullopt;
  return diagnostic;
}

void read_cppcheck(const Element& root, Reading* reading) {
  reading->format = "cppcheck's XML";
  const Element* errors = root.child("errors");
  if (errors == nullptr)
    throw UserError("the document has no <errors>: write it with cppcheck --xml");
  std::vector<Diagnostic> all;
  for (const Element& child : errors->children) {
    std::optional<Diagnostic> diagnostic;
    if (child.name == "error") diagnostic = diagnostic_of(child, reading);
    if (diagnostic) {
      all.push_back(std::move(*diagnostic));
    } else {
      std::string id = child.attribute("id");
      reading->unread.push_back(
          at_line(child.line, fmt::format("<{}>{}{}: it has no place in a source file, or no id",
                                          shown(child.name), id.empty() ? "" : " ", shown(id))));
    }
  }
  judge_diagnostics(all, reading);
}

}  // namespace

void read_xml(std::string_view text, Reading* reading) {
  Element root = parse_xml(text);
  if (root.name == "valgrindoutput") return read_valgrind(root, reading);
  if (root.name == "results") return read_cppcheck(root, reading);
  throw UserError(
      fmt::format("XML with a root <{}>, which is of no tool that is known", shown(root.name)));
}

}  // namespace heddle::warnings
