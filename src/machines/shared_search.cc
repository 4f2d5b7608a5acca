#include "machines/shared_search.h"

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>

#include "base/error.h"
#include "base/text_bytes.h"
#include "machines/scripts.h"

namespace heddle::machines {

namespace {

// Fields of `info`:
//   version, assignment   what it is of
//   state                 "running", or "stopped": nobody takes anything
//   round, stage, racing  of the round under way
//   left                  executions of the budget that nobody has reserved; -1: there is none
//   limit, bytes          of results that are in the stream
//   made, done            tasks of the round
//   epoch                 counts coordinators: only the last one is heard
//   kept                  the last result that is in `state`
//   looked                the second in which somebody looked for tasks of those who are lost
constexpr char kSearches[] = "heddle:searches";
constexpr char kResultsAtOnce[] = "256";
constexpr char kWait[] = "200";         // milliseconds
constexpr char kExpires[] = "2592000";  // seconds: what nobody comes back to is gone in a month
constexpr uint64_t kLargest = uint64_t{1} << 32;  // bytes, unpacked
constexpr char kDamaged[] =
    "what Redis has of the search is damaged; remove it there (FLUSHDB), and begin anew";

void put_texts(explore::ByteWriter& out, const std::vector<std::string>& texts) {
  out.put<uint64_t>(texts.size());
  for (const std::string& text : texts) out.put_text(text);
}

std::vector<std::string> get_texts(explore::ByteReader& in) {
  std::vector<std::string> texts(in.get_count());
  for (std::string& text : texts) text = in.get_text();
  return texts;
}

uint64_t unsigned_of(const Reply& reply) {
  return static_cast<uint64_t>(std::max<int64_t>(reply.as_number(), 0));
}

}  // namespace

std::string pack(const std::function<void(explore::ByteWriter&)>& save) {
  ToText bytes;
  save(bytes);
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(bytes.text.size()), '\0');
  size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.text.data(),
                               bytes.text.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

void unpack(const std::string& bytes, const std::function<void(explore::ByteReader&)>& load) {
  uint64_t size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > kLargest) throw UserError(kDamaged);  // or it is not known
  std::string plain(size, '\0');
  if (ZSTD_decompress(plain.data(), size, bytes.data(), bytes.size()) != size) {
    throw UserError(kDamaged);
  }
  FromText in(plain, kDamaged);
  load(in);
  in.check(in.left() == 0);
}

uint64_t hash_of(const std::string& content) { return XXH3_64bits(content.data(), content.size()); }

std::string own_version() { return fmt::format("heddle {} ({})", HEDDLE_VERSION, wire::kVersion); }

std::string Assignment::packed() const {
  return pack([&](explore::ByteWriter& out) {
    put_texts(out, command);
    out.put_text(path);
    out.put_text(directory);
    session::put_identity(out, options);
    out.put_text(suppressions);
    out.put<uint64_t>(files.size());
    for (const SentFile& file : files) {
      out.put_text(file.name);
      out.put(file.hash);
      out.put(file.size);
    }
    session::put_identity(out, modules);
    out.put(lost_after);
  });
}

Assignment Assignment::unpacked(const std::string& bytes) {
  Assignment all;
  unpack(bytes, [&](explore::ByteReader& in) {
    all.command = get_texts(in);
    all.path = in.get_text();
    all.directory = in.get_text();
    all.options = session::get_identity(in);
    all.suppressions = in.get_text();
    all.files.resize(in.get_count(sizeof(uint64_t)));
    for (SentFile& file : all.files) {
      file.name = in.get_text();
      in.get(&file.hash);
      in.get(&file.size);
      in.check(!file.name.empty() && file.name != "." && file.name != ".." &&
               file.name.find('/') == std::string::npos);
    }
    all.modules = session::get_identity(in);
    in.get(&all.lost_after);
    in.check(!all.command.empty() && !all.files.empty() && all.lost_after > 0);
  });
  return all;
}

std::vector<std::string> SharedSearch::all(Redis& redis) {
  Reply reply = redis.insist([&] { return redis.command({"SMEMBERS", kSearches}); });
  std::vector<std::string> ids;
  for (const Reply& one : reply.list) ids.push_back(one.text);
  std::ranges::sort(ids);
  return ids;
}

std::string SharedSearch::key(const char* name) const {
  return fmt::format("heddle:{{{}}}:{}", id_, name);
}

std::string SharedSearch::key(const char* name, uint64_t round) const {
  return fmt::format("heddle:{{{}}}:{}:{}", id_, name, round);
}

std::optional<std::string> SharedSearch::field(const char* name) {
  Reply reply = redis_.insist([&] { return redis_.command({"HGET", key("info"), name}); });
  if (reply.is_nothing()) return std::nullopt;
  return reply.text;
}

void SharedSearch::set_field(const char* name, const std::string& value) {
  redis_.insist([&] { return redis_.command({"HSET", key("info"), name, value}); });
}

void SharedSearch::create(const Assignment& assignment, uint64_t memory) {
  remove();
  std::string packed = assignment.packed();
  redis_.insist([&] {
    return redis_.command({"HSET", key("info"), "version", own_version(), "assignment", packed,
                           "state", "running", "round", "0", "left", "-1", "bytes", "0", "limit",
                           std::to_string(memory / 2)});
  });
  take_over();
  let_expire(0);
}

void SharedSearch::announce() {
  redis_.insist([&] { return redis_.command({"SADD", kSearches, id_}); });
}

void SharedSearch::put_file(const std::string& content) {
  std::string where = key("file", hash_of(content));
  std::string packed = pack([&](explore::ByteWriter& out) { out.put_text(content); });
  redis_.insist([&] { return redis_.command({"SET", where, packed, "EX", kExpires}); });
}

std::string SharedSearch::file(const SentFile& file) {
  Reply reply = redis_.insist([&] { return redis_.command({"GET", key("file", file.hash)}); });
  if (reply.is_nothing()) return "";
  std::string content;
  unpack(reply.text, [&](explore::ByteReader& in) { content = in.get_text(); });
  bool is_it = content.size() == file.size && hash_of(content) == file.hash;
  return is_it ? content : "";
}

void SharedSearch::take_over() {
  epoch_ = std::to_string(
      redis_.insist([&] {
              return redis_.command({"HINCRBY", key("info"), "epoch", "1"});
            })
          .number);
}

bool SharedSearch::claim_again() {
  uint64_t epoch = strtoull(field("epoch").value_or("0").c_str(), nullptr, 10);
  uint64_t own = strtoull(epoch_.c_str(), nullptr, 10);
  if (!field("version") || epoch >= own) return epoch == own;
  take_over();
  return true;
}

bool SharedSearch::grant(uint64_t round, uint64_t executions) {
  std::string left = executions == ~uint64_t{0} ? "-1" : std::to_string(executions);
  Words keys = {key("info"), key("reserved", round)};
  return redis_.insist([&] { return redis_.run(kGrant, keys, {epoch_, left}); }).number == 1;
}

bool SharedSearch::begin(const Round& round, const std::string& state, uint64_t executions_each,
                         const std::vector<std::string>& tasks) {
  uint64_t now = round.number;
  Words keys = {key("info"),
                key("tasks", now),
                key("results", now),
                key("state"),
                key("told"),
                key("reserved", now),
                key("tasks", now - 1),
                key("results", now - 1),
                key("reserved", now - 1)};
  std::string racing = pack([&](explore::ByteWriter& out) {
    out.put(round.first);
    out.put_all(round.racing);
  });
  Words arguments = {epoch_, std::to_string(now),
                     state,  std::to_string(round.stage),
                     racing, std::to_string(executions_each)};
  arguments.insert(arguments.end(), tasks.begin(), tasks.end());
  bool has_begun =
      redis_.insist([&] { return redis_.run(kBeginRound, keys, arguments); }).number == 1;
  let_expire(now);
  return has_begun;
}

void SharedSearch::let_expire(uint64_t round) {
  for (const std::string& one : {key("info"), key("tasks", round), key("results", round),
                                 key("state"), key("told"), key("reserved", round)}) {
    redis_.insist([&] { return redis_.command({"EXPIRE", one, kExpires}); });
  }
}

void SharedSearch::tell(const std::vector<uint64_t>& failures) {
  if (failures.empty()) return;
  Words words = {"SADD", key("told")};
  for (uint64_t failure : failures) words.push_back(fmt::format("{:x}", failure));
  redis_.insist([&] { return redis_.command(words); });
}

std::vector<std::pair<std::string, std::string>> SharedSearch::results(uint64_t round,
                                                                       const std::string& after) {
  Reply reply = redis_.command(
      {"XREAD", "COUNT", kResultsAtOnce, "BLOCK", kWait, "STREAMS", key("results", round), after});
  std::vector<std::pair<std::string, std::string>> all;
  for (const Reply& entry : reply[0][1].list) all.emplace_back(entry[0].text, entry[1][1].text);
  return all;
}

SharedSearch::Kept SharedSearch::keep(uint64_t round, const std::string& last, uint64_t bytes,
                                      const std::string& state, uint64_t connections) {
  Words keys = {key("info"), key("results", round), key("state")};
  Words arguments = {epoch_, std::to_string(round), last, std::to_string(bytes), state};
  Reply reply = redis_.insist([&] {
    redis_.connect();
    return redis_.connections() == connections ? redis_.run(kKeep, keys, arguments) : Reply();
  });
  if (reply.is_nothing()) return Kept::reconnected;
  let_expire(round);
  return reply.number == 1 ? Kept::yes : Kept::others;
}

Look SharedSearch::look(uint64_t round, double lost_after) {
  Words keys = {key("info"), key("tasks", round), key("workers")};
  Reply reply =
      redis_.insist([&] { return redis_.run(kLook, keys, {fmt::format("{}", lost_after)}); });
  Look look{unsigned_of(reply[0]), unsigned_of(reply[1]), unsigned_of(reply[2]), {}, true};
  for (const Reply& one : reply[3].list) look.workers.push_back(one.text);
  look.is_ours = std::to_string(reply[5].as_number()) == epoch_;
  return look;
}

std::string SharedSearch::state() {
  return redis_.insist([&] { return redis_.command({"GET", key("state")}); }).text;
}

void SharedSearch::remove() {
  uint64_t last = strtoull(field("round").value_or("0").c_str(), nullptr, 10);
  Words files;
  // Of another version it may look different; the files are then there until they expire.
  std::optional<std::string> packed = field("assignment");
  if (packed && field("version") == own_version()) {
    for (const SentFile& file : Assignment::unpacked(*packed).files) {
      files.push_back(key("file", file.hash));
    }
  }
  Words words = {"DEL", key("info"), key("state"), key("told"), key("workers")};
  for (uint64_t number = last == 0 ? 0 : last - 1; number <= last + 1; ++number) {
    for (const char* name : {"tasks", "results", "reserved"}) words.push_back(key(name, number));
  }
  words.insert(words.end(), files.begin(), files.end());
  redis_.insist([&] { return redis_.command({"SREM", kSearches, id_}); });
  redis_.insist([&] { return redis_.command(words); });
}

Round SharedSearch::round() {
  Reply reply = redis_.insist([&] {
    return redis_.command({"HMGET", key("info"), "round", "stage", "racing"});
  });
  Round round;
  round.number = unsigned_of(reply[0]);
  round.stage = static_cast<uint32_t>(unsigned_of(reply[1]));
  if (!reply[2].is_nothing()) {
    unpack(reply[2].text, [&](explore::ByteReader& in) {
      in.get(&round.first);
      round.racing = in.get_all<uint64_t>();
    });
  }
  return round;
}

std::vector<uint64_t> SharedSearch::failures() {
  Reply reply = redis_.insist([&] { return redis_.command({"SMEMBERS", key("told")}); });
  std::vector<uint64_t> keys;
  for (const Reply& one : reply.list) keys.push_back(strtoull(one.text.c_str(), nullptr, 16));
  return keys;
}

Taken SharedSearch::take(uint64_t round, const std::string& worker, double lost_after) {
  Words keys = {key("info"), key("tasks", round), key("workers"), key("reserved", round),
                key("told")};
  Words arguments = {worker, std::to_string(round), fmt::format("{}", lost_after), worker};
  Reply reply = redis_.insist([&] { return redis_.run(kTake, keys, arguments); });
  using What = Taken::What;
  constexpr std::pair<std::string_view, What> kWords[] = {
      {"task", What::task},       {"nothing", What::nothing}, {"gone", What::gone},
      {"stopped", What::stopped}, {"round", What::round},     {"full", What::full},
      {"spent", What::spent}};
  Taken taken;
  for (const auto& [word, what] : kWords) {
    if (reply[0].text == word) taken.what = what;
  }
  taken.id = reply[1].text;
  taken.subtrees = reply[2].text;
  taken.executions = unsigned_of(reply[3]);
  taken.tasks = unsigned_of(reply[4]);
  taken.workers = unsigned_of(reply[5]);
  taken.failures = unsigned_of(reply[6]);
  return taken;
}

bool SharedSearch::finish(uint64_t round, const Finished& finished) {
  Words keys = {key("info"), key("tasks", round), key("results", round), key("told"),
                key("reserved", round)};
  Words arguments = {finished.id,
                     std::to_string(round),
                     std::to_string(finished.executions),
                     finished.results,
                     std::to_string(finished.executions_each),
                     std::to_string(finished.left_over.size())};
  arguments.insert(arguments.end(), finished.left_over.begin(), finished.left_over.end());
  for (uint64_t failure : finished.failures) arguments.push_back(fmt::format("{:x}", failure));
  return redis_.insist([&] { return redis_.run(kFinish, keys, arguments); }).number == 1;
}

bool SharedSearch::beat(uint64_t round, const std::string& worker, const std::string& id) {
  Words keys = {key("info"), key("tasks", round), key("workers")};
  return redis_.run(kBeat, keys, {worker, std::to_string(round), id, worker}).text == "ours";
}

void SharedSearch::give_back(uint64_t round, const std::string& worker, const std::string& id) {
  redis_.run(kGiveBack, {key("tasks", round)}, {worker, id});
}

}  // namespace heddle::machines
