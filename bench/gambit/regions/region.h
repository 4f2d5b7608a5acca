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

  // Takes the region if nobody owns it.
  bool try_acquire(Owner me) {
    for (;;) {
      Region& region = root();
      Owner nobody = kNobody;
      if (!region.owner_.compare_exchange_strong(nobody, me)) return false;
      if (has_bug(1) || region.into_.load() == nullptr) return true;
      region.set_owner(kNobody);  // merged meanwhile: this is a shell
    }
  }

  // Waits until nobody owns the region, and takes it.
  void acquire(Owner me) {
    while (!try_acquire(me)) {
      Region& region = root();
      std::unique_lock lock(region.mutex_);
      region.changed_.wait(lock, [&] { return region.owner_.load() == kNobody; });
    }
  }

  void release(Owner me) { give(me, kNobody); }

  // Hands the region over; the other waits for it with receive().
  void give(Owner me, Owner to) {
    Region& region = root();
    assert(region.owner_.load() == me);
    region.set_owner(to);
    changes.fetch_add(1);
  }

  void receive(Owner me) {
    Region& region = root();
    {
      std::unique_lock lock(region.mutex_);
      region.changed_.wait(lock, [&] { return region.owner_.load() == me; });
    }
    changes.fetch_add(1);
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

  void set_owner(Owner owner) {
    {
      std::lock_guard lock(mutex_);
      owner_.store(owner);
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
