// Composes the compiler's command: see compose.h.
#include "wrap/compose.h"

#include <string_view>

namespace heddle::wrap {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// -idirafter: behind the system's directories, so that no include of the program finds another file
// than it would without us.
Words include_options(const Installation& installation) {
  if (installation.include.empty()) return {};
  return {"-idirafter", installation.include};
}

// With it the compiler finds our heddle-as (assembler.h) before its own `as`. It is a prefix, since
// a directory would be searched for libraries, too.
Words assembler_options(const Installation& installation) {
  if (installation.assembler.empty()) return {};
  return {"-B" + installation.assembler};
}

// The driver must not see -fsanitize=thread, or it links libtsan. The specs file reaches all of
// GCC's compilers, also under -save-temps and when lto1 generates the code at the link; -wrapper
// would miss that, and -Wp, whatever is preprocessed already.
Words gcc_options(const Installation& installation, const CommandLine& line) {
  Words words;
  if (line.instruments) {
    words.push_back("-specs=" + installation.specs);
    append(words, assembler_options(installation));
  }
  append(words, include_options(installation));
  return words;
}

// The frontend alone is told of the sanitizer, for the same reason. The brackets keep
// -Wunused-command-line-argument quiet where a command does not compile.
//
// LLVM's pass leaves out accesses to stack variables that it thinks no other thread can have. It
// asks that of the one address, not of the variable, so elements of an array that a thread was
// given are left out, too. Where it may look at no use at all, it takes everything for given away.
//
// A comparison of a few bytes would be expanded after that pass, where nobody sees what it reads.
//
// Clang's own assembler shows nobody what it assembles. It stays where the user has assembly of
// theirs, which may be in its dialect.
Words clang_options(const Installation& installation, const CommandLine& line) {
  Words words = {"--start-no-unused-arguments"};
  if (line.instruments) {
    append(words, {"-Xclang", "-fsanitize=thread", "-fno-builtin-memcmp", "-fno-builtin-bcmp"});
    if (!line.has_assembly && !installation.assembler.empty()) {
      words.push_back("-fno-integrated-as");
      append(words, assembler_options(installation));
    }
    if (!line.volatile_option_given) append(words, {"-mllvm", "-tsan-distinguish-volatile=1"});
    if (!line.capture_option_given)
      append(words, {"-mllvm", "-capture-tracking-max-uses-to-explore=0"});
  }
  append(words, include_options(installation));
  words.push_back("--end-no-unused-arguments");
  return words;
}

// In front of all inputs: libheddle.so has to be found before libc and libstdc++. It is named by
// its path, since -L would put our directory before the user's. A --build-id of the user's comes
// later and wins.
Words link_front(const Installation& installation) {
  return {"-Wl,--build-id", "-Wl,--push-state,--no-as-needed", installation.runtime,
          "-Wl,--pop-state"};
}

// Behind all inputs: -z now, so that nothing of the user's undoes it (the dynamic linker must not
// resolve symbols while threads are switched); our directory at the end of the run path; the
// engine, kept only if something refers to it. -Xlinker: a path may hold commas, and behind
// "-x c++" a plain file name would be taken for C++.
Words link_back(const Installation& installation, bool after_inputs) {
  Words words = {"-Wl,-z,now", "-Xlinker", "-rpath=" + installation.library_dir};
  if (!installation.engine.empty()) {
    // Before the inputs nothing refers to it yet.
    const std::string_view as_needed = after_inputs ? "--as-needed" : "--no-as-needed";
    append(words, {"-Wl,--push-state,-Bdynamic," + std::string(as_needed), "-Xlinker",
                   installation.engine, "-Wl,--pop-state"});
  }
  return words;
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-+=./,:@%").find(c) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> compose(const Compiler& compiler, Family family,
                                 const Installation& installation, const CommandLine& line) {
  Words words = compiler.command;
  if (!line.has_input) {
    append(words, line.arguments);
    return words;
  }
  append(words, family == Family::kClang ? clang_options(installation, line)
                                         : gcc_options(installation, line));
  if (line.links) append(words, link_front(installation));
  const auto split = line.arguments.begin() + static_cast<std::ptrdiff_t>(line.end_of_options);
  words.insert(words.end(), line.arguments.begin(), split);
  if (line.links) append(words, link_back(installation, split == line.arguments.end()));
  words.insert(words.end(), split, line.arguments.end());
  return words;
}

std::string quote(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    bool plain = !word.empty();
    for (char c : word) plain = plain && is_plain(c);
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace heddle::wrap
