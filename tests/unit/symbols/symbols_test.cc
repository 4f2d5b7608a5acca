// Places and names, against programs that both compilers build while the test runs. Each program
// prints the addresses that its marks were called from, as the runtime sees them: return addresses
// in a process with address randomisation.
#include "symbols/symbols.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "symbols/readable_name.h"
#include "trace/built_program.h"
#include "trace/region_builder.h"

namespace heddle::symbols {
using namespace trace;
namespace {

constexpr char kDriver[] = R"(
#include <link.h>
#include <stdio.h>
#include <unwind.h>
extern "C" void mark(const char* name) {
  printf("mark %s %p\n", name, __builtin_return_address(0));
}
extern "C" void variable(const char* name, const volatile void* address) {
  printf("variable %s %p\n", name, address);
}
static _Unwind_Reason_Code frame(_Unwind_Context* context, void*) {
  printf("frame %lx %lx\n", (unsigned long)_Unwind_GetIP(context), (unsigned long)_Unwind_GetCFA(context));
  return _URC_NO_REASON;
}
extern "C" void local(const char* name, const volatile void* address) {
  printf("local %s %p\n", name, address);
  _Unwind_Backtrace(frame, nullptr);
}
// The hook that the compiler calls for an atomic update.
extern "C" int __tsan_atomic32_fetch_add(volatile int* object, int value, int) {
  printf("mark atomic %p\n", __builtin_return_address(0));
  return __sync_fetch_and_add(object, value);
}
#define HOOK(name) extern "C" void name(void*) {}
HOOK(__tsan_init) HOOK(__tsan_func_entry) HOOK(__tsan_func_exit)
HOOK(__tsan_read1) HOOK(__tsan_read2) HOOK(__tsan_read4) HOOK(__tsan_read8) HOOK(__tsan_read16)
HOOK(__tsan_write1) HOOK(__tsan_write2) HOOK(__tsan_write4) HOOK(__tsan_write8) HOOK(__tsan_write16)
static int visit(dl_phdr_info* info, size_t, void*) {
  unsigned long begin = ~0ul, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    unsigned long from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (from < begin) begin = from;
    if (from + info->dlpi_phdr[i].p_memsz > end) end = from + info->dlpi_phdr[i].p_memsz;
  }
  static bool first = true;
  printf("module %lx %lx %lx %s\n", (unsigned long)info->dlpi_addr, begin, end, first ? "/proc/self/exe" : info->dlpi_name);
  first = false;
  return 0;
}
extern "C" void run();
int main() { dl_iterate_phdr(visit, nullptr); run(); }
)";

constexpr char kProgram[] = R"(
#include <algorithm>
#include <array>
#include <atomic>
extern "C" void mark(const char* name);
extern "C" void variable(const char* name, const volatile void* address);
extern "C" void local(const char* name, const volatile void* address);
#define MARK(name) (mark(name), [] { asm volatile(""); }())
struct Account {
  int id;
  std::atomic<int> balance;
  struct { char kind; long limits[2]; } rules;
};
Account accounts[4];
std::array<Account, 3> more_accounts;
namespace bank {
int total[2][3];
static long hidden_sum;
struct Ledger : Account { int lines; } ledger;
}
namespace {
__attribute__((noinline)) void secret(int x) {
  bank::hidden_sum += x;
  MARK("secret");  // line of secret
}
}
static inline __attribute__((always_inline)) void deposit(Account& account, int amount) {
  account.balance.fetch_add(amount);  // line of atomic
}
template <typename T>
struct Philosopher {
  __attribute__((noinline)) void eat(T bites) const {
    MARK("eat");  // line of eat
    secret(static_cast<int>(bites));
  }
};
extern "C" __attribute__((noinline)) void plain_c(Account* account) {
  deposit(*account, 5);  // line of deposit
  asm volatile("");
}
__attribute__((noinline)) void look_up(const char* name, const volatile void* address) {
  volatile char own[100];
  own[5] = 1;
  local("own[5]", &own[5]);
  local(name, address);
  asm volatile("");
}
__attribute__((noinline)) void locals(int count) {
  std::atomic<int> counter{0};
  Account mine[2];
  look_up("counter", &counter);
  look_up("mine[1].balance", &mine[1].balance);
  for (int i = 0; i < count; ++i) {
    int numbers[3] = {i, i, i};
    look_up("numbers[2]", &numbers[2]);
    asm volatile("" ::"r"(numbers) : "memory");
  }
  asm volatile("" ::"r"(&counter), "r"(mine) : "memory");
}
extern "C" void run() {
  locals(1);
  static int calls;
  Philosopher<std::pair<int, long>*> unused;
  (void)unused;
  Philosopher<long> ada;
  ada.eat(3);
  plain_c(&accounts[2]);
  int numbers[] = {1};
  std::for_each(numbers, numbers + 1, [](int) {  // line of for_each
    MARK("lambda");  // line of lambda
  });
  variable("accounts[0].id", &accounts[0].id);
  variable("accounts[2].balance", &accounts[2].balance);
  variable("accounts[3].rules.limits[1]", &accounts[3].rules.limits[1]);
  variable("more_accounts[1].balance", &more_accounts[1].balance);
  variable("total[1][2]", &bank::total[1][2]);
  variable("hidden_sum", &bank::hidden_sum);
  variable("ledger.balance", &bank::ledger.balance);
  variable("ledger.lines", &bank::ledger.lines);
  variable("calls", &calls);
}
)";

struct Build {
  const char* name;
  const char* compiler;
  const char* flags;
  bool shared;
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

// One program, run once: what it printed, and a region with its modules.
class Ran {
 public:
  Ran(const std::string& compiler, const std::string& flags, bool shared) {
    write_text(folder_ / "driver.cc", kDriver);
    write_text(folder_ / "shapes.cc", kProgram);
    std::string make = "cd " + (folder_ / "") + " && " + compiler + " " + flags +
                       " -std=c++20 -fsanitize=thread -c shapes.cc -o shapes.o && " + compiler +
                       " " + flags + " -c driver.cc -o driver.o && " + compiler + " " + flags;
    make += shared ? " -shared shapes.o -o libshapes.so && " + compiler +
                         " -rdynamic driver.o -L. -lshapes -Wl,-rpath,'$ORIGIN' -o shapes"
                   : " driver.o shapes.o -o shapes";
    built_ = run_lines("(" + make + ") 2>&1 || echo failed");
    if (!built_.empty()) return;
    for (const std::string& line : run_lines(folder_ / "shapes")) read(line);
  }

  // Empty if it could be built.
  std::string problems() const {
    std::string text;
    for (const std::string& line : built_) text += line + "\n";
    return text;
  }
  std::string program() const { return folder_ / "shapes"; }
  uint64_t mark(const std::string& name) const { return marks_.at(name); }
  const std::map<std::string, uint64_t>& variables() const { return variables_; }
  struct Local {
    std::string name;
    uint64_t address;
    std::vector<uint64_t> pcs;
    std::vector<uint64_t> sps;
  };
  const std::vector<Local>& locals() const { return locals_; }
  wire::Region* region() { return builder_.region(); }
  Modules modules() { return builder_.modules(); }

 private:
  void read(const std::string& line) {
    std::istringstream in(line);
    std::string kind;
    std::string name;
    uint64_t address = 0;
    in >> kind;
    if (kind == "module") {
      uint64_t begin = 0;
      uint64_t end = 0;
      in >> std::hex >> address >> begin >> end >> name;
      if (name == "/proc/self/exe") name = program();
      builder_.add_module(address, begin, end, name);
    } else if (kind == "local") {
      in >> name >> std::hex >> address;
      locals_.push_back({name, address, {}, {}});
    } else if (kind == "frame") {
      uint64_t sp = 0;
      in >> std::hex >> address >> sp;
      locals_.back().pcs.push_back(address);
      locals_.back().sps.push_back(sp);
    } else {
      in >> name >> std::hex >> address;
      (kind == "mark" ? marks_ : variables_)[name] = address;
    }
  }

  TemporaryDirectory folder_;
  std::vector<std::string> built_;
  std::map<std::string, uint64_t> marks_;
  std::map<std::string, uint64_t> variables_;
  std::vector<Local> locals_;
  RegionBuilder builder_;
};

bool has_compiler(const std::string& name) {
  return run_lines("command -v " + name + " 2> /dev/null").size() == 1;
}

std::string show(const CallStack& stack) {
  std::string text;
  for (const Place& place : stack) {
    text +=
        "  " + place.function + " " + short_place(place) + (place.system ? " (system)" : "") + "\n";
  }
  return text;
}

const Place* find_function(const CallStack& stack, const std::string& name) {
  for (const Place& place : stack) {
    if (place.function == name) return &place;
  }
  return nullptr;
}

class SymbolsOfBuild : public testing::TestWithParam<Build> {};

TEST_P(SymbolsOfBuild, FindsLinesFunctionsAndVariables) {
  const Build& build = GetParam();
  if (!has_compiler(build.compiler)) GTEST_SKIP() << build.compiler << " is not installed";
  Ran ran(build.compiler, build.flags, build.shared);
  ASSERT_EQ(ran.problems(), "");
  Symbols symbols(ran.modules());
  std::string source = kProgram;
  bool optimised = std::string(build.flags).find("-O0") == std::string::npos;
  auto expect_user = [&](const std::string& mark, const std::string& function) {
    CallStack stack = symbols.places(ran.mark(mark));
    const Place* place = user_place(stack);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->function, function) << show(stack);
    EXPECT_EQ(place->line, line_of(source, "line of " + mark)) << show(stack);
    EXPECT_EQ(file_name(place->file), "shapes.cc");
    EXPECT_FALSE(place->system);
    EXPECT_EQ(place->module, build.shared ? "libshapes.so" : "shapes");
  };
  expect_user("eat", "Philosopher::eat()");
  expect_user("secret", "secret()");
  expect_user("lambda", "run::{lambda}");

  // The library's fetch_add, inlined into deposit, inlined into plain_c.
  expect_user("atomic", "deposit()");
  CallStack stack = symbols.places(ran.mark("atomic"));
  ASSERT_EQ(stack.size(), 3u) << show(stack);
  EXPECT_EQ(stack[0].function, "std::__atomic_base::fetch_add()");
  EXPECT_TRUE(stack[0].system);
  EXPECT_EQ(stack[2].function, "plain_c()");
  EXPECT_EQ(stack[2].line, line_of(source, "line of deposit"));

  // Optimised, the lambda is inlined into the library's for_each, and that into run.
  stack = symbols.places(ran.mark("lambda"));
  if (optimised) {
    ASSERT_NE(find_function(stack, "std::for_each()"), nullptr) << show(stack);
    EXPECT_TRUE(find_function(stack, "std::for_each()")->system);
    ASSERT_NE(find_function(stack, "run()"), nullptr) << show(stack);
    EXPECT_EQ(find_function(stack, "run()")->line, line_of(source, "line of for_each"));
  }

  EXPECT_EQ(ran.variables().size(), 9u);
  for (const auto& [name, address] : ran.variables()) EXPECT_EQ(symbols.variable(address), name);
  uint64_t first = ran.variables().at("accounts[0].id");
  EXPECT_EQ(symbols.variable_name(first, Aim::whole), "accounts[0]");
  EXPECT_EQ(ran.locals().size(), 6u);  // three calls of look_up, with two each
  for (const Ran::Local& local : ran.locals()) {
    EXPECT_EQ(symbols.variable(local.address), "") << local.name;
    EXPECT_EQ(symbols.local_variable(local.address, Aim::part, local.pcs, local.sps), local.name);
  }
}

// PIE and not, all levels, both compilers; DWARF 4 and compressed sections once each.
INSTANTIATE_TEST_SUITE_P(
    All, SymbolsOfBuild,
    testing::Values(Build{"gcc_O0", "g++", "-g -O0", false},
                    Build{"gcc_O1", "g++", "-g -O1", false},
                    Build{"gcc_O2_no_pie", "g++", "-g -O2 -fno-pie -no-pie", false},
                    Build{"gcc_O2_shared", "g++", "-g -O2 -fPIC", true},
                    Build{"gcc_O3_dwarf4_compressed", "g++", "-g -gdwarf-4 -gz -O3", false},
                    Build{"gcc_O2_split", "g++", "-g -gsplit-dwarf -O2", false},
                    Build{"clang_O0", "clang++", "-g -O0", false},
                    Build{"clang_O1", "clang++",
                          "-g -O1 -Wno-unused-command-line-argument -fPIE -pie", false},
                    Build{"clang_O2_no_pie", "clang++",
                          "-g -O2 -Wno-unused-command-line-argument -fno-pie -no-pie", false},
                    Build{"clang_O2_shared", "clang++", "-g -O2 -fPIC", true}),
    [](const auto& build) { return std::string(build.param.name); });

TEST(Symbols, AgreeWithAddr2line) {
  Ran ran("g++", "-g -O2 -no-pie -fno-pie", false);
  ASSERT_EQ(ran.problems(), "");
  Symbols symbols(ran.modules());
  for (const char* mark : {"eat", "secret", "lambda", "atomic"}) {
    char address[32];
    std::snprintf(address, sizeof address, " 0x%lx",
                  static_cast<unsigned long>(ran.mark(mark) - 1));
    std::vector<std::string> lines = run_lines("addr2line -i -s -e " + ran.program() + address);
    CallStack stack = symbols.places(ran.mark(mark));
    ASSERT_EQ(lines.size(), stack.size()) << show(stack);
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].substr(0, lines[i].find(' ')), short_place(stack[i])) << mark;
    }
  }
}

TEST(Symbols, WithoutDebugInformationTheSymbolTableNamesFunctions) {
  Ran ran("g++", "-O1", false);
  ASSERT_EQ(ran.problems(), "");
  Symbols symbols(ran.modules());
  CallStack stack = symbols.places(ran.mark("eat"));
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].function, "Philosopher::eat()");
  EXPECT_EQ(stack[0].file, "");
  EXPECT_FALSE(stack[0].system);
  EXPECT_TRUE(short_place(stack[0]).starts_with("shapes+0x")) << short_place(stack[0]);
  uint64_t address = ran.variables().at("accounts[2].balance");
  // Two accounts of 32 bytes, and the 4 bytes of the third one's id.
  EXPECT_EQ(symbols.variable(address), "accounts+68");
}

TEST(Symbols, StrippedProgramYieldsModuleAndOffset) {
  Ran ran("g++", "-O1 -s", false);
  ASSERT_EQ(ran.problems(), "");
  Symbols symbols(ran.modules());
  CallStack stack = symbols.places(ran.mark("eat"));
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].function, "");
  EXPECT_TRUE(short_place(stack[0]).starts_with("shapes+0x")) << short_place(stack[0]);
  EXPECT_TRUE(symbols.variable(ran.variables().at("calls")).starts_with("shapes+0x"));
}

TEST(Symbols, ReadsNoLinesFromAnotherBuild) {
  Ran ran("g++", "-g -O1", false);
  ASSERT_EQ(ran.problems(), "");
  wire::Module& module = ran.region()->modules[0];
  module.build_id_size = 20;
  module.build_id[0] = 1;  // not the one of the file
  CallStack stack = Symbols(ran.modules()).places(ran.mark("eat"));
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].line, 0);
  EXPECT_TRUE(short_place(stack[0]).starts_with("shapes+0x"));
}

TEST(Symbols, ExactAddressesAreNotMovedIntoTheCall) {
  Ran ran("g++", "-g -O0", false);
  ASSERT_EQ(ran.problems(), "");
  Symbols symbols(ran.modules());
  // The instruction after the call of mark: the call itself ends one byte before it.
  uint64_t pc = ran.mark("eat");
  EXPECT_EQ(symbols.places(pc - 1, true)[0].line, symbols.places(pc)[0].line);
  wire::Stack stack{};
  stack.count = 2;
  stack.pc[0] = stack.pc[1] = pc;
  EXPECT_EQ(symbols.stack(stack, true).back().line, line_of(kProgram, "line of eat"));
}

TEST(Symbols, SurvivesGarbage) {
  RegionBuilder builder;
  builder.add_module(0, 0x1000, 0x2000, "/nonexistent/program");
  builder.add_module(~uint64_t{0}, 0x3000, 0x4000, "/etc/passwd");  // not an ELF file
  builder.add_module(0, 0x5000, 0x6000, "/");
  builder.add_module(0, 9, 3, "/bin/true");
  std::memset(builder.add_module(0, 0x7000, 0x8000, "")->path, 'x', sizeof(wire::Module::path));
  builder.region()->module_count = 0xffffffff;
  Symbols symbols(builder.modules());
  for (uint64_t pc : {uint64_t{0}, uint64_t{1}, uint64_t{0x1100}, uint64_t{0x3100},
                      uint64_t{0x5100}, uint64_t{0x7100}, ~uint64_t{0}}) {
    EXPECT_EQ(symbols.places(pc).size(), 1u);
    symbols.variable(pc);
  }
  EXPECT_EQ(short_place(symbols.places(0x1100)[0]), "program+0x1100");
  EXPECT_EQ(short_place(symbols.places(0x99)[0]), "0x99");
  wire::Stack stack{};
  stack.count = 0xffffffff;
  EXPECT_EQ(symbols.stack(stack).size(), wire::kFrames);
}

TEST(Symbols, SystemFilesAndModules) {
  EXPECT_TRUE(is_system_file("/usr/include/c++/12/bits/atomic_base.h"));
  EXPECT_TRUE(is_system_file("/usr/lib/gcc/x86_64-linux-gnu/12/include/xmmintrin.h"));
  EXPECT_TRUE(is_system_file("/opt/gcc-13/include/c++/13/mutex"));
  EXPECT_TRUE(is_system_file("/home/ada/heddle/include/heddle/heddle.h"));
  EXPECT_FALSE(is_system_file("/home/ada/queue/include/queue.h"));
  EXPECT_FALSE(is_system_file(""));
  EXPECT_TRUE(is_system_module("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(is_system_module("/home/ada/heddle/lib/libheddle.so.0"));
  EXPECT_FALSE(is_system_module("/home/ada/queue_test"));
}

}  // namespace
}  // namespace heddle::symbols
