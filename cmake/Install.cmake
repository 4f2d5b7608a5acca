# The installed copy and the CMake package.
if(NOT TARGET heddle_test)
  return()
endif()

if(TARGET heddle)
  install(TARGETS heddle EXPORT heddleTargets RUNTIME)
  heddle_glob(gdb_sources ${PROJECT_SOURCE_DIR}/src/gdb *.py)
  install(FILES ${gdb_sources} DESTINATION share/heddle)
endif()
if(TARGET heddle-cc)
  install(TARGETS heddle-cc RUNTIME)
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/heddle-c++ TYPE BIN)  # a link, installed as one
  install(FILES ${PROJECT_SOURCE_DIR}/src/wrap/gcc.specs
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle/heddle-as
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)  # a link, too
endif()
install(TARGETS heddle_runtime heddle_engine heddle_test EXPORT heddleTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heddle TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${package_dir})
include(CMakePackageConfigHelpers)
configure_package_config_file(
  cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/package/heddleConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/heddle.pc.in ${PROJECT_BINARY_DIR}/package/heddle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/heddleConfig.cmake
              ${PROJECT_BINARY_DIR}/package/heddleConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/HeddleTest.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/package/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Where shells and man look for them.
install(DIRECTORY ${HEDDLE_PAGES_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR})
