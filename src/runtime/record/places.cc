#include "runtime/record/places.h"

#include "base/hash.h"
#include "runtime/isolate/modules.h"
#include "runtime/record/fingerprint.h"

namespace heddle::runtime {

namespace {

// What was asked for; direct mapped.
struct Known {
  uint64_t pc;
  uint32_t attributes;
  uint32_t value;
};
constexpr uint64_t kKnown = 1 << 14;
Known g_known[kKnown];

const wire::Stretch* stretch_at(const wire::Stretch* stretches, uint32_t count, uint64_t address) {
  uint64_t module;
  uint64_t offset;
  if (count == 0 || !module_place(address, &module, &offset)) return nullptr;
  return wire::find_stretch(stretches, count, module, offset);
}

const Known& known_of(uint64_t pc) {
  Known& known = g_known[mix(pc, 1) % kKnown];
  if (known.pc != pc) {
    const wire::Places& places = g_region->places;
    // A return address stands for the call before it.
    const wire::Stretch* stretch = stretch_at(places.code, places.code_count, pc - 1);
    known = {pc, 0, 0};
    if (stretch != nullptr) known = {pc, stretch->attributes, stretch->value};
    if (places.point_count != 0) known.attributes |= point_attributes(object_name(pc));
  }
  return known;
}

}  // namespace

uint32_t place_attributes(uint64_t pc) { return known_of(pc).attributes; }
uint32_t place_value(uint64_t pc) { return known_of(pc).value; }

uint32_t point_attributes(uint64_t name) {
  uint32_t count = g_region->places.point_count;
  const wire::Point* point = wire::find_point(wire::points(g_region), count, name);
  return point != nullptr ? point->attributes : 0;
}

uint32_t data_attributes(uint64_t address) {
  const wire::Places& places = g_region->places;
  const wire::Stretch* stretch = stretch_at(places.data, places.data_count, address);
  return stretch != nullptr ? stretch->attributes : 0;
}

}  // namespace heddle::runtime
