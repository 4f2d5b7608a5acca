// Test scripts: which interleavings of a test's threads are to be run.
//
//   #include <heddle/scenario.h>
//   using namespace heddle::script;
//
//   heddle::Report report = heddle::scenario([](heddle::Script& s) {
//     Buffer buffer(2);
//     auto producer = s.thread("P", [&] { buffer.put(1); });
//     auto consumer = s.thread("C", [&] { buffer.get(); });
//     s.transfer(consumer).until("Await");  // it has seen the buffer empty
//     while (!s.all_ended()) s.transfer(any).until(any);
//   });
//
// The function is the script. It is run again and again, each time along another interleaving of
// those that it describes, until all of them have been run. Its threads do nothing before it
// transfers to them; while one goes, no other does, and the script waits. The rest is ordinary C++.
// The manual: docs/scenarios.md.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/heddle.h"
#include "heddle/script.h"
#include "heddle/yield.h"

// Where the script calls, not where these functions do, is what a report shows, also in a build
// without optimisation.
#define HEDDLE_INLINE __attribute__((always_inline)) inline

namespace heddle {

class Script;

namespace script {

// A thread of the test.
class Thread {
 public:
  Thread() = default;
  friend bool operator==(const Thread& a, const Thread& b) { return a.number_ == b.number_; }
  friend bool operator!=(const Thread& a, const Thread& b) { return !(a == b); }

 private:
  friend class heddle::Script;
  friend class Transfer;
  explicit Thread(unsigned number) : number_(number) {}

  unsigned number_ = 0;
};

struct Any {};
inline constexpr Any any;  // any thread; any yield point

// What a thread comes to.
class Condition {
 public:
  Condition(Any) : Condition(heddle_until_any) {}
  Condition(const char* label) : Condition(heddle_until_label, nullptr, 0, label) {}
  // A yield point at which the test holds: a function or lambda that returns bool. It must only
  // look.
  template <typename Test, typename = std::enable_if_t<std::is_invocable_r_v<bool, const Test&>>>
  Condition(Test test) : Condition(heddle_until_test) {
    tests_.emplace_back(std::move(test));
  }
  explicit Condition(heddle_until_kind kind, const void* object = nullptr, size_t bytes = 0,
                     const char* text = nullptr)
      : count_(1) {
    entries_[0] = {static_cast<uint32_t>(kind), 0, object, bytes, text, nullptr};
  }

  friend Condition operator||(const Condition& a, const Condition& b) {
    return Condition(a, b, heddle_until_either);
  }
  friend Condition operator&&(const Condition& a, const Condition& b) {
    return Condition(a, b, heddle_until_both);
  }

 private:
  friend class Transfer;
  static constexpr unsigned kMost = 16;  // entries

  Condition(const Condition& a, const Condition& b, heddle_until_kind kind) : Condition(a) {
    for (unsigned i = 0; i < b.count_; ++i) add(b.entries_[i]);
    tests_.insert(tests_.end(), b.tests_.begin(), b.tests_.end());
    add(Condition(kind).entries_[0]);
  }
  void add(const heddle_until& entry) {
    if (count_ == kMost) heddle_script_misuse("a condition of more than 8 parts");
    entries_[count_++] = entry;
  }

  // The tests of the entries that have one, in their order.
  void put_tests() {
    size_t number = 0;
    for (unsigned i = 0; i < count_; ++i) {
      if (entries_[i].kind != heddle_until_test) continue;
      entries_[i].object = &tests_[number++];
      entries_[i].test = [](const void* test) {
        return (*static_cast<const std::function<bool()>*>(test))() ? 1 : 0;
      };
    }
  }

  std::vector<std::function<bool()>> tests_;
  std::array<heddle_until, kMost> entries_{};
  unsigned count_;
};

inline const Condition next(heddle_until_next);  // the next yield point
inline const Condition end(heddle_until_end);    // the end of the thread
inline const Condition blocked(
    heddle_until_blocked);  // it waits for others, or spins until they go on

namespace internal {
template <typename T>
Condition on(heddle_until_kind kind, const volatile T& object) {
  return Condition(kind, const_cast<const T*>(&object), sizeof(T));
}
}  // namespace internal

// The thread is about to do this to a variable, plain or atomic, …
template <typename T>
Condition reads(const volatile T& variable) {
  return internal::on(heddle_until_reads, variable);
}
template <typename T>
Condition writes(const volatile T& variable) {
  return internal::on(heddle_until_writes, variable);
}
template <typename T>
Condition accesses(const volatile T& variable) {
  return internal::on(heddle_until_accesses, variable);
}
// … to a mutex or reader-writer lock, …
template <typename T>
Condition locks(const volatile T& mutex) {
  return internal::on(heddle_until_locks, mutex);
}
template <typename T>
Condition unlocks(const volatile T& mutex) {
  return internal::on(heddle_until_unlocks, mutex);
}
// … to wait on a condition variable, semaphore, barrier or latch.
template <typename T>
Condition waits(const volatile T& object) {
  return internal::on(heddle_until_waits, object);
}

// The thread enters a function, or is about to return from it: a name as in --focus-method,
// "Queue::push".
inline Condition enters(const char* function) {
  return Condition(heddle_until_enters, nullptr, 0, function);
}
inline Condition returns_from(const char* function) {
  return Condition(heddle_until_returns_from, nullptr, 0, function);
}
// HEDDLE_YIELD(text): the same as the text alone, where conditions are combined.
inline Condition label(const char* text) { return Condition(heddle_until_label, nullptr, 0, text); }
// It is about to do something, an access or a call, on this line of the source: "queue.h:41".
inline Condition at(const char* place) { return Condition(heddle_until_at, nullptr, 0, place); }

// Threads that a transfer names. They are kept in the script's own frame: where it used the heap,
// its state would not come back in a loop of transfers, and a livelock would not be recognised.
class Named {
 public:
  void add(unsigned number) {
    if (count_ == kMost) heddle_script_misuse("a transfer that names more than 64 threads");
    numbers_[count_++] = number;
  }
  void add(const std::vector<unsigned>& numbers) {
    for (unsigned number : numbers) add(number);
  }
  const unsigned* data() const { return numbers_.data(); }
  unsigned size() const { return count_; }

 private:
  static constexpr unsigned kMost = 64;

  std::array<unsigned, kMost> numbers_{};
  unsigned count_ = 0;
};

// A transfer: Script::transfer(). It is made at the end of the expression, or before that where its
// result is used or the script does anything else.
class Transfer {
 public:
  // Not these threads.
  template <typename... Threads>
  HEDDLE_INLINE Transfer&& except(const Threads&... threads) && {
    (except_.add(static_cast<Thread>(threads).number_), ...);
    return std::move(*this);
  }
  // The thread goes until it has come to this. Without it: until(any).
  HEDDLE_INLINE Transfer&& until(const Condition& condition) && {
    until_ = condition;
    return std::move(*this);
  }
  // … and that for the k-th time.
  HEDDLE_INLINE Transfer&& count(unsigned k) && {
    count_ = k;
    return std::move(*this);
  }

  // The thread that went.
  HEDDLE_INLINE operator Thread() const {
    make();
    return chosen_;
  }

  HEDDLE_INLINE ~Transfer() { make(); }
  HEDDLE_INLINE Transfer(Transfer&& other) : until_(any), made_(true), pending_(nullptr) {
    chosen_ = static_cast<Thread>(other);
  }
  Transfer& operator=(Transfer&&) = delete;

 private:
  friend class heddle::Script;
  // `pending`: where the script keeps the one that is not made yet.
  Transfer(const Named& threads, const Named& except, bool of_all, const Transfer** pending)
      : threads_(threads), except_(except), of_all_(of_all), until_(any), pending_(pending) {
    *pending_ = this;
  }

  HEDDLE_INLINE void make() const {
    if (made_) return;
    made_ = true;
    *pending_ = nullptr;
    until_.put_tests();
    const heddle_transfer transfer = {threads_.data(), threads_.size(), of_all_ ? 1u : 0u,
                                      except_.data(),  except_.size(),  until_.entries_.data(),
                                      until_.count_,   count_};
    chosen_ = Thread(heddle_script_transfer(&transfer));
  }

  Named threads_;
  Named except_;
  bool of_all_ = false;
  mutable Condition until_;
  unsigned count_ = 1;
  mutable bool made_ = false;
  mutable Thread chosen_;
  const Transfer** pending_;
};

}  // namespace script

// What a script can do: see above.
class Script {
 public:
  using Thread = script::Thread;

  Script() = default;
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // Creates a thread, which does nothing before it is transferred to.
  template <typename Function>
  HEDDLE_INLINE Thread thread(const char* name, Function&& function) {
    finish_transfer();
    threads_.emplace_back(std::forward<Function>(function));
    return Thread(heddle_script_thread(name));
  }
  // The next thread, in the order of their creation, that the code under test has created by
  // itself.
  HEDDLE_INLINE Thread next_thread() {
    finish_transfer();
    return Thread(heddle_script_next_thread());
  }

  // Lets a thread go: this one, one of these, or any in scope. The search tries each.
  template <typename... Threads>
  HEDDLE_INLINE script::Transfer transfer(const Threads&... threads) {
    finish_transfer();
    script::Named named;
    for (unsigned number : {static_cast<Thread>(threads).number_...}) {
      if (!in_scope(number)) {
        heddle_script_misuse("transfers to a thread that is not in the scope of with() here");
      }
      named.add(number);
    }
    return script::Transfer(named, {}, false, &pending_);
  }
  HEDDLE_INLINE script::Transfer transfer(script::Any) {
    finish_transfer();
    script::Named named;
    script::Named except;
    named.add(only_);
    except.add(without_);
    return script::Transfer(named, except, !has_only_, &pending_);
  }

  // All in scope go, in all interleavings, until they have ended: what a loop of
  // transfer(any).until(any) does that runs until then. The script does nothing in between, and so
  // does not see the states on the way: interleavings that are equivalent to the threads are so to
  // it, and --reduce dpor runs one of them.
  HEDDLE_INLINE void interleave() {
    if (only_labels_) {
      while (!all_ended()) transfer(script::any).until(script::any);
      return;
    }
    if (all_ended()) return;
    script::Named named;
    script::Named except;
    named.add(only_);
    except.add(without_);
    const heddle_transfer scope = {named.data(),
                                   named.size(),
                                   has_only_ ? 0u : 1u,
                                   except.data(),
                                   except.size(),
                                   nullptr,
                                   0,
                                   1};
    heddle_script_interleave(&scope);
  }

  // with(a, b, function): in the function only these threads are there.
  template <typename... Arguments>
  HEDDLE_INLINE void with(Arguments&&... arguments) {
    scoped(true, std::forward<Arguments>(arguments)...);
  }
  // without(a, b, function): … these are not.
  template <typename... Arguments>
  HEDDLE_INLINE void without(Arguments&&... arguments) {
    scoped(false, std::forward<Arguments>(arguments)...);
  }

  HEDDLE_INLINE bool ended(const Thread& thread) const {
    finish_transfer();
    return heddle_script_ended(thread.number_) != 0;
  }
  // All in scope have.
  HEDDLE_INLINE bool all_ended() const {
    finish_transfer();
    if (!has_only_) {
      return heddle_script_all_ended(without_.data(), static_cast<unsigned>(without_.size())) != 0;
    }
    for (unsigned number : only_) {
      if (in_scope(number) && heddle_script_ended(number) == 0) return false;
    }
    return true;
  }
  // It waits for something that it does not have.
  HEDDLE_INLINE bool blocked(const Thread& thread) const {
    finish_transfer();
    return heddle_script_blocked(thread.number_) != 0;
  }

  // For any and next, only HEDDLE_YIELD is a yield point; else every operation is.
  HEDDLE_INLINE void only_labels(bool on = true) {
    only_labels_ = on;
    heddle_script_only_labels(on ? 1 : 0);
  }

  // Discards the execution if the condition does not hold.
  HEDDLE_INLINE void assume(bool condition) const {
    finish_transfer();
    heddle::assume(condition);
  }

 private:
  friend void run_script(const std::function<void(Script&)>& script);

  HEDDLE_INLINE void finish_transfer() const {
    if (pending_ != nullptr) pending_->make();
  }

  bool in_scope(unsigned number) const {
    bool is_there = !has_only_;
    for (unsigned other : only_) is_there = is_there || other == number;
    for (unsigned other : without_) is_there = is_there && other != number;
    return is_there;
  }

  // What it was before comes back, also after an exception.
  class Scope {
   public:
    explicit Scope(Script* s)
        : s_(*s), only_(s->only_), without_(s->without_), has_only_(s->has_only_) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      s_.only_ = std::move(only_);
      s_.without_ = std::move(without_);
      s_.has_only_ = has_only_;
    }

   private:
    Script& s_;
    std::vector<unsigned> only_;
    std::vector<unsigned> without_;
    bool has_only_;
  };

  template <size_t... Indices, typename Tuple>
  HEDDLE_INLINE void enter(bool only, std::index_sequence<Indices...>, const Tuple& arguments) {
    std::vector<unsigned> numbers{static_cast<Thread>(std::get<Indices>(arguments)).number_...};
    if (!only) {
      without_.insert(without_.end(), numbers.begin(), numbers.end());
      return;
    }
    for (unsigned number : numbers) {
      if (!in_scope(number)) heddle_script_misuse("with() names a thread that is not in scope");
    }
    only_ = std::move(numbers);
    has_only_ = true;
  }

  template <typename... Arguments>
  HEDDLE_INLINE void scoped(bool only, Arguments&&... arguments) {
    finish_transfer();
    auto all = std::forward_as_tuple(std::forward<Arguments>(arguments)...);
    constexpr size_t kThreads = sizeof...(Arguments) - 1;
    Scope scope(this);
    enter(only, std::make_index_sequence<kThreads>(), all);
    std::get<kThreads>(all)();
    finish_transfer();
  }

  const script::Transfer* pending_ = nullptr;
  std::deque<std::thread> threads_;
  std::vector<unsigned> only_;
  std::vector<unsigned> without_;
  bool has_only_ = false;
  bool only_labels_ = false;
};

// The beginning and end of an execution of the script.
inline void run_script(const std::function<void(Script&)>& script) {
  Script s;
  heddle_script_begin();
  script(s);
  heddle_script_end();
  for (std::thread& thread : s.threads_) thread.join();
}

// What is asked of a script (concurrit, section 2.1), and how.
class HEDDLE_API Scenario {
 public:
  Scenario(std::function<void(Script&)> script, Options options)
      : test_([script = std::move(script)] { run_script(script); }), options_(std::move(options)) {}

  // Whether any execution of the script fails. If none goes as the script says, that is a failure,
  // too, `unmet`: nothing was tested.
  Report forall() const { return ask(false); }
  // Whether there is one that goes as the script says, and fails nowhere. The search ends with the
  // first; a failure that it meets before fails it.
  Report exists() const { return ask(true); }
  // It is no failure if no execution goes as the script says.
  Scenario may_be_empty() && {
    may_be_empty_ = true;
    return std::move(*this);
  }
  operator Report() const { return forall(); }

 private:
  Report ask(bool exists) const;

  std::function<void()> test_;
  Options options_;
  bool may_be_empty_ = false;
};

// heddle::Report report = heddle::scenario(script); or heddle::scenario(script).exists().
[[nodiscard]] inline Scenario scenario(std::function<void(Script&)> script,
                                       const Options& options = {}) {
  return Scenario(std::move(script), options);
}

}  // namespace heddle
