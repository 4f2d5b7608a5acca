#include "session/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace heddle::session {

namespace {

namespace fs = std::filesystem;

// An open ELF file; `elf` is null if it is none.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (fd_ >= 0) elf = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
    if (elf != nullptr && elf_kind(elf) != ELF_K_ELF) {
      elf_end(elf);
      elf = nullptr;
    }
  }
  ~ElfFile() {
    if (elf != nullptr) elf_end(elf);
    if (fd_ >= 0) close(fd_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool readable() const { return fd_ >= 0; }

  std::optional<GElf_Phdr> segment(GElf_Word type) const {
    size_t count = 0;
    GElf_Phdr header;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; ++i) {
      if (gelf_getphdr(elf, int(i), &header) != nullptr && header.p_type == type) return header;
    }
    return std::nullopt;
  }

  // The names of the shared libraries that it was linked to.
  std::vector<std::string> libraries() const {
    std::vector<std::string> names;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      GElf_Dyn entry;
      for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
        if (entry.d_tag != DT_NEEDED) continue;
        const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
        if (name != nullptr) names.emplace_back(name);
      }
    }
    return names;
  }

  // It was linked by the wrappers.
  bool has_runtime() const {
    std::vector<std::string> names = libraries();
    return std::ranges::any_of(
        names, [](const std::string& name) { return name.starts_with("libheddle.so"); });
  }

  // Something of it was compiled by them: each file of that calls this when it is loaded.
  bool has_hooks() const {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      GElf_Sym symbol;
      for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != nullptr && std::string_view(name) == "__tsan_init") return true;
      }
    }
    return false;
  }

  std::string build_id() const {
    size_t count = 0;
    GElf_Phdr segment_header;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; ++i) {
      if (gelf_getphdr(elf, int(i), &segment_header) == nullptr ||
          segment_header.p_type != PT_NOTE) {
        continue;
      }
      Elf_Data* data =
          elf_getdata_rawchunk(elf, int64_t(segment_header.p_offset), segment_header.p_filesz,
                               segment_header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
      if (data == nullptr) continue;
      GElf_Nhdr note;
      size_t name = 0;
      size_t content = 0;
      for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &content)) > 0;) {
        const char* bytes = static_cast<const char*>(data->d_buf);
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
            memcmp(bytes + name, "GNU", 4) != 0) {
          continue;
        }
        std::string text;
        for (size_t k = 0; k < note.n_descsz; ++k) {
          text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[content + k]));
        }
        return text;
      }
    }
    return {};
  }

  // The strings of a section, each with its end.
  std::vector<std::string> strings(std::string_view name) const {
    std::vector<std::string> found;
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return found;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* own = elf_strptr(elf, names, header.sh_name);
      if (own == nullptr || own != name) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      std::string_view rest(static_cast<const char*>(data->d_buf), data->d_size);
      for (size_t end; (end = rest.find('\0')) != std::string_view::npos;) {
        if (end > 0) found.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end + 1);
      }
    }
    return found;
  }

  Elf* elf = nullptr;

 private:
  int fd_;
};

bool is_file(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void refuse_source(const std::string& name) {
  fs::path path(name);
  std::string ending = path.extension();
  bool is_c = ending == ".c";
  if (!is_c && ending != ".cc" && ending != ".cpp" && ending != ".cxx") return;
  std::string program = path.stem();
  throw UserError(fmt::format(
      "{} is a source; build it first: heddle-{} -O1 -g {} -o {}; then type: heddle run ./{}", name,
      is_c ? "cc" : "c++", name, program, program));
}

std::string locate(const std::string& name) {
  if (is_file(name) && access(name.c_str(), X_OK) != 0) refuse_source(name);
  if (name.find('/') != std::string::npos) {
    if (access(name.c_str(), F_OK) == 0) return name;
    throw UserError(fmt::format("there is no program {}", name));
  }
  std::string found = find_on_path(name);
  if (!found.empty()) return found;
  if (is_file(name)) {
    throw UserError(
        fmt::format("there is no program '{}' on the PATH; type ./{} for the one in this "
                    "directory",
                    name, name));
  }
  throw UserError(
      fmt::format("there is no program '{}', neither on the PATH nor in this directory", name));
}

// libheddle.so as it is installed: in lib beside the bin that this command is in.
std::string runtime_library() {
  std::error_code error;
  fs::path executable = fs::read_symlink("/proc/self/exe", error);
  fs::path library = executable.parent_path().parent_path() / "lib" / "libheddle.so";
  if (!fs::exists(library, error)) {
    throw UserError(fmt::format("{} is not there; --uninstrumented needs it", library.string()));
  }
  return fs::canonical(library).string();
}

// True if the program was built with the wrappers.
bool inspect(const std::string& name, const std::string& path, bool uninstrumented,
             const char* verb) {
  if (fs::is_directory(path))
    throw UserError(fmt::format("{} is a directory, not a program", name));
  if (access(path.c_str(), X_OK) != 0) {
    struct statvfs system;
    if (statvfs(path.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0) {
      throw UserError(fmt::format(
          "{} cannot be executed: it is on a file system that is mounted noexec; copy it to "
          "another one",
          name));
    }
    throw UserError(
        fmt::format("{} is not executable; if it is a program, type: chmod +x {}", name, name));
  }
  std::string rebuild =
      fmt::format("e.g. heddle-c++ -O1 -g {}.cc -o {}", fs::path(name).filename().string(), name);
  ElfFile file(path);
  if (!file.readable()) throw UserError(fmt::format("{} cannot be read", name));
  if (file.elf == nullptr) {
    throw UserError(
        fmt::format("{} is not a compiled program (no ELF file); if it is a script, give "
                    "heddle the program that it starts",
                    name));
  }
  if (!file.segment(PT_INTERP).has_value()) {
    throw UserError(
        fmt::format("{} is statically linked, which is unsupported; rebuild it without "
                    "-static: {}",
                    name, rebuild));
  }
  if (file.has_runtime() && !uninstrumented && !file.has_hooks()) {
    throw UserError(fmt::format(
        "{} was linked with heddle-c++, but nothing of it was compiled with that; remove its "
        "object files, and build "
        "it again, {}; or control its library calls alone: heddle {} --uninstrumented {}",
        name, rebuild, verb, name));
  }
  if (file.has_runtime()) return true;
  if (!uninstrumented) {
    throw UserError(fmt::format(
        "{} was not built with heddle-c++; rebuild it, {}; or control its library calls alone: "
        "heddle {} --uninstrumented {}",
        name, rebuild, verb, name));
  }
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
    throw UserError(fmt::format(
        "{} changes its user or group when it starts, and lets nobody in; test a copy of it",
        name));
  }
  return false;
}

}  // namespace

std::string find_on_path(const std::string& name) {
  const char* variable = getenv("PATH");
  std::string rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= rest.size();) {
    size_t end = std::min(rest.find(':', begin), rest.size());
    std::string folder = rest.substr(begin, end - begin);
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (is_file(path) && access(path.c_str(), X_OK) == 0) return path;
    begin = end + 1;
  }
  return {};
}

Program find_program(const std::vector<std::string>& command, bool uninstrumented,
                     const char* verb) {
  if (command.empty() || command[0].empty()) {
    throw UserError(
        fmt::format("no program given; type: heddle {} [OPTIONS] PROGRAM [ARGUMENTS]", verb));
  }
  std::string path = locate(command[0]);
  Program program{fs::absolute(path).lexically_normal().string(), command, ""};
  if (!inspect(command[0], path, uninstrumented, verb)) program.preload = runtime_library();
  return program;
}

std::string build_id_of(const std::string& path) {
  ElfFile file(path);
  return file.elf != nullptr ? file.build_id() : std::string();
}

bool is_instrumented(const std::string& path) {
  ElfFile file(path);
  return file.elf != nullptr && file.has_runtime();
}

std::vector<std::string> assembly_of(const std::string& path) {
  ElfFile file(path);
  return file.elf != nullptr ? file.strings(".heddle.asm") : std::vector<std::string>();
}

}  // namespace heddle::session
