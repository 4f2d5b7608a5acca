#include "session/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <system_error>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/limits.h"
#include "explore/bundle_search.h"
#include "session/advice.h"
#include "session/conclude.h"
#include "session/focus.h"
#include "session/former.h"
#include "session/interrupt.h"
#include "session/part.h"
#include "session/route.h"
#include "session/stages.h"
#include "session/state_list.h"
#include "session/system_limits.h"

namespace heddle::session {

namespace {

void put_script_places(explore::ByteWriter& out, const std::vector<trace::ScriptPlace>& places) {
  out.put<uint64_t>(places.size());
  for (const trace::ScriptPlace& place : places) {
    out.put_text(place.text);
    out.put<uint8_t>(place.is_line ? 1 : 0);
    out.put_all(place.code);
  }
}

std::vector<trace::ScriptPlace> get_script_places(explore::ByteReader& in) {
  std::vector<trace::ScriptPlace> places(in.get_count());
  for (trace::ScriptPlace& place : places) {
    place.text = in.get_text();
    place.is_line = in.get<uint8_t>() != 0;
    place.code = in.get_all<wire::Stretch>();
  }
  return places;
}

// As many jobs may be under way as the strategy's plans may be ahead of what it has learnt.
pool::Settings settings_with(const Options& options, const explore::Strategy& strategy) {
  pool::Settings settings = settings_of(options);
  settings.window = std::bit_ceil(strategy.lag());
  return settings;
}

}  // namespace

class Campaign::Round {
 public:
  explicit Round(Campaign* campaign)
      : strategy_(strategy_of(*campaign)),
        recorder_(campaign->subject_, campaign->options_, *strategy_, &campaign->status_,
                  campaign->list_.get(), campaign->onlooker_, campaign->saver_, &campaign->state_),
        pool_(campaign->subject_.launch, settings_with(campaign->options_, *strategy_), *strategy_),
        search_(*strategy_, pool_, campaign->left_, recorder_, campaign->before_),
        looks_again_(campaign->task_ == nullptr || campaign->task_->subtrees.empty()) {}

  void save(explore::ByteWriter& out) const {
    recorder_.save(out);
    search_.save(out);
    strategy_->save(out);
  }

  // False: there was an interrupt.
  bool load(explore::ByteReader& in) {
    if (!recorder_.load(in)) return false;
    search_.load(in);
    strategy_->load(in);
    in.check(search_.knows_plans() && in.left() == 0);
    return true;
  }

  explore::SearchEnd run() {
    explore::SearchEnd end = search_.run();
    pool_.ask_to_stop();
    if (looks_again_ &&
        (end == explore::SearchEnd::complete || end == explore::SearchEnd::budget)) {
      recorder_.look_again();
    }
    if (end == explore::SearchEnd::complete) recorder_.tell_unmet(search_.counts());
    return end;
  }

  double seconds() const { return search_seconds() - recorder_.examining_seconds(); }
  double search_seconds() const { return search_.seconds(); }
  explore::Search& search() { return search_; }
  const explore::Counts& counts() const { return search_.counts(); }
  const explore::Strategy& strategy() const { return *strategy_; }
  const pool::Pool& pool() const { return pool_; }
  explore::Bundle left_over() const {
    return static_cast<const explore::BundleSearch&>(*strategy_).left_over();
  }
  Recorder& recorder() { return recorder_; }
  const Recorder& recorder() const { return recorder_; }

 private:
  static std::unique_ptr<explore::Strategy> strategy_of(const Campaign& campaign) {
    const SearchSetup& setup = campaign.setup_;
    const Task* task = campaign.task_;
    if (task == nullptr) return explore::make_strategy(setup.record, setup.stages);
    return std::make_unique<explore::BundleSearch>(setup.stages.at(task->stage), task->subtrees,
                                                   task->executions);
  }

  std::unique_ptr<explore::Strategy> strategy_;
  Recorder recorder_;
  pool::Pool pool_;
  explore::Search search_;
  const bool looks_again_;  // at the first execution; of tasks at that of the first one
};

Campaign::Campaign(const Subject& subject, const Options& options, Onlooker* onlooker,
                   Series* series, const Task* task)
    : subject_(subject),
      given_(options),
      onlooker_(onlooker),
      series_(series),
      task_(task),
      setup_(setup_of(options)),
      options_(options),
      saver_(saved_search_path(subject, options),
             identity_of(subject, options, setup_.record, setup_.stages), options.seconds),
      list_(ExecutionList::open(options)),
      status_(!options.quiet, series != nullptr ? series->label : subject.label) {
  require_limits(options.jobs);
  for (explore::StrategyOptions& stage : setup_.stages) {
    if (onlooker != nullptr || task != nullptr) stage.subtrees = false;
  }
  describe_search(subject, options, setup_, &state_.summary);
  check_state_list(options);
  options_.focus = find_focus(subject, options);
  options_.route = find_route(subject, options);
  state_.racing = options.racing;
  // Who has handed it out keeps to the budget.
  if (task != nullptr) setup_.limits.executions = setup_.limits.seconds = std::nullopt;
  left_ = setup_.limits;
}

// The order of what is saved: this, and Round::save.
void Campaign::save(const Round& round) {
  if (onlooker_ != nullptr || series_ != nullptr || task_ != nullptr) return;
  auto write_all = [&](explore::ByteWriter& out) {
    out.put(state_.seconds + round.seconds());
    out.put_all(state_.racing);
    out.put<uint64_t>(state_.racing_places.size());
    for (const std::string& place : state_.racing_places) out.put_text(place);
    out.put_all(state_.racing_pairs);
    put_script_places(out, state_.script_places);
    round.save(out);
  };
  saver_.write(write_all, round.strategy().waiting());
}

void Campaign::resume() {
  const auto begin = std::chrono::steady_clock::now();
  saved_ = saver_.open();
  opening_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (left_.seconds) *left_.seconds = std::max(*left_.seconds - opening_, 0.0);
  saved_->get(&state_.seconds);
  state_.racing = saved_->get_all<uint64_t>();
  state_.racing_places.resize(saved_->get_count());
  for (std::string& place : state_.racing_places) place = saved_->get_text();
  state_.racing_pairs = saved_->get_all<RacingPair>();
  state_.script_places = get_script_places(*saved_);
}

// False: a former failure has come again, which is all that was asked for.
bool Campaign::run_first() {
  report::Summary& summary = state_.summary;
  if (given_.first.empty() || onlooker_ != nullptr) return true;
  run_former(subject_, given_, &summary);
  if (summary.findings.empty() || given_.keep_going) return true;
  summary.verdict = report::Verdict::failed;
  summary.distinct = 1;
  return false;
}

// What came before the search, beside what that has counted.
void Campaign::add_first(const report::Summary& before) {
  report::Summary& summary = state_.summary;
  if (!summary.former) return;
  uint64_t executions = summary.former->executions();
  for (size_t i = before.findings.size(); i < summary.findings.size(); ++i) {
    summary.findings[i].execution += executions;
  }
  summary.executions += executions;
  summary.failing_executions += before.failing_executions;
  summary.steps += before.steps;
  summary.threads = std::max(summary.threads, before.threads);
  summary.max_steps = std::max(summary.max_steps, before.max_steps);
  summary.seconds += before.seconds;
  summary.interrupted |= *Interrupt::flag() != 0;
}

// Whatever is thrown in the middle of a search: what it has found so far is told.
explore::SearchEnd Campaign::run(Round* round) {
  auto give_up = [&](const char* what, int code) {
    if (round->counts().executions == 0) throw;
    state_.summary.broken = {what, code};
    return explore::SearchEnd::broken;
  };
  try {
    return round->run();
  } catch (const UserError& error) {
    return give_up(error.what(), exit_code::refused);
  } catch (const std::system_error& error) {
    return give_up(words_of(error).c_str(), exit_code::refused);
  } catch (const std::exception& error) {
    if (options_.priority) throw;  // its function may have thrown it, and its owner waits for that
    return give_up(error.what(), exit_code::internal);
  }
}

report::Summary Campaign::run() {
  if (given_.shard.is_on()) remove_part(subject_, given_);
  if (!run_first()) {
    state_.summary.executions = state_.summary.former->executions();
    return std::move(state_.summary);
  }
  const report::Summary first = state_.summary;
  for (;;) {
    options_.racing = state_.racing;
    options_.script_places = state_.script_places;
    go_along_races();
    Round round(this);
    round.recorder().save_now = [&] { save(round); };
    round.recorder().sample_now = [&] { sample(&round); };
    round.recorder().series = series_;
    if (task_ != nullptr) round.recorder().told_by_others = &task_->told;
    load(&round);
    // What a search before it has counted is void.
    if (series_ != nullptr) series_->samples.clear();
    explore::SearchEnd end = explore::SearchEnd::interrupted;
    if (loaded_) end = is_too_late(round) ? explore::SearchEnd::budget : run(&round);
    sample(&round);
    if (loaded_) keep_or_remove(round, end);
    if (learn(round, end)) continue;  // also if nothing is left of the budget: it is saved then
    status_.erase();
    report(&round, end);
    break;
  }
  if (list_ != nullptr) {
    std::string problem = list_->finish();
    if (!problem.empty()) state_.summary.notes.push_back(problem);
  }
  tell_racing(state_.racing_places, &state_.summary);
  add_first(first);
  return std::move(state_.summary);
}

// Guided search, alone or as a sampler, goes along the races that are known when a search begins.
void Campaign::go_along_races() {
  const std::vector<std::string>& samplers = setup_.stages.front().samplers;
  bool is_guided = setup_.record.name == std::string_view("guide") ||
                   std::ranges::find(samplers, "guide") != samplers.end();
  bool explores = options_.races == wire::Races::explore && options_.through.empty();
  if (!is_guided || !explores || state_.racing_pairs.empty()) return;
  RacingRoute found = racing_route(subject_, options_, state_.racing_pairs);
  options_.route = std::move(found.route);
  for (explore::StrategyOptions& stage : setup_.stages) {
    stage.guide.sequences = found.sequences;
    stage.guide.places = kPlacesOfRace;
  }
}

void Campaign::load(Round* round) {
  if (saved_ != nullptr) {
    loaded_ = round->load(*saved_);
    saved_ = nullptr;
    resumed_at_ = round->counts().executions;
    is_resumed_ = loaded_;
    saver_.loaded(round->strategy().waiting(), opening_ + round->search_seconds());
  } else {
    is_resumed_ = false;
  }
  begun_at_ = round->counts().executions;
}

// Whether nothing is left of the seconds but what it takes to save a search that was just loaded.
bool Campaign::is_too_late(const Round& round) {
  if (!is_resumed_ || !left_.seconds) return false;
  uint64_t waiting = round.strategy().waiting();
  if (round.search_seconds() + saver_.excess(waiting) < *left_.seconds) return false;
  double loading = opening_ + round.search_seconds(), saving = saver_.takes(waiting);
  state_.summary.notes.push_back(
      fmt::format("nothing was run: to load the search took {:.1f} s, and to save it again takes "
                  "up to {:.1f} s; "
                  "give it more time, --seconds {:.0f}",
                  loading, saving, std::ceil(10 * (loading + saving))));
  return true;
}

void Campaign::sample(Round* round) {
  if (task_ != nullptr) task_->beat();
  if (series_ == nullptr) return;
  report::add_sample({state_.seconds + round->seconds(), round->counts().executions,
                      round->search().distinct().count()},
                     &series_->samples);
}

// Whether the search has to begin again, with what it has learnt.
bool Campaign::learn(const Round& round, explore::SearchEnd end) {
  const Recorder& recorder = round.recorder();
  bool is_wiser = !recorder.racing_found().empty() || !recorder.script_places().empty();
  // A task tells of what it has found, wherever it ends.
  bool is_asked = end == explore::SearchEnd::learnt || task_ != nullptr;
  if (!is_asked || !is_wiser) return false;
  auto append = [](auto* all, const auto& more) {
    all->insert(all->end(), more.begin(), more.end());
  };
  append(&state_.racing, recorder.racing_found());
  append(&state_.racing_places, recorder.racing_places());
  append(&state_.racing_pairs, recorder.racing_pairs());
  append(&state_.script_places, recorder.script_places());
  // All that have tasks of this search have to begin again.
  if (task_ != nullptr) return false;
  before_ = round.counts();
  uint64_t executions = before_.executions - begun_at_;
  if (left_.executions) *left_.executions -= std::min(*left_.executions, executions);
  // With closer looks: it is the user's time.
  if (left_.seconds) *left_.seconds = std::max(*left_.seconds - round.search_seconds(), 0.0);
  state_.seconds += round.seconds();
  return true;
}

// A search that could go on is saved; one that has come to an end leaves nothing behind.
void Campaign::keep_or_remove(const Round& round, explore::SearchEnd end) {
  // After an error of our own nobody knows what would be saved.
  bool could_go_on = end == explore::SearchEnd::budget || end == explore::SearchEnd::interrupted ||
                     (end == explore::SearchEnd::broken &&
                      state_.summary.broken->exit_code != exit_code::internal);
  bool is_saved = is_resumed_ && round.counts().executions == resumed_at_;
  if (could_go_on && !is_saved) save(round);
  bool at_an_end = end == explore::SearchEnd::complete || end == explore::SearchEnd::failure ||
                   end == explore::SearchEnd::realised || end == explore::SearchEnd::diverged ||
                   end == explore::SearchEnd::unsupported;
  // A failure may also be told in haste, when an interrupt has come.
  if (at_an_end && *Interrupt::flag() == 0) saver_.remove();
  if (!saver_.problem().empty()) {
    state_.summary.notes.push_back(fmt::format("the search was not saved: {}", saver_.problem()));
  }
}

void Campaign::report(Round* round, explore::SearchEnd end) {
  report::Summary* summary = &state_.summary;
  summary->seconds = state_.seconds + round->seconds();
  fill_in(summary, round->search(), round->strategy());
  if (summary->guided) summary->guided->are_racing = options_.through.empty();
  conclude(summary, end, setup_.limits, round->counts(), resumed_at_, options_);
  tell_stages(summary, round->strategy());
  tell_remaining(summary, round->strategy());
  tell_notes(round->pool().notes(), options_, summary);
  tell_assembly(round->recorder().modules(), summary);
  if (!options_.uninstrumented) tell_lineless(summary);
  std::string problem = write_state_list(given_, round->search().states());
  if (!problem.empty()) summary->notes.push_back(problem);
  Identity identity = identity_of(subject_, given_, setup_.record, setup_.stages);
  PartSource source{subject_, given_,           identity, round->recorder().modules(),
                    state_,   round->strategy()};
  if (task_ != nullptr) {
    done_ = {part_of(source, round->search(), *summary),
             {},
             end,
             round->recorder().first_hash(),
             round->recorder().modules()};
    // Of all other ends somebody is told.
    bool is_whole = end == explore::SearchEnd::complete || end == explore::SearchEnd::budget ||
                    end == explore::SearchEnd::failure || end == explore::SearchEnd::learnt;
    done_.part.has_gap |= !is_whole;
    if (end == explore::SearchEnd::budget) done_.left_over = round->left_over();
    return;
  }
  if (given_.shard.is_on()) {
    leave_part(source, round->search(), summary);
    if (summary->shard->complete) return;
  }
  bool is_alone = onlooker_ == nullptr && series_ == nullptr;
  // A check is one test, whatever else is in the program.
  std::string program = subject_.check.has_value() ? "" : subject_.path;
  auto switches = [&] { return round->recorder().switches(); };
  if (is_alone) advise(program, saver_.problem().empty(), given_, switches, summary);
}

TaskDone run_task(const Subject& subject, const Options& options, const Task& task) {
  Campaign campaign(subject, options, nullptr, nullptr, &task);
  campaign.run();
  return campaign.take_done();
}

uint32_t stages_of_tasks(const Options& options) {
  return static_cast<uint32_t>(setup_of(options).stages.size());
}

}  // namespace heddle::session
