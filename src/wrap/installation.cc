// Finds the installation from /proc/self/exe: see installation.h.
#include "wrap/installation.h"

#include <filesystem>

#include "wrap/assembler.h"

namespace heddle::wrap {

namespace fs = std::filesystem;

Installation find_installation() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = executable.parent_path().parent_path();
  const fs::path lib = prefix / "lib";
  const fs::path engine = lib / "libheddle-engine.so";
  const fs::path include = prefix / "include";

  Installation found;
  found.library_dir = lib;
  found.runtime = lib / "libheddle.so";
  found.specs = lib / "heddle" / "gcc.specs";
  if (fs::exists(lib / "heddle" / "heddle-as", error) && !find_assembler().empty())
    found.assembler = lib / "heddle" / "heddle-";
  if (fs::exists(engine, error)) found.engine = engine;
  // A directory that does not exist would be reported under -Wmissing-include-dirs.
  if (fs::exists(include / "heddle", error)) found.include = include;
  return found;
}

}  // namespace heddle::wrap
