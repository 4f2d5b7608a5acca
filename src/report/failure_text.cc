#include "report/failure_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/grid.h"
#include "report/moments.h"
#include "report/why_text.h"
#include "trace/words.h"

namespace heddle::report {
namespace {

using trace::CallStack;
using trace::Finding;
using trace::Place;
using trace::ThreadAtEnd;
using trace::Witness;

constexpr size_t kThreads = 16;      // shown of a deadlock
constexpr size_t kFrames = 12;       // shown of a stack
constexpr size_t kOutputLines = 20;  // shown of the program's output

std::string place_text(const Place* place) {
  return place == nullptr ? "" : printable(trace::short_place(*place));
}

// What threads look for in each round of an execution that does not end.
void add_looks(const Finding& finding, Grid* grid) {
  size_t shown = 0;
  std::string before;
  for (const trace::Wait& wait : finding.waits) {
    if (++shown > kThreads) break;
    const Place* place = trace::user_place(wait.stack);
    std::string name = wait.thread == before ? "" : trace::thread_name(wait.thread);
    grid->add({name, printable(wait.words), place_text(place)}, place);
    before = wait.thread;
  }
}

// The threads that go round, and those that wait; of threads that hold nothing and wait for nothing
// only the number is told.
std::string waiting_threads(const Finding& finding, const View& view) {
  Grid grid;
  add_looks(finding, &grid);
  size_t waiting = 0;
  for (const ThreadAtEnd& thread : finding.threads) {
    if (thread.state != wire::ThreadState::waiting || thread.pending == wire::Op::transfer)
      continue;
    if (++waiting > kThreads) continue;
    std::string words = trace::waiting_words(thread.pending, thread.object);
    bool is_held = !thread.holder.empty() && thread.pending != wire::Op::join;
    if (is_held) words += ", held by " + trace::thread_name(thread.holder);
    const Place* place = trace::user_place(thread.stack);
    grid.add({trace::thread_name(thread.thread), printable(words), place_text(place)}, place);
  }
  std::string out = grid.text("  ", view);
  if (waiting > kThreads) out += fmt::format("  ... and {} more\n", grouped(waiting - kThreads));
  return out;
}

// User frames with their lines; the system's folded: what the user called by name, the rest as
// dots.
std::string stack_text(const CallStack& stack, const View& view) {
  Grid grid;
  size_t shown = 0;
  size_t last_user = stack.size();
  while (last_user > 0 && stack[last_user - 1].system) --last_user;
  size_t end = last_user == 0 ? stack.size() : last_user;
  bool first_user = true;
  for (size_t i = 0; i < end; ++i) {
    const Place& place = stack[i];
    bool calls_system = place.system && i + 1 < end && stack[i + 1].system;
    if (calls_system && last_user != 0) continue;
    if (++shown > kFrames) {
      grid.add({"..."});
      break;
    }
    std::string name = place.function.empty() ? "?" : printable(place.function);
    if (place.system) {
      grid.add({"in " + name, last_user == 0 ? place_text(&place) : ""});
      continue;
    }
    grid.add({"in " + name, place_text(&place)}, first_user ? &place : nullptr);
    first_user = false;
  }
  return grid.text("    ", view);
}

// What was done to an object of the library, such as "unlock mutex": the thread's last step there.
std::string use_words(const Finding& finding, const Witness& witness) {
  const Place* place = trace::user_place(witness.stack);
  const trace::Timeline& timeline = finding.timeline;
  for (size_t i = timeline.size(); i-- > 0 && place != nullptr;) {
    const trace::TimelineStep& step = timeline.steps[i];
    if (timeline.threads[step.thread] != witness.thread) continue;
    const Place* other = timeline.user_place(i);
    if (other == nullptr || other->file != place->file || other->line != place->line) continue;
    return trace::operation_words(step.op, "");
  }
  return "used";
}

}  // namespace

std::string witness_words(const Finding& finding, const Witness& witness) {
  std::string words = wire::role_name(witness.role);
  bool frees = witness.role == wire::Role::freed || witness.role == wire::Role::freed_again;
  if (witness.role == wire::Role::used) {
    words = use_words(finding, witness);
  } else if (!frees) {
    words += " of " + counted(witness.size, "byte");
  }
  if (witness.role == wire::Role::allocated) {
    words = fmt::format("a block of {}, allocated", counted(witness.size, "byte"));
  }
  if (witness.thread.empty()) return words + " before the execution began";
  return words + " by " + trace::thread_name(witness.thread);
}

namespace {

std::string witnesses_text(const Finding& finding, const View& view) {
  std::string out;
  if (!finding.object.empty() && !finding.witnesses.empty())
    out += "  on " + printable(finding.object) + "\n\n";
  for (const Witness& witness : finding.witnesses) {
    out += "  " + witness_words(finding, witness) + "\n" + stack_text(witness.stack, view) + "\n";
  }
  return out;
}

std::string script_name(const Finding& finding, const std::string& path) {
  auto same = std::ranges::find(finding.threads, path, &ThreadAtEnd::thread);
  if (same == finding.threads.end() || same->name.empty()) return trace::thread_name(path);
  return fmt::format("{} ({})", printable(same->name), trace::thread_name(path));
}

// The transfers that a script has made; of more the last ones.
std::string transfers_text(const Finding& finding, const View& view) {
  if (finding.transfers.empty()) return "";
  constexpr size_t kShown = 20;
  size_t hidden = finding.transfers.size() - std::min(finding.transfers.size(), kShown);
  Grid grid;
  for (size_t i = hidden; i < finding.transfers.size(); ++i) {
    const trace::Transfer& transfer = finding.transfers[i];
    std::string place = place_text(trace::user_place(transfer.stack));
    if (transfer.thread.empty()) {
      grid.add({place, "all in scope", "interleaved, until their ends"});
      continue;
    }
    std::string until = transfer.until.empty() ? "its end" : printable(transfer.until);
    grid.add({place, script_name(finding, transfer.thread), "until " + until});
  }
  return fmt::format("The script {}transferred to\n{}\n", hidden == 0 ? "" : "last ",
                     grid.text("  ", view));
}

std::string output_text(const Finding& finding) {
  std::vector<std::string> lines = split_lines(finding.output);
  if (lines.empty()) return "";
  size_t skipped = lines.size() - std::min(lines.size(), kOutputLines);
  std::string out = "The program wrote:\n";
  if (skipped != 0) out += fmt::format("  | ... {} before\n", counted(skipped, "line"));
  for (size_t i = skipped; i < lines.size(); ++i) out += "  | " + printable(lines[i]) + "\n";
  return out + "\n";
}

}  // namespace

std::string replay_command(const Finding& finding) {
  return fmt::format("heddle replay {}{}", finding.needs_trust ? "--trust " : "",
                     shell_word(finding.schedule_file));
}

std::string failure_line(const Finding& finding) {
  std::string message = finding.message.substr(0, finding.message.find('\n'));
  std::string text = fmt::format("{} at {}: {}", wire::failure_name(finding.kind),
                                 finding.location(), printable(message));
  if (finding.schedule_file.empty()) return text;
  return text + "\n    " + replay_command(finding);
}

std::string failure_text(const Finding& finding, const std::string& which, bool is_replay,
                         const View& view) {
  Paint paint = view.paint();
  std::string location = finding.location();
  std::string out = paint.red("FAILED") + (which.empty() ? "" : " (" + which + ")") + "  " +
                    paint.bold(wire::failure_name(finding.kind));
  if (!finding.thread.empty()) out += " in " + trace::thread_name(finding.thread);
  if (!location.empty()) out += " at " + printable(location);
  out += "\n";
  if (finding.kind == wire::Failure::unmet && finding.steps != 0) {
    out += "  no execution goes as the script says; the best attempt:\n";
  }
  for (const std::string& line : split_lines(finding.message)) out += "  " + printable(line) + "\n";
  out += "\n";
  if (finding.kind == wire::Failure::deadlock) {
    out += waiting_threads(finding, view) + "\n";
  } else if (!finding.witnesses.empty()) {
    out += witnesses_text(finding, view);
  } else if (!finding.stack.empty() && finding.kind != wire::Failure::livelock) {
    out += stack_text(finding.stack, view) + "\n";
  }
  if (finding.kind == wire::Failure::unmet) {
    std::string waiting = waiting_threads(finding, view);
    if (!waiting.empty()) out += waiting + "\n";
  }
  if (!finding.waits.empty()) out += waiting_threads(finding, view) + "\n";
  if (!finding.note.empty()) out += "  note: " + printable(finding.note) + "\n\n";
  out += transfers_text(finding, view);
  std::string moments = moments_text(finding, view);
  if (!moments.empty()) out += moments + "\n";
  out += why_text(finding, view);
  out += output_text(finding);
  if (finding.steps == 0 && finding.kind == wire::Failure::unmet) return out;
  std::string size =
      fmt::format("{}, {}{}.", counted(finding.steps, "step"),
                  counted(finding.preemptions, "preemption"), simplified_words(finding));
  if (!is_replay) {
    std::string part = finding.sampler.empty() ? finding.stage : "sampled by " + finding.sampler;
    out += fmt::format("Found in execution {}{}: ", grouped(finding.execution),
                       part.empty() ? "" : " (" + part + ")");
  }
  out += size;
  if (finding.schedule_file.empty()) return out + " The schedule was not saved.\n\n";
  return out + " To see it again:\n  " + paint.bold(replay_command(finding)) + "\n\n" +
         test_text(finding, view);
}

}  // namespace heddle::report
