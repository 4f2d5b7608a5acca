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
};
constexpr uint64_t kKnown = 1 << 14;
Known g_known[kKnown];

uint32_t stretch_attributes(const wire::Stretch* stretches, uint32_t count, uint64_t address) {
  uint64_t module;
  uint64_t offset;
  if (count == 0 || !module_place(address, &module, &offset)) return 0;
  const wire::Stretch* stretch = wire::find_stretch(stretches, count, module, offset);
  return stretch != nullptr ? stretch->attributes : 0;
}

}  // namespace

uint32_t place_attributes(uint64_t pc) {
  Known& known = g_known[mix(pc, 1) % kKnown];
  if (known.pc != pc) {
    const wire::Places& places = g_region->places;
    // A return address stands for the call before it.
    uint32_t attributes = stretch_attributes(places.code, places.code_count, pc - 1);
    if (places.point_count != 0) attributes |= point_attributes(object_name(pc));
    known = {pc, attributes};
  }
  return known.attributes;
}

uint32_t point_attributes(uint64_t name) {
  uint32_t count = g_region->places.point_count;
  const wire::Point* point = wire::find_point(wire::points(g_region), count, name);
  return point != nullptr ? point->attributes : 0;
}

uint32_t data_attributes(uint64_t address) {
  const wire::Places& places = g_region->places;
  return stretch_attributes(places.data, places.data_count, address);
}

}  // namespace heddle::runtime
