#include "interpreter_program.h"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace fuzz {

namespace {

std::vector<std::string> tokens_of(const std::string& text) {
  std::string spaced;
  for (char c : text) {
    if (c == ';' || c == '|' || c == '{' || c == '}') {
      spaced += {' ', c, ' '};
    } else {
      spaced += c;
    }
  }
  std::istringstream stream(spaced);
  std::vector<std::string> tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

class Parser {
 public:
  explicit Parser(const std::string& text) : tokens_(tokens_of(text)) {}

  Program program() {
    if (accept("@all")) program_.all_accesses = true;
    do {
      if (program_.bodies == kBodies) fail("too many threads");
      sequence();
      ++program_.bodies;
    } while (accept("|"));
    if (next_ != tokens_.size()) fail("unexpected " + tokens_[next_]);
    return program_;
  }

 private:
  [[noreturn]] static void fail(const std::string& why) { throw std::runtime_error(why); }

  bool at(const char* token) const { return next_ < tokens_.size() && tokens_[next_] == token; }

  bool accept(const char* token) {
    if (!at(token)) return false;
    ++next_;
    return true;
  }

  void sequence() {
    while (next_ < tokens_.size() && !at("|") && !at("}")) {
      if (!accept(";")) operation();
    }
  }

  void operation() {
    const std::string name = tokens_[next_++];
    int kind = 0;
    while (kind < static_cast<int>(std::size(kOpKinds)) && name != kOpKinds[kind].name) ++kind;
    if (kind == static_cast<int>(std::size(kOpKinds))) fail("no such operation: " + name);
    const int body = program_.bodies;
    const int index = program_.lengths[body]++;
    if (index >= kInstructions) fail("too many operations");
    Instruction& instruction = program_.instructions[body][index];
    instruction.op = static_cast<Op>(kind);
    for (int i = 0; i < kOpKinds[kind].arguments; ++i) {
      if (next_ == tokens_.size()) fail(name + ": an argument is missing");
      instruction.arguments[i] = static_cast<int64_t>(std::stoull(tokens_[next_++], nullptr, 0));
    }
    if (kOpKinds[kind].shape == 'b') {
      if (!accept("{")) fail(name + ": { is missing");
      sequence();
      if (!accept("}")) fail(name + ": } is missing");
    }
    instruction.end = program_.lengths[body];
  }

  std::vector<std::string> tokens_;
  size_t next_ = 0;
  Program program_{};
};

}  // namespace

Program parse(const std::string& text) { return Parser(text).program(); }

}  // namespace fuzz
