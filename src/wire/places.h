// Places: what is known of parts of the program, as small attributes. The engine lays the tables
// out before the start, and they hold for a whole search; both sides ask them. What executions find
// out about places goes back in lists of another kind, FoundPlaces.
//
// A place is a stretch of a module, as a function is, or a single point, which has a name: the hash
// of the module's file name and the offset, the same in every process.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::wire {

enum PlaceAttributes : uint32_t {
  kFocusPlace = 1,   // --focus-method, and of data --focus-var
  kRacingPlace = 2,  // what is done there is an operation: runtime/detect/racing.h
  kRoutePlace = 4,   // it is of the route; so is what is done there. The value has RouteBits
};

// A part of a module, the same in every process: `module` is the hash of the file's name, 0 for the
// program itself; begin and end are addresses in the file.
struct Stretch {
  uint64_t module;
  uint64_t begin;
  uint64_t end;
  uint32_t attributes;  // PlaceAttributes
  uint32_t value;       // of an attribute that has one
};

struct Point {
  uint64_t name;
  uint32_t attributes;
  uint32_t value;
};

// The first of `count` records that is not `before`; they are sorted by it.
template <typename Record, typename Before>
constexpr uint32_t first_not(const Record* records, uint32_t count, Before before) {
  uint32_t low = 0;
  for (uint32_t high = count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    (before(records[middle]) ? low : high) = before(records[middle]) ? middle + 1 : middle;
  }
  return low;
}

// The stretch that an address is in; null: there is none. They are by rising module and begin, none
// within another.
constexpr const Stretch* find_stretch(const Stretch* stretches, uint32_t count, uint64_t module,
                                      uint64_t offset) {
  uint32_t next = first_not(stretches, count, [&](const Stretch& stretch) {
    return stretch.module != module ? stretch.module < module : stretch.begin <= offset;
  });
  if (next == 0) return nullptr;
  const Stretch& last = stretches[next - 1];
  return last.module == module && offset < last.end ? &last : nullptr;
}

// The point of that name, of some by rising name; null: there is none.
constexpr const Point* find_point(const Point* points, uint32_t count, uint64_t name) {
  uint32_t found = first_not(points, count, [&](const Point& point) { return point.name < name; });
  return found < count && points[found].name == name ? &points[found] : nullptr;
}

inline constexpr uint32_t kMaxStretches = 16384;  // of code, and of data

// Stretch::value of one that is a function's, but lies in another's code.
inline constexpr uint32_t kInlined = 1;

// Places that a test script waits for, by what it calls them: "Queue::push", "queue.h:41".
inline constexpr uint32_t kMaxScriptPlaces = 64;
inline constexpr uint32_t kMaxScriptStretches = 8192;  // of all of them together
struct ScriptPlace {
  char text[120];
  uint32_t is_line;  // 1: of the source; 0: a function
  uint32_t first;    // of its stretches
  uint32_t count;
  uint32_t unused;
};
struct ScriptPlaces {
  uint32_t count;
  uint32_t unused;
  ScriptPlace at[kMaxScriptPlaces];
  Stretch code[kMaxScriptStretches];
};

// A route: places that a guided search goes through (--through, or those that race), in sequences:
// see RouteSequence.
inline constexpr uint32_t kMaxRoute = 16;
// Of which places of the route a stretch is: bit i, whatever happens there; bit kMaxRoute + i,
// where a function is entered.
using RouteBits = uint32_t;
struct Route {
  uint32_t count;
  uint32_t distance_count;      // rows behind the region: distances()
  uint32_t threads[kMaxRoute];  // who is to pass the place; kNoThread: anybody
  // 1: … but for the thread that has passed the place before: it is the same once more, or they
  // race.
  uint32_t by_another[kMaxRoute];
  uint32_t tells_calls;  // 1: the call of a function can be at a place
  uint32_t unused;
  char texts[kMaxRoute][120];  // as they were given
};

// Numbers of places of the route, in the order in which an execution is to pass them: four bits
// each, the first in the lowest. How many there are is the directive's parameter.
using RouteSequence = uint64_t;
constexpr uint32_t place_in(RouteSequence sequence, uint32_t level) {
  return static_cast<uint32_t>(sequence >> (4 * level) & (kMaxRoute - 1));
}

// How far it is to the places of the route, by the program's control flow: rows of 2 + count words,
// by their first. That is an address in the program's file: the entry of a function, or the last
// byte of a call. Behind it, in instructions: the way to the end of the function, and to each place
// of the route without leaving the function, but by calls; kNoWay if there is none.
inline constexpr uint32_t kNoWay = 0xffffffff;

struct Places {
  uint32_t code_count;
  uint32_t data_count;
  uint32_t point_count;  // they stand behind the region: points()
  uint32_t unused;
  Stretch code[kMaxStretches];
  Stretch data[kMaxStretches];
  ScriptPlaces script;
  Route route;
  char names[4096];  // in focus, given by heddle::name; each with its zero, an empty one at the end
};

// What was found out about a place.
enum class Found : uint32_t {
  racing,  // it races, and was no operation
  // A thread went on without a yield of its own, while others could go:
  spin,        // in a loop that has no end of its own
  maybe_spin,  // … that was taken for one after Config::spin_rounds, and may end by itself
  long_run,    // the thread made many steps: Config::yield_after
};
struct FoundPlace {
  uint64_t name;  // the same in every process
  uint64_t pc;    // raw
  Found what;
  uint32_t unused;
  uint64_t other_pc;  // of one that races: where it is that it races with; 0: not known
};

template <uint32_t kMost>
struct FoundPlaces {
  std::atomic<uint32_t> count;
  FoundPlace at[kMost];

  // Each once. False: it is known, or there is no room.
  bool add(const FoundPlace& place) {
    uint32_t known = count.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < known && i < kMost; ++i) {
      if (at[i].name == place.name && at[i].what == place.what) return false;
    }
    if (known >= kMost) return false;
    at[known] = place;
    count.store(known + 1, std::memory_order_release);
    return true;
  }
};

}  // namespace heddle::wire
