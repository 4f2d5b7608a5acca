// Reads a command line from left to right: see command_line.h.
#include "wrap/command_line.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "wrap/option_table.h"

namespace heddle::wrap {
namespace {

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t comma; (comma = text.find(',', start)) != std::string_view::npos; start = comma + 1) {
    parts.emplace_back(text.substr(start, comma - start));
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

bool is_supported_target(std::string_view triple) {
  return (triple.starts_with("x86_64-") || triple.starts_with("amd64-") || triple == "x86_64") &&
         !triple.ends_with("x32");
}

class Reader {
 public:
  Reader(const std::vector<std::string>& given, const FileReader& read)
      : given_(given), words_(expand_response_files(given, read)) {}

  CommandLine result() {
    if (!given_.empty() && given_[0].starts_with("-cc1")) return untouched();
    if (!read_words()) return untouched();
    CommandLine line = std::move(line_);
    line.has_input = has_source_or_object_ || has_header_;
    line.links = has_source_or_object_ && !stops_ && !relocatable_;
    if (!line.links) line.static_option.clear();
    for (const std::string& name : sanitizers_) {
      if (is_conflicting_sanitizer(name)) line.sanitizer_option = "-fsanitize=" + name;
    }
    write_arguments(line);
    return line;
  }

 private:
  CommandLine untouched() const {
    CommandLine line;
    line.arguments = given_;
    line.end_of_options = given_.size();
    return line;
  }

  // False if the last option lacks its argument: whatever stood behind it would become that.
  bool read_words() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i].text;
      if (word == "--") {
        for (++i; i < words_.size(); ++i) read_input(words_[i].text);
      } else if (word.size() < 2 || word[0] != '-') {
        read_input(word);
      } else if (takes_next_word(word)) {
        if (++i == words_.size()) return false;
        read_pair(word, words_[i].text);
        if (word == "-l" && words_[i].text == "tsan") edits_[i - 1] = edits_[i] = "";
      } else {
        read_option(i, word);
      }
    }
    return true;
  }

  void read_input(const std::string& path) {
    (is_header(path, language_) ? has_header_ : has_source_or_object_) = true;
    if (is_assembly(path, language_)) line_.has_assembly = true;
    if (path.ends_with(".o")) line_.objects.push_back(path);
  }

  void read_pair(std::string_view option, const std::string& value) {
    if (option == "-x" || option == "--language") {
      set_language(value);
    } else if (option == "-l") {
      has_source_or_object_ = true;
    } else if (option == "-Xlinker" || option == "--for-linker") {
      if (makes_relocatable(value)) relocatable_ = true;
    } else if (option == "-mllvm") {
      if (value.starts_with("-tsan-distinguish-volatile")) line_.volatile_option_given = true;
      if (value.starts_with("-capture-tracking-max-uses")) line_.capture_option_given = true;
    } else if (option == "-target") {
      set_target(value, "-target " + value);
    }
  }

  void read_option(size_t index, std::string_view word) {
    if (stops_before_link(word)) {
      stops_ = true;
    } else if (word == "-r") {
      relocatable_ = true;
    } else if (word == "-static" || word == "--static" || word == "-static-pie") {
      line_.static_option = word;
    } else if (word == "-m32" || word == "-mx32" || word == "-m16" || word == "-miamcu") {
      line_.machine_option = word;
    } else if (word == "-m64") {
      line_.machine_option.clear();
    } else if (word.starts_with("--target=")) {
      set_target(word.substr(9), std::string(word));
    } else if (word.starts_with("-fsanitize=")) {
      add_sanitizers(index, word.substr(11));
    } else if (word.starts_with("-fno-sanitize=")) {
      remove_sanitizers(word.substr(14));
    } else if (word == "-static-libtsan" || word == "-ltsan") {
      edits_[index] = "";
    } else if (word.starts_with("-Wl,")) {
      std::vector<std::string> parts = split_commas(word.substr(4));
      if (std::any_of(parts.begin(), parts.end(), makes_relocatable)) relocatable_ = true;
    } else if (word.starts_with("-x")) {
      set_language(word.substr(2));
    } else if (word.starts_with("--language=")) {
      set_language(word.substr(11));
    } else if (word.starts_with("-l")) {
      has_source_or_object_ = true;
    }
  }

  void set_language(std::string_view language) {
    language_ = language == "none" ? std::string_view() : language;
  }

  void set_target(std::string_view triple, std::string option) {
    line_.machine_option = is_supported_target(triple) ? std::string() : std::move(option);
  }

  // Heddle brings ThreadSanitizer's instrumentation itself, and its own runtime instead of libtsan.
  void add_sanitizers(size_t index, std::string_view list) {
    std::string rest;
    bool has_thread = false;
    for (const std::string& name : split_commas(list)) {
      if (name == "thread") {
        has_thread = true;
        line_.instruments = true;
      } else {
        sanitizers_.insert(name);
        rest += (rest.empty() ? "" : ",") + name;
      }
    }
    if (has_thread) edits_[index] = rest.empty() ? "" : "-fsanitize=" + rest;
  }

  void remove_sanitizers(std::string_view list) {
    for (const std::string& name : split_commas(list)) {
      if (name == "all") sanitizers_.clear();
      sanitizers_.erase(name);
      if (name == "all" || name == "thread") line_.instruments = false;
    }
  }

  // A response file is replaced by its words if one of them has to change, and stays otherwise.
  void write_arguments(CommandLine& line) const {
    std::set<size_t> changed;
    for (const auto& [index, text] : edits_) changed.insert(words_[index].argument);
    for (size_t i = 0, argument = 0; argument < given_.size(); ++argument) {
      const bool keep = !changed.contains(argument);
      if (keep) line.arguments.push_back(given_[argument]);
      for (; i < words_.size() && words_[i].argument == argument; ++i) {
        if (keep) continue;
        const auto edit = edits_.find(i);
        const std::string& text = edit == edits_.end() ? words_[i].text : edit->second;
        if (edit == edits_.end() || !text.empty()) line.arguments.push_back(text);
      }
    }
    line.end_of_options = static_cast<size_t>(
        std::find(line.arguments.begin(), line.arguments.end(), "--") - line.arguments.begin());
  }

  const std::vector<std::string>& given_;
  const std::vector<Word> words_;
  CommandLine line_;
  std::string language_;
  std::set<std::string> sanitizers_;  // those asked for so far, without thread
  bool has_source_or_object_ = false;
  bool has_header_ = false;
  bool stops_ = false;
  bool relocatable_ = false;
  std::map<size_t, std::string> edits_;  // by index in words_: the new text, empty to drop it
};

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& arguments, const FileReader& read) {
  return Reader(arguments, read).result();
}

}  // namespace heddle::wrap
