#include "session/framework.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr std::chrono::seconds kPatience{60};  // to list tests takes milliseconds

// Whoever runs in it is gone when this is.
class Child {
 public:
  Child(const Program& program, Words words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw UserError(fmt::format("cannot make a pipe: {}", strerror(errno)));
    }
    reading_ = ends[0];
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int error =
        posix_spawn(&pid_, program.path.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
      close(reading_);
      throw UserError(fmt::format("cannot start {}: {}", words[0], strerror(error)));
    }
  }
  ~Child() {
    close(reading_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // False: it has not come to its end in time.
  bool read_all(std::string* text) {
    auto end = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      pollfd wait{reading_, POLLIN, 0};
      int ready = left.count() > 0 ? poll(&wait, 1, static_cast<int>(left.count())) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      char buffer[4096];
      ssize_t size = read(reading_, buffer, sizeof buffer);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return true;
      text->append(buffer, static_cast<size_t>(size));
    }
  }

  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  int reading_ = -1;
  pid_t pid_ = -1;
};

}  // namespace

Listing list_with(const Program& program, const Words& arguments) {
  Words words = {program.command[0]};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::string typed = fmt::format("{} {}", program.command[0], arguments.back());
  Child child(program, std::move(words));
  Listing listing;
  if (!child.read_all(&listing.output)) {
    throw UserError(fmt::format("{} did not end within {} s; is it a program of this framework?",
                                typed, kPatience.count()));
  }
  int status = child.wait();
  if (WIFSIGNALED(status)) {
    throw UserError(fmt::format("{} was ended by signal {}; its tests cannot be listed", typed,
                                WTERMSIG(status)));
  }
  listing.status = WEXITSTATUS(status);
  return listing;
}

Words arguments_of(const Program& program) {
  return {program.command.begin() + 1, program.command.end()};
}

bool is_option(const std::string& word, const std::string& name) {
  return word.starts_with(name) && (word.size() == name.size() || word[name.size()] == '=');
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace heddle::session
