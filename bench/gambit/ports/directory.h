// A list of servers, to which each adds itself.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "seeded.h"

namespace ports {

template <class Server>
class Directory {
 public:
  Directory() = default;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  ~Directory() {
    for (Entry* entry = first_.load(); entry != nullptr;) {
      delete std::exchange(entry, entry->next);
    }
  }

  void add(Server& server) {
    Entry* entry = new Entry{server, first_.load()};
    while (!first_.compare_exchange_strong(entry->next, entry)) {
      if (has_bug(3)) {
        delete entry;
        return;
      }
    }
  }

  std::vector<Server*> all() const {
    std::vector<Server*> found;
    for (Entry* entry = first_.load(); entry != nullptr; entry = entry->next) {
      found.push_back(&entry->server);
    }
    return found;
  }

 private:
  struct Entry {
    Server& server;
    Entry* next;
  };

  std::atomic<Entry*> first_{nullptr};
};

}  // namespace ports
