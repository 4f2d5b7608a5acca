#include "explore/bundle.h"

#include <algorithm>

namespace heddle::explore {

namespace {

// Most numbers are small: seven bits to a byte.
void put_number(ByteWriter& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.put(static_cast<uint8_t>(number | 0x80));
  out.put(static_cast<uint8_t>(number));
}

uint32_t get_number(ByteReader& in) {
  uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    in.check(shift < 35);
    auto byte = in.get<uint8_t>();
    number |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) break;
  }
  in.check(number <= 0xffffffff);
  return static_cast<uint32_t>(number);
}

uint16_t get_choice(ByteReader& in) {
  uint32_t choice = get_number(in);
  in.check(choice != 0 && choice <= 0xffff);
  return static_cast<uint16_t>(choice);
}

bool is_same(const wire::Decision& a, const wire::Decision& b) {
  return a.step == b.step && a.choice == b.choice;
}

}  // namespace

void Bundle::add(Decisions parent, const Range& range) {
  auto [end, ignored] = std::ranges::mismatch(parent, last_, is_same);
  auto shared = static_cast<uint32_t>(end - parent.begin());
  items_.push_back({shared, static_cast<uint32_t>(parent.size()) - shared, range});
  own_.insert(own_.end(), end, parent.end());
  last_.assign(parent.begin(), parent.end());
  size_ += uint64_t{range.last} - range.first + 1;
}

std::vector<Bundle> Bundle::deal(uint64_t hands) const {
  hands = std::min(hands, size_);
  std::vector<Bundle> all(hands);
  uint64_t number = 0;
  // Whole ranges, unless there are too few for that.
  bool by_choice = ranges() < 2 * hands;
  for_each([&](Decisions parent, uint32_t, const Range& range) {
    if (!by_choice) return all[number++ % hands].add(parent, range);
    for (uint32_t choice = range.first; choice <= range.last; ++choice) {
      auto one = static_cast<uint16_t>(choice);
      all[number++ % hands].add(parent, {range.step, range.check, one, one});
    }
  });
  return all;
}

void Bundle::save(ByteWriter& out) const {
  put_number(out, items_.size());
  size_t next = 0;
  for (const Item& item : items_) {
    put_number(out, item.shared);
    put_number(out, item.count);
    uint32_t step = 0;
    for (uint32_t i = 0; i < item.count; ++i, ++next) {
      put_number(out, i == 0 ? own_[next].step : own_[next].step - step);
      put_number(out, own_[next].choice);
      step = own_[next].step;
    }
    put_number(out, item.range.step);
    put_number(out, item.range.first);
    put_number(out, item.range.last);
    out.put(item.range.check);
  }
}

void Bundle::load(ByteReader& in) {
  uint32_t count = get_number(in);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t shared = get_number(in);
    in.check(shared <= last_.size());
    std::vector<wire::Decision> parent(last_.begin(), last_.begin() + shared);
    uint32_t own = get_number(in);
    in.check(own <= in.left());
    uint32_t step = 0;
    for (uint32_t j = 0; j < own; ++j) {
      step = j == 0 ? get_number(in) : step + get_number(in);
      // By rising step, as a node's decisions are.
      in.check(parent.empty() || parent.back().step < step);
      parent.push_back({step, get_choice(in)});
    }
    Range range{};
    range.step = get_number(in);
    range.first = get_choice(in);
    range.last = get_choice(in);
    in.get(&range.check);
    in.check(range.first <= range.last && (parent.empty() || parent.back().step < range.step));
    add(parent, range);
  }
}

Bundle take_out(const ExecutionTree& tree, const Fringe& fringe) {
  Bundle subtrees;
  std::vector<wire::Decision> path;
  uint32_t known = ExecutionTree::kNone;  // the node of the path
  fringe.for_each([&](const Key&, const Entry& entry) {
    if (entry.parent != known) {
      known = entry.parent;
      path.resize(tree.decision_count(known));
      tree.write_decisions(known, static_cast<uint32_t>(path.size()), path.data());
    }
    subtrees.add(path, {entry.step, entry.check, entry.choice, entry.extra});
  });
  return subtrees;
}

void put_in(const Bundle& subtrees, const std::function<uint32_t(uint32_t, uint32_t)>& extra,
            ExecutionTree* tree, Fringe* fringe) {
  // The nodes on the path to the last one, from the root. They have been executed elsewhere.
  std::vector<uint32_t> path = {tree->add_root()};
  auto leave = [&] {
    tree->release(path.back());
    path.pop_back();
  };
  subtrees.for_each([&](Bundle::Decisions parent, uint32_t shared, const Bundle::Range& range) {
    while (path.size() > shared + size_t{1}) leave();
    for (const wire::Decision& one : parent.subspan(shared)) {
      uint32_t above = path.back();
      tree->keep(above, 1);
      path.push_back(
          tree->add(above, one.step, one.choice, extra((*tree)[above].extra, one.choice)));
    }
    Entry entry{path.back(), range.step, range.check, range.first, range.last};
    tree->keep(path.back(), static_cast<uint32_t>(fringe->schedules_of(entry)));
    fringe->push(Key{}, entry);
  });
  while (!path.empty()) leave();
}

}  // namespace heddle::explore
