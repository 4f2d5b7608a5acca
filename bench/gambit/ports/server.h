// A server: a thread that answers one request after the other.
#pragma once

#include <functional>
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
    requests_.put({});
    thread_.join();
  }

  // The answer goes to the mailbox.
  void ask(int question, Mailbox<int>& answer_to) { requests_.put({question, &answer_to}); }

  int call(int question) {
    Mailbox<int> answers;
    ask(question, answers);
    return answers.take();
  }

 private:
  struct Request {
    int question = 0;
    Mailbox<int>* answer_to = nullptr;  // null: there will be no more
  };

  void serve() {
    if (directory_ != nullptr) directory_->add(*this);
    for (;;) {
      Request request = requests_.take();
      if (request.answer_to == nullptr) return;
      request.answer_to->put(work_(request.question));
    }
  }

  const std::function<int(int)> work_;
  Directory<Server>* const directory_;
  Mailbox<Request> requests_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace ports
