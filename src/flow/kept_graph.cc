#include "flow/kept_graph.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "base/bytes.h"

namespace heddle::flow {
namespace {

namespace fs = std::filesystem;

// Raise it with every change to what a graph is, or to how code is read.
constexpr uint32_t kFormat = 2;
constexpr char kMagic[8] = {'h', 'e', 'd', 'd', 'l', 'e', 'c', 'f'};
constexpr char kSuffix[] = ".heddle-flow";

struct Header {
  char magic[8];
  uint32_t format;
  uint32_t reserved;
  uint64_t content;   // of GraphKey
  uint64_t size;      // of what follows, once it is unpacked
  uint64_t checksum;  // of what follows, as it is in the file
};

class ToString : public ByteWriter {
 public:
  void write(const void* bytes, uint64_t count) override {
    if (count != 0) text.append(static_cast<const char*>(bytes), count);
  }
  std::string text;
};

class FromString : public ByteReader {
 public:
  explicit FromString(const std::string& text) : text_(text) {}
  void read(void* bytes, uint64_t count) override {
    check(count <= left());
    if (count != 0) std::memcpy(bytes, text_.data() + done_, count);
    done_ += count;
  }
  uint64_t left() const override { return text_.size() - done_; }
  [[noreturn]] void damaged() const override { throw std::out_of_range("a kept graph"); }

 private:
  const std::string& text_;
  uint64_t done_ = 0;
};

std::string as_bytes(const Graph& graph) {
  ToString out;
  out.put(graph.starts.base);
  out.put_all(graph.starts.words);
  out.put_all(graph.begin);
  out.put_all(graph.end);
  out.put_all(graph.flags);
  out.put_all(graph.first);
  out.put_all(graph.edges);
  out.put_all(graph.entries);
  return std::move(out.text);
}

Graph from_bytes(const std::string& bytes) {
  FromString in(bytes);
  Graph graph;
  in.get(&graph.starts.base);
  graph.starts.words = in.get_all<std::decay_t<decltype(graph.starts.words)>::value_type>();
  graph.begin = in.get_all<std::decay_t<decltype(graph.begin)>::value_type>();
  graph.end = in.get_all<std::decay_t<decltype(graph.end)>::value_type>();
  graph.flags = in.get_all<std::decay_t<decltype(graph.flags)>::value_type>();
  graph.first = in.get_all<std::decay_t<decltype(graph.first)>::value_type>();
  graph.edges = in.get_all<std::decay_t<decltype(graph.edges)>::value_type>();
  graph.entries = in.get_all<std::decay_t<decltype(graph.entries)>::value_type>();
  return graph;
}

bool is_sound(const Graph& graph) {
  if (graph.begin.size() != graph.end.size() || graph.begin.size() > graph.nodes() ||
      graph.first.size() != graph.nodes() + 1 || graph.first.back() != graph.edges.size() ||
      !std::is_sorted(graph.first.begin(), graph.first.end())) {
    return false;
  }
  for (size_t i = 0; i < graph.blocks(); ++i) {
    if (graph.begin[i] < graph.starts.base || graph.end[i] < graph.begin[i] ||
        graph.end[i] > graph.starts.end()) {
      return false;
    }
  }
  return std::all_of(graph.edges.begin(), graph.edges.end(),
                     [&](const Edge& edge) { return edge.to < graph.nodes(); }) &&
         std::all_of(graph.entries.begin(), graph.entries.end(),
                     [&](uint32_t entry) { return entry < graph.blocks(); });
}

std::string packed(const GraphKey& key, const Graph& graph) {
  std::string bytes = as_bytes(graph);
  std::string result(sizeof(Header) + ZSTD_compressBound(bytes.size()), '\0');
  size_t size = ZSTD_compress(result.data() + sizeof(Header), result.size() - sizeof(Header),
                              bytes.data(), bytes.size(), 1);
  if (ZSTD_isError(size)) return "";
  result.resize(sizeof(Header) + size);
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.format = kFormat;
  header.content = key.content;
  header.size = bytes.size();
  header.checksum = XXH3_64bits(result.data() + sizeof header, size);
  std::memcpy(result.data(), &header, sizeof header);
  return result;
}

std::optional<Graph> unpacked(const GraphKey& key, const std::string& file) {
  constexpr uint64_t kMaxSize = uint64_t{1} << 34;
  Header header;
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  const char* rest = file.data() + sizeof header;
  size_t size = file.size() - sizeof header;
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.format != kFormat ||
      header.content != key.content || header.size > kMaxSize ||
      header.checksum != XXH3_64bits(rest, size)) {
    return std::nullopt;
  }
  std::string bytes(header.size, '\0');
  if (ZSTD_decompress(bytes.data(), bytes.size(), rest, size) != bytes.size()) return std::nullopt;
  try {
    Graph graph = from_bytes(bytes);
    if (is_sound(graph)) return graph;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

// The user's, or nothing.
std::optional<fs::path> cache_directory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return fs::path(cache) / "heddle";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return fs::path(home) / ".cache" / "heddle";
  return std::nullopt;
}

fs::path folder_of(const GraphKey& key) {
  fs::path folder = fs::path(key.program).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

std::string name_of(const GraphKey& key) {
  return fs::path(key.program).filename().string() + "." + key.build_id + kSuffix;
}

// Whole or not at all, whoever else writes it now.
bool write_file(const fs::path& path, const std::string& text) {
  std::string temporary = path.string() + ".XXXXXX";
  int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return false;
  bool written = true;
  for (size_t done = 0; written && done < text.size();) {
    ssize_t count = write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    written = count > 0;
    if (written) done += static_cast<size_t>(count);
  }
  // mkostemp lets only the owner read.
  mode_t mask = umask(0);
  umask(mask);
  written = written && fchmod(fd, 0666 & ~mask) == 0;
  close(fd);
  if (written && rename(temporary.c_str(), path.c_str()) == 0) return true;
  unlink(temporary.c_str());
  return false;
}

void remove_earlier(const GraphKey& key, const fs::path& folder) {
  std::string start = fs::path(key.program).filename().string() + ".";
  std::error_code error;
  std::vector<fs::path> earlier;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name == name_of(key) || !name.starts_with(start) || !name.ends_with(kSuffix)) continue;
    std::string id = name.substr(start.size(), name.size() - start.size() - std::strlen(kSuffix));
    if (id.find_first_not_of("0123456789abcdef") == std::string::npos)
      earlier.push_back(at->path());
  }
  for (const fs::path& path : earlier) fs::remove(path, error);
}

}  // namespace

std::optional<Graph> find_kept_graph(const GraphKey& key) {
  if (key.build_id.empty()) return std::nullopt;
  std::vector<fs::path> folders{folder_of(key)};
  if (auto cache = cache_directory()) folders.push_back(*cache);
  for (const fs::path& folder : folders) {
    std::ifstream file(folder / name_of(key), std::ios::binary);
    if (!file) continue;
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (auto graph = unpacked(key, text)) return graph;
  }
  return std::nullopt;
}

void keep_graph(const GraphKey& key, const Graph& graph) {
  if (key.build_id.empty()) return;
  std::string text = packed(key, graph);
  if (text.empty()) return;
  if (write_file(folder_of(key) / name_of(key), text)) {
    remove_earlier(key, folder_of(key));
    return;
  }
  auto cache = cache_directory();
  if (!cache) return;
  std::error_code error;
  fs::create_directories(*cache, error);
  if (!error) write_file(*cache / name_of(key), text);
}

}  // namespace heddle::flow
