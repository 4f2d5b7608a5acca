#include "trace/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "trace/words.h"

namespace heddle::trace {
namespace {

using wire::Op;

constexpr size_t kInWords = 4;  // threads of a cycle of which all is told

bool waits(const ThreadAtEnd& thread) {
  return thread.state == wire::ThreadState::waiting && thread.pending != Op::transfer;
}

// The threads of a cycle, from its first one on; empty: there is none.
std::vector<const ThreadAtEnd*> find_cycle(std::span<const ThreadAtEnd> threads) {
  auto holder_of = [&](const ThreadAtEnd* thread) -> const ThreadAtEnd* {
    if (!waits(*thread) || thread->holder.empty()) return nullptr;
    auto found = std::ranges::find(threads, thread->holder, &ThreadAtEnd::thread);
    return found != threads.end() ? &*found : nullptr;
  };
  for (const ThreadAtEnd& first : threads) {
    std::vector<const ThreadAtEnd*> cycle;
    // Each thread waits for one other: who comes back at all does so within as many steps.
    for (const ThreadAtEnd* at = &first; at != nullptr && cycle.size() <= threads.size();) {
      cycle.push_back(at);
      at = holder_of(at);
      if (at == &first) return cycle;
    }
  }
  return {};
}

std::string enumerated(const std::vector<const ThreadAtEnd*>& threads) {
  std::string text;
  for (size_t i = 0; i < threads.size(); ++i) {
    if (i > 0) text += i + 1 == threads.size() ? " and " : ", ";
    text += thread_name(threads[i]->thread);
  }
  return text;
}

std::string wanted(const ThreadAtEnd& thread) {
  if (thread.pending == Op::join) return fmt::format("the end of {}", thread_name(thread.holder));
  return thread.object.empty() ? "something that has no name" : thread.object;
}

// What the thread before it in the cycle waits for, and what itself.
std::string link(const ThreadAtEnd& before, const ThreadAtEnd& thread) {
  std::string name = thread_name(thread.thread);
  if (before.pending == Op::join || before.object.empty()) {
    return fmt::format("{} waits for {}", name, wanted(thread));
  }
  return fmt::format("{} holds {} and waits for {}", name, before.object, wanted(thread));
}

}  // namespace

std::string deadlock_words(std::span<const ThreadAtEnd> threads) {
  auto waiting = static_cast<size_t>(std::ranges::count_if(threads, waits));
  if (waiting == 0) return "";
  std::vector<const ThreadAtEnd*> cycle = find_cycle(threads);
  if (cycle.empty()) {
    if (waiting == 1) return "1 thread waits for something that no thread can give";
    return fmt::format("{} threads wait, and no thread is left that could let one of them go on",
                       waiting);
  }
  std::string text;
  if (cycle.size() == 1) {
    const ThreadAtEnd& thread = *cycle.front();
    text = thread.pending == Op::join
               ? fmt::format("{} waits for its own end", thread_name(thread.thread))
               : fmt::format("{} waits for {}, which it holds itself", thread_name(thread.thread),
                             wanted(thread));
  } else {
    text = enumerated(cycle) + " wait for each other";
    for (size_t i = 0; i < cycle.size() && cycle.size() <= kInWords; ++i) {
      const ThreadAtEnd& before = *cycle[(i + cycle.size() - 1) % cycle.size()];
      text += (i == 0 ? ": " : ", ") + link(before, *cycle[i]);
    }
  }
  size_t others = waiting - cycle.size();
  if (others == 1) text += "; 1 other thread waits";
  if (others > 1) text += fmt::format("; {} other threads wait", others);
  return text;
}

}  // namespace heddle::trace
