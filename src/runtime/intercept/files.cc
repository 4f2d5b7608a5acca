// The file system by path, directories, and calls that open a file: see detect/outside.h. Some of
// them have the kernel write into the program's memory: see isolate/kernel_writes.cc.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>

#include "runtime/before.h"
#include "runtime/intercept/open_files.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"

namespace heddle::runtime {

namespace {

enum class Makes : uint8_t { nothing, descriptor };
enum class Contents : uint8_t { untouched, touched };  // what the file holds is looked at, or cut

// By the path that is argument `number`, if that is not negative.
void touch_path(const Call& call, int number, bool changes_it, Makes makes = Makes::nothing,
                Contents contents = Contents::untouched) {
  Touches touches;
  if (number >= 0) touches.add_path(call.text(number));
  touches.add({&file_system, changes_it});
  if (contents == Contents::touched) touches.add(changes(&all_contents));
  if (makes == Makes::descriptor && changes_it) {  // which may cut the file
    OutsideCell* cut = number >= 0 ? contents_of(call.text(number)) : nullptr;
    if (cut != nullptr) touches.add({cut, true, true, false});
    touches.add({&all_contents, true, false, true});
  }
  if (makes == Makes::descriptor) touches.add(changes(&descriptor_table));
  touches.touch(call.pc);
  if (makes == Makes::descriptor) next_number_given();
}

// … whose directory is the argument before.
void touch_path_at(const Call& call, int number, bool changes_it, Makes makes = Makes::nothing,
                   Contents contents = Contents::untouched) {
  bool from_working_directory = call.integer(number - 1) == AT_FDCWD;
  touch_path(call, from_working_directory ? number : -1, changes_it, makes, contents);
}

bool may_change(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }
bool may_change(const char* mode) { return mode != nullptr && mode[0] != 'r'; }

}  // namespace

}  // namespace heddle::runtime

using namespace heddle::runtime;

// The working directory.

HEDDLE_LOOK(heddle_chdir) {
  touch_outside({changes(&working_directory), reads(&file_system)}, call.pc);
  note_directory();
}
HEDDLE_LOOK(heddle_getcwd) {
  touch_outside({reads(&working_directory), reads(&file_system)}, call.pc);
  snapshot_open();
}

HEDDLE_BEFORE(chdir, heddle_chdir)
HEDDLE_BEFORE(fchdir, heddle_chdir)
HEDDLE_BEFORE(getcwd, heddle_getcwd)
HEDDLE_BEFORE(__getcwd_chk, heddle_getcwd)
HEDDLE_BEFORE(get_current_dir_name, heddle_getcwd)

// Files that change, and have no descriptor.

HEDDLE_LOOK(heddle_changes_path) { touch_path(call, 0, true); }
HEDDLE_LOOK(heddle_changes_path_at) { touch_path_at(call, 1, true); }
HEDDLE_LOOK(heddle_truncate) { touch_path(call, 0, true, Makes::nothing, Contents::touched); }
HEDDLE_LOOK(heddle_symlink) { touch_path(call, 1, true); }
HEDDLE_LOOK(heddle_symlinkat) { touch_path_at(call, 2, true); }
HEDDLE_LOOK(heddle_changes_paths) {
  Touches touches;
  touches.add_path(call.text(0));
  touches.add_path(call.text(1));
  touches.add(changes(&file_system));
  touches.touch(call.pc);
}
HEDDLE_LOOK(heddle_changes_paths_at) {
  Touches touches;
  if (call.integer(0) == AT_FDCWD) touches.add_path(call.text(1));
  if (call.integer(2) == AT_FDCWD) touches.add_path(call.text(3));
  touches.add(changes(&file_system));
  touches.touch(call.pc);
}

HEDDLE_BEFORE(unlink, heddle_changes_path)
HEDDLE_BEFORE(remove, heddle_changes_path)
HEDDLE_BEFORE(mkdir, heddle_changes_path)
HEDDLE_BEFORE(rmdir, heddle_changes_path)
HEDDLE_BEFORE(truncate, heddle_truncate)
HEDDLE_BEFORE(truncate64, heddle_truncate)
HEDDLE_BEFORE(mkdtemp, heddle_changes_path)
HEDDLE_BEFORE(mkfifo, heddle_changes_path)
HEDDLE_BEFORE(mknod, heddle_changes_path)
HEDDLE_BEFORE(chmod, heddle_changes_path)
HEDDLE_BEFORE(chown, heddle_changes_path)
HEDDLE_BEFORE(lchown, heddle_changes_path)
HEDDLE_BEFORE(utime, heddle_changes_path)
HEDDLE_BEFORE(utimes, heddle_changes_path)
HEDDLE_BEFORE(shm_unlink, heddle_changes_path)
HEDDLE_BEFORE(unlinkat, heddle_changes_path_at)
HEDDLE_BEFORE(mkdirat, heddle_changes_path_at)
HEDDLE_BEFORE(mkfifoat, heddle_changes_path_at)
HEDDLE_BEFORE(mknodat, heddle_changes_path_at)
HEDDLE_BEFORE(fchmodat, heddle_changes_path_at)
HEDDLE_BEFORE(fchownat, heddle_changes_path_at)
HEDDLE_BEFORE(utimensat, heddle_changes_path_at)
HEDDLE_BEFORE(symlink, heddle_symlink)
HEDDLE_BEFORE(symlinkat, heddle_symlinkat)
HEDDLE_BEFORE(rename, heddle_changes_paths)
HEDDLE_BEFORE(link, heddle_changes_paths)
HEDDLE_BEFORE(renameat, heddle_changes_paths_at)
HEDDLE_BEFORE(renameat2, heddle_changes_paths_at)
HEDDLE_BEFORE(linkat, heddle_changes_paths_at)

// Files that are looked at. Where it says "gets", the kernel writes what it has found.

HEDDLE_LOOK(heddle_reads_path) { touch_path(call, 0, false); }
HEDDLE_LOOK(heddle_reads_path_at) { touch_path_at(call, 1, false); }
HEDDLE_LOOK(heddle_gets_path) {
  touch_path(call, 0, false, Makes::nothing, Contents::touched);
  snapshot_open();
}
HEDDLE_LOOK(heddle_gets_path_at) {
  touch_path_at(call, 1, false, Makes::nothing, Contents::touched);
  snapshot_open();
}

HEDDLE_BEFORE(access, heddle_reads_path)
HEDDLE_BEFORE(eaccess, heddle_reads_path)
HEDDLE_BEFORE(euidaccess, heddle_reads_path)
HEDDLE_BEFORE(stat, heddle_gets_path)
HEDDLE_BEFORE(stat64, heddle_gets_path)
HEDDLE_BEFORE(lstat, heddle_gets_path)
HEDDLE_BEFORE(lstat64, heddle_gets_path)
HEDDLE_BEFORE(statfs, heddle_gets_path)
HEDDLE_BEFORE(statfs64, heddle_gets_path)
HEDDLE_BEFORE(statvfs, heddle_gets_path)
HEDDLE_BEFORE(statvfs64, heddle_gets_path)
HEDDLE_BEFORE(getxattr, heddle_gets_path)
HEDDLE_BEFORE(listxattr, heddle_gets_path)
HEDDLE_BEFORE(readlink, heddle_gets_path)
HEDDLE_BEFORE(__readlink_chk, heddle_gets_path)
HEDDLE_BEFORE(realpath, heddle_reads_path)
HEDDLE_BEFORE(__realpath_chk, heddle_reads_path)
HEDDLE_BEFORE(canonicalize_file_name, heddle_reads_path)
HEDDLE_BEFORE(scandir, heddle_reads_path)
HEDDLE_BEFORE(scandir64, heddle_reads_path)
HEDDLE_BEFORE(ftw, heddle_reads_path)
HEDDLE_BEFORE(ftw64, heddle_reads_path)
HEDDLE_BEFORE(nftw, heddle_reads_path)
HEDDLE_BEFORE(nftw64, heddle_reads_path)
HEDDLE_BEFORE(glob, heddle_reads_path)
HEDDLE_BEFORE(glob64, heddle_reads_path)
HEDDLE_BEFORE(faccessat, heddle_reads_path_at)
HEDDLE_BEFORE(fstatat, heddle_gets_path_at)
HEDDLE_BEFORE(fstatat64, heddle_gets_path_at)
HEDDLE_BEFORE(statx, heddle_gets_path_at)
HEDDLE_BEFORE(readlinkat, heddle_gets_path_at)
HEDDLE_BEFORE(__readlinkat_chk, heddle_gets_path_at)

// Files that are opened.

#define HEDDLE_OPENS(name, look) HEDDLE_BEFORE_AND(name, look, HEDDLE_NOTE_DESCRIPTORS)

HEDDLE_LOOK(heddle_open) { touch_path(call, 0, may_change(call.integer(1)), Makes::descriptor); }
HEDDLE_LOOK(heddle_openat) {
  touch_path_at(call, 1, may_change(call.integer(2)), Makes::descriptor);
}
HEDDLE_LOOK(heddle_creat) { touch_path(call, 0, true, Makes::descriptor); }
HEDDLE_LOOK(heddle_tmpfile) { touch_path(call, -1, true, Makes::descriptor); }
HEDDLE_LOOK(heddle_shm_open) {
  touch_path(call, -1, may_change(call.integer(1)), Makes::descriptor);
}
HEDDLE_LOOK(heddle_fopen) { touch_path(call, 0, may_change(call.text(1)), Makes::descriptor); }
HEDDLE_LOOK(heddle_opendir) { touch_path(call, 0, false, Makes::descriptor); }
HEDDLE_LOOK(heddle_new_descriptor) {
  touch_new_descriptor(call.pc);
  next_number_given();
}
HEDDLE_LOOK(heddle_freopen) {
  int fd = fileno_unlocked(call.pointer<FILE>(2));
  Touches touches;
  touches.add_path(call.text(0));
  touches.add(changes(&file_system));
  touches.add(changes(&descriptor_table));
  if (fd >= 0) touches.add_file(fd, true, true);  // what is still in the buffer
  touches.touch(call.pc);
}

HEDDLE_OPENS(open, heddle_open)
HEDDLE_OPENS(open64, heddle_open)
HEDDLE_OPENS(__open_2, heddle_open)
HEDDLE_OPENS(__open64_2, heddle_open)
HEDDLE_OPENS(openat, heddle_openat)
HEDDLE_OPENS(openat64, heddle_openat)
HEDDLE_OPENS(__openat_2, heddle_openat)
HEDDLE_OPENS(__openat64_2, heddle_openat)
HEDDLE_OPENS(creat, heddle_creat)
HEDDLE_OPENS(creat64, heddle_creat)
HEDDLE_OPENS(mkstemp, heddle_creat)
HEDDLE_OPENS(mkstemp64, heddle_creat)
HEDDLE_OPENS(mkstemps, heddle_creat)
HEDDLE_OPENS(mkstemps64, heddle_creat)
HEDDLE_OPENS(mkostemp, heddle_creat)
HEDDLE_OPENS(mkostemp64, heddle_creat)
HEDDLE_OPENS(mkostemps, heddle_creat)
HEDDLE_OPENS(mkostemps64, heddle_creat)
HEDDLE_OPENS(tmpfile, heddle_tmpfile)
HEDDLE_OPENS(tmpfile64, heddle_tmpfile)
HEDDLE_OPENS(shm_open, heddle_shm_open)
HEDDLE_OPENS(fopen, heddle_fopen)
HEDDLE_OPENS(fopen64, heddle_fopen)
HEDDLE_OPENS(freopen, heddle_freopen)
HEDDLE_OPENS(freopen64, heddle_freopen)
HEDDLE_OPENS(opendir, heddle_opendir)
HEDDLE_OPENS(signalfd, heddle_new_descriptor)
HEDDLE_OPENS(inotify_init, heddle_new_descriptor)
HEDDLE_OPENS(inotify_init1, heddle_new_descriptor)
HEDDLE_OPENS(memfd_create, heddle_new_descriptor)

// Directories that are open.

HEDDLE_LOOK(heddle_readdir) {
  if (auto* directory = call.pointer<DIR>(0)) touch_read(dirfd(directory), call.pc);
}
HEDDLE_LOOK(heddle_readdir_r) {
  heddle_readdir(call);
  snapshot_open();
}
HEDDLE_LOOK(heddle_closedir) {
  auto* directory = call.pointer<DIR>(0);
  if (directory == nullptr) return;
  touch_close(dirfd(directory), call.pc);
  number_given_back(dirfd(directory));
}
HEDDLE_LOOK(heddle_fdopendir) { touch_read_at(call.integer(0), call.pc); }

HEDDLE_BEFORE(readdir, heddle_readdir)
HEDDLE_BEFORE(readdir64, heddle_readdir)
HEDDLE_BEFORE(readdir_r, heddle_readdir_r)
HEDDLE_BEFORE(readdir64_r, heddle_readdir_r)
HEDDLE_BEFORE(rewinddir, heddle_readdir)
HEDDLE_BEFORE(seekdir, heddle_readdir)
HEDDLE_BEFORE(telldir, heddle_readdir)
HEDDLE_BEFORE(closedir, heddle_closedir)
HEDDLE_OPENS(fdopendir, heddle_fdopendir)
