#include "warnings/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "warnings/readers.h"
#include "warnings/stack.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

template <size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

struct Rule {
  std::string_view prefix;  // of the rule's name
  std::optional<Kind> kind;
};

// Those that need a look at the message are not here: core.CallAndMessage, unix.Malloc,
// cplusplus.NewDelete.
constexpr Rule kRules[] = {
    {"core.NullDereference", Kind::null_use},
    {"core.NonNullParamChecker", Kind::null_use},
    {"nullability.Null", Kind::null_use},
    {"nullPointer", Kind::null_use},
    {"ctunullpointer", Kind::null_use},
    {"core.uninitialized", Kind::uninitialised},
    {"core.UndefinedBinaryOperatorResult", Kind::uninitialised},
    {"uninit", Kind::uninitialised},
    {"legacyUninitvar", Kind::uninitialised},
    {"ctuuninitvar", Kind::uninitialised},
    {"doubleFree", Kind::double_free},
    {"deallocuse", Kind::use_after_free},
    {"deallocret", Kind::use_after_free},
    {"danglingLifetime", Kind::use_after_free},
    {"danglingReference", Kind::use_after_free},
    {"invalidLifetime", Kind::use_after_free},
    {"invalidContainer", Kind::use_after_free},
    {"returnDanglingLifetime", Kind::use_after_free},
    {"cplusplus.InnerPointer", Kind::use_after_free},
    {"security.ArrayBound", Kind::bounds},
    {"arrayIndexOutOfBounds", Kind::bounds},
    {"containerOutOfBounds", Kind::bounds},
    {"bufferAccessOutOfBounds", Kind::bounds},
    {"negativeIndex", Kind::bounds},
    {"globalLockGuard", Kind::data_race},
    {"localMutex", Kind::data_race},
    {"raceAfterInterlockedDecrement", Kind::data_race},
    {"threadsafety", Kind::data_race},
    {"concurrency-mt-unsafe", Kind::data_race},
    {"unix.PthreadLock", Kind::locking},
    {"bugprone-spuriously-wake-up-functions", Kind::any},
    {"core.DivideZero", Kind::any},
    {"zerodiv", Kind::any},
};

std::string_view bare_rule(std::string_view rule) {
  for (std::string_view prefix : {"clang-analyzer-", "alpha.", "cert-"})
    if (rule.starts_with(prefix)) rule.remove_prefix(prefix.size());
  return rule.starts_with("alpha.") ? rule.substr(6) : rule;
}

bool is_thread_safety(std::string_view rule) {
  return rule.starts_with("-Wthread-safety") || rule.starts_with("clang-diagnostic-thread-safety");
}

// "writing variable 'x' requires holding mutex 'm'", and what else the analysis says.
std::optional<Kind> thread_safety_kind(std::string_view message) {
  constexpr std::array<std::string_view, 2> kRace = {"requires holding", "is not held"};
  constexpr std::array<std::string_view, 6> kLocking = {
      "is still held", "is not held on every path",  "that was not held",
      "already held",  "held at the start of every", "expecting "};
  constexpr std::array<std::string_view, 2> kOrder = {"must be acquired before", "acquired_before"};
  if (has_any(message, kLocking)) return Kind::locking;
  if (has_any(message, kOrder)) return Kind::lock_order;
  if (has_any(message, kRace)) return Kind::data_race;
  return std::nullopt;
}

// The last note of which this is true: it is the nearest to the warned place.
template <typename Is>
const Note* last_note(const std::vector<Note>& notes, Is is) {
  auto found = std::find_if(notes.rbegin(), notes.rend(), is);
  return found == notes.rend() ? nullptr : &*found;
}

bool tells_of_null(const Note& note) {
  constexpr std::array<std::string_view, 8> kWords = {"null pointer value stored",
                                                      "initialized to a null pointer",
                                                      "returning null",
                                                      "is null",
                                                      "is equal to null",
                                                      "assigned value is 0",
                                                      "assuming that condition",
                                                      "null pointer value"};
  std::string text = lower(note.message);
  return has_any(text, kWords) && text.find("dereference") == std::string::npos;
}

bool tells_of_free(const Note& note) {
  constexpr std::array<std::string_view, 6> kWords = {"released", "freed",     "deallocated",
                                                      "deleted",  "destroyed", "invalidated"};
  return has_any(lower(note.message), kWords);
}

std::string tool_of(const Diagnostic& diagnostic) {
  if (is_thread_safety(diagnostic.rule)) return "Clang thread safety";
  const std::string& rule = diagnostic.rule;
  if (rule.starts_with("-W")) return "the compiler";
  // Checks of clang-tidy have a dash, the analyzer's a dot; cppcheck's have neither, but for
  // add-ons.
  if (rule.starts_with("threadsafety")) return "cppcheck";
  if (rule.find_first_of("-.") != std::string::npos) return "clang-tidy";
  return "cppcheck";
}

// What two warnings have to share to be about the same memory: the first name in quotes.
std::string subject_of(const Diagnostic& diagnostic) {
  std::optional<std::string_view> name = between(diagnostic.message, "'", "'");
  return name ? std::string(*name) : "";
}

// With itself, with each other place that is warned of, and alone: the access that it races with
// may be one that holds the lock, of which the tool says nothing.
std::vector<Sequence> pair_up(const Diagnostic& diagnostic, const std::vector<Diagnostic>& all) {
  const Location& where = diagnostic.where;
  std::vector<Sequence> sequences = {{where, where}};
  std::string subject = subject_of(diagnostic);
  for (const Diagnostic& other : all) {
    bool is_other = other.where != where && is_thread_safety(other.rule) && !subject.empty();
    if (!is_other || subject_of(other) != subject) continue;
    if (thread_safety_kind(other.message) != Kind::data_race) continue;
    for (Sequence& sequence : both_orders(where, other.where)) {
      if (std::ranges::find(sequences, sequence) == sequences.end())
        sequences.push_back(std::move(sequence));
    }
  }
  sequences.push_back({where});
  return sequences;
}

}  // namespace

std::optional<Kind> kind_of_words(std::string_view text) {
  struct Words {
    std::string_view part;
    Kind kind;
  };
  constexpr Words kWords[] = {
      {"use after free", Kind::use_after_free},
      {"use-after-free", Kind::use_after_free},
      {"after it is freed", Kind::use_after_free},
      {"after it is deallocated", Kind::use_after_free},
      {"released memory is", Kind::use_after_free},
      {"double free", Kind::double_free},
      {"double-free", Kind::double_free},
      {"freed twice", Kind::double_free},
      {"free released memory", Kind::double_free},
      {"delete released memory", Kind::double_free},
      {"null pointer dereference", Kind::null_use},
      {"null dereference", Kind::null_use},
      {"null-dereference", Kind::null_use},
      {"nulldereference", Kind::null_use},
      {"null pointer", Kind::null_use},
      {"pointer is null", Kind::null_use},
      {"uninitialized", Kind::uninitialised},
      {"uninitialised", Kind::uninitialised},
      {"out of bounds", Kind::bounds},
      {"out-of-bounds", Kind::bounds},
      {"overflow", Kind::bounds},
      {"data race", Kind::data_race},
      {"data-race", Kind::data_race},
      {"race condition", Kind::data_race},
      {"race_condition", Kind::data_race},
      {"thread_safety_violation", Kind::data_race},
      {"requires holding", Kind::data_race},
      {"deadlock", Kind::lock_order},
      {"lock order", Kind::lock_order},
      {"lock-order", Kind::lock_order},
      {"mutex", Kind::locking},
      {"lock", Kind::locking},
  };
  std::string words = lower(text);
  for (const Words& known : kWords)
    if (words.find(known.part) != std::string::npos) return known.kind;
  return std::nullopt;
}

bool is_other_check(std::string_view rule) {
  constexpr std::array<std::string_view, 21> kFamilies = {"clang-analyzer-",
                                                          "core.",
                                                          "cplusplus.",
                                                          "deadcode.",
                                                          "unix.",
                                                          "optin.",
                                                          "security.",
                                                          "alpha.",
                                                          "bugprone-",
                                                          "cert-",
                                                          "concurrency-",
                                                          "clang-diagnostic-",
                                                          "cppcoreguidelines-",
                                                          "google-",
                                                          "hicpp-",
                                                          "llvm-",
                                                          "misc-",
                                                          "modernize-",
                                                          "performance-",
                                                          "portability-",
                                                          "readability-"};
  auto begins = [&](std::string_view family) { return rule.starts_with(family); };
  return std::ranges::any_of(kFamilies, begins) || lower(rule).find("leak") != std::string::npos;
}

std::optional<Kind> kind_of(const Diagnostic& diagnostic) {
  if (is_thread_safety(diagnostic.rule)) return thread_safety_kind(diagnostic.message);
  std::string_view rule = bare_rule(diagnostic.rule);
  for (const Rule& known : kRules)
    if (rule.starts_with(known.prefix)) return known.kind;
  bool looks_at_message = rule.empty() || rule.starts_with("core.CallAndMessage") ||
                          rule.starts_with("unix.Malloc") ||
                          rule.starts_with("cplusplus.NewDelete");
  if (!looks_at_message || rule.starts_with("cplusplus.NewDeleteLeaks")) return std::nullopt;
  if (diagnostic.message.find("leak") != std::string::npos) return std::nullopt;
  std::optional<Kind> kind = kind_of_words(diagnostic.message);
  // Without a rule, what is not quite clear is left alone.
  if (rule.empty() && (kind == Kind::locking || kind == Kind::lock_order)) return std::nullopt;
  return kind;
}

std::vector<Sequence> sequences_of(Kind kind, const Location& where,
                                   const std::vector<Note>& notes) {
  const Note* first = nullptr;
  switch (kind) {
    case Kind::null_use:
      first = last_note(notes, tells_of_null);
      break;
    case Kind::use_after_free:
    case Kind::double_free:
      first = last_note(
          notes, [&](const Note& note) { return note.where != where && tells_of_free(note); });
      break;
    case Kind::locking:
    case Kind::lock_order:
      first = last_note(notes, [](const Note& note) {
        return note.message.find("acquired") != std::string::npos;
      });
      break;
    case Kind::data_race:
      return {{where, where}, {where}};
    default:
      break;
  }
  if (first == nullptr || first->where == where) return {{where}};
  return {{first->where, where}};
}

void judge_diagnostics(const std::vector<Diagnostic>& all, Reading* reading) {
  for (const Diagnostic& diagnostic : all) {
    std::optional<Kind> kind = kind_of(diagnostic);
    if (!kind) {
      std::string name =
          diagnostic.rule.empty() ? shown(diagnostic.message) : shown(diagnostic.rule);
      reading->unread.push_back(
          at_line(diagnostic.line,
                  fmt::format("{} at {}: not about threads, nor about a failure that a schedule "
                              "leads to",
                              name, place_text(diagnostic.where))));
      continue;
    }
    Warning warning;
    warning.tool = tool_of(diagnostic);
    warning.rule = diagnostic.rule;
    warning.kind = *kind;
    warning.message = diagnostic.message;
    warning.where = diagnostic.where;
    warning.needed = {diagnostic.where};
    warning.line = diagnostic.line;
    bool is_guarded = is_thread_safety(diagnostic.rule) && kind == Kind::data_race;
    warning.sequences = is_guarded ? pair_up(diagnostic, all)
                                   : sequences_of(*kind, diagnostic.where, diagnostic.notes);
    add_warning(std::move(warning), reading);
  }
}

}  // namespace heddle::warnings
