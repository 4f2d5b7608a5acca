#include "pool/debugged.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "base/check.h"
#include "base/descriptors.h"
#include "pool/guarded_ring.h"
#include "pool/shared_region.h"
#include "wire/seal.h"

namespace heddle::pool {

void write_debugged_region(Settings settings, const Launch& launch,
                           const wire::Directive& directive, const trace::Schedule& schedule,
                           int fd) {
  settings.debugged = 1;
  settings.show_output = 1;
  int own = out_of_the_way(dup(fd));
  if (own < 0) throw std::system_error(errno, std::generic_category(), "dup");
  SharedRegion region(settings, launch.serve != nullptr, own);
  region.get()->config.capture_fd = -1;
  bool in_area = schedule.size() > wire::kInlineDecisions;
  HEDDLE_CHECK(schedule.size() <= settings.max_steps);
  JobWriter jobs(region);
  void* body = nullptr;
  uint64_t size = sizeof(wire::Job) + (in_area ? 0 : schedule.size() * sizeof(wire::Decision));
  HEDDLE_CHECK(jobs.reserve(size, &body) == RingState::ready);
  wire::Job* job = new (body) wire::Job{directive, 0, 0};
  job->decision_count = static_cast<uint32_t>(schedule.size());
  if (in_area) job->flags |= wire::kDecisionsInArea;
  wire::Decision* decisions =
      in_area ? region.decisions() : reinterpret_cast<wire::Decision*>(job + 1);
  std::copy(schedule.begin(), schedule.end(), decisions);
  job->checksum = wire::checksum_of(*job, decisions, jobs.position());
  jobs.publish();
}

}  // namespace heddle::pool
