// What is known of places in the code: the region's table, wire/places.h, asked by pc.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// PlaceAttributes of the call, or access, that returns to `pc`. Kept from one question to the next,
// since the table holds for the worker's life.
uint32_t place_attributes(uint64_t pc);

// … and the value that comes with kRoutePlace.
uint32_t place_value(uint64_t pc);

// … of a point, by its name.
uint32_t point_attributes(uint64_t name);

// … of a variable, by its address.
uint32_t data_attributes(uint64_t address);

}  // namespace heddle::runtime
