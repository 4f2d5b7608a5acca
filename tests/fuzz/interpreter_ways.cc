#include "interpreter_ways.h"

namespace fuzz {

namespace {

const char* const kOrders[] = {"pb", "dpor", "ss", "mdpor", "rand", "mdpor,pb"};

}  // namespace

Way operator+(const Way& first, const Way& second) {
  Way both = first;
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

std::vector<Way> reductions() {
  std::vector<Way> strategies = {{{"strategy", "dfs"}, {"reduce", "dpor"}}};
  for (const char* order : kOrders) {
    strategies.push_back({{"strategy", "best-first"}, {"order", order}, {"reduce", "dpor"}});
  }
  strategies.push_back({{"strategy", "auto"}});
  std::vector<Way> ways;
  for (const char* jobs : {"1", "2"}) {
    for (const char* sleep : {"on", "off"}) {
      for (const Way& strategy : strategies) {
        ways.push_back(strategy + Way{{"sleep-sets", sleep}, {"jobs", jobs}});
      }
    }
  }
  return ways;
}

std::vector<Way> bounded_orders() {
  std::vector<Way> ways;
  for (const char* jobs : {"1", "2"}) {
    for (const char* order : kOrders) {
      ways.push_back(
          {{"strategy", "best-first"}, {"order", order}, {"reduce", "none"}, {"jobs", jobs}});
    }
  }
  return ways;
}

std::vector<Way> matching_ways() {
  std::vector<Way> strategies = {{{"strategy", "dfs"}}};
  for (const char* order : {"pb", "mdpor", "rand"}) {
    strategies.push_back({{"strategy", "best-first"}, {"order", order}});
  }
  for (const char* order : {"default", "random", "switch"}) {
    strategies.push_back({{"strategy", "backtrack"},
                          {"threshold", "0"},
                          {"jump", "fixed"},
                          {"ratio", "1"},
                          {"backtrack-order", order}});
  }
  std::vector<Way> ways;
  for (const char* jobs : {"1", "2"}) {
    for (const Way& strategy : strategies) {
      ways.push_back(strategy + Way{{"match", "on"}, {"jobs", jobs}});
    }
  }
  return ways;
}

std::vector<Way> subtree_ways() {
  std::vector<Way> ways;
  for (const char* jobs : {"1", "2"}) {
    const Way both = {{"subtrees", "on"}, {"jobs", jobs}};
    ways.push_back(kPlain + both);
    ways.push_back(Way{{"strategy", "best-first"}, {"reduce", "none"}} + both);
    ways.push_back(kPlain + Way{{"keep-going", "false"}} + both);
    ways.push_back(Way{{"strategy", "auto"}} + both);
  }
  return ways;
}

std::vector<Way> retry_ways() {
  std::vector<Way> ways;
  for (const char* jobs : {"1", "2"}) {
    for (const char* sleep : {"on", "off"}) {
      const Way both = {{"retries", "last"}, {"sleep-sets", sleep}, {"jobs", jobs}};
      ways.push_back(Way{{"strategy", "dfs"}, {"reduce", "dpor"}} + both);
      for (const char* order : {"mdpor,pb", "rand"}) {
        ways.push_back(Way{{"strategy", "best-first"}, {"order", order}, {"reduce", "dpor"}} +
                       both);
      }
    }
  }
  return ways;
}

std::vector<Way> rotated(const std::vector<Way>& ways, uint64_t turn, uint64_t count) {
  std::vector<Way> some;
  for (uint64_t i = 0; i < count; ++i) some.push_back(ways[(turn * count + i) % ways.size()]);
  return some;
}

}  // namespace fuzz
