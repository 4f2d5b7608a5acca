#include "flow/build_graph.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "flow/registers.h"

namespace heddle::flow {
namespace {

// Entries of jump tables. A table ends where something else begins that is referred to, or with the
// first entry that leads nowhere.
class TableReader {
 public:
  TableReader(const Image& image, const Sweep& sweep) : image_(image), sweep_(sweep) {}

  std::vector<uint64_t> read(const Image::Function& function, uint64_t table, bool relative) const {
    std::vector<uint64_t> targets;
    if (!image_.is_data(table) || (!relative && !image_.is_fixed())) return targets;
    auto bytes = image_.bytes(table);
    auto next = std::upper_bound(sweep_.referred.begin(), sweep_.referred.end(), table);
    if (next != sweep_.referred.end())
      bytes = bytes.first(std::min<uint64_t>(bytes.size(), *next - table));
    size_t width = relative ? 4 : 8;
    for (size_t i = 0; i + width <= bytes.size(); i += width) {
      uint64_t target = relative ? table + static_cast<uint64_t>(number<int32_t>(bytes, i))
                                 : number<uint64_t>(bytes, i);
      if (!leads_somewhere(function, target)) break;
      if (target == function.begin) return {};  // pointers to functions, of which this is one
      targets.push_back(target);
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
  }

 private:
  template <typename T>
  static T number(std::span<const uint8_t> bytes, size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }

  // Into the function, or into a part of one that was split off.
  bool leads_somewhere(const Image::Function& function, uint64_t target) const {
    if (!sweep_.starts.has(target)) return false;
    if (target >= function.begin && target < function.end) return true;
    auto after = std::upper_bound(sweep_.stretches.begin(), sweep_.stretches.end(), target,
                                  [](uint64_t a, const Image::Function& f) { return a < f.begin; });
    return after != sweep_.stretches.begin() &&
           std::prev(after)->name.find(".cold") != std::string::npos;
  }

  const Image& image_;
  const Sweep& sweep_;
};

// Which calls come back, as far as that is seen at once: the code of a function that never returns
// is not followed by what is behind the call.
class ReturnFinder {
 public:
  ReturnFinder(const Image& image, const Sweep& sweep) : image_(image), decoder_(false) {
    auto event = sweep.events.begin();
    for (const Image::Function& function : sweep.stretches) {
      bool leaves = false;
      for (; event != sweep.events.end() && event->address < function.end; ++event)
        leaves |= may_leave(function, *event);
      if (!leaves) endless_.insert(function.begin);
    }
  }

  bool returns(const Instruction& call) {
    if (call.indirect) {
      auto callee = call.has_memory && call.memory.is_fixed()
                        ? image_.word(static_cast<uint64_t>(call.memory.displacement))
                        : std::nullopt;
      return !callee || callee->returns;
    }
    if (!image_.is_stub(call.target)) return !endless_.contains(call.target);
    auto [known, is_new] = stubs_.try_emplace(call.target, true);
    if (is_new) known->second = behind_stub(image_, &decoder_, call.target).returns;
    return known->second;
  }

 private:
  static bool may_leave(const Image::Function& function, const Event& event) {
    if (event.transfer == Transfer::ret) return true;
    if (event.transfer != Transfer::jump && event.transfer != Transfer::branch) return false;
    return event.indirect || event.through_word || event.target < function.begin ||
           event.target >= function.end;
  }

  const Image& image_;
  Decoder decoder_;
  std::unordered_set<uint64_t> endless_;
  std::unordered_map<uint64_t, bool> stubs_;
};

std::unordered_map<uint64_t, Destination> find_all_destinations(const Image& image,
                                                                const Sweep& sweep) {
  std::unordered_map<uint64_t, Destination> found;
  Decoder decoder(true);
  TableReader tables(image, sweep);
  ReturnFinder finder(image, sweep);
  Returns returns = [&](const Instruction& call) { return finder.returns(call); };
  std::vector<Instruction> code;
  for (size_t number : sweep.indirect) {
    const Image::Function& function = sweep.stretches[number];
    code.clear();
    for (uint64_t address = function.begin; address < function.end;) {
      auto bytes = image.bytes(address);
      code.push_back(decoder.decode(
          bytes.first(std::min<uint64_t>(bytes.size(), function.end - address)), address));
      address = code.back().end();
    }
    ReadTable read_table = [&](uint64_t table, bool relative) {
      return tables.read(function, table, relative);
    };
    for (Destination& destination : find_destinations(code, read_table, returns)) {
      uint64_t address = destination.address;
      found[address] = std::move(destination);
    }
  }
  return found;
}

// What the linker adds to each program. The addresses that it takes, of main and of functions that
// may be missing, are no pointers that the program has.
bool is_startup(const Image::Function& function) {
  for (const char* name : {"_start", "_init", "_fini", "frame_dummy", "register_tm_clones",
                           "deregister_tm_clones", "__do_global_dtors_aux"}) {
    if (function.name == name) return true;
  }
  return false;
}

class Builder {
 public:
  Builder(const Image& image, Sweep sweep)
      : image_(image),
        sweep_(std::move(sweep)),
        decoder_(false),
        destinations_(find_all_destinations(image, sweep_)) {
    for (const auto& [address, destination] : destinations_) {
      for (uint64_t target : destination.targets) sweep_.leaders.add(target);
    }
  }

  Graph run() {
    make_blocks();
    make_sets();
    connect_blocks();
    connect_sets();
    for (const auto& function : image_.functions()) {
      size_t block = block_at(function.begin);
      if (block != kNowhere) graph_.entries.push_back(static_cast<uint32_t>(block));
    }
    graph_.starts = std::move(sweep_.starts);
    return std::move(graph_);
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  void make_blocks() {
    auto event = sweep_.events.begin();
    for (size_t i = 0; i < sweep_.stretches.size(); ++i) {
      const Image::Function& stretch = sweep_.stretches[i];
      for (uint64_t begin = stretch.begin; begin < stretch.end;) {
        uint64_t end = begin;
        do {
          end = sweep_.leaders.next(end + 1, stretch.end);
        } while (end < stretch.end && !sweep_.starts.has(end));
        graph_.begin.push_back(static_cast<uint32_t>(begin));
        graph_.end.push_back(static_cast<uint32_t>(end));
        while (event != sweep_.events.end() && event->end < end) ++event;
        bool ends_here = event != sweep_.events.end() && event->end == end;
        ends_.push_back(ends_here ? &*event : nullptr);
        begin = end;
      }
    }
    graph_.flags.assign(graph_.begin.size(), 0);
  }

  uint32_t add_node(uint8_t flags) {
    graph_.flags.push_back(flags);
    return static_cast<uint32_t>(graph_.flags.size() - 1);
  }

  // Sets are nodes behind the blocks; their edges come last.
  void make_sets() {
    outside_ = add_node(Graph::kReturns);
    any_ = add_node(0);
    for (const auto& [address, table] : image_.virtual_tables()) {
      virtual_tables_[&table] = add_node(0);
      for (const Image::Slot& slot : table.slots) {
        auto [known, is_new] = slots_.try_emplace(slot.number, 0);
        if (is_new) known->second = add_node(0);
      }
    }
    for (const Callee& callee : image_.in_data()) take(node_of(callee));
    std::vector<Image::Function> startup;
    std::copy_if(sweep_.stretches.begin(), sweep_.stretches.end(), std::back_inserter(startup),
                 is_startup);
    for (const Event& event : sweep_.events) {
      bool in_startup = std::any_of(startup.begin(), startup.end(), [&](const auto& function) {
        return event.address >= function.begin && event.address < function.end;
      });
      if (event.transfer == Transfer::none && !in_startup) take(taken_function(event));
    }
  }

  void take(uint32_t node) {
    if (node != kNowhere) taken_.insert(node);
  }

  uint32_t block_at(uint64_t address) const {
    auto found = std::lower_bound(graph_.begin.begin(), graph_.begin.end(), address);
    if (found == graph_.begin.end() || *found != address) return kNowhere;
    return static_cast<uint32_t>(found - graph_.begin.begin());
  }

  uint32_t node_of(const Callee& callee) const {
    if (callee.address == 0) return callee.returns ? outside_ : kNowhere;
    uint32_t block = block_at(callee.address);
    return block != kNowhere ? block : outside_;
  }

  // Where a direct transfer leads; nowhere, if nobody comes back from there.
  uint32_t target_of(const Event& event) {
    if (event.through_word) return node_of(image_.word(event.target).value_or(Callee{}));
    return function_at(event.target);
  }

  uint32_t function_at(uint64_t address) {
    if (!image_.is_stub(address)) return node_of(Callee{address, true});
    auto [known, is_new] = stubs_.try_emplace(address);
    if (is_new) known->second = behind_stub(image_, &decoder_, address);
    return node_of(known->second);
  }

  // The function whose address is taken; nowhere, if it is a virtual table's.
  uint32_t taken_function(const Event& event) {
    if (!event.through_word && image_.virtual_table_at(event.target) != nullptr) return kNowhere;
    return target_of(event);
  }

  void connect(uint32_t to, EdgeKind kind) {
    if (to == kNowhere) return;
    graph_.edges.push_back({to & 0x3fffffff, static_cast<uint8_t>(kind)});
  }

  void connect_blocks() {
    for (uint32_t block = 0; block < graph_.begin.size(); ++block) {
      graph_.first.push_back(static_cast<uint32_t>(graph_.edges.size()));
      const Event* event = ends_[block];
      uint32_t next = follower(block);
      if (event == nullptr) {
        connect(next, EdgeKind::go);
        continue;
      }
      switch (event->transfer) {
        case Transfer::none:
          connect(next, EdgeKind::go);
          connect_taken(*event);
          break;
        case Transfer::branch:
          connect(next, EdgeKind::go);
          connect_transfer(*event, EdgeKind::go);
          break;
        case Transfer::jump:
          connect_transfer(*event, EdgeKind::go);
          break;
        case Transfer::call:
          graph_.flags[block] |= Graph::kCalls;
          connect(next, EdgeKind::behind);
          connect_transfer(*event, EdgeKind::call);
          break;
        case Transfer::ret:
          graph_.flags[block] |= Graph::kReturns;
          break;
        case Transfer::stop:
          break;
      }
    }
  }

  // The block behind, in the same function.
  uint32_t follower(uint32_t block) const {
    uint32_t next = block + 1;
    if (next >= graph_.begin.size() || graph_.begin[next] != graph_.end[block]) return kNowhere;
    if (image_.function_that_begins_at(graph_.begin[next]) != nullptr &&
        is_end_of_stretch(graph_.end[block])) {
      return kNowhere;
    }
    return next;
  }

  bool is_end_of_stretch(uint64_t address) const {
    auto found = std::lower_bound(sweep_.stretches.begin(), sweep_.stretches.end(), address,
                                  [](const Image::Function& f, uint64_t a) { return f.begin < a; });
    return found != sweep_.stretches.end() && found->begin == address;
  }

  void connect_taken(const Event& event) {
    const auto* table = event.through_word ? nullptr : image_.virtual_table_at(event.target);
    connect(table != nullptr ? virtual_tables_.at(table) : taken_function(event), EdgeKind::take);
  }

  void connect_transfer(const Event& event, EdgeKind kind) {
    if (!event.indirect) {
      connect(target_of(event), kind);
      return;
    }
    auto found = destinations_.find(event.address);
    Destination destination = found != destinations_.end() ? found->second : Destination{};
    if (destination.kind == Destination::table) {
      for (uint64_t target : destination.targets) connect(block_at(target), kind);
      return;
    }
    bool by_slot = false;
    for (uint64_t rest = destination.slots; rest != 0; rest &= rest - 1) {
      auto slot = slots_.find(static_cast<size_t>(std::countr_zero(rest)));
      if (slot == slots_.end()) continue;
      connect(slot->second, kind);
      by_slot = true;
    }
    if (!by_slot || destination.kind == Destination::slot_or_any)
      connect(taken_.empty() ? outside_ : any_, kind);
  }

  void connect_sets() {
    std::map<uint32_t, std::set<uint32_t>> members;
    members[any_] = taken_;
    for (const auto& [address, table] : image_.virtual_tables()) {
      for (const Image::Slot& slot : table.slots) {
        uint32_t node = node_of(slot.callee);
        members[slots_.at(slot.number)].insert(node);
        members[virtual_tables_.at(&table)].insert(node);
      }
    }
    for (uint32_t node = outside_; node < graph_.flags.size(); ++node) {
      graph_.first.push_back(static_cast<uint32_t>(graph_.edges.size()));
      for (uint32_t member : members[node]) connect(member, EdgeKind::go);
    }
    graph_.first.push_back(static_cast<uint32_t>(graph_.edges.size()));
  }

  const Image& image_;
  Sweep sweep_;
  Decoder decoder_;
  std::unordered_map<uint64_t, Destination> destinations_;
  Graph graph_;
  std::vector<const Event*> ends_;  // what each block ends with; null: it just goes on
  uint32_t outside_ = 0;
  uint32_t any_ = 0;
  std::map<size_t, uint32_t> slots_;
  std::map<const Image::VirtualTable*, uint32_t> virtual_tables_;
  std::set<uint32_t> taken_;
  std::unordered_map<uint64_t, Callee> stubs_;
};

}  // namespace

Graph build_graph(const Image& image, const Progress& progress) {
  return Builder(image, sweep(image, progress)).run();
}

}  // namespace heddle::flow
