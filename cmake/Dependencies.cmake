# Debian 12 packages; `./dev` installs them.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw libelf)
pkg_check_modules(capstone REQUIRED IMPORTED_TARGET capstone)
