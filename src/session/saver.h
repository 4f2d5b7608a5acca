// Saves a search while it runs, so that --resume can go on with it: at intervals, and so rarely
// that it takes less than a twentieth of the time; at Ctrl-C, and when a budget is spent. A budget
// in seconds has a tenth more for that: a search that needs longer to be saved ends earlier. What
// it takes is known from a first time, early in the search; of one that was loaded, from that.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
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
  // `seconds`: of the budget.
  Saver(std::string path, Identity identity, std::optional<double> seconds);

  // The saved search, behind its identity. Throws UserError if there is none that can be read, or
  // it is of something else.
  std::unique_ptr<explore::ByteReader> open();

  // All that open() has given is loaded: `waiting` schedules, in so many seconds from the beginning
  // of open() on. There is no haste to save it again.
  void loaded(uint64_t waiting, double seconds);

  bool due() const { return Clock::now() >= next_; }
  // Writes the file; `save` writes all but the identity. An error is kept in words for problem().
  // `waiting`: schedules of which most of it consists.
  void write(const std::function<void(explore::ByteWriter&)>& save, uint64_t waiting);
  // Seconds that to save so many takes; 0 if that is not known.
  double takes(uint64_t waiting) const;
  // … beyond the tenth.
  double excess(uint64_t waiting) const;
  // Removes the file if it is this search's own: opened or written by it.
  void remove();

  const std::string& path() const { return path_; }
  const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_;
  Identity identity_;
  std::optional<double> seconds_;
  double seconds_each_ = 0;  // for a schedule that waits; 0: unknown
  Clock::duration interval_;
  Clock::time_point next_;
  bool own_ = false;
  bool was_loaded_ = false;
  std::string problem_;  // empty: none
};

void put_identity(explore::ByteWriter& out, const Identity& identity);
Identity get_identity(explore::ByteReader& in);

}  // namespace heddle::session
