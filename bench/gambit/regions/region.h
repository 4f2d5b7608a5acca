// Ownership of parts of the heap: a region has one owner at a time, who alone may touch its
// objects.
//
// A region can be merged into another. It is then an empty shell: its objects, and whoever wants
// it, go on to where it was merged into, the root.
#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>

#include "seeded.h"

namespace regions {

using Owner = int;
constexpr Owner kNobody = 0;

// How often regions have changed hands, all together.
inline std::atomic<long> changes{0};

class Region {
 public:
  explicit Region(Owner owner = kNobody) : owner_(owner) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // Waits until nobody owns the region, and takes it.
  void acquire(Owner me) {
    while (!root().try_take(me)) {
    }
  }

  void release(Owner me) { give(me, kNobody); }

  // Hands the region over; the other waits for it with receive().
  void give(Owner me, Owner to) {
    Region& region = root();
    assert(region.owner_.load() == me);
    region.set_owner(to);
  }

  void receive(Owner me) {
    Region& region = root();
    std::unique_lock lock(region.mutex_);
    region.changed_.wait(lock, [&] { return region.owner_.load() == me; });
  }

  // One owner has both.
  void merge_into(Region& other, Owner me) {
    assert(is_owned_by(me) && other.is_owned_by(me) && into_.load() == nullptr);
    into_.store(&other);
    set_owner(kNobody);  // those who wait for this one shall look again
  }

  bool is_owned_by(Owner me) { return root().owner_.load() == me; }

 private:
  Region& root() {
    Region* region = this;
    while (Region* into = region->into_.load()) region = into;
    return *region;
  }

  // For a root. False if it has to be looked for again.
  bool try_take(Owner me) {
    Owner nobody = kNobody;
    if (!owner_.compare_exchange_strong(nobody, me)) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return owner_.load() == kNobody; });
      return false;
    }
    changes.fetch_add(1);
    if (has_bug(1) || into_.load() == nullptr) return true;
    set_owner(kNobody);  // merged meanwhile: this is a shell
    return false;
  }

  void set_owner(Owner owner) {
    {
      std::lock_guard lock(mutex_);
      owner_.store(owner);
      changes.fetch_add(1);
    }
    changed_.notify_all();
  }

  std::atomic<Owner> owner_;
  std::atomic<Region*> into_{nullptr};  // null: a root
  std::mutex mutex_;                    // for waiting
  std::condition_variable changed_;
};

// A value that lives in a region.
class Object {
 public:
  explicit Object(Region& region) : region_(region) {}

  void add(int amount, Owner me) {
    assert(region_.is_owned_by(me));
    value_ += amount;
  }

  int value(Owner me) {
    assert(region_.is_owned_by(me));
    return value_;
  }

 private:
  Region& region_;
  int value_ = 0;
};

}  // namespace regions
