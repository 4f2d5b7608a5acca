// A value that is made when it is first asked for, with double-checked locking. The seeded bug: the
// object is published before it has been filled.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

struct Settings {
  std::atomic<int> width{0};
  std::atomic<int> height{0};
};

template <bool kBug>
class Lazy {
 public:
  Settings& get() {
    Settings* settings = settings_.load();
    if (settings != nullptr) return *settings;
    std::lock_guard lock(mutex_);
    settings = settings_.load();
    if (settings != nullptr) return *settings;
    owner_ = std::make_unique<Settings>();
    if (kBug) settings_ = owner_.get();
    owner_->width = 4;
    owner_->height = 3;
    settings_ = owner_.get();
    return *owner_;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Settings> owner_;
  std::atomic<Settings*> settings_{nullptr};
};
