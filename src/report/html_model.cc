// The model of a page: a finding with its timeline, in tables and columns, so that a hundred
// thousand steps are a few megabytes that a browser reads in a moment. report/page/data.js is the
// other side of it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "report/failure_text.h"
#include "report/html.h"
#include "report/style.h"
#include "report/why_text.h"
#include "trace/happens_before.h"
#include "trace/words.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;
using trace::CallStack;
using trace::Finding;
using trace::Place;
using trace::Timeline;
using trace::TimelineStep;

// A browser scrolls over so many rows without a trick: it has a limit of some ten million pixels.
constexpr size_t kMaxSteps = 250'000;

// Texts by their numbers; 0 is the empty one.
class Texts {
 public:
  Texts() { number(""); }
  uint32_t number(const std::string& text) {
    auto [found, is_new] = numbers_.emplace(text, static_cast<uint32_t>(all_.size()));
    if (is_new) all_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string> all_;
};

// Call stacks by their numbers; 0 is the empty one.
class Stacks {
 public:
  explicit Stacks(Texts* texts) : texts_(*texts) { number({}); }

  uint32_t number(const CallStack& stack) {
    std::vector<uint32_t> places;
    for (const Place& one : stack) places.push_back(place(one));
    auto [found, is_new] = numbers_.emplace(places, static_cast<uint32_t>(stacks_.size()));
    if (!is_new) return found->second;
    stacks_.push_back(places);
    const Place* user = trace::user_place(stack);
    users_.push_back(user != nullptr ? places[static_cast<size_t>(user - stack.data())] : kNone);
    return found->second;
  }

  // The places as [file, line, function, short words, 1 if of the system, source].
  Json places() const { return places_; }
  Json stacks() const { return stacks_; }
  // For each stack the place where the user sees it; -1: none.
  Json users() const {
    Json all = Json::array();
    for (uint32_t user : users_) all.push_back(user == kNone ? Json(-1) : Json(user));
    return all;
  }

 private:
  static constexpr uint32_t kNone = ~0u;

  uint32_t place(const Place& place) {
    std::string words = trace::short_place(place);
    std::string key = fmt::format("{}\n{}\n{}\n{}", place.file, place.line, place.function, words);
    auto [found, is_new] = place_numbers_.emplace(key, static_cast<uint32_t>(places_.size()));
    if (is_new) {
      places_.push_back({texts_.number(place.file), place.line, texts_.number(place.function),
                         texts_.number(words), place.system ? 1 : 0, texts_.number(place.source)});
    }
    return found->second;
  }

  Texts& texts_;
  std::unordered_map<std::string, uint32_t> place_numbers_;
  Json places_ = Json::array();
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
  std::vector<std::vector<uint32_t>> stacks_;
  std::vector<uint32_t> users_;
};

class Model {
 public:
  Model(const trace::TraceFile& found, const std::vector<std::string>& program)
      : found_(found), finding_(found.finding), program_(program) {
    for (const std::string& path : finding_.timeline.threads) thread(path);
    for (const trace::ThreadAtEnd& at_end : finding_.threads) thread(at_end.thread);
  }

  std::string text() {
    Json model = {{"heddle", HEDDLE_VERSION}, {"program", program_}, {"failure", failure()}};
    model["witnesses"] = witnesses();
    model["waits"] = waits();
    model["cycle"] = cycle();
    model["transfers"] = transfers();
    model["run"] = run(finding_.timeline, found_.steps);
    model["critical"] = critical();
    bool always = finding_.critical && !finding_.critical->some_pass;
    model["always"] = always ? critical_words(*finding_.critical) + "." : "";
    model["twin"] = twin();
    model["atEnd"] = threads_at_end();  // names the threads that are left
    model["threads"] = threads();
    model["places"] = stacks_.places();
    model["stacks"] = stacks_.stacks();
    model["userPlaces"] = stacks_.users();
    model["sources"] = sources();
    model["texts"] = texts_.all();
    return model.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  // The number of a thread by its path; -1: none.
  Json thread(const std::string& path) {
    if (path.empty() || path == "?") return -1;
    auto [found, is_new] = threads_.emplace(path, static_cast<uint32_t>(paths_.size()));
    if (is_new) paths_.push_back(path);
    return found->second;
  }

  Json failure() {
    return {{"kind", wire::failure_name(finding_.kind)},
            {"message", finding_.message},
            {"location", finding_.location()},
            {"thread", thread(finding_.thread)},
            {"stack", stacks_.number(finding_.stack)},
            {"object", texts_.number(finding_.object)},
            {"note", finding_.note},
            {"execution", finding_.execution},
            {"by", finding_.sampler.empty() ? finding_.stage : "sampled by " + finding_.sampler},
            {"steps", finding_.steps},
            {"preemptions", finding_.preemptions},
            {"schedule", finding_.schedule_file},
            {"replay", replay_command(finding_)},
            {"output", finding_.output}};
  }

  Json witnesses() {
    Json all = Json::array();
    for (const trace::Witness& witness : finding_.witnesses) {
      all.push_back({{"words", witness_words(finding_, witness)},
                     {"thread", thread(witness.thread)},
                     {"stack", stacks_.number(witness.stack)}});
    }
    return all;
  }

  Json waits() {
    Json all = Json::array();
    for (const trace::Wait& wait : finding_.waits) {
      all.push_back({{"thread", thread(wait.thread)},
                     {"words", wait.words},
                     {"stack", stacks_.number(wait.stack)}});
    }
    return all;
  }

  Json cycle() const {
    if (!finding_.cycle) return nullptr;
    return {{"begin", finding_.cycle->begin},
            {"length", finding_.cycle->length},
            {"repeats", finding_.cycle->repeats},
            {"proved", finding_.proved_cycle != 0}};
  }

  // The page may have the last steps alone.
  bool has(uint32_t step) const {
    const Timeline& timeline = finding_.timeline;
    size_t known = std::min(timeline.size(), kMaxSteps);
    return step - timeline.first < timeline.size() &&
           timeline.first + timeline.size() - step <= known;
  }

  Json critical() const {
    const std::optional<trace::CriticalStep>& critical = finding_.critical;
    if (!critical || !critical->some_pass || !has(critical->step)) return nullptr;
    return {{"step", critical->step}, {"words", critical_words(*critical) + "."}};
  }

  // `failing` is null if it is the execution of this page.
  Json twin() {
    const std::optional<trace::Twin>& twin = finding_.twin;
    bool is_whole = twin && found_.passing && (twin->is_own || found_.failing);
    if (!is_whole || found_.passing->timeline.size() > kMaxSteps || !has(twin->step))
      return nullptr;
    Json failing = nullptr;
    if (!twin->is_own) failing = run(found_.failing->timeline, {});
    return {{"step", twin->step},
            {"adjacent", twin->adjacent},
            {"words", twin_words(*twin) + "."},
            {"failing", std::move(failing)},
            {"passing", run(found_.passing->timeline, {})}};
  }

  Json transfers() {
    Json all = Json::array();
    for (const trace::Transfer& transfer : finding_.transfers) {
      all.push_back({{"thread", thread(transfer.thread)},
                     {"until", transfer.until},
                     {"stack", stacks_.number(transfer.stack)}});
    }
    return all;
  }

  Json threads_at_end() {
    Json all = Json::array();
    for (const trace::ThreadAtEnd& at_end : finding_.threads) {
      constexpr const char* kStates[] = {"unused", "enabled", "waiting", "ended"};
      bool waits = at_end.state == wire::ThreadState::waiting;
      all.push_back({{"thread", thread(at_end.thread)},
                     {"state", kStates[static_cast<size_t>(at_end.state)]},
                     {"pending", trace::operation_words(at_end.pending, at_end.object)},
                     {"words", waits ? trace::waiting_words(at_end.pending, at_end.object) : ""},
                     {"object", texts_.number(at_end.object)},
                     {"joins", at_end.pending == wire::Op::join},
                     {"transfers", at_end.pending == wire::Op::transfer},
                     {"holder", thread(at_end.holder)},
                     {"stack", stacks_.number(at_end.stack)}});
    }
    return all;
  }

  Json threads() const {
    Json all = Json::array();
    for (const std::string& path : paths_) {
      auto same = [&](const trace::ThreadAtEnd& one) { return one.thread == path; };
      auto at_end = std::ranges::find_if(finding_.threads, same);
      bool is_known = at_end != finding_.threads.end();
      all.push_back({{"path", path},
                     {"name", trace::thread_name(path)},
                     {"given", is_known ? at_end->name : ""},
                     {"entry", is_known ? at_end->entry : ""}});
    }
    return all;
  }

  // The files by their numbers among the texts.
  Json sources() {
    Json all = Json::array();
    for (const trace::SourceText& text : found_.sources) {
      Json parts = Json::array();
      for (const trace::SourceExcerpt& part : text.excerpts) {
        parts.push_back({{"first", part.first}, {"lines", part.lines}});
      }
      all.push_back({{"file", texts_.number(text.file)}, {"parts", std::move(parts)}});
    }
    return all;
  }

  // An execution in columns; `raw` are its steps, or none.
  Json run(const Timeline& timeline, std::span<const wire::Step> raw) {
    size_t begin = timeline.size() - std::min(timeline.size(), kMaxSteps);
    std::vector<uint32_t> thread_column, op, words, plain, object, stack, flags;
    std::map<uint8_t, uint32_t> ops;
    std::vector<uint32_t> stack_numbers;  // by those of the timeline
    for (uint32_t i = 0; i < timeline.stacks.size(); ++i) {
      stack_numbers.push_back(stacks_.number(timeline.stack(i)));
    }
    for (size_t i = begin; i < timeline.size(); ++i) {
      const TimelineStep& step = timeline.steps[i];
      TimelineStep without_stack = step;  // there are few stacks, and many steps
      without_stack.stack = 0;
      trace::DetailedStep detailed = timeline.detailed(without_stack, 0);
      thread_column.push_back(thread(detailed.thread).get<uint32_t>());
      op.push_back(ops.emplace(static_cast<uint8_t>(step.op), static_cast<uint32_t>(ops.size()))
                       .first->second);
      words.push_back(texts_.number(step_words(detailed)));
      plain.push_back(texts_.number(trace::operation_words(step.op, detailed.object)));
      object.push_back(texts_.number(detailed.object));
      stack.push_back(stack_numbers[step.stack]);
      flags.push_back(flags_of(step));
    }
    Json all = {{"first", timeline.first + begin},
                {"thread", thread_column},
                {"op", op},
                {"words", words},
                {"plain", plain},
                {"object", object},
                {"stack", stack},
                {"flags", flags}};
    all["ops"] = operations(ops);
    add_enabled(timeline, begin, &all);
    all["causes"] = causes(raw, timeline.first + begin);
    return all;
  }

  static uint32_t flags_of(const TimelineStep& step) {
    return (step.is(TimelineStep::kPreemption) ? 1u : 0u) |
           (step.is(TimelineStep::kYields) ? 2u : 0u) | (step.is(TimelineStep::kInVain) ? 4u : 0u);
  }

  static std::string step_words(const trace::DetailedStep& step) {
    std::string words = trace::step_words(step);
    if (step.outcome == 0 || step.op == wire::Op::choose) return words;
    if (wire::has(step.op, wire::kSpurious)) return words + " (spuriously)";
    return words + fmt::format(" (outcome {})", step.outcome);
  }

  // [words, effect, shape]: how a step of this kind is drawn.
  static Json operations(const std::map<uint8_t, uint32_t>& numbers) {
    Json all = Json::array();
    for (size_t i = 0; i < numbers.size(); ++i) all.push_back(nullptr);
    for (auto [byte, number] : numbers) {
      auto op = static_cast<wire::Op>(byte);
      all[number] = {wire::op_name(op), std::string(1, wire::op_effect(op)), shape(op)};
    }
    return all;
  }

  static const char* shape(wire::Op op) {
    using wire::Op;
    if (op == Op::begin || op == Op::end || op == Op::create || op == Op::join) return "thread";
    if (wire::has(op, wire::kLetsGo) || op == Op::rwunlock) return "unlock";
    bool is_lock = wire::has(op, wire::kOfMutex) || op == Op::rdlock || op == Op::wrlock;
    if (is_lock) return "lock";
    if (wire::op_effect(op) == 'r') return "read";
    return wire::op_effect(op) == 'w' ? "write" : "other";
  }

  // Who could have made each step, where that changes: steps, and numbers of sets.
  void add_enabled(const Timeline& timeline, size_t begin, Json* all) {
    std::map<std::vector<uint32_t>, uint32_t> numbers;
    std::vector<std::vector<uint32_t>> sets;
    std::vector<size_t> at;
    std::vector<uint32_t> which;
    for (size_t i = begin; i < timeline.size(); ++i) {
      std::vector<uint32_t> threads;
      for (uint32_t one : timeline.enabled_at(i)) {
        threads.push_back(thread(timeline.threads[one]).get<uint32_t>());
      }
      std::ranges::sort(threads);
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
      auto [found, is_new] = numbers.emplace(threads, static_cast<uint32_t>(sets.size()));
      if (is_new) sets.push_back(threads);
      if (!which.empty() && which.back() == found->second) continue;
      at.push_back(i - begin);
      which.push_back(found->second);
    }
    (*all)["enabledAt"] = at;
    (*all)["enabledSet"] = which;
    (*all)["enabledSets"] = sets;
  }

  // Pairs: by how much the step's number is greater than that of the last pair, and how far before
  // it its cause stands.
  static Json causes(std::span<const wire::Step> raw, size_t first) {
    std::vector<size_t> pairs;
    trace::Causes found = trace::causes_of(raw);
    size_t last = first;
    for (size_t i = first; i < raw.size(); ++i) {
      for (uint32_t cause : found.of(static_cast<uint32_t>(i))) {
        if (cause < first) continue;
        pairs.push_back(i - last);
        pairs.push_back(i - cause);
        last = i;
      }
    }
    return pairs;
  }

  const trace::TraceFile& found_;
  const Finding& finding_;
  const std::vector<std::string>& program_;
  Texts texts_;
  Stacks stacks_{&texts_};
  std::unordered_map<std::string, uint32_t> threads_;  // numbers, by their paths
  std::vector<std::string> paths_;
};

}  // namespace

std::string html_model(const trace::TraceFile& found, const std::vector<std::string>& program) {
  return Model(found, program).text();
}

}  // namespace heddle::report
