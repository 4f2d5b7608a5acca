// Feedback over reads-from pairs (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, 2024): runtime/decide/rf.h has what a pair is, and how an execution is led
// along some.
//
// An execution that has shown pairs which none before has, or not together, is kept, with the pairs
// that it was asked for. Others are made from those that are kept: a pair more is required or
// forbidden, or one of the old is left out. Now and then nothing is asked for.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "explore/sample/hints.h"
#include "explore/sample/sampler.h"

namespace heddle::explore {

class ReadsFrom final : public Sampler {
 public:
  explicit ReadsFrom(uint64_t seed) : Sampler(wire::Decider::rf, seed) {}

  bool learns() const override { return true; }
  void look_at(const pool::Plan& plan, causality::Observation& observation) override;
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override {
    hints_.write(plan, out);
  }
  void save(ByteWriter& out) const override;
  bool knows(const pool::Plan& plan) const override { return hints_.knows(plan); }
  void load(ByteReader& in) override;

 private:
  // The words of a pair that is asked for, as the decider knows them.
  struct Wanted {
    uint64_t kind;
    uint64_t reader;
    uint64_t writer;
    uint64_t object;
  };
  struct Site {  // who has used an object
    uint64_t object;
    std::vector<uint64_t> readers;
    std::vector<uint64_t> writers;  // with 0, the beginning
  };

  void prepare(pool::Plan* plan) override;
  // A pair that could be, by what is known of an object's users: of some that are drawn the one
  // that was asked for least often, and first those that were never seen.
  Wanted draw(Random* random);
  void note_use(uint64_t object, uint64_t reader, uint64_t writer);

  std::unordered_set<uint64_t> seen_;             // pairs, and sets of them, as hashes
  std::unordered_map<uint64_t, size_t> site_of_;  // by the object's name
  std::vector<Site> sites_;
  std::unordered_map<uint64_t, uint32_t> asked_;  // how often, by pair and kind
  std::vector<std::vector<Wanted>> kept_;
  Hints hints_;
};

}  // namespace heddle::explore
