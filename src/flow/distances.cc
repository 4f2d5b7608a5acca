#include "flow/distances.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace heddle::flow {
namespace {

uint32_t plus(uint32_t a, uint32_t b) { return b < kNever - a ? a + b : kNever; }

// The graph with its edges turned round, and what each node costs.
class Finder {
 public:
  Finder(const ProgramGraph& program, Unit unit) : graph_(program.graph()), unit_(unit) {
    costs_.resize(graph_.nodes());
    for (size_t node = 0; node < graph_.nodes(); ++node) costs_[node] = cost_of(node);
    turn_round(program);
    find_outs();
  }

  uint32_t out(size_t node) const { return outs_[node]; }

  std::vector<uint32_t> toward(const Target& target) {
    std::vector<uint32_t> result(graph_.nodes(), kNever);
    for (const Range& range : target) add_sources(range, &result);
    while (!queue_.empty()) {
      auto [far, node] = queue_.top();
      queue_.pop();
      if (far != result[node]) continue;
      for (const Edge& edge : edges_to(node)) {
        uint32_t way = plus(costs_[edge.to], far);
        if (kind_of(edge) == EdgeKind::behind) way = plus(way, passes_[edge.to]);
        if (kind_of(edge) == EdgeKind::take) way = plus(way, 1);
        improve(edge.to, way, &result);
      }
    }
    return result;
  }

 private:
  using Waiting = std::pair<uint32_t, uint32_t>;  // how far, which node

  static EdgeKind kind_of(const Edge& edge) { return static_cast<EdgeKind>(edge.kind); }

  uint32_t cost_of(size_t node) const {
    if (node >= graph_.blocks()) return 0;
    if (unit_ == Unit::calls) return (graph_.flags[node] & Graph::kCalls) != 0 ? 1 : 0;
    return graph_.starts.count(graph_.begin[node], graph_.end[node]);
  }

  void turn_round(const ProgramGraph& program) {
    first_.assign(graph_.nodes() + 2, 0);
    auto for_each_edge = [&](auto visit) {
      for (uint32_t node = 0; node < graph_.nodes(); ++node) {
        for (uint32_t i = graph_.first[node]; i < graph_.first[node + 1]; ++i)
          visit(node, graph_.edges[i].to, graph_.edges[i].kind);
      }
      for (const auto& seen : program.seen_calls())
        visit(seen.from, seen.to, static_cast<uint8_t>(EdgeKind::call));
    };
    size_t count = 0;
    for_each_edge([&](uint32_t, uint32_t to, unsigned) {
      ++first_[to + 2];
      ++count;
    });
    for (size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    edges_.resize(count);
    for_each_edge([&](uint32_t from, uint32_t to, unsigned kind) {
      edges_[first_[to + 1]++] = Edge{from & 0x3fffffff, static_cast<uint8_t>(kind & 3)};
    });
  }

  // Edges whose `to` is where they come from.
  std::span<const Edge> edges_to(uint32_t node) const {
    return std::span(edges_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

  void improve(uint32_t node, uint32_t way, std::vector<uint32_t>* result) {
    if (way >= (*result)[node]) return;
    (*result)[node] = way;
    queue_.push({way, node});
  }

  // Nearest first, as Dijkstra's, but the way behind a call is the sum of two: through the function
  // that is called and on from there. It is no shorter than either, so it is complete when the
  // later of them is.
  void find_outs() {
    outs_.assign(graph_.nodes(), kNever);
    passes_.assign(graph_.nodes(), kNever);
    std::vector<bool> done(graph_.nodes());
    std::vector<uint32_t> behind(graph_.nodes(), kNever);  // of calls: from there on
    for (uint32_t node = 0; node < graph_.nodes(); ++node) {
      if ((graph_.flags[node] & Graph::kReturns) != 0) improve(node, costs_[node], &outs_);
    }
    while (!queue_.empty()) {
      auto [far, node] = queue_.top();
      queue_.pop();
      if (done[node]) continue;
      done[node] = true;
      for (const Edge& edge : edges_to(node)) {
        uint32_t from = edge.to;
        if (kind_of(edge) == EdgeKind::go) improve(from, plus(costs_[from], far), &outs_);
        if (kind_of(edge) == EdgeKind::call) passes_[from] = std::min(passes_[from], far);
        if (kind_of(edge) == EdgeKind::behind) behind[from] = far;
        if (kind_of(edge) == EdgeKind::call || kind_of(edge) == EdgeKind::behind)
          improve(from, plus(costs_[from], plus(passes_[from], behind[from])), &outs_);
      }
    }
  }

  void add_sources(const Range& range, std::vector<uint32_t>* result) {
    auto after = std::upper_bound(graph_.end.begin(), graph_.end.end(), range.begin);
    for (auto block = static_cast<uint32_t>(after - graph_.end.begin());
         block < graph_.blocks() && graph_.begin[block] < range.end; ++block) {
      uint64_t begin = std::max<uint64_t>(graph_.begin[block], range.begin);
      uint64_t end = std::min<uint64_t>(graph_.end[block], range.end);
      uint64_t in_target = graph_.starts.next(begin, end);
      if (in_target == end) continue;
      uint32_t before = graph_.starts.count(graph_.begin[block], in_target);
      improve(block, unit_ == Unit::calls ? 0 : before, result);
    }
  }

  const Graph& graph_;
  Unit unit_;
  std::vector<uint32_t> costs_;
  std::vector<uint32_t> first_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> outs_;
  std::vector<uint32_t> passes_;  // of calls: the shortest way through what is called
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
};

// A place, and the block from which the ways begin; there may be none behind a call.
struct Start {
  uint32_t place;
  uint32_t block;
};

std::vector<Start> starts_of(const Graph& graph) {
  std::vector<Start> starts;
  for (uint32_t entry : graph.entries) starts.push_back({graph.begin[entry], entry});
  for (uint32_t block = 0; block < graph.blocks(); ++block) {
    if ((graph.flags[block] & Graph::kCalls) == 0) continue;
    uint32_t behind = kNever;
    for (uint32_t i = graph.first[block]; i < graph.first[block + 1]; ++i) {
      if (static_cast<EdgeKind>(graph.edges[i].kind) == EdgeKind::behind)
        behind = graph.edges[i].to;
    }
    starts.push_back({graph.end[block] - 1, behind});
  }
  std::sort(starts.begin(), starts.end(),
            [](const Start& a, const Start& b) { return a.place < b.place; });
  return starts;
}

}  // namespace

Distances distances(const ProgramGraph& program, std::span<const Target> targets, Unit unit) {
  Finder finder(program, unit);
  std::vector<Start> starts = starts_of(program.graph());
  Distances result;
  result.targets = targets.size();
  result.words.assign(starts.size() * result.width(), kNever);
  for (size_t i = 0; i < starts.size(); ++i) {
    uint32_t* row = result.words.data() + i * result.width();
    row[0] = starts[i].place;
    if (starts[i].block != kNever) row[1] = finder.out(starts[i].block);
  }
  for (size_t t = 0; t < targets.size(); ++t) {
    std::vector<uint32_t> toward = finder.toward(targets[t]);
    for (size_t i = 0; i < starts.size(); ++i) {
      if (starts[i].block != kNever)
        result.words[i * result.width() + 2 + t] = toward[starts[i].block];
    }
  }
  return result;
}

const uint32_t* Distances::find(uint64_t place) const {
  size_t low = 0;
  size_t high = rows();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (row(middle)[0] < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < rows() && row(low)[0] == place ? row(low) : nullptr;
}

uint32_t distance(const Distances& table, size_t target, std::span<const uint64_t> stack) {
  uint32_t best = kNever;
  uint32_t so_far = 0;
  for (uint64_t place : stack) {
    const uint32_t* row = table.find(place);
    if (row != nullptr) best = std::min(best, plus(so_far, row[2 + target]));
    so_far = plus(so_far, row != nullptr ? row[1] : 1);
    if (so_far >= best) break;
  }
  return best;
}

}  // namespace heddle::flow
