// A server: a thread that answers one request after the other.
#pragma once

#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "mailbox.h"

namespace ports {

class Server {
 public:
  explicit Server(std::function<int(int)> answer)
      : answer_(std::move(answer)), thread_([this] { serve(); }) {}

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  ~Server() {
    requests_.put(std::nullopt);
    thread_.join();
  }

  int call(int request) {
    requests_.put(request);
    return answers_.take();
  }

 private:
  void serve() {
    while (std::optional<int> request = requests_.take()) answers_.put(answer_(*request));
  }

  const std::function<int(int)> answer_;
  Mailbox<std::optional<int>> requests_;
  Mailbox<int> answers_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace ports
