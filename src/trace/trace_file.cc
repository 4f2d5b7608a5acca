#include "trace/trace_file.h"

#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "trace/compressed_file.h"

namespace heddle::trace {

namespace {

// Raised with every change to the fields below.
constexpr int kFormat = 6;

constexpr std::string_view kSchedule = ".heddle";
constexpr std::string_view kTrace = ".trace";

std::string with_suffix(std::string path, std::string_view from, std::string_view to) {
  if (path.ends_with(from)) path.resize(path.size() - from.size());
  return path.append(to);
}

FileKind kind(const std::string& schedule) {
  return {
      fmt::format("heddle trace {}, of heddle {} ({})\n", kFormat, HEDDLE_VERSION, wire::kVersion),
      "heddle trace ", "trace",
      fmt::format("to see the failure again, type: heddle replay {}", schedule)};
}

// Each field is named once, below, for writing and for reading.
class Put {
 public:
  explicit Put(ByteWriter& out) : out_(out) {}
  template <Plain T>
  void operator()(const T& value) {
    out_.put(value);
  }
  void operator()(const std::string& text) { out_.put_text(text); }
  template <typename T>
  void operator()(const std::vector<T>& values) {
    if constexpr (Plain<T>) {
      out_.put_all(values);
    } else {
      out_.put<uint64_t>(values.size());
      for (const T& value : values) one(value);
    }
  }
  template <typename T>
  void operator()(const std::optional<T>& value) {
    out_.put<uint8_t>(value ? 1 : 0);
    if (value) fields(*this, *value);
  }

 private:
  template <typename T>
  void one(const T& value) {
    if constexpr (requires { (*this)(value); }) {
      (*this)(value);
    } else {
      fields(*this, value);
    }
  }
  ByteWriter& out_;
};

class Get {
 public:
  explicit Get(ByteReader& in) : in_(in) {}
  template <Plain T>
  void operator()(T& value) {
    in_.get(&value);
  }
  void operator()(std::string& text) { text = in_.get_text(); }
  template <typename T>
  void operator()(std::vector<T>& values) {
    if constexpr (Plain<T>) {
      values = in_.get_all<T>();
    } else {
      values.resize(in_.get_count());
      for (T& value : values) one(value);
    }
  }
  template <typename T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (in_.get<uint8_t>() != 0) fields(*this, value.emplace());
  }

 private:
  template <typename T>
  void one(T& value) {
    if constexpr (requires { (*this)(value); }) {
      (*this)(value);
    } else {
      fields(*this, value);
    }
  }
  ByteReader& in_;
};

template <typename T, typename U>
concept Is = std::is_same_v<std::remove_const_t<T>, U>;

template <typename Each>
void all(Each& each, auto&... values) {
  (each(values), ...);
}

template <typename Each>
void fields(Each& each, Is<Place> auto& p) {
  all(each, p.function, p.file, p.line, p.module, p.offset, p.system, p.foreign, p.source,
      p.column);
}
template <typename Each>
void fields(Each& each, Is<DetailedStep> auto& s) {
  all(each, s.step, s.thread, s.op, s.outcome, s.choice, s.options, s.preemption, s.object,
      s.naming, s.size, s.before, s.after, s.before_name, s.after_name, s.yields, s.in_vain,
      s.holder, s.stack);
}
template <typename Each>
void fields(Each& each, Is<Cycle> auto& c) {
  all(each, c.begin, c.length, c.repeats, c.steps);
}
template <typename Each>
void fields(Each& each, Is<Wait> auto& w) {
  all(each, w.thread, w.words, w.stack);
}
template <typename Each>
void fields(Each& each, Is<ThreadAtEnd> auto& t) {
  all(each, t.thread, t.name, t.state, t.pending, t.object, t.naming, t.holder, t.stack, t.entry);
}
template <typename Each>
void fields(Each& each, Is<Transfer> auto& t) {
  all(each, t.stack, t.thread, t.until);
}
template <typename Each>
void fields(Each& each, Is<Turn> auto& t) {
  all(each, t.thread, t.begin, t.end, t.stop);
  fields(each, t.next);
  all(each, t.same, t.accesses, t.updates, t.in_line);
}
template <typename Each>
void fields(Each& each, Is<Witness> auto& w) {
  all(each, w.role, w.thread, w.size, w.stack);
}
template <typename Each>
void fields(Each& each, Is<NamedDecision> auto& d) {
  all(each, d.step, d.choice, d.thread, d.note);
}
template <typename Each>
void fields(Each& each, Is<Timeline> auto& t) {
  all(each, t.threads, t.names, t.places, t.stacks, t.first, t.steps, t.enabled);
}
template <typename Each>
void fields(Each& each, Is<CriticalStep> auto& c) {
  all(each, c.some_pass, c.step, c.tried, c.all);
  fields(each, c.what);
}
template <typename Each>
void fields(Each& each, Is<Twin> auto& t) {
  all(each, t.step, t.adjacent, t.is_own, t.failing, t.passing);
}
template <typename Each>
void fields(Each& each, Is<Finding> auto& f) {
  all(each, f.kind, f.message, f.thread, f.stack, f.object, f.witnesses, f.note, f.key, f.execution,
      f.stage, f.sampler, f.depth, f.found, f.steps, f.preemptions, f.switches, f.is_simplified,
      f.fewest, f.critical, f.twin, f.sequence, f.decisions, f.cycle, f.proved_cycle, f.waits,
      f.threads, f.transfers, f.turns, f.output, f.schedule_file, f.needs_trust, f.test_to_keep);
  fields(each, f.timeline);
}
template <typename Each>
void fields(Each& each, Is<SourceExcerpt> auto& e) {
  all(each, e.first, e.lines);
}
template <typename Each>
void fields(Each& each, Is<SourceText> auto& t) {
  all(each, t.file, t.excerpts);
}
template <typename Each>
void fields(Each& each, Is<TraceFile> auto& file) {
  fields(each, file.finding);
  all(each, file.steps, file.modules, file.sources, file.passing, file.failing);
}

}  // namespace

std::string trace_beside(const std::string& schedule) {
  return with_suffix(schedule, kSchedule, kTrace);
}

std::string schedule_beside(const std::string& trace) {
  return with_suffix(trace, kTrace, kSchedule);
}

bool is_trace_path(const std::string& path) { return path.ends_with(kTrace); }

void write_trace_file(const std::string& path, const TraceFile& file) {
  CompressedWriter out(path, kind(schedule_beside(path)));
  Put put(out);
  fields(put, file);
  out.finish();
}

TraceFile read_trace_file(const std::string& path, const std::string& schedule) {
  CompressedReader in(path, kind(schedule));
  TraceFile file;
  Get get(in);
  fields(get, file);
  auto is_wrong = [](const std::optional<Finding>& other) {
    return other.has_value() && !is_sound(other->timeline);
  };
  if (!is_sound(file.finding.timeline) || is_wrong(file.passing) || is_wrong(file.failing)) {
    throw UserError(fmt::format("{} is damaged; {}", path, kind(schedule).advice));
  }
  return file;
}

}  // namespace heddle::trace
