// SARIF 2.1.0, as it is written: the warnings of other tools, with what came of each.
#pragma once

#include <string>
#include <vector>

#include "warnings/warning.h"

namespace heddle::warnings {

enum class Verdict : uint8_t {
  confirmed,      // a run fails with the warning's kind at its places
  reached,        // all places were passed in order, and nothing failed
  not_confirmed,  // they were not all passed
};

// "confirmed", "reached", "not confirmed"
const char* verdict_words(Verdict verdict);

struct Judged {
  Warning warning;
  Verdict verdict = Verdict::not_confirmed;
  size_t sequence = 0;      // which of the warning's sequences came furthest
  uint32_t passed = 0;      // of its places, as far as it came
  std::string schedule;     // the file, if it is confirmed
  std::string failure;      // what the run failed with, if it did: "data race: …"
  uint64_t executions = 0;  // that were made for it
  std::string replay{};     // the command that shows it again
};

// What the user is told of one: "confirmed: a run fails with a data race …".
std::string verdict_text(const Judged& judged);

// A document. What could not be read of the report becomes notifications of the tool.
std::string sarif(const std::vector<Judged>& all, const std::vector<std::string>& unread = {});

}  // namespace heddle::warnings
