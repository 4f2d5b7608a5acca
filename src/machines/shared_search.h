// A search in Redis: what the coordinator (heddle run --on) and the workers (heddle worker) know of
// it, and do to it. Whatever dies, or is started again, all of the search is there.
//
//   info      what it is of, and how it stands; see shared_search.cc
//   tasks     of this round: a stream, with a group of consumers. Some subtrees each.
//   results   of this round: a stream. What finished tasks have found, as parts (session/part.h).
//   state     what the coordinator has made of the results that are in the stream no more
//   told      keys of the failures that were found
//   reserved  of tasks that somebody has: executions that they may take from the budget
//   workers   who was there last when
//
// A round ends when all tasks are done; or when places are found that race, and all begins again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/bytes.h"
#include "machines/redis.h"
#include "session/saver.h"

namespace heddle::machines {

// What `save` writes, compressed and with a checksum; and back. unpack() throws UserError.
std::string pack(const std::function<void(explore::ByteWriter&)>& save);
void unpack(const std::string& bytes, const std::function<void(explore::ByteReader&)>& load);

// The program, or a library that was built with the wrappers, as Redis has it for machines that do
// not.
struct SentFile {
  std::string name;  // without folders
  uint64_t hash = 0;
  uint64_t size = 0;
};

// What workers have to know of a search. It does not change.
struct Assignment {
  std::vector<std::string> command;  // of the program, with its arguments
  std::string path;                  // of the program where the coordinator is
  std::string directory;             // in which it is run there
  std::vector<std::pair<std::string, std::string>> options;  // names without dashes, and values
  std::string suppressions;                                  // the text of the file
  std::vector<SentFile> files;                               // the program is the first
  session::Identity modules;                                 // by name, without folders
  double lost_after = 30;                                    // seconds

  std::string packed() const;
  static Assignment unpacked(const std::string& bytes);
};

uint64_t hash_of(const std::string& content);

// This version, as all who share a search must have it.
std::string own_version();

// One round of it: what all its tasks have in common.
struct Round {
  uint64_t number = 0;  // from 1
  uint32_t stage = 0;
  uint64_t first = 0;  // how its first execution goes: TaskDone::first
  std::vector<uint64_t> racing;
};

struct Taken {
  enum class What { task, nothing, gone, stopped, round, full, spent };
  What what = What::nothing;
  std::string id;
  std::string subtrees;
  uint64_t executions = 0;
  uint64_t tasks = 0;  // that there are, with those that somebody has
  uint64_t workers = 0;
  uint64_t failures = 0;
};

struct Finished {
  std::string id;
  std::string results;
  uint64_t executions = 0;
  uint64_t executions_each = 0;        // of the tasks that are left over
  std::vector<std::string> left_over;  // their subtrees
  std::vector<uint64_t> failures;      // keys
};

struct Look {
  uint64_t tasks = 0;
  uint64_t made = 0;  // in this round
  uint64_t done = 0;
  std::vector<std::string> workers;
  bool is_ours = true;  // no other coordinator has taken it over
};

class SharedSearch {
 public:
  SharedSearch(Redis& redis, std::string id) : redis_(redis), id_(std::move(id)) {}

  // All that are there.
  static std::vector<std::string> all(Redis& redis);

  const std::string& id() const { return id_; }
  // Of `info`; nothing: there is no such field, or search.
  std::optional<std::string> field(const char* name);
  void set_field(const char* name, const std::string& value);

  // The coordinator's. Each speaks to Redis until there is an answer (Redis::insist).
  // Workers find it when it is announced: then all that they need is there.
  void create(const Assignment& assignment, uint64_t memory);
  void announce();
  void put_file(const std::string& content);
  void take_over();
  // Whether it is still this coordinator's; also if the server has forgotten that it was, since it
  // has forgotten its last moments.
  bool claim_again();
  // It goes on, with so many executions of the round. False, and of begin() too: another
  // coordinator has taken it over.
  bool grant(uint64_t round, uint64_t executions);
  bool begin(const Round& round, const std::string& state, uint64_t executions_each,
             const std::vector<std::string>& tasks);
  // Workers need not look at these failures.
  void tell(const std::vector<uint64_t>& failures);
  // Results behind that one, at most so many; waits a moment for the first. Throws Lost.
  std::vector<std::pair<std::string, std::string>> results(uint64_t round,
                                                           const std::string& after);
  // Of `bytes` of results, the last one `last`, which came by the connections so far: if there is
  // another one by now the server may have been started again, and not know of all that.
  enum class Kept { yes, others, reconnected };
  Kept keep(uint64_t round, const std::string& last, uint64_t bytes, const std::string& state,
            uint64_t connections);
  Look look(uint64_t round, double lost_after);
  std::string state();
  void remove();

  // The workers'.
  std::string file(const SentFile& file);  // empty: it is not there, or is another
  Round round();                           // 0: there is none yet
  std::vector<uint64_t> failures();
  Taken take(uint64_t round, const std::string& worker, double lost_after);
  bool finish(uint64_t round, const Finished& finished);
  // Whether the task is still this worker's. One attempt: throws Lost.
  bool beat(uint64_t round, const std::string& worker, const std::string& id);
  void give_back(uint64_t round, const std::string& worker, const std::string& id);

 private:
  std::string key(const char* name) const;
  std::string key(const char* name, uint64_t round) const;
  void let_expire(uint64_t round);

  Redis& redis_;
  std::string id_;
  std::string epoch_;  // of this coordinator
};

}  // namespace heddle::machines
