// A connection to Redis: commands and scripts, and what comes back, as values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "options/parse_server.h"

struct redisContext;
struct redisReply;

namespace heddle::machines {

struct Reply {
  enum class Kind { nothing, number, text, list };
  Kind kind = Kind::nothing;
  int64_t number = 0;
  std::string text;
  std::vector<Reply> list;

  bool is_nothing() const { return kind == Kind::nothing; }
  // Of the list; nothing where it is shorter.
  const Reply& operator[](size_t place) const;
  // A number, or the text of one; 0 for what is neither.
  int64_t as_number() const;
};

using Words = std::vector<std::string>;

// The connection, or its server, is gone, or does not answer: to be tried again.
struct Lost {
  std::string why;
};

// A script that the server runs as one step.
struct Script {
  const char* name;
  const char* text;
};

class Redis {
 public:
  // Does not connect yet.
  Redis(options::Server server, std::string password);
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  // One attempt each. Throw Lost; UserError for what the server refuses.
  Reply command(const Words& words);
  Reply run(const Script& script, const Words& keys, const Words& arguments);

  // Attempts until there is an answer, for a minute and a half; then, or at once if nobody takes
  // the first connection of all, UserError. An interrupt ends it as Lost.
  Reply insist(const std::function<Reply()>& attempt);

  // Throws Lost, or UserError.
  void connect();

  // How often a connection was made. Another one may be to a server that has been started again.
  uint64_t connections() const { return connections_; }
  const options::Server& server() const { return server_; }
  uint64_t bytes() const { return bytes_; }  // sent and received, about

 private:
  void disconnect();
  void introduce();
  Reply checked(const Words& words);

  options::Server server_;
  std::string password_;
  redisContext* context_ = nullptr;
  std::map<const char*, std::string> hashes_;  // of scripts, by their names
  uint64_t connections_ = 0;
  bool is_reached_ = false;  // somebody has taken a connection
  uint64_t bytes_ = 0;
};

// What is in HEDDLE_REDIS_PASSWORD, or in the first line of the file; empty: none. The variable is
// gone then: programs under test are not told. Throws UserError.
std::string password_of(const std::string& file);

}  // namespace heddle::machines
