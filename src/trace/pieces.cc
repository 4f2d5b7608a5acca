#include "trace/pieces.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "wire/dependence.h"

namespace heddle::trace {

namespace {

constexpr uint32_t kNone = 0xffffffff;
// The name of what all operations on descriptors have in common. No object is called so.
constexpr uint64_t kDescriptors = ~uint64_t{0};

class PieceGraph {
 public:
  explicit PieceGraph(const causality::Races& races)
      : races_(races), current_(races.thread_count(), kNone), last_(races.thread_count(), kNone) {}

  std::vector<Interference> look(bool deadlock) {
    for (uint32_t step = 0; step < races_.step_count(); ++step) perform(step);
    for (uint32_t thread = 0; thread < races_.thread_count() && deadlock; ++thread) {
      uint32_t pending = races_.next_event(thread, races_.step_count());
      if (pending != kNone) wait(pending);
    }
    return std::move(found_);
  }

 private:
  // From a step of one piece to a later one of another, which depends on it or, in the same thread,
  // follows.
  struct Edge {
    uint32_t to;  // piece
    uint32_t source;
    uint32_t target;
  };
  struct Object {
    uint32_t last_change = kNone;
    std::vector<uint32_t> reads;  // since then, the last of each thread
  };

  void perform(uint32_t number) {
    const wire::Step& step = races_.event(number);
    bool ends = wire::has(step.op, wire::kEndsPiece);
    if (ends || current_[step.thread] == kNone) begin_piece(number);
    find_sources(number, true);
    enter(number);
    piece_of_.push_back(current_[step.thread]);
    if (ends) current_[step.thread] = kNone;
  }

  // What a thread would have done, had it not to wait for ever. Where it begins a piece others may
  // come before it.
  void wait(uint32_t event) {
    const wire::Step& step = races_.event(event);
    if (wire::has(step.op, wire::kEndsPiece) || current_[step.thread] == kNone) return;
    find_sources(event, false);
    enter(event);
  }

  // The edges to the piece of a step from those that it depends on.
  void enter(uint32_t number) {
    uint32_t& piece = current_[races_.event(number).thread];
    for (uint32_t source : sources_) {
      std::optional<Edge> out = way(piece, piece_of_[source]);
      if (!out) continue;
      found_.push_back({out->source, out->target, source, number});
      begin_piece(number);
      break;
    }
    for (uint32_t source : sources_) connect(source, number, piece);
  }

  void begin_piece(uint32_t number) {
    uint32_t thread = races_.event(number).thread;
    auto piece = static_cast<uint32_t>(edges_.size());
    edges_.emplace_back();
    visited_.push_back(0);
    if (last_[thread] != kNone) edges_[last_[thread]].push_back({piece, number, number});
    current_[thread] = last_[thread] = piece;
  }

  void connect(uint32_t source, uint32_t target, uint32_t piece) {
    uint32_t from = piece_of_[source];
    if (known_.insert(uint64_t{from} << 32 | piece).second) {
      edges_[from].push_back({piece, source, target});
    }
  }

  // The steps of other threads that the step depends on, as far as others do not stand between. If
  // it is performed, that is noted for those that come.
  void find_sources(uint32_t number, bool performed) {
    const wire::Step& step = races_.event(number);
    sources_.clear();
    if (step.after < races_.step_count()) add_source(step.after, step.thread);
    auto touch = [&](uint64_t name, bool changes) {
      Object& object = objects_[name];
      if (object.last_change != kNone) add_source(object.last_change, step.thread);
      for (uint32_t read : object.reads) {
        if (changes) add_source(read, step.thread);
      }
      if (performed) note(number, changes, &object);
    };
    if (wire::is_on_descriptor(step.op)) touch(kDescriptors, true);
    races_.for_each_object(step, touch);
  }

  void note(uint32_t number, bool changes, Object* object) const {
    if (changes) {
      object->reads.clear();
      object->last_change = number;
      return;
    }
    uint32_t thread = races_.event(number).thread;
    for (uint32_t& read : object->reads) {
      if (races_.event(read).thread == thread) {
        read = number;
        return;
      }
    }
    object->reads.push_back(number);
  }

  // A step that touches an object twice is not its own source.
  void add_source(uint32_t source, uint32_t thread) {
    if (races_.event(source).thread != thread) sources_.push_back(source);
  }

  // The first edge of a shortest way from one piece to another; none: there is no way.
  std::optional<Edge> way(uint32_t from, uint32_t to) {
    if (edges_[from].empty() || known_.contains(uint64_t{to} << 32 | from)) return std::nullopt;
    ++round_;
    queue_.clear();
    for (const Edge& edge : edges_[from]) {
      if (edge.to == to) return edge;
      visit(edge.to, edge);
    }
    for (size_t i = 0; i < queue_.size(); ++i) {
      auto [piece, first] = queue_[i];
      for (const Edge& edge : edges_[piece]) {
        if (edge.to == to) return first;
        visit(edge.to, first);
      }
    }
    return std::nullopt;
  }

  void visit(uint32_t piece, const Edge& first) {
    if (visited_[piece] == round_) return;
    visited_[piece] = round_;
    queue_.push_back({piece, first});
  }

  const causality::Races& races_;
  std::vector<Interference> found_;
  std::vector<uint32_t> current_;         // by thread: its piece; kNone: the next step begins one
  std::vector<uint32_t> last_;            // by thread: its last piece
  std::vector<uint32_t> piece_of_;        // by step
  std::vector<std::vector<Edge>> edges_;  // by piece
  std::unordered_set<uint64_t> known_;    // edges between threads: from and to
  std::unordered_map<uint64_t, Object> objects_;
  std::vector<uint32_t> sources_;  // of the step that is performed
  // Of the search for a way: pieces that were seen, each with the edge by which that way begins.
  std::vector<uint64_t> visited_;  // by piece: the last round that saw it
  std::vector<std::pair<uint32_t, Edge>> queue_;
  uint64_t round_ = 0;
};

}  // namespace

std::vector<Interference> find_interference(const causality::Races& races, bool deadlock) {
  return PieceGraph(races).look(deadlock);
}

}  // namespace heddle::trace
