// How a search is saved and read back.
#pragma once

#include "base/bytes.h"

namespace heddle::explore {

using heddle::ByteReader;
using heddle::ByteWriter;
using heddle::Plain;

}  // namespace heddle::explore
