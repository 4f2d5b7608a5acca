// Reads assembly line by line: see assembly.h.
#include "wrap/assembly.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>

namespace heddle::wrap {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kBlanks = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The first word; `text` is left with what follows it.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
         c == '@';
}

bool is_prefix(std::string_view word) {
  constexpr std::array kPrefixes = {"lock"sv,     "rep"sv,      "repe"sv,   "repz"sv, "repne"sv,
                                    "repnz"sv,    "xacquire"sv, "data16"sv, "bnd"sv,  "notrack"sv,
                                    "xrelease"sv, "rex64"sv,    "rex.w"sv};
  return std::ranges::find(kPrefixes, word) != kPrefixes.end();
}

// Whatever its operands look like, it reads and writes nothing that others could have.
bool is_harmless(std::string_view mnemonic) {
  constexpr std::array kBeginnings = {"nop"sv,  "lea"sv,    "prefetch"sv, "clflush"sv,
                                      "clwb"sv, "j"sv,      "loop"sv,     "call"sv,
                                      "ret"sv,  "invlpg"sv, "endbr"sv};
  return std::ranges::any_of(kBeginnings, [&](auto word) { return mnemonic.starts_with(word); });
}

// Those that have their operands in rsi and rdi, and need not write them.
bool is_string_operation(std::string_view mnemonic) {
  constexpr std::array kNames = {"movs"sv, "stos"sv, "lods"sv, "cmps"sv, "scas"sv};
  return std::ranges::any_of(kNames, [&](auto name) {
    return mnemonic.starts_with(name) && mnemonic.size() <= name.size() + 1;
  });
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const std::string_view operand = trimmed(text.substr(begin, i - begin)); !operand.empty())
      operands.push_back(operand);
    begin = i + 1;
  }
  return operands;
}

bool is_own_stack(std::string_view base, bool has_frame_pointer) {
  base = trimmed(base);
  if (base.starts_with('%')) base.remove_prefix(1);
  return base.starts_with("rsp") || (has_frame_pointer && base.starts_with("rbp"));
}

bool is_memory(std::string_view operand, bool intel_syntax, bool has_frame_pointer) {
  if (const size_t open = operand.find('['); open != std::string_view::npos)
    return intel_syntax && !is_own_stack(operand.substr(open + 1), has_frame_pointer);
  if (intel_syntax || operand.starts_with('$')) return false;
  if (operand.starts_with("%fs:") || operand.starts_with("%gs:")) return false;
  if (operand.starts_with('%') || operand.starts_with('*')) return false;
  if (const size_t open = operand.find('('); open != std::string_view::npos)
    return !is_own_stack(operand.substr(open + 1), has_frame_pointer);
  return is_name(operand[0]) && operand[0] != '$';
}

class Scanner {
 public:
  std::vector<std::string> places(std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::move(found_);
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view words = trimmed(line);
    if (words == "#APP") {
      inside_ = true;
      marked_ = std::nullopt;
    } else if (words == "#NO_APP") {
      inside_ = false;
    } else if (inside_ && read_marker(words)) {
      return;
    } else if (inside_) {
      read_statements(words);
    } else {
      read_generated(line, words);
    }
  }

  // What the compiler writes around it: `# 41 "queue.h" 1`, and `# 0 "" 2` behind it.
  bool read_marker(std::string_view words) {
    if (!words.starts_with("# ")) return false;
    words.remove_prefix(2);
    const std::string_view number = take_word(words);
    const size_t end = words.rfind('"');
    if (!words.starts_with('"') || end == 0) return false;
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
    if (number != "0") marked_ = std::string(words.substr(1, end - 1)) + ":" + std::string(number);
    return true;
  }

  void read_statements(std::string_view words) {
    words = words.substr(0, words.find('#'));
    for (size_t begin = 0; begin <= words.size();) {
      const size_t end = std::min(words.find(';', begin), words.size());
      std::string_view statement = trimmed(words.substr(begin, end - begin));
      begin = end + 1;
      for (size_t colon; (colon = label_length(statement)) != 0;)
        statement = trimmed(statement.substr(colon));
      if (statement.starts_with(".intel_syntax")) intel_syntax_ = true;
      if (statement.starts_with(".att_syntax")) intel_syntax_ = false;
      if (touches_memory(statement, intel_syntax_, has_frame_pointer_)) add(place());
    }
  }

  static size_t label_length(std::string_view statement) {
    size_t length = 0;
    while (length < statement.size() && is_name(statement[length])) ++length;
    return length > 0 && length < statement.size() && statement[length] == ':' ? length + 1 : 0;
  }

  void read_generated(std::string_view line, std::string_view words) {
    if (line.empty() || line[0] == '#') return;
    if (line[0] != '\t' && line[0] != ' ' && !line.starts_with(".L")) {
      function_ = std::string(line.substr(0, line.find(':')));
      has_frame_pointer_ = false;
    } else if (words.starts_with(".intel_syntax")) {
      intel_syntax_ = true;
    } else if (words.starts_with(".loc")) {
      read_location(words.substr(4));
    } else if (words.starts_with(".file")) {
      read_file(words.substr(5));
    } else if (words.starts_with("mov")) {
      const std::string_view copy = intel_syntax_ ? "rbp, rsp" : "%rsp, %rbp";
      if (words.ends_with(copy)) has_frame_pointer_ = true;
    }
  }

  void read_location(std::string_view words) {
    const std::string_view file = take_word(words);
    const std::string_view line = take_word(words);
    const auto name = files_.find(std::string(file));
    location_ = name == files_.end() ? "" : name->second + ":" + std::string(line);
  }

  // `.file "queue.cc"`, `.file 1 "folder/queue.h"`, `.file 1 "folder" "queue.h" md5 …`
  void read_file(std::string_view words) {
    const size_t quote = words.find('"');
    if (quote == std::string_view::npos) return;
    const std::string number(trimmed(words.substr(0, quote)));
    std::vector<std::string> parts;
    for (size_t begin = quote; begin < words.size() && words[begin] == '"';) {
      const size_t end = words.find('"', begin + 1);
      if (end == std::string_view::npos) break;
      parts.emplace_back(words.substr(begin + 1, end - begin - 1));
      begin = std::min(words.find_first_not_of(kBlanks, end + 1), words.size());
    }
    if (parts.empty()) return;
    if (number.empty()) {
      source_ = parts[0];
    } else if (number == "0" || parts.size() == 1 || parts.back().starts_with('/')) {
      files_[number] = parts.back();
    } else {
      files_[number] = parts[0] + "/" + parts[1];
    }
  }

  std::string place() const {
    if (marked_) return *marked_;
    if (!location_.empty()) return location_;
    if (function_.empty()) return source_;
    int status = 0;
    char* name = abi::__cxa_demangle(function_.c_str(), nullptr, nullptr, &status);
    const std::string readable = status == 0 ? name : function_;
    std::free(name);
    return source_ + " in " + readable;
  }

  void add(std::string place) {
    if (std::ranges::find(found_, place) == found_.end()) found_.push_back(std::move(place));
  }

  bool inside_ = false;
  bool intel_syntax_ = false;
  bool has_frame_pointer_ = false;
  std::optional<std::string> marked_;         // by GCC's own line markers
  std::string location_;                      // by .loc
  std::string source_;                        // the file that is compiled
  std::string function_;                      // its symbol
  std::map<std::string, std::string> files_;  // of .loc, by number
  std::vector<std::string> found_;
};

}  // namespace

bool touches_memory(std::string_view statement, bool intel_syntax, bool has_frame_pointer) {
  std::string_view rest = statement;
  std::string_view mnemonic = take_word(rest);
  while (is_prefix(mnemonic)) mnemonic = take_word(rest);
  if (mnemonic.empty() || mnemonic.starts_with('.') || is_harmless(mnemonic)) return false;
  const std::vector<std::string_view> operands = operands_of(rest);
  if (operands.empty()) return is_string_operation(mnemonic);
  return std::ranges::any_of(operands, [&](std::string_view operand) {
    return is_memory(operand, intel_syntax, has_frame_pointer);
  });
}

std::vector<std::string> assembly_places(std::string_view text) {
  if (text.find("#APP") == std::string_view::npos) return {};
  return Scanner().places(text);
}

}  // namespace heddle::wrap
