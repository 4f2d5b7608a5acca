#include "session/saver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr double kInterval = 10;  // seconds
constexpr int kShare = 20;        // saving takes at most one part of so many
// Part of a budget in seconds before the first time; of which to save must not take more than a
// tenth, nor make the search shorter than half, if it was not loaded: then all that there is to
// save was already saved.
constexpr double kFirst = 0.05;
constexpr double kTenth = 0.1;
constexpr double kHalf = 0.5;
// With fewer schedules it is not seen what one costs.
constexpr uint64_t kEnoughToMeasure = 10'000;
constexpr double kSlower = 1.25;    // it may be
constexpr double kSavePerLoad = 2;  // to save takes longer than to load: at most so much
// For tests: other seconds.
constexpr char kIntervalVariable[] = "HEDDLE_SAVE_SECONDS";

std::string or_none(const std::optional<uint32_t>& bound) {
  return bound.has_value() ? std::to_string(*bound) : "none";
}

const char* on_or_off(bool value) { return value ? "true" : "false"; }

std::string hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "unknown";
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                 XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0) {
    XXH3_64bits_update(state.get(), buffer.data(), static_cast<size_t>(file.gcount()));
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

// All of its lines.
std::string suppressions_text(const trace::Suppressions& all) {
  std::string text;
  for (const trace::Suppression& rule : all) {
    text += rule.only_libraries ? "called_from_lib"
                                : (rule.kind ? wire::failure_name(*rule.kind) : "*");
    text += ":" + rule.pattern + "; ";
  }
  return text;
}

const char* question_name(options::Question question) {
  if (question == options::Question::none) return "";
  return question == options::Question::exists ? "exists" : "forall";
}

}  // namespace

Identity identity_of(const Subject& subject, const Options& options,
                     const explore::StrategyRecord& record,
                     const std::vector<explore::StrategyOptions>& stages) {
  const explore::StrategyOptions& strategy = stages.back();
  Identity identity = {
      {"program", subject.path},
      {"directory", subject.directory},
      {"arguments", fmt::format("{}", fmt::join(subject.command, " "))},
      {"--strategy", record.name},
      {"--order", record.staged ? "" : fmt::format("{}", fmt::join(strategy.order, ","))},
      {"--focus-method", fmt::format("{}", fmt::join(options.focus_methods, ","))},
      {"--focus-var", fmt::format("{}", fmt::join(options.focus_variables, ","))},
      {"--preemptions", or_none(strategy.preemptions)},
      {"--reduce", strategy.reduce ? "dpor" : "none"},
      {"--sleep-sets", on_or_off(strategy.sleep_sets)},
      {"--subtrees", on_or_off(strategy.subtrees)},
      {"--delays", or_none(strategy.delays)},
      {"--depth", or_none(strategy.depth)},
      {"--seed", std::to_string(strategy.seed)},
      {"--samplers", fmt::format("{}", fmt::join(stages.front().samplers, ","))},
      {"--pct-depth", std::to_string(strategy.pct_depth)},
      {"--match", on_or_off(strategy.match)},
      {"--threshold", fmt::format("{}", fmt::join(strategy.descent.thresholds, ","))},
      {"--jump", std::to_string(static_cast<int>(strategy.descent.jump))},
      {"--ratio",
       fmt::format("{:x}/{}", strategy.descent.ratio.constant, strategy.descent.ratio.divisor)},
      {"--backtrack-order", std::to_string(static_cast<uint64_t>(strategy.descent.order))},
      {"--toward", fmt::format("{}:{:x}", static_cast<uint64_t>(strategy.guide.toward),
                               strategy.guide.threads)},
      {"--backtracks", std::to_string(strategy.guide.backtracks)},
      {"--keep-going", on_or_off(options.keep_going)},
      {"--suppress", suppressions_text(options.suppressions)},
      {"--shard", options.shard.is_on()
                      ? fmt::format("{}/{}", options.shard.index, options.shard.count)
                      : "none"},
      {"the question", question_name(options.question)},
      {"a number of stages of", std::to_string(stages.size())},
  };
  for (const auto& [name, value] : execution_options(options)) {
    identity.emplace_back("--" + name, value);
  }
  return identity;
}

Identity modules_of(const trace::Modules& given) {
  Identity modules;
  for (const wire::Module& module : given) {
    std::string path(module.path, strnlen(module.path, sizeof module.path));
    std::string id;
    for (uint32_t b = 0; b < std::min<uint32_t>(module.build_id_size, sizeof module.build_id);
         ++b) {
      id += fmt::format("{:02x}", module.build_id[b]);
    }
    modules.emplace_back(path, id.empty() ? hash_of_file(path) : id);
  }
  return modules;
}

void put_identity(explore::ByteWriter& out, const Identity& identity) {
  out.put<uint64_t>(identity.size());
  for (const auto& [name, value] : identity) {
    out.put_text(name);
    out.put_text(value);
  }
}

Identity get_identity(explore::ByteReader& in) {
  Identity identity(in.get_count());
  for (auto& [name, value] : identity) {
    name = in.get_text();
    value = in.get_text();
  }
  return identity;
}

Saver::Saver(std::string path, Identity identity, std::optional<double> seconds)
    : path_(std::move(path)), identity_(std::move(identity)), seconds_(seconds) {
  const char* given = getenv(kIntervalVariable);
  double interval = given != nullptr ? std::max(atof(given), 0.01) : kInterval;
  auto duration = [](double span) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(span));
  };
  interval_ = duration(interval);
  next_ = Clock::now() + duration(seconds_ ? std::min(interval, kFirst * *seconds_) : interval);
}

std::unique_ptr<explore::ByteReader> Saver::open() {
  auto reader = std::make_unique<trace::CompressedReader>(path_, saved_search_kind());
  Identity saved = get_identity(*reader);
  for (size_t i = 0; i < std::max(saved.size(), identity_.size()); ++i) {
    if (i < saved.size() && i < identity_.size() && saved[i] == identity_[i]) continue;
    std::string before =
        i < saved.size() ? fmt::format("{} {}", saved[i].first, saved[i].second) : "something else";
    std::string now = i < identity_.size()
                          ? fmt::format("{} {}", identity_[i].first, identity_[i].second)
                          : "something else";
    throw UserError(fmt::format(
        "the saved search {} has {}, this one {}; type what it was begun with, or leave out "
        "--resume to begin anew",
        path_, before, now));
  }
  own_ = true;
  return reader;
}

void Saver::loaded(uint64_t waiting, double seconds) {
  was_loaded_ = true;
  next_ = Clock::now() + interval_;
  if (waiting >= kEnoughToMeasure)
    seconds_each_ = kSavePerLoad * seconds / static_cast<double>(waiting);
}

double Saver::takes(uint64_t waiting) const {
  return seconds_each_ * kSlower * static_cast<double>(waiting);
}

double Saver::excess(uint64_t waiting) const {
  if (!seconds_) return 0;
  double most = was_loaded_ ? *seconds_ : kHalf * *seconds_;
  return std::clamp(takes(waiting) - kTenth * *seconds_, 0.0, most);
}

void Saver::write(const std::function<void(explore::ByteWriter&)>& save, uint64_t waiting) {
  auto begin = Clock::now();
  try {
    if (!own_) {
      size_t stem = path_.size() - (sizeof kSearchSuffix - 1);
      path_ = own_stem(path_.substr(0, stem)) + kSearchSuffix;
    }
    trace::CompressedWriter file(path_, saved_search_kind());
    put_identity(file, identity_);
    save(file);
    file.finish();
    own_ = true;
    problem_.clear();
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
  auto end = Clock::now();
  if (waiting >= kEnoughToMeasure) {
    seconds_each_ =
        std::chrono::duration<double>(end - begin).count() / static_cast<double>(waiting);
  }
  next_ = end + std::max(interval_, kShare * (end - begin));
}

void Saver::remove() {
  if (!own_) return;
  unlink(path_.c_str());
}

}  // namespace heddle::session
