// Saves a search while it runs, so that --resume can go on with it: at intervals, and so rarely
// that it takes less than a twentieth of the time; at Ctrl-C, and when a budget is spent.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "explore/strategies.h"
#include "options/options.h"
#include "session/saved_file.h"
#include "session/subject.h"
#include "trace/evidence.h"

namespace heddle::session {

// What a saved search is of: names and values, as a person would say them.
using Identity = std::vector<std::pair<std::string, std::string>>;
Identity identity_of(const Subject& subject, const Options& options,
                     const explore::StrategyRecord& record,
                     const std::vector<explore::StrategyOptions>& stages);

// The program and its libraries as the engine sees them: path, and build id or hash of the file.
Identity modules_of(const trace::Modules& modules);

class Saver {
 public:
  Saver(std::string path, Identity identity);

  // The saved search, behind its identity. Throws UserError if there is none that can be read, or
  // it is of something else.
  std::unique_ptr<explore::ByteReader> open();

  bool due() const { return Clock::now() >= next_; }
  // Writes the file; `save` writes all but the identity. An error is kept in words for problem().
  void write(const std::function<void(explore::ByteWriter&)>& save);
  // Removes the file if it is this search's own: opened or written by it.
  void remove();

  const std::string& path() const { return path_; }
  const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_;
  Identity identity_;
  Clock::duration interval_;
  Clock::time_point next_;
  bool own_ = false;
  std::string problem_;  // empty: none
};

void put_identity(explore::ByteWriter& out, const Identity& identity);
Identity get_identity(explore::ByteReader& in);

}  // namespace heddle::session
