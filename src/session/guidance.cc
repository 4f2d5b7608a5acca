#include "session/guidance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "report/failure_text.h"
#include "report/style.h"
#include "session/route.h"
#include "session/run_search.h"
#include "session/series.h"
#include "trace/words.h"

namespace heddle::session {

namespace {

constexpr int kMostOtherRaces = 16;  // that are passed over for one route

using warnings::Judged;
using warnings::Location;
using warnings::Verdict;
using warnings::Warning;

bool is_at(const symbols::Place& place, const Location& where) {
  if (place.line != static_cast<int>(where.line)) return false;
  // Of the two paths one may be longer.
  auto ends_with = [](const std::string& path, const std::string& end) {
    return path.ends_with(end) &&
           (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
  };
  return ends_with(place.file, where.file) || ends_with(where.file, place.file);
}

bool goes_through(const symbols::CallStack& stack, const Location& where) {
  return std::ranges::any_of(stack,
                             [&](const symbols::Place& place) { return is_at(place, where); });
}

bool is_of(const trace::Finding& finding, const Location& where) {
  if (goes_through(finding.stack, where)) return true;
  for (const trace::Witness& witness : finding.witnesses) {
    if (goes_through(witness.stack, where)) return true;
  }
  // Of a deadlock, where its threads wait.
  if (finding.kind != wire::Failure::deadlock) return false;
  return std::ranges::any_of(finding.threads, [&](const trace::ThreadAtEnd& thread) {
    return goes_through(thread.stack, where);
  });
}

bool confirms(const trace::Finding& finding, const Warning& warning) {
  return warnings::confirms(finding.kind, warning.kind) &&
         std::ranges::all_of(warning.needed,
                             [&](const Location& where) { return is_of(finding, where); });
}

// Columns are left out: those of other tools, and of other builds, are not the line table's.
std::string place_of(const Location& where) { return fmt::format("{}:{}", where.file, where.line); }

class Judge {
 public:
  Judge(const Subject& subject, const Options& options) : subject_(subject), options_(options) {}

  report::Guidance run(const warnings::Reading& reading) {
    guidance_.from = options_.from;
    guidance_.format = reading.format;
    guidance_.unread = reading.unread;
    guidance_.warnings = reading.warnings.size();
    size_t number = 0;
    for (const Warning& warning : reading.warnings) {
      label_ = fmt::format("warning {} of {}: ", ++number, reading.warnings.size());
      Judged judged;
      judged.warning = warning;
      std::string why_not;
      bool goes_on = judge(&judged, &why_not);
      if (!goes_on && judged.verdict != Verdict::confirmed) break;
      guidance_.judged.push_back(std::move(judged));
      guidance_.why_not.push_back(std::move(why_not));
      if (!goes_on) break;
    }
    bool is_of_another =
        !guidance_.why_not.empty() && std::ranges::none_of(guidance_.why_not, &std::string::empty);
    if (is_of_another) {
      throw UserError(
          fmt::format("none of the warnings is of this program: {}; is the report of another "
                      "program, or of another build of it?",
                      guidance_.why_not.front()));
    }
    return std::move(guidance_);
  }

 private:
  // False: no more are to follow.
  bool judge(Judged* judged, std::string* why_not) {
    bool was_run = false;
    for (size_t i = 0; i < judged->warning.sequences.size(); ++i) {
      std::vector<std::string> through = places_of(judged->warning.sequences[i], why_not);
      if (through.empty()) continue;
      was_run = true;
      if (!follow(i, through, judged)) return false;
      if (judged->verdict == Verdict::confirmed) break;
    }
    if (was_run) why_not->clear();
    return true;
  }

  // Of a sequence, the places at which threads can be seen: a comparison, say, leaves no trace.
  std::vector<std::string> places_of(const warnings::Sequence& sequence, std::string* why_not) {
    std::vector<std::string> places;
    for (const Location& where : sequence) {
      std::string place = place_of(where);
      auto [known, is_new] = why_unseen_.try_emplace(place);
      if (is_new) known->second = look_for(place);
      if (known->second.empty()) {
        places.push_back(place);
      } else if (why_not->empty()) {
        *why_not = known->second;
      }
    }
    if (places.size() > wire::kMaxRoute) places.resize(wire::kMaxRoute);
    return places;
  }

  // Why it cannot be a place; empty: it can.
  std::string look_for(const std::string& place) {
    Options options = options_;
    options.through = {place};
    try {
      find_route(subject_, options);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  // Along one of the warning's sequences.
  bool follow(size_t number, const std::vector<std::string>& through, Judged* judged) {
    const Warning& warning = judged->warning;
    Options options = options_;
    options.strategy = "guide";
    options.through = through;
    bool may_race =
        warning.kind == warnings::Kind::data_race || warning.kind == warnings::Kind::any;
    if (!may_race) options.races = wire::Races::ignore;
    for (int tries = 0; tries <= kMostOtherRaces; ++tries) {
      size_t known = found_.size();
      report::Summary summary = search(options, judged);
      if (guidance_.gave_up || guidance_.interrupted) return false;
      uint32_t passed = summary.guided ? summary.guided->passed : 0;
      if (passed > judged->passed && judged->verdict == Verdict::not_confirmed) {
        judged->passed = passed;
        judged->sequence = number;
      }
      judged->executions += summary.executions;
      if (passed == through.size() && judged->verdict == Verdict::not_confirmed) {
        judged->verdict = Verdict::reached;
        judged->sequence = number;
        judged->passed = static_cast<uint32_t>(warning.sequences[number].size());
      }
      if (confirmed_by(number, judged)) return true;
      bool has_other_race = false;
      for (uint64_t key : races_found(known)) {
        if (std::ranges::find(options.racing, key) != options.racing.end()) continue;
        options.racing.push_back(key);
        has_other_race = true;
      }
      if (has_other_race) continue;
      if (options.keep_going || summary.findings.empty()) return true;
      // Something else fails: it is not to end the search.
      options.keep_going = true;
    }
    return true;
  }

  report::Summary search(const Options& options, Judged* judged) {
    series_.label = label_ + warnings::place_text(judged->warning.where);
    series_.found = std::nullopt;
    series_.samples.clear();
    report::Summary summary = run_search(subject_, options, nullptr, &series_);
    guidance_.interrupted = summary.interrupted;
    for (trace::Finding& finding : summary.findings) {
      series_.told.push_back(finding.key);
      found_.push_back(finding);
    }
    bool failed = report::verdict_of(summary) == report::Verdict::failed;
    if (!failed && (summary.unrepeatable || !summary.unsupported.empty())) {
      guidance_.gave_up = summary;
    }
    return summary;
  }

  // Whether a failure that was found, now or for a warning before, is what was warned of.
  bool confirmed_by(size_t sequence, Judged* judged) {
    for (const trace::Finding& finding : found_) {
      if (!confirms(finding, judged->warning)) continue;
      judged->verdict = Verdict::confirmed;
      judged->sequence = sequence;
      judged->schedule = finding.schedule_file;
      judged->replay = report::replay_command(finding);
      judged->failure = fmt::format("{}: {}", wire::failure_name(finding.kind), finding.message);
      bool is_known = std::ranges::any_of(guidance_.findings, [&](const trace::Finding& known) {
        return known.key == finding.key;
      });
      if (!is_known) guidance_.findings.push_back(finding);
      return true;
    }
    return false;
  }

  std::vector<uint64_t> races_found(size_t from) const {
    std::vector<uint64_t> keys;
    for (size_t i = from; i < found_.size(); ++i) {
      if (found_[i].kind == wire::Failure::data_race) keys.push_back(found_[i].key);
    }
    // One that a search before has told is not told again.
    for (const trace::Finding& finding : found_) {
      if (finding.kind == wire::Failure::data_race && series_.found == finding.key) {
        keys.push_back(finding.key);
      }
    }
    return keys;
  }

  const Subject& subject_;
  const Options& options_;
  std::string label_;
  Series series_;
  std::map<std::string, std::string> why_unseen_;  // of places that cannot be used
  std::vector<trace::Finding> found_;              // of all searches
  report::Guidance guidance_;
};

}  // namespace

report::Guidance guide(const Subject& subject, const Options& options,
                       const warnings::Reading& reading) {
  return Judge(subject, options).run(reading);
}

}  // namespace heddle::session
