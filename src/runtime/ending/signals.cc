// See signals.h. The program's own handlers for crashes are kept aside and called for its crashes;
// a write to a page of the snapshot is no crash, and only ours.
#include "runtime/ending/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/raw_call.h"
#include "runtime/carrier/slots.h"
#include "runtime/detect/outside.h"
#include "runtime/ending/ending.h"
#include "runtime/isolate/modules.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/record/guard.h"
#include "runtime/run.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
constexpr size_t kAlternateStack = 256 * 1024;  // the unwinder runs on it

struct sigaction g_program_actions[NSIG];
struct sigaction g_kept_actions[NSIG];  // of before the executions
bool g_installed;
bool g_changed;    // the program has changed its handlers in this execution
bool g_reporting;  // a crash is being reported: another one is the report's own

bool is_crash_signal(int signal) {
  for (int crash : kCrashSignals) {
    if (signal == crash) return true;
  }
  return false;
}

const char* name_of(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? name : "?";
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void call_handler(const struct sigaction& action, int signal, siginfo_t* info, void* context) {
  if (!has_handler(action)) return;
  if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction(signal, info, context);
  action.sa_handler(signal);
}

uint64_t interrupted_pc(const void* context) {
  const auto* interrupted = static_cast<const ucontext_t*>(context);
  return static_cast<uint64_t>(interrupted->uc_mcontext.gregs[REG_RIP]);
}

void report_crash(int signal, const siginfo_t* info, uint64_t pc) {
  if (g_reporting) end_as_noted();
  g_reporting = true;
  if (signal == SIGABRT) end_from_signal(wire::Failure::assertion, pc, 0, "SIGABRT was raised");
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  bool has_address = signal == SIGSEGV || signal == SIGBUS;
  uint64_t key = static_cast<uint64_t>(signal);
  if (!has_address) end_from_signal(wire::Failure::crash, pc, key, "SIG%s", name_of(signal));
  if (signal == SIGSEGV && g_run.current != nullptr && is_stack_guard(address)) {
    end_from_signal(wire::Failure::crash, pc, key, "SIGSEGV: the thread's stack is exhausted");
  }
  if (info->si_code == SI_KERNEL)
    end_from_signal(wire::Failure::crash, pc, key, "SIGSEGV at a wild address");
  end_from_signal(wire::Failure::crash, pc, key, "SIG%s at address 0x%lx%s", name_of(signal),
                  address, address < 4096 ? " (a null pointer)" : "");
}

void on_crash(int signal, siginfo_t* info, void* context) {
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && snapshot_fault(address)) return;
  if (g_guarded) {
    const auto* interrupted = static_cast<const ucontext_t*>(context);
    raw_call(SYS_rt_sigprocmask, SIG_SETMASK, raw_argument(&interrupted->uc_sigmask), 0,
             sizeof(uint64_t), 0, 0);
    leave_guarded();
  }
  const struct sigaction& program = g_program_actions[signal];
  if (g_active && has_handler(program)) return call_handler(program, signal, info, context);
  report_crash(signal, info, interrupted_pc(context));
}

// Whether the signal has interrupted a system call that was waiting: such a call returns EINTR.
bool was_in_kernel(const ucontext_t* context, uint64_t pc) {
  constexpr unsigned char kSystemCall[] = {0x0f, 0x05};
  if (context->uc_mcontext.gregs[REG_RAX] != -EINTR) return false;
  return memcmp(reinterpret_cast<const void*>(pc - sizeof kSystemCall), kSystemCall,
                sizeof kSystemCall) == 0;
}

void on_hang(int signal, siginfo_t* info, void* context) {
  if (info->si_code <= 0 && info->si_pid == getpid()) {  // the program has raised it for itself
    const struct sigaction& program = g_program_actions[signal];
    if (g_active && !has_handler(program) && program.sa_handler == SIG_DFL) {
      g_reporting = true;
      end_from_signal(wire::Failure::crash, interrupted_pc(context), static_cast<uint64_t>(signal),
                      "killed by signal %d", signal);
    }
    return call_handler(program, signal, info, context);
  }
  if (!in_execution() || g_reporting) return;
  g_reporting = true;
  uint64_t pc = interrupted_pc(context);
  if (const Thread* thread = waits_elsewhere()) end_blocked_by_call(thread->pending.pc);
  if (!in_runtime(pc) && was_in_kernel(static_cast<ucontext_t*>(context), pc)) end_blocked(pc);
  end_from_signal(wire::Failure::hang, pc, static_cast<uint64_t>(wire::Failure::hang),
                  "the thread runs on without any operation");
}

int set_action(int signal, const struct sigaction* action, struct sigaction* old) {
  struct sigaction& program = g_program_actions[signal];
  if (old != nullptr) *old = program;
  if (action == nullptr) return 0;
  program = *action;
  g_changed = true;
  return 0;
}

}  // namespace

void signals_begin() {
  void* stack = HEDDLE_REAL(mmap)(nullptr, kAlternateStack, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HEDDLE_INVARIANT(stack != MAP_FAILED);
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = kAlternateStack;
  HEDDLE_REAL(sigaltstack)(&alternate, nullptr);
  struct sigaction action {};
  sigfillset(&action.sa_mask);
  for (int crash : kCrashSignals) sigdelset(&action.sa_mask, crash);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int crash : kCrashSignals) {
    action.sa_sigaction = on_crash;
    HEDDLE_REAL(sigaction)(crash, &action, &g_kept_actions[crash]);
  }
  action.sa_sigaction = on_hang;
  HEDDLE_REAL(sigaction)(wire::kHangSignal, &action, &g_kept_actions[wire::kHangSignal]);
  g_installed = g_changed = true;
  signals_reset();
}

void signals_reset() {
  if (!g_changed) return;
  g_changed = false;
  for (int crash : kCrashSignals) g_program_actions[crash] = g_kept_actions[crash];
  g_program_actions[wire::kHangSignal] = g_kept_actions[wire::kHangSignal];
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int sigaction(int signal, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  if (g_active) touch_outside(&signal_dispositions, action != nullptr, HEDDLE_CALLER);
  if (g_installed && (is_crash_signal(signal) || signal == wire::kHangSignal))
    return set_action(signal, action, old);
  return HEDDLE_REAL(sigaction)(signal, action, old);
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (g_active) touch_outside(&signal_dispositions, true, HEDDLE_CALLER);
  if (!g_installed || (!is_crash_signal(number) && number != wire::kHangSignal)) {
    return HEDDLE_REAL(signal)(number, handler);
  }
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  set_action(number, &action, &old);
  return old.sa_handler;
}

HEDDLE_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  // The carrier's alternate stack is ours; a program's own would be overwritten by other threads'
  // signals.
  if (g_installed) {
    if (old != nullptr) memset(old, 0, sizeof *old), old->ss_flags = SS_DISABLE;
    return 0;
  }
  return HEDDLE_REAL(sigaltstack)(stack, old);
}
