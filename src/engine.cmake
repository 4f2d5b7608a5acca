# The engine: a static library for the command and the unit tests; a shared one, with nothing but the
# public interface visible, for programs that call heddle::check.
set(engine_sources ${base_sources})
foreach(folder causality symbols flow trace warnings pool explore options report session api)
  heddle_glob(sources ${CMAKE_CURRENT_SOURCE_DIR}/${folder} *.cc RECURSE)
  list(APPEND engine_sources ${sources})
endforeach()
if(NOT engine_sources)
  message(STATUS "the engine has no sources yet: it is not built")
  return()
endif()

# The page of a failure: its files become strings (see report/html.h).
heddle_glob(page_files ${CMAKE_CURRENT_SOURCE_DIR}/report/page *.html *.css *.js)
set(embed_page ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/page.cc
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR}/report/page -DOUT=${CMAKE_CURRENT_BINARY_DIR}/page.cc
          -P ${embed_page}
  DEPENDS ${page_files} ${embed_page}
  COMMENT "Joining the page of a failure"
  VERBATIM)

add_library(heddle_engine_objects OBJECT ${engine_sources} ${CMAKE_CURRENT_BINARY_DIR}/page.cc)
target_compile_options(heddle_engine_objects PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
set(engine_libraries
  heddle_host_options
  fmt::fmt nlohmann_json::nlohmann_json PkgConfig::libdw PkgConfig::capstone PkgConfig::xxhash PkgConfig::zstd Threads::Threads
  ${CMAKE_DL_LIBS})
target_link_libraries(heddle_engine_objects PUBLIC ${engine_libraries})
heddle_precompile(heddle_engine_objects ${HEDDLE_USUAL_HEADERS})

add_library(heddle_engine_static STATIC $<TARGET_OBJECTS:heddle_engine_objects>)
target_link_libraries(heddle_engine_static PUBLIC ${engine_libraries})
if(HEDDLE_SANITIZE)
  return()
endif()

add_library(heddle_engine SHARED $<TARGET_OBJECTS:heddle_engine_objects>)
add_library(heddle::engine ALIAS heddle_engine)
target_link_libraries(heddle_engine PRIVATE ${engine_libraries})
# Templates of std and fmt have default visibility of their own; the map keeps them inside.
target_link_options(heddle_engine PRIVATE
  LINKER:-z,defs LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/engine.map)
set_target_properties(heddle_engine PROPERTIES
  OUTPUT_NAME heddle-engine EXPORT_NAME engine
  LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/engine.map
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  INSTALL_RPATH "$ORIGIN")
add_dependencies(heddle_product heddle_engine)
