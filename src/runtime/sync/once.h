// Things that are initialised once: pthread_once_t, and the guard of a function's static. Modelled
// in the program's memory.
#pragma once

#include <pthread.h>

#include "runtime/detect/misuse.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

// As glibc: the low bits are 0 untouched, 1 in progress, 2 done. Above them, in progress, who.
class Once {
 public:
  using Address = pthread_once_t*;
  explicit Once(pthread_once_t* control) : word_(control) {}
  static constexpr uint64_t kBytes = sizeof(pthread_once_t);
  static constexpr wire::Op kOp = wire::Op::once;
  static constexpr wire::Op kDoneOp = wire::Op::once_done;
  static constexpr char kEnteredAgain[] =
      "calls once " HEDDLE_OBJECT " from inside of the function that it calls";

  uint64_t object() const { return reinterpret_cast<uint64_t>(word_); }
  bool is_done() const { return (*word_ & 3) == 2; }
  bool in_progress() const { return (*word_ & 3) == 1; }
  uint32_t holder() const { return in_progress() ? static_cast<uint32_t>(*word_) >> 2 : kFree; }
  void begin(const Thread* thread) { *word_ = static_cast<int>(holder_mark(thread) << 2 | 1); }
  void finish(bool done) { *word_ = done ? 2 : 0; }

 private:
  pthread_once_t* word_;
};

// As the C++ ABI: the first byte is not 0 when done. The rest is ours: who, in the upper half.
class Guard {
 public:
  using Address = void*;
  explicit Guard(void* guard)
      : done_(static_cast<char*>(guard)), holder_(static_cast<uint32_t*>(guard) + 1) {}
  static constexpr uint64_t kBytes = 8;
  static constexpr wire::Op kOp = wire::Op::guard;
  static constexpr wire::Op kDoneOp = wire::Op::guard_done;
  static constexpr char kEnteredAgain[] =
      "enters the initialisation of static " HEDDLE_OBJECT " again, from inside of it";

  uint64_t object() const { return reinterpret_cast<uint64_t>(done_); }
  bool is_done() const { return *done_ != 0; }
  bool in_progress() const { return *holder_ != kFree; }
  uint32_t holder() const { return *holder_; }
  void begin(const Thread* thread) { *holder_ = holder_mark(thread); }
  void finish(bool done) {
    *holder_ = kFree;
    *done_ = done ? 1 : 0;
  }

 private:
  char* done_;
  uint32_t* holder_;
};

// The running thread arrives: waits while another is at it. True: it is to do the work, and then
// calls leave().
template <typename Initialiser>
bool arrive(Initialiser object, uint64_t pc) {
  auto can = [](uint64_t address) {
    return !Initialiser(reinterpret_cast<typename Initialiser::Address>(address)).in_progress();
  };
  if (object.holder() == holder_mark(g_run.current)) {
    end_with_misuse(object.object(), pc, Initialiser::kEnteredAgain);
  }
  wait_until_permitted(Initialiser::kOp, object.object(), can, kForever, pc);
  check_object(object.object(), Initialiser::kBytes, pc);
  order_acquire(object.object());
  if (object.is_done()) return false;
  object.begin(g_run.current);
  refresh(object.object());
  return true;
}

template <typename Initialiser>
void leave(Initialiser object, bool done, uint64_t pc) {
  reach(Initialiser::kDoneOp, object.object(), pc);
  check_object(object.object(), Initialiser::kBytes, pc);
  order_release(object.object());
  object.finish(done);
  refresh(object.object());
}

}  // namespace heddle::runtime
