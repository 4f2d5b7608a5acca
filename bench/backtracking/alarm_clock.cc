// Alarm Clock: a clock ticks, and wakes the clients whose time has come.
// program: Alarm Clock
// threads: 3
// bug: assertion: a client reads the time before it takes the lock under which it is put on the
//   list, so that it may be put there when its time is over.
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr int kClients = 2;
constexpr int kAlarms = 2;    // of each client
constexpr int kInterval = 2;  // ticks until a client wants to be woken
constexpr int kTicks = 8;

class AlarmClock {
 public:
  // Sleeps for so many ticks; less if the clock stops.
  void wake_me(int client, int ticks) {
    int wake_time = now_ + ticks;
    std::unique_lock lock(mutex_);
    if (stopped_) return;
    alarms_[client] = wake_time;
    ++waiting_;
    woken_.wait(lock, [&] { return alarms_[client] == kNone; });
  }

  void tick() {
    std::lock_guard guard(mutex_);
    ++now_;
    if (waiting_ == 0) return;
    bool found = false;
    for (int& alarm : alarms_) {
      if (alarm == kNone) continue;
      HEDDLE_ASSERT(alarm >= now_);
      if (alarm > now_) continue;
      turn_off(alarm);
      found = true;
    }
    if (found) woken_.notify_all();
  }

  void stop() {
    std::lock_guard guard(mutex_);
    stopped_ = true;
    for (int& alarm : alarms_) {
      if (alarm != kNone) turn_off(alarm);
    }
    woken_.notify_all();
  }

 private:
  static constexpr int kNone = 0;  // the first tick is 1

  void turn_off(int& alarm) {
    alarm = kNone;
    --waiting_;
  }

  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<int> now_{0};
  std::array<int, kClients> alarms_{};
  int waiting_ = 0;
  bool stopped_ = false;
};

static AlarmClock alarm_clock;

static void sleep_and_wake(int client) {
  for (int i = 0; i < kAlarms; ++i) alarm_clock.wake_me(client, kInterval);
}

static void run_clock() {
  for (int i = 0; i < kTicks; ++i) alarm_clock.tick();
  alarm_clock.stop();
}

int main() {
  std::thread clients[] = {std::thread(sleep_and_wake, 0), std::thread(sleep_and_wake, 1)};
  std::thread clock(run_clock);
  for (std::thread& client : clients) client.join();
  clock.join();
}
