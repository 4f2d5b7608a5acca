// The lists behind option_table.h: one sorted by purpose for each question.
#include "wrap/option_table.h"

#include <algorithm>
#include <array>

namespace heddle::wrap {
namespace {

using namespace std::string_view_literals;

template <size_t kSize>
bool contains(const std::array<std::string_view, kSize>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array kTakeNextWord = {
    // both compilers
    "-o"sv, "-x"sv, "-I"sv, "-D"sv, "-U"sv, "-A"sv, "-B"sv, "-L"sv, "-l"sv, "-T"sv, "-u"sv, "-e"sv,
    "-z"sv, "-G"sv, "-F"sv, "-MF"sv, "-MT"sv, "-MQ"sv, "-Xlinker"sv, "-Xassembler"sv,
    "-Xpreprocessor"sv, "-include"sv, "-imacros"sv, "-idirafter"sv, "-iprefix"sv, "-iquote"sv,
    "-isysroot"sv, "-isystem"sv, "-iwithprefix"sv, "-iwithprefixbefore"sv, "-Tbss"sv, "-Tdata"sv,
    "-Ttext"sv, "--param"sv, "--sysroot"sv,
    // GCC
    "-aux-info"sv, "-dumpbase"sv, "-dumpbase-ext"sv, "-dumpdir"sv, "-imultiarch"sv, "-imultilib"sv,
    "-wrapper"sv, "-J"sv,
    // Clang
    "-target"sv, "-arch"sv, "-mllvm"sv, "-Xclang"sv, "-Xanalyzer"sv, "-Xopenmp-target"sv,
    "-Xarch_host"sv, "-Xarch_device"sv, "-Xcuda-fatbinary"sv, "-Xcuda-ptxas"sv, "-MJ"sv, "-rpath"sv,
    "-include-pch"sv, "-ivfsoverlay"sv, "-iframework"sv, "-iframeworkwithsysroot"sv, "-framework"sv,
    "-isystem-after"sv, "-iwithsysroot"sv, "-cxx-isystem"sv, "-stdlib++-isystem"sv,
    "-working-directory"sv, "-resource-dir"sv, "-gcc-toolchain"sv, "-serialize-diagnostics"sv,
    "--serialize-diagnostics"sv, "-dependency-dot"sv, "-dependency-file"sv,
    "-module-dependency-dir"sv, "-fmodules-user-build-path"sv, "-gen-cdb-fragment-path"sv,
    "-mthread-model"sv, "--config"sv, "--analyzer-output"sv,
    // long names of the above
    "--output"sv, "--language"sv, "--include-directory"sv, "--include-directory-after"sv,
    "--include-prefix"sv, "--include-with-prefix"sv, "--include-with-prefix-after"sv,
    "--include-with-prefix-before"sv, "--include"sv, "--imacros"sv, "--define-macro"sv,
    "--undefine-macro"sv, "--assert"sv, "--prefix"sv, "--library-directory"sv, "--for-linker"sv,
    "--for-assembler"sv, "--force-link"sv, "--entry"sv, "--specs"sv, "--dumpbase"sv,
    "--dumpbase-ext"sv, "--dumpdir"sv};

constexpr std::array kStopsBeforeLink = {"-c"sv, "-S"sv, "-E"sv, "-M"sv, "-MM"sv, "-fsyntax-only"sv,
                                         // long names
                                         "--compile"sv, "--assemble"sv, "--preprocess"sv,
                                         "--dependencies"sv, "--user-dependencies"sv,
                                         // Clang
                                         "--precompile"sv, "--analyze"sv, "-emit-ast"sv,
                                         "-verify-pch"sv, "-rewrite-objc"sv, "-extract-api"sv};

constexpr std::array kRelocatable = {"-r"sv, "-i"sv, "-Ur"sv, "--relocatable"sv, "-relocatable"sv};

constexpr std::array kHeaderEndings = {".h"sv,   ".hh"sv,  ".H"sv,   ".hp"sv, ".hxx"sv,
                                       ".hpp"sv, ".HPP"sv, ".h++"sv, ".tcc"sv};

constexpr std::array kAssemblyEndings = {".s"sv, ".S"sv, ".sx"sv};

constexpr std::array kConflictingSanitizers = {
    "address"sv,    "kernel-address"sv, "hwaddress"sv, "kernel-hwaddress"sv,
    "memory"sv,     "kernel-memory"sv,  "leak"sv,      "dataflow"sv,
    "safe-stack"sv, "scudo"sv,          "memtag"sv};

}  // namespace

bool takes_next_word(std::string_view option) { return contains(kTakeNextWord, option); }

bool stops_before_link(std::string_view option) { return contains(kStopsBeforeLink, option); }

bool makes_relocatable(std::string_view linker_option) {
  return contains(kRelocatable, linker_option);
}

bool is_header(std::string_view path, std::string_view language) {
  if (!language.empty()) return language.ends_with("header");
  return std::any_of(kHeaderEndings.begin(), kHeaderEndings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_assembly(std::string_view path, std::string_view language) {
  if (!language.empty()) return language.starts_with("assembler");
  return std::any_of(kAssemblyEndings.begin(), kAssemblyEndings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_conflicting_sanitizer(std::string_view name) {
  return contains(kConflictingSanitizers, name);
}

}  // namespace heddle::wrap
