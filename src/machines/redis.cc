#include "machines/redis.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "session/interrupt.h"

namespace heddle::machines {

namespace {

using Clock = std::chrono::steady_clock;

// For tests: a fraction of the times below.
constexpr char kHasteVariable[] = "HEDDLE_REDIS_HASTE";
constexpr char kPasswordVariable[] = "HEDDLE_REDIS_PASSWORD";
constexpr char kUsualUser[] = "default";
constexpr double kAnswer = 10;         // seconds for one answer
constexpr double kPatience = 90;       // for a server to come back
constexpr double kFirstPatience = 10;  // for one that takes connections, and closes them
constexpr auto kFirstPause = std::chrono::milliseconds(20);
constexpr auto kLongestPause = std::chrono::milliseconds(1000);

double hasty(double seconds) {
  const char* given = getenv(kHasteVariable);
  double haste = given != nullptr ? atof(given) : 1;
  return seconds / std::max(haste, 1.0);
}

timeval time_of(double seconds) {
  auto whole = static_cast<time_t>(seconds);
  return {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1'000'000)};
}

Reply value_of(const redisReply& given) {
  Reply reply;
  switch (given.type) {
    case REDIS_REPLY_INTEGER:
      reply.kind = Reply::Kind::number;
      reply.number = given.integer;
      break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      reply.kind = Reply::Kind::text;
      reply.text.assign(given.str, given.len);
      break;
    case REDIS_REPLY_ARRAY:
      reply.kind = Reply::Kind::list;
      for (size_t i = 0; i < given.elements; ++i) reply.list.push_back(value_of(*given.element[i]));
      break;
    default:
      break;
  }
  return reply;
}

bool is_full(const std::string& error) { return error.find("OOM command") != std::string::npos; }

bool is_temporary(const std::string& error) {
  return error.starts_with("LOADING") || error.starts_with("BUSY ") ||
         error.starts_with("MASTERDOWN") || is_full(error);
}

// The server's word for it, and what to do.
std::string sentence(const options::Server& server, const std::string& error) {
  if (error.starts_with("WRONGPASS") || error.starts_with("ERR invalid password")) {
    return fmt::format("{}: the password is wrong; see HEDDLE_REDIS_PASSWORD", server.text);
  }
  if (error.starts_with("NOAUTH")) {
    return fmt::format(
        "{} wants a password; set HEDDLE_REDIS_PASSWORD or type --password-file FILE", server.text);
  }
  if (error.starts_with("ERR AUTH") || error.find("without any password") != std::string::npos) {
    return fmt::format(
        "{} has no password: whoever reaches it could have programs run on this machine; set one "
        "there (requirepass)",
        server.text);
  }
  if (is_full(error)) {
    return fmt::format("{} is full (maxmemory); give it more memory than --redis-memory",
                       server.text);
  }
  return fmt::format("{}: {}", server.text, error);
}

}  // namespace

const Reply& Reply::operator[](size_t place) const {
  static const Reply nothing;
  return place < list.size() ? list[place] : nothing;
}

int64_t Reply::as_number() const {
  return kind == Kind::text ? strtoll(text.c_str(), nullptr, 10) : number;
}

Redis::Redis(options::Server server, std::string password)
    : server_(std::move(server)), password_(std::move(password)) {}

Redis::~Redis() { disconnect(); }

void Redis::disconnect() {
  if (context_ != nullptr) redisFree(context_);
  context_ = nullptr;
  hashes_.clear();
}

void Redis::connect() {
  if (context_ != nullptr) return;
  context_ = redisConnectWithTimeout(server_.host.c_str(), server_.port, time_of(hasty(kAnswer)));
  if (context_ == nullptr) throw Lost{"out of memory"};
  if (context_->err != 0) {
    Lost lost{context_->errstr};
    disconnect();
    throw lost;
  }
  is_reached_ = true;
  redisSetTimeout(context_, time_of(hasty(kAnswer)));
  redisEnableKeepAlive(context_);
  introduce();
  ++connections_;
}

void Redis::introduce() {
  if (!password_.empty()) {
    Words words = {"AUTH"};
    // Of a server without a password the usual user may name any, but not without his name.
    if (!server_.user.empty() && server_.user != kUsualUser) words.push_back(server_.user);
    words.push_back(password_);
    checked(words);
  }
  checked({"SELECT", std::to_string(server_.database)});
}

Reply Redis::checked(const Words& words) {
  std::vector<const char*> texts;
  std::vector<size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
    bytes_ += word.size() + 8;
  }
  std::unique_ptr<redisReply, decltype(&freeReplyObject)> given(
      static_cast<redisReply*>(
          redisCommandArgv(context_, static_cast<int>(words.size()), texts.data(), sizes.data())),
      freeReplyObject);
  if (given == nullptr) {
    Lost lost{context_->errstr};
    disconnect();
    throw lost;
  }
  if (given->type == REDIS_REPLY_ERROR) {
    std::string error(given->str, given->len);
    if (is_temporary(error)) throw Lost{error};
    throw UserError(sentence(server_, error));
  }
  return value_of(*given);
}

Reply Redis::command(const Words& words) {
  connect();
  return checked(words);
}

Reply Redis::run(const Script& script, const Words& keys, const Words& arguments) {
  connect();
  std::string& hash = hashes_[script.name];
  if (hash.empty()) hash = checked({"SCRIPT", "LOAD", script.text}).text;
  Words words = {"EVALSHA", hash, std::to_string(keys.size())};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return checked(words);
}

Reply Redis::insist(const std::function<Reply()>& attempt) {
  const auto begin = Clock::now();
  auto is_over = [&](double patience) {
    return Clock::now() - begin >= std::chrono::duration<double>(hasty(patience));
  };
  auto pause = kFirstPause;
  for (;;) {
    try {
      return attempt();
    } catch (const Lost& lost) {
      if (connections_ == 0 && (!is_reached_ || is_over(kFirstPatience))) {
        throw UserError(fmt::format("{} does not answer ({}): is Redis running there?",
                                    server_.text, lost.why));
      }
      if (*session::Interrupt::flag() != 0) throw;
      if (is_over(kPatience)) {
        if (is_temporary(lost.why)) throw UserError(sentence(server_, lost.why));
        throw UserError(fmt::format(
            "{} does not answer any more ({}); what it has of the search is kept there: the same "
            "command takes it up again",
            server_.text, lost.why));
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
  }
}

std::string password_of(const std::string& file) {
  const char* given = getenv(kPasswordVariable);
  std::string password = given != nullptr ? given : "";
  unsetenv(kPasswordVariable);
  if (file.empty()) return password;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line.empty()) {
    throw UserError(
        fmt::format("--password-file {}: there is no password in its first line", file));
  }
  return line;
}

}  // namespace heddle::machines
