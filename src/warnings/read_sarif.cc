// SARIF 2.1.0, of whatever tool. What a result is about is told by its rule and its message; where
// to go, by its code flows, or else by its locations and related locations.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "warnings/diagnostic.h"
#include "warnings/readers.h"
#include "warnings/stack.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

using Json = nlohmann::json;

// Walks over the text and counts its lines, for whoever parses it.
class Counting {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Counting(const char* at, uint32_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  Counting& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  Counting operator++(int) {
    Counting before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Counting& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  uint32_t* line_;
};

// Null: it is not there, or no object, array or text.
const Json* member(const Json& object, const char* name, Json::value_t type) {
  if (!object.is_object()) return nullptr;
  auto found = object.find(name);
  return found == object.end() || found->type() != type ? nullptr : &*found;
}

const Json* object_in(const Json& object, const char* name) {
  return member(object, name, Json::value_t::object);
}

const Json& array_in(const Json& object, const char* name) {
  static const Json kEmpty = Json::array();
  const Json* found = member(object, name, Json::value_t::array);
  return found == nullptr ? kEmpty : *found;
}

std::string text_in(const Json& object, const char* name) {
  const Json* found = member(object, name, Json::value_t::string);
  return found == nullptr ? "" : found->get<std::string>();
}

uint32_t number_in(const Json& object, const char* name) {
  const Json* found = member(object, name, Json::value_t::number_unsigned);
  if (found == nullptr) return 0;
  auto value = found->get<uint64_t>();
  return value > UINT32_MAX ? 0 : static_cast<uint32_t>(value);
}

// "file:///a%20b.cc" is "/a b.cc".
std::string path_of(std::string uri) {
  constexpr std::string_view kFile = "file://";
  if (uri.starts_with(kFile)) {
    size_t slash = uri.find('/', kFile.size());
    uri.erase(0, slash == std::string::npos ? kFile.size() : slash);
  }
  std::string out;
  for (size_t i = 0; i < uri.size(); ++i) {
    auto digit = [&](size_t at) {
      size_t found = std::string_view("0123456789abcdef").find(static_cast<char>(uri[at] | 0x20));
      return uri[at] >= '0' && found != std::string_view::npos ? static_cast<int>(found) : -1;
    };
    bool is_escape = uri[i] == '%' && i + 2 < uri.size() && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    out += is_escape ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : uri[i];
    if (is_escape) i += 2;
  }
  return out;
}

std::optional<Location> location_of(const Json& location) {
  const Json* physical = object_in(location, "physicalLocation");
  const Json* artifact = physical == nullptr ? nullptr : object_in(*physical, "artifactLocation");
  const Json* region = physical == nullptr ? nullptr : object_in(*physical, "region");
  if (artifact == nullptr || region == nullptr) return std::nullopt;
  Location where;
  where.file = shown(path_of(text_in(*artifact, "uri")), kMessage);
  where.line = number_in(*region, "startLine");
  where.column = number_in(*region, "startColumn");
  for (const Json& logical : array_in(location, "logicalLocations")) {
    where.function = text_in(logical, "fullyQualifiedName");
    if (where.function.empty()) where.function = text_in(logical, "name");
    where.function = shown(where.function, kMessage);
    break;
  }
  if (where.file.empty() || where.line == 0) return std::nullopt;
  return where;
}

std::string message_of(const Json& object) {
  const Json* message = object_in(object, "message");
  return message == nullptr ? "" : text_in(*message, "text");
}

std::vector<Note> notes_of(const Json& locations) {
  std::vector<Note> notes;
  for (const Json& one : locations) {
    std::optional<Location> where = location_of(one);
    if (where) notes.push_back({std::move(*where), message_of(one)});
  }
  return notes;
}

// The places of one thread flow, in order. Of several on one line, in a row, the last stands for
// all.
Sequence flow_of(const Json& thread_flow, std::vector<Note>* notes) {
  Sequence sequence;
  for (const Json& one : array_in(thread_flow, "locations")) {
    const Json* location = object_in(one, "location");
    std::optional<Location> where;
    if (location != nullptr) where = location_of(*location);
    if (!where) continue;
    notes->push_back({*where, message_of(*location)});
    bool is_same_line = !sequence.empty() && sequence.back().file == where->file &&
                        sequence.back().line == where->line;
    if (is_same_line) sequence.pop_back();
    sequence.push_back(std::move(*where));
  }
  return sequence;
}

void add_sequence(Sequence sequence, std::vector<Sequence>* all) {
  if (!sequence.empty() && std::ranges::find(*all, sequence) == all->end())
    all->push_back(std::move(sequence));
}

// One thread flow is the sequence. Of several, each thread may be first; a deadlock needs the first
// place of each before the second of any.
void add_code_flow(const Json& code_flow, const Warning& warning, std::vector<Sequence>* all) {
  std::vector<Sequence> flows;
  std::vector<Note> notes;
  size_t longest = 0;
  for (const Json& thread_flow : array_in(code_flow, "threadFlows")) {
    Sequence flow = flow_of(thread_flow, &notes);
    longest = std::max(longest, flow.size());
    if (!flow.empty()) flows.push_back(std::move(flow));
  }
  if (warning.kind == Kind::lock_order && flows.size() > 1) {
    Sequence turns;
    for (size_t i = 0; i < longest; ++i)
      for (const Sequence& flow : flows)
        if (i < flow.size()) turns.push_back(flow[i]);
    return add_sequence(std::move(turns), all);
  }
  // What matters of the way comes first, if it can be told; then all of it.
  if (warning.kind != Kind::data_race) {
    Sequence few = sequences_of(warning.kind, warning.where, notes).front();
    if (few.size() > 1) add_sequence(std::move(few), all);
  }
  for (size_t first = 0; first < flows.size(); ++first) {
    Sequence sequence;
    for (size_t i = 0; i < flows.size(); ++i) {
      const Sequence& flow = flows[(first + i) % flows.size()];
      sequence.insert(sequence.end(), flow.begin(), flow.end());
    }
    add_sequence(std::move(sequence), all);
  }
}

// A race has both its accesses at hand where two threads have a flow each, or one place is related.
std::vector<Location> accesses_of(const Json& result, const Location& where) {
  std::vector<Location> ends;
  for (const Json& code_flow : array_in(result, "codeFlows")) {
    for (const Json& thread_flow : array_in(code_flow, "threadFlows")) {
      std::vector<Note> notes;
      Sequence flow = flow_of(thread_flow, &notes);
      if (!flow.empty()) ends.push_back(flow.back());
    }
  }
  if (ends.size() == 2) return ends;
  std::vector<Note> related = notes_of(array_in(result, "relatedLocations"));
  if (ends.empty() && related.size() == 1) return {where, related.front().where};
  return {where};
}

std::vector<Sequence> sequences_of_result(const Json& result, const Warning& warning) {
  std::vector<Sequence> all;
  for (const Json& code_flow : array_in(result, "codeFlows"))
    add_code_flow(code_flow, warning, &all);
  if (!all.empty()) return all;
  std::vector<Note> related = notes_of(array_in(result, "relatedLocations"));
  // Further primary places are places of the warning too.
  const Json& locations = array_in(result, "locations");
  for (size_t i = 1; i < locations.size(); ++i) {
    if (std::optional<Location> where = location_of(locations[i]))
      related.push_back({std::move(*where), ""});
  }
  if (related.empty()) return sequences_of(warning.kind, warning.where, {});
  if (warning.kind == Kind::data_race) {
    for (const Note& note : related)
      for (Sequence& sequence : both_orders(warning.where, note.where))
        add_sequence(std::move(sequence), &all);
    return all;
  }
  all = sequences_of(warning.kind, warning.where, related);
  // No word says which of them comes before: all, in their order.
  if (all.front().size() == 1) {
    Sequence sequence;
    for (const Note& note : related) sequence.push_back(note.where);
    sequence.push_back(warning.where);
    all.insert(all.begin(), std::move(sequence));
  }
  return all;
}

std::string rule_of(const Json& result) {
  std::string id = text_in(result, "ruleId");
  const Json* rule = object_in(result, "rule");
  return id.empty() && rule != nullptr ? text_in(*rule, "id") : id;
}

// Empty: added. Otherwise: why not.
std::string read_result(const Json& result, const std::string& tool, uint32_t line,
                        Reading* reading) {
  if (!result.is_object()) return "a result that is no object";
  Warning warning;
  warning.tool = tool;
  warning.rule = shown(rule_of(result), kMessage);
  warning.message = shown(message_of(result), kMessage);
  warning.line = line;
  std::string name = shown(warning.rule.empty() ? warning.message : warning.rule);
  std::string kind = text_in(result, "kind");
  if (!kind.empty() && kind != "fail" && kind != "open" && kind != "review")
    return fmt::format("{}: its kind is \"{}\": no warning", name, shown(kind));
  if (text_in(result, "baselineState") == "absent")
    return name + ": it is absent, compared with the baseline";
  const Json& locations = array_in(result, "locations");
  std::optional<Location> where;
  if (!locations.empty()) where = location_of(locations[0]);
  if (!where) return name + ": it has no place in a source file (file and line)";
  warning.where = *where;
  warning.needed = {*where};
  Diagnostic diagnostic;
  diagnostic.rule = warning.rule;
  diagnostic.message = warning.message;
  std::optional<Kind> known = kind_of(diagnostic);
  if (!known && is_other_check(warning.rule))
    return name + ": not about threads, nor about a failure that a schedule leads to";
  if (!known) known = kind_of_words(warning.rule);
  if (!known) known = kind_of_words(warning.message);
  warning.kind = known.value_or(Kind::any);
  if (warning.kind == Kind::data_race) warning.needed = accesses_of(result, *where);
  warning.sequences = sequences_of_result(result, warning);
  add_warning(std::move(warning), reading);
  return "";
}

std::string tool_of(const Json& run) {
  const Json* tool = object_in(run, "tool");
  const Json* driver = tool == nullptr ? nullptr : object_in(*tool, "driver");
  std::string name = driver == nullptr ? "" : text_in(*driver, "name");
  return name.empty() ? "a tool without a name" : shown(name);
}

// The document, and the lines on which results begin, in their order.
Json parse(std::string_view text, std::vector<uint32_t>* lines) {
  uint32_t line = 1;
  bool in_results = false;
  // {runs [{ results [{: a run has depth 2, its members 3, a result 4.
  auto look = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 3) in_results = parsed == "results";
    if (event == Json::parse_event_t::object_start && depth == 4 && in_results)
      lines->push_back(line);
    return true;
  };
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  try {
    return Json::parse(Counting(text.data(), &line), Counting(text.data() + text.size(), &line),
                       look);
  } catch (const Json::exception&) {
    throw UserError(fmt::format("line {}: the document is not JSON from here on", line));
  }
}

}  // namespace

void read_sarif(std::string_view text, Reading* reading) {
  std::vector<uint32_t> lines;
  Json document = parse(text, &lines);
  const Json* runs = member(document, "runs", Json::value_t::array);
  if (runs == nullptr) throw UserError("JSON, but not SARIF: it has no runs");
  std::string version = text_in(document, "version");
  if (!version.starts_with("2.1"))
    throw UserError(fmt::format("SARIF of version \"{}\", not 2.1.0", shown(version)));
  size_t count = 0;
  for (const Json& run : *runs) {
    const Json* results = member(run, "results", Json::value_t::array);
    if (results == nullptr) {
      reading->unread.push_back("a run without results");
      continue;
    }
    for (const Json& result : *results) {
      uint32_t line = result.is_object() && count < lines.size() ? lines[count++] : 0;
      std::string why = read_result(result, tool_of(run), line, reading);
      if (!why.empty()) reading->unread.push_back(line == 0 ? why : at_line(line, why));
    }
  }
}

}  // namespace heddle::warnings
