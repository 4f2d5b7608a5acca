// A server: a thread that answers one request after the other.
#pragma once

#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "directory.h"
#include "mailbox.h"

namespace ports {

class Server {
 public:
  // The directory, if there is one, outlives the server.
  explicit Server(std::function<int(int)> work, Directory<Server>* directory = nullptr)
      : work_(std::move(work)), directory_(directory), thread_([this] { serve(); }) {}

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  ~Server() {
    requests_.put(std::nullopt);
    thread_.join();
  }

  int call(int request) {
    ask(request);
    return answer();
  }

  // The two halves of a call.
  void ask(int request) { requests_.put(request); }
  int answer() { return answers_.take(); }

 private:
  void serve() {
    if (directory_ != nullptr) directory_->add(*this);
    while (std::optional<int> request = requests_.take()) answers_.put(work_(*request));
  }

  const std::function<int(int)> work_;
  Directory<Server>* const directory_;
  Mailbox<std::optional<int>> requests_;
  Mailbox<int> answers_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace ports
