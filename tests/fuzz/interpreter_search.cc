#include "interpreter_search.h"

#include <heddle/heddle.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "interpreter_operations.h"
#include "interpreter_run.h"

namespace fuzz {

namespace {

const char* const kList = "executions.list";  // in the working directory
const char* const kPatience = "300";          // seconds, of one search; the machine may be busy

Notes* shared_notes() {
  static Notes* const notes = [] {
    auto* room = static_cast<Notes*>(shared_memory(sizeof(Notes)));
    note_in(room);
    return room;
  }();
  return notes;
}

const Program* const* g_programs;
size_t g_count;

FUZZ_QUIET void run_one() {
  uint32_t number = 0;
  if (g_count > 1) number = static_cast<uint32_t>(choose(static_cast<int64_t>(g_count)));
  run_apart(*g_programs[number], number);
}

uint64_t number(const std::string& text, size_t at) {
  uint64_t value = 0;
  for (size_t i = at; i < at + 16 && i < text.size(); ++i) {
    const char c = text[i];
    value = value << 4 | static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return value;
}

// Where a worker has ended as programs do, it may have written out once more what this process had
// in its buffers. Then the head stands there again, and lines may come twice.
Many<Line> read_list(bool* repeated) {
  std::ifstream file(kList);
  Many<Line> lines;
  int heads = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with("fingerprint")) ++heads;
    if (text.size() < 36 || text.starts_with("fingerprint")) continue;
    const size_t end = text.find(' ', 34);
    if (end == std::string::npos) continue;
    const Ending ending(std::string_view(text).substr(34, end - 34));
    lines.push_back({number(text, 0), number(text, 17), ending, number(text, end + 1)});
  }
  *repeated = heads > 1;
  if (*repeated) {
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
  return lines;
}

// `complete` of `coverage`.
bool complete(const std::string& json) {
  const size_t coverage = json.find("\"coverage\"");
  const size_t word = json.find("\"complete\"", coverage);
  if (coverage == std::string::npos || word == std::string::npos) return false;
  return json.compare(json.find_first_not_of(": ", word + 10), 4, "true") == 0;
}

bool ran_out_of_executions(const std::string& json) {
  return json.find("\"--executions ") != std::string::npos;
}

// Of the first place behind `from` at which the name stands.
uint64_t number_of(const std::string& json, const char* name, size_t from) {
  const std::string key = std::string("\"") + name + "\":";
  const size_t at = json.find(key, from);
  return at == std::string::npos ? 0 : strtoull(json.c_str() + at + key.size(), nullptr, 10);
}

Counts counts_of(const std::string& json) {
  const size_t at = json.find("\"executions\":");  // failures come before
  const uint64_t learning = number_of(json, "learning", at);
  return {number_of(json, "executions", at) - learning, learning, number_of(json, "distinct", at),
          number_of(json, "pruned", at), number_of(json, "max_steps", at)};
}

heddle::Options options_of(const Searched& what, const Way& way) {
  heddle::Options options;
  options.set("races", "ignore").set("keep-going", "true").set("quiet", "true");
  options.set("explain", "off");  // what that runs would be noted, too
  options.set("out", "out");
  if (!has(way, "subtrees", "on")) options.set("list-executions", kList);
  options.set("seconds", kPatience).set("hang-after", "30");
  if (what.programs[0]->all_accesses) options.set("accesses", "all");
  if (what.limit != 0) options.set("executions", std::to_string(what.limit));
  for (const auto& [name, value] : way) options.set(name, value);
  return options;
}

// The processes whose executions are not those of the list: of searches that have begun again,
// which came before, and those that made an execution once more, for the report, in between and
// after.
std::set<int> other_workers(const Notes& notes, size_t finished) {
  std::vector<std::pair<int, size_t>> counts;  // in the order in which they came
  for (size_t i = 0; i < notes.records; ++i) {
    const int worker = notes.record[i].worker;
    auto known = std::find_if(counts.begin(), counts.end(),
                              [worker](const auto& one) { return one.first == worker; });
    if (known == counts.end()) known = counts.insert(counts.end(), {worker, 0});
    ++known->second;
  }
  // The last ones in a row that have made as many as there are.
  for (size_t end = counts.size(); end > 0; --end) {
    size_t sum = 0;
    for (size_t begin = end; begin > 0 && sum < finished; --begin) {
      sum += counts[begin - 1].second;
      if (sum != finished) continue;
      std::set<int> others;
      for (size_t i = 0; i < counts.size(); ++i) {
        if (i < begin - 1 || i >= end) others.insert(counts[i].first);
      }
      return others;
    }
  }
  // Or those that have made few.
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::set<int> others;
  size_t rest = notes.records;
  for (const auto& [worker, count] : counts) {
    if (rest - count < finished || rest == finished) break;
    rest -= count;
    others.insert(worker);
  }
  return others;
}

// Of all executions, whatever they were made for.
void take_all_finals(const Notes& notes, Found* found) {
  found->too_long = notes.records > Notes::kMostRecords;
  for (size_t i = 0; i < notes.records && !found->too_long; ++i) {
    found->finals.push_back({notes.record[i].program, notes.record[i].hash});
  }
}

void take_finals(const Notes& notes, Found* found) {
  if (notes.records > Notes::kMostRecords) {
    found->too_long = true;
    return;
  }
  const auto finished =
      static_cast<size_t>(std::count_if(found->lines.begin(), found->lines.end(),
                                        [](const Line& l) { return l.ending.is("finished"); }));
  if (notes.records < finished && !found->repeated) {
    found->problem = std::to_string(finished) + " executions finished, " +
                     std::to_string(notes.records) + " noted final values";
    return;
  }
  const std::set<int> others = other_workers(notes, finished);
  for (size_t i = 0; i < notes.records; ++i) {
    const Record& record = notes.record[i];
    if (!others.contains(record.worker)) found->finals.push_back({record.program, record.hash});
  }
  found->in_order = !found->repeated && found->finals.size() == finished;
  if (notes.with_text == 0) return;
  std::set<uint64_t> wanted;
  for (const Final& final : found->finals) wanted.insert(final.hash);
  for (size_t i = 0; i < notes.records; ++i) {
    const Record& record = notes.record[i];
    if (record.room == 0 || !wanted.contains(record.hash)) continue;
    found->texts.emplace_back(notes.texts + record.room - 1);
  }
}

// What is asked of a report.
struct Answer {
  int exit_code = 2;
  std::vector<std::string> failures;
  std::string text;  // of the report, or as JSON if it is well
};

std::string told_of(const heddle::Report& report) {
  const int code = report.exit_code();
  const bool is_well = code == 0 || code == 1;
  std::string told = std::to_string(code) + '\n';
  for (const heddle::Failure& failure : report.failures()) {
    told += failure.kind + '\n';
  }
  return told + '\n' + (is_well ? report.json() : report.text());
}

// In a process of its own, so that what the search and its report leave in memory is gone: all of
// it would be copied at the beginning of each further search.
Answer check_apart(const heddle::Options& options, bool has_subtrees) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (has_subtrees) setenv("HEDDLE_SUBTREES_AFTER", "1", 1);  // not after 2,048 executions only
    const std::string told = told_of(heddle::check([] { run_one(); }, options));
    size_t done = 0;
    while (done < told.size()) {
      const ssize_t more = write(ends[1], told.data() + done, told.size() - done);
      if (more <= 0) break;
      done += static_cast<size_t>(more);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string told;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) > 0;) {
    told.append(part, static_cast<size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    return {2, {}, "the process that searched has ended with status " + std::to_string(status)};
  }
  Answer answer;
  std::istringstream stream(told);
  std::string line;
  stream >> answer.exit_code;
  std::getline(stream, line);
  while (std::getline(stream, line) && !line.empty()) answer.failures.push_back(line);
  answer.text.assign(std::istreambuf_iterator<char>(stream), {});
  return answer;
}

}  // namespace

bool has(const Way& way, const char* name, const char* value) {
  return std::find(way.begin(), way.end(), Way::value_type(name, value)) != way.end();
}

void* shared_memory(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) return memory;
  perror("interpreter: mmap");
  exit(2);
}

std::string text_of(const Way& way) {
  std::string text;
  for (const auto& [name, value] : way) {
    text += (text.empty() ? "--" : " --") + name + ' ' + value;
  }
  return text;
}

Found search(const Searched& what, const Way& way) {
  Notes* notes = shared_notes();
  notes->records = notes->used = 0;
  memset(notes->begun, 0, sizeof notes->begun);
  notes->with_text = what.with_texts ? 1 : 0;
  g_note_is_seen = has(way, "races", "fail");
  g_programs = what.programs.data();
  g_count = what.programs.size();

  Found found;
  const bool has_list = !has(way, "subtrees", "on");
  const Answer answer = check_apart(options_of(what, way), !has_list);
  if (answer.exit_code == 130) exit(130);  // interrupted
  if (answer.exit_code != 0 && answer.exit_code != 1) {
    found.problem = "exit code " + std::to_string(answer.exit_code) + ": " + answer.text;
    return found;
  }
  const std::string& json = answer.text;
  found.counts = counts_of(json);
  found.executions = found.counts.executions;
  if (what.limit != 0 && (found.executions >= what.limit || ran_out_of_executions(json))) {
    found.too_long = true;
    for (uint32_t i = 0; i < g_count; ++i) {
      if (notes->begun[i] > what.limit_of_one) found.longest.push_back(i);
    }
    return found;
  }
  found.failures = answer.failures;
  if (has(way, "keep-going", "false")) return found;
  if (!complete(json)) {
    found.problem = "the search is not complete";
    return found;
  }
  if (!has_list) {
    take_all_finals(*notes, &found);
    return found;
  }
  found.lines = read_list(&found.repeated);
  if (found.lines.size() != found.executions && !found.repeated) {
    found.problem = "the list of executions has " + std::to_string(found.lines.size()) +
                    ", the report " + std::to_string(found.executions);
  } else {
    take_finals(*notes, &found);
  }
  return found;
}

std::string check_plain(const Found& found) {
  if (!found.in_order) return "";                                // nobody knows
  using CameTo = std::tuple<uint64_t, Ending, uint64_t, Final>;  // and the fingerprint
  Many<uint64_t> sequences;
  Many<CameTo> meanings;
  auto final = found.finals.begin();
  for (const Line& line : found.lines) {
    sequences.push_back(line.sequence);
    if (!line.whole()) continue;
    const Final values = line.ending.is("finished") ? *final++ : Final{};
    meanings.emplace_back(line.fingerprint, line.ending, line.key, values);
  }
  std::sort(meanings.begin(), meanings.end());
  meanings.erase(std::unique(meanings.begin(), meanings.end()), meanings.end());
  for (size_t i = 1; i < meanings.size(); ++i) {
    const auto& [fingerprint, ending, key, values] = meanings[i];
    const auto& [other_fingerprint, other_ending, other_key, other_values] = meanings[i - 1];
    if (fingerprint != other_fingerprint) continue;
    return std::string("a fingerprint stands for ") + other_ending.name + " and for " +
           ending.name + (values != other_values ? ", with other final values" : "");
  }
  std::sort(sequences.begin(), sequences.end());
  const bool twice = std::adjacent_find(sequences.begin(), sequences.end()) != sequences.end();
  return twice ? "an execution was made twice" : "";
}

}  // namespace fuzz
