// See assembler.h. Whatever is not understood is handed on as it is, without a word.
#include "wrap/assembler.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "wrap/assembly.h"

namespace heddle::wrap {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr size_t kToldPlaces = 10;

// Index of the one input; arguments.size() for standard input; none: several, or a response file.
std::optional<size_t> find_input(const std::vector<std::string>& arguments) {
  constexpr std::array kTakeNextWord = {"-o"sv, "-I"sv, "--defsym"sv, "--MD"sv, "-G"sv};
  std::optional<size_t> input;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.starts_with('@')) return std::nullopt;
    if (std::ranges::find(kTakeNextWord, word) != kTakeNextWord.end()) {
      ++i;
    } else if (word == "-" || word == "--" || word.empty()) {
      return std::nullopt;
    } else if (word[0] != '-') {
      if (input) return std::nullopt;
      input = i;
    }
  }
  return input.value_or(arguments.size());
}

std::optional<std::string> read_all(std::istream& in) {
  std::ostringstream text;
  if (in.peek() != std::istream::traits_type::eof()) text << in.rdbuf();
  if (!in && !in.eof()) return std::nullopt;
  return std::move(text).str();
}

// A file without a name that the assembler inherits.
std::optional<int> file_with(std::string_view text) {
  const int fd = memfd_create("heddle", 0);
  if (fd < 0) return std::nullopt;
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written <= 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (lseek(fd, 0, SEEK_SET) != 0) return std::nullopt;
  return fd;
}

// Clang has an empty section for other linkers in every file, of a type that GNU's assembler warns
// of.
void remove_linker_options(std::string& text) {
  constexpr std::string_view kLine = "\t.section\t\".linker-options\",\"e\",@llvm_linker_options\n";
  if (const size_t at = text.find(kLine); at != std::string::npos) text.erase(at, kLine.size());
}

// Strings that the linker makes one of, in a section that is not loaded.
std::string record_of(const std::vector<std::string>& places) {
  std::string text = "\t.section\t.heddle.asm,\"MS\",@progbits,1\n";
  for (const std::string& place : places) {
    text += "\t.string\t\"";
    for (const char c : place) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

void tell(const std::vector<std::string>& places) {
  for (size_t i = 0; i < std::min(places.size(), kToldPlaces); ++i) {
    std::fprintf(stderr,
                 "%s: note: inline assembly touches memory: Heddle does not see what it reads, "
                 "writes or orders\n",
                 places[i].c_str());
  }
  if (places.size() > kToldPlaces) {
    std::fprintf(stderr, "heddle: note: and %zu more places with such inline assembly\n",
                 places.size() - kToldPlaces);
  }
}

// The arguments with what was found put into them.
std::vector<std::string> look_at(std::vector<std::string> arguments) {
  const std::optional<size_t> input = find_input(arguments);
  if (!input) return arguments;
  const bool from_file = *input < arguments.size();
  std::optional<std::string> text;
  if (from_file) {
    std::ifstream file(arguments[*input], std::ios::binary);
    if (file) text = read_all(file);
  } else {
    std::ios::sync_with_stdio(false);
    std::ifstream file("/dev/stdin", std::ios::binary);
    text = read_all(file);
  }
  if (!text) return arguments;
  const size_t size = text->size();
  const std::vector<std::string> places = assembly_places(*text);
  remove_linker_options(*text);
  if (!places.empty()) *text += record_of(places);
  if (from_file && text->size() == size) return arguments;
  const std::optional<int> fd = file_with(*text);
  if (!fd) return arguments;
  if (from_file) {
    arguments[*input] = "/proc/self/fd/" + std::to_string(*fd);
  } else {
    dup2(*fd, STDIN_FILENO);
  }
  tell(places);
  return arguments;
}

}  // namespace

std::string find_assembler() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const char* path = std::getenv("PATH");
  std::istringstream dirs(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string dir; std::getline(dirs, dir, ':');) {
    const fs::path candidate = fs::path(dir.empty() ? "." : dir) / "as";
    if (access(candidate.c_str(), X_OK) != 0 || fs::is_directory(candidate, error)) continue;
    if (fs::canonical(candidate, error) != self) return candidate;
  }
  return {};
}

int assemble(const std::vector<std::string>& arguments) {
  const std::string assembler = find_assembler();
  std::vector<std::string> words = look_at(arguments);
  std::vector<char*> argv = {const_cast<char*>(assembler.c_str())};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(assembler.c_str(), argv.data());
  std::fprintf(stderr, "heddle: no assembler (`as`) on the PATH; install binutils\n");
  return 1;
}

}  // namespace heddle::wrap
