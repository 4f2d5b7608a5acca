#include "runtime/record/fingerprint.h"

namespace heddle::runtime {

Moment account_for_cells(const ObjectRecord* object, bool changes, Moment moment) {
  CellRow cells = cells_of(object);
  uint64_t hash = 0, last = 0;
  int64_t now = moment.now;
  for (const ObjectCell& cell : cells) {
    const Past& past = cell.past;
    uint64_t here = past.last_change + (changes ? past.reads * 3 : 0);
    if (cell.begin == object->address) {
      hash = here;
    } else if (here != last) {
      hash = mix(hash + (cell.begin - object->address), here);
    }
    last = here;
    now = later(now, past.changed_at);
    if (changes) now = later(now, past.read_at);
  }
  moment = {mix(moment.hash, hash), now + kNanosecondsPerStep};
  for (ObjectCell& cell : cells) {
    changes ? perform_change(&cell.past, moment) : perform_read(&cell.past, moment);
  }
  return moment;
}

}  // namespace heddle::runtime
