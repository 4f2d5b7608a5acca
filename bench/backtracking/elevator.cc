// Elevator: three lifts go up and down a building and serve the floors on whose buttons people
// press. The lifts and the building are threads.
// program: Elevator
// threads: 4
// bug: assertion: a lift looks whether a floor is claimed by another lift before it takes the
//   floor's lock, and does not look again, so that two lifts serve the same people.
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kFloors = 7;
constexpr int kLifts = 3;

enum class Direction { kUp, kDown };

// The people who wait on a floor for a lift in one direction.
class Queue {
 public:
  void press(int destination) {
    std::lock_guard guard(mutex_);
    ++waiting_[destination];
    pressed_ = true;
  }

  bool is_pressed() const { return pressed_; }

  // A lift claims the queue, and comes for the people afterwards.
  bool claim(int lift) {
    if (claimed_by_ != kNobody) return false;
    std::lock_guard guard(mutex_);
    claimed_by_ = lift;
    return true;
  }

  // The people who get in, by destination.
  std::array<int, kFloors> let_in(int lift) {
    std::lock_guard guard(mutex_);
    HEDDLE_ASSERT(claimed_by_ == lift);
    std::array<int, kFloors> people = waiting_;
    waiting_ = {};
    pressed_ = false;
    claimed_by_ = kNobody;
    return people;
  }

 private:
  static constexpr int kNobody = -1;
  std::mutex mutex_;
  std::array<int, kFloors> waiting_{};
  std::atomic<bool> pressed_{false};
  std::atomic<int> claimed_by_{kNobody};
};

class Controls {
 public:
  Queue& queue(int floor, Direction direction) {
    return queues_[floor][direction == Direction::kUp ? 0 : 1];
  }
  void press(int floor, int destination) {
    queue(floor, destination > floor ? Direction::kUp : Direction::kDown).press(destination);
  }

 private:
  std::array<std::array<Queue, 2>, kFloors> queues_;
};

static Controls controls;
static std::array<std::atomic<int>, kLifts> positions{};  // shown to those who wait
static std::atomic<int> delivered{0};

class Lift {
 public:
  Lift(int number, int floor) : number_(number), floor_(floor) {
    direction_ = floor + 1 < kFloors ? Direction::kUp : Direction::kDown;
  }

  // Goes once up and once down the whole building.
  void run() {
    for (int i = 0; i < 2 * (kFloors - 1); ++i) {
      serve();
      move();
    }
  }

 private:
  void serve() {
    delivered += riding_[floor_];
    riding_[floor_] = 0;
    Queue& queue = controls.queue(floor_, direction_);
    if (!queue.is_pressed() || !queue.claim(number_)) return;
    std::array<int, kFloors> people = queue.let_in(number_);
    for (int floor = 0; floor < kFloors; ++floor) riding_[floor] += people[floor];
  }

  void move() {
    floor_ += direction_ == Direction::kUp ? 1 : -1;
    positions[number_] = floor_;
    if (floor_ == kFloors - 1) direction_ = Direction::kDown;
    if (floor_ == 0) direction_ = Direction::kUp;
  }

  int number_;
  int floor_;
  Direction direction_;
  std::array<int, kFloors> riding_{};
};

int main() {
  controls.press(1, 3);
  std::vector<std::thread> lifts;
  for (int i = 0; i < kLifts; ++i) lifts.emplace_back([i] { Lift(i, 2 * i).run(); });
  for (std::thread& lift : lifts) lift.join();
}
