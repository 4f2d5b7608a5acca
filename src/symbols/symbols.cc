#include "symbols/symbols.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/hash.h"
#include "symbols/module_file.h"
#include "symbols/readable_name.h"

namespace heddle::symbols {
namespace {

template <typename Prefixes>
bool starts_with_any(std::string_view text, const Prefixes& prefixes) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace

bool is_system_file(const std::string& path) {
  static constexpr std::string_view kFolders[] = {"/usr/include/", "/usr/lib/",
                                                  "/usr/local/include/", "/usr/lib64/"};
  // Of a compiler that was installed elsewhere, and our own inline functions.
  static constexpr std::string_view kParts[] = {"/include/c++/", "/lib/clang/", "/lib/gcc/"};
  if (starts_with_any(path, kFolders)) return true;
  static constexpr std::string_view kOwn[] = {
      "/heddle/heddle.h", "/heddle/assert.h", "/heddle/scenario.h", "/heddle/yield.h",
      "/heddle/gtest.h",  "/heddle/catch2.h", "/heddle/doctest.h",  "/heddle/framework.h"};
  bool is_own = std::any_of(std::begin(kOwn), std::end(kOwn),
                            [&](std::string_view own) { return path.ends_with(own); });
  if (is_own || path == "<built-in>") return true;
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return path.find(part) != std::string::npos; });
}

bool is_base_module(const std::string& path) {
  static constexpr std::string_view kNames[] = {
      "libheddle",   "libc.so", "libc-",      "libstdc++.so", "libc++.so", "libc++abi.so",
      "libgcc_s.so", "libm.so", "libpthread", "ld-linux",     "linux-vdso"};
  return starts_with_any(file_name(path), kNames);
}

bool is_system_module(const std::string& path) {
  static constexpr std::string_view kFolders[] = {"/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"};
  return starts_with_any(path, kFolders) || is_base_module(path);
}

Symbols::Symbols(const Modules& modules) {
  for (size_t i = 0; i < modules.size(); ++i) {
    const wire::Module& raw = modules[i];
    if (raw.begin >= raw.end) continue;
    Module module{};
    module.base = raw.base;
    module.begin = raw.begin;
    module.end = raw.end;
    module.is_program = i == 0;
    module.instrumented = raw.instrumented == 1;
    module.path.assign(raw.path, strnlen(raw.path, sizeof raw.path));
    module.name = file_name(module.path);
    module.system = is_system_module(module.path);
    module.foreign = !module.is_program && !module.instrumented && !is_base_module(module.path);
    module.build_id.assign(raw.build_id,
                           raw.build_id + std::min<size_t>(raw.build_id_size, sizeof raw.build_id));
    modules_.push_back(std::move(module));
  }
}

Symbols::~Symbols() = default;

Symbols::Module* Symbols::module_of(uint64_t address) {
  for (Module& module : modules_) {
    if (address < module.begin || address >= module.end) continue;
    open(&module);
    return &module;
  }
  return nullptr;
}

ModuleFile* Symbols::open(Module* module) {
  if (!module->opened) {
    module->opened = true;
    module->file = ModuleFile::open(module->path, module->build_id);
  }
  return module->file.get();
}

std::vector<Symbols::Loaded> Symbols::loaded() {
  std::vector<Loaded> all;
  for (Module& module : modules_) {
    if (ModuleFile* file = open(&module)) {
      uint64_t name = module.is_program ? 0 : hash_text(module.name.c_str());
      all.push_back({module.path, name, module.instrumented, module.system, file});
    }
  }
  return all;
}

CallStack Symbols::places(uint64_t pc, bool exact) {
  uint64_t address = exact || pc == 0 ? pc : pc - 1;
  Module* module = module_of(address);
  if (module == nullptr) return {{"", "", 0, "", pc, true, false}};
  if (module->file == nullptr) {
    return {{"", "", 0, module->name, pc - module->base, module->system, module->foreign}};
  }
  CallStack stack = module->file->places(address - module->base);
  for (Place& place : stack) {
    place.offset = pc - module->base;
    place.foreign = module->foreign;
  }
  return stack;
}

CallStack Symbols::stack(const wire::Stack& raw, bool first_is_exact) {
  CallStack result;
  uint32_t count = std::min(raw.count, wire::kFrames);
  for (uint32_t i = 0; i < count; ++i) {
    CallStack frame = places(raw.pc[i], first_is_exact && i == 0);
    // How main and the threads were begun is of no interest.
    if (!result.empty() && frame.front().module.starts_with("libheddle.so")) continue;
    result.insert(result.end(), frame.begin(), frame.end());
  }
  return result;
}

std::string Symbols::local_variable(uint64_t address, Aim aim, std::span<const uint64_t> pcs,
                                    std::span<const uint64_t> sps) {
  for (size_t i = 0; i < pcs.size() && i + 1 < sps.size(); ++i) {
    if (address < sps[i] || address >= sps[i + 1]) continue;
    uint64_t pc = pcs[i] - 1;
    Module* module = module_of(pc);
    if (module == nullptr || module->file == nullptr) return "";
    return module->file->local_variable(pc - module->base, sps[i], sps[i + 1], address, aim);
  }
  return "";
}

std::string Symbols::variable_name(uint64_t address, Aim aim) {
  Module* module = module_of(address);
  if (module == nullptr || module->file == nullptr) return "";
  return module->file->variable(address - module->base, aim);
}

bool Symbols::is_at_top(uint64_t address) {
  Module* module = module_of(address);
  return module != nullptr && module->file != nullptr &&
         module->file->is_at_top(address - module->base);
}

std::string Symbols::variable(uint64_t address) {
  std::string name = variable_name(address, Aim::part);
  Module* module = module_of(address);
  if (!name.empty() || module == nullptr) return name;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx",
                static_cast<unsigned long long>(address - module->base));
  return module->name + offset;
}

}  // namespace heddle::symbols
