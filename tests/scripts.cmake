# Tests that are scripts. Their runners know when one takes too long, and how loaded the machine is: ctest does not.
function(heddle_add_script name script)
  add_test(NAME ${name}
           COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/run_script.py
                   --bin-dir ${PROJECT_BINARY_DIR}/bin --source-dir ${PROJECT_SOURCE_DIR}
                   ${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 36000)
endfunction()

# The same with all of its samples (tests/processes.py, tests/unit/sample_count.h), for `./dev test --all`.
function(heddle_add_all_samples)
  foreach(script ${ARGN})
    heddle_add_script(${script}/all_samples ${CMAKE_CURRENT_SOURCE_DIR}/${script}.py)
    set_tests_properties(${script}/all_samples PROPERTIES LABELS thorough ENVIRONMENT HEDDLE_ALL_SAMPLES=1)
  endforeach()
endfunction()

heddle_glob(cli_scripts ${CMAKE_CURRENT_SOURCE_DIR}/cli *.sh *.py)
list(FILTER cli_scripts EXCLUDE REGEX "/(reduction_random|repeat_failures|rogue_programs).py$")
foreach(script ${cli_scripts})
  cmake_path(GET script STEM name)
  heddle_add_script(cli/${name} ${script})
endforeach()

heddle_add_all_samples(
  cli/debugger cli/frameworks cli/guide cli/oracle_classics cli/oracle_fair cli/outcomes cli/page cli/wrap_projects)

# What programs do that no program should. To write over all that Heddle shares with them takes as long as all the rest.
heddle_add_script(cli/rogue_programs ${CMAKE_CURRENT_SOURCE_DIR}/cli/rogue_programs.py Rogue)
heddle_add_all_samples(cli/rogue_programs)

foreach(part RANGE 1 4)
  set(repeat_failures ${CMAKE_CURRENT_SOURCE_DIR}/cli/repeat_failures.py --shard ${part}/4)
  heddle_add_script(cli/repeat_failures/${part} ${repeat_failures})
  heddle_add_script(cli/repeat_failures/${part}/each ${repeat_failures} --each)
  set_tests_properties(cli/repeat_failures/${part}/each PROPERTIES LABELS thorough)
endforeach()

# The race detector against what the programs say of themselves, and those against ThreadSanitizer; in parts, since
# most of the time goes into compilers.
foreach(part RANGE 1 4)
  heddle_add_script(races/${part} ${CMAKE_CURRENT_SOURCE_DIR}/races/check.py --shard ${part}/4 --runs 0)
  heddle_add_script(races/second_opinion/${part} ${CMAKE_CURRENT_SOURCE_DIR}/races/check.py --shard ${part}/4)
endforeach()

heddle_add_script(cli/show_script/unedited ${CMAKE_CURRENT_SOURCE_DIR}/cli/show_script.py --unedited)

# The libraries of the benchmark that searches for seeded bugs.
foreach(part RANGE 1 4)
  heddle_add_script(gambit/${part} ${CMAKE_CURRENT_SOURCE_DIR}/gambit/check.py --shard ${part}/4)
endforeach()

# More programs than usual, and more ways.
heddle_add_script(cli/flow/more ${CMAKE_CURRENT_SOURCE_DIR}/cli/flow.py --seeds 3-4)
heddle_add_script(cli/fuzz_endings/more
  ${CMAKE_CURRENT_SOURCE_DIR}/cli/fuzz_endings.py --endings 10-24 --livelocks 6-11)
heddle_add_script(cli/fuzz_programs/more ${CMAKE_CURRENT_SOURCE_DIR}/cli/fuzz_programs.py --seeds 60-119)
heddle_add_script(cli/oracle_races/more ${CMAKE_CURRENT_SOURCE_DIR}/cli/oracle_races.py --seeds 2)
heddle_add_script(cli/oracle_random/more
  ${CMAKE_CURRENT_SOURCE_DIR}/cli/oracle_random.py --seeds 21 22 23 --count 90)
# The same of searches that hand out subtrees from their first execution on: small programs end before, otherwise.
heddle_add_script(cli/oracle_random/subtrees
  ${CMAKE_CURRENT_SOURCE_DIR}/cli/oracle_random.py --seeds 31 --count 30 --subtrees)
heddle_add_script(cli/reduction_classics/more ${CMAKE_CURRENT_SOURCE_DIR}/cli/reduction_classics.py 10 4)

# Searches with reduction against plain ones, on at least 300 programs; in parts, since it takes a while.
foreach(part RANGE 1 8)
  heddle_add_script(cli/reduction_random/${part}
    ${CMAKE_CURRENT_SOURCE_DIR}/cli/reduction_random.py --shard ${part}/8 --at-least 37)
endforeach()
heddle_add_script(cli/reduction_random/retry
  ${CMAKE_CURRENT_SOURCE_DIR}/cli/reduction_random.py --retry --seeds 1-25 --at-least 20)
heddle_add_script(cli/reduction_random/retry/more
  ${CMAKE_CURRENT_SOURCE_DIR}/cli/reduction_random.py --retry --seeds 26-60 --at-least 28)

# Libraries that others wrote, and what the page about them says.
heddle_glob(library_sources ${PROJECT_SOURCE_DIR}/examples/libraries *.cc *.c)
foreach(source ${library_sources})
  cmake_path(GET source STEM name)
  heddle_add_script(libraries/${name} ${CMAKE_CURRENT_SOURCE_DIR}/libraries/check.py ${name})
  heddle_add_script(libraries/${name}[clang] ${CMAKE_CURRENT_SOURCE_DIR}/libraries/check.py --clang ${name})
  set_tests_properties(libraries/${name}[clang] PROPERTIES LABELS thorough)
endforeach()

heddle_add_script(demo ${PROJECT_SOURCE_DIR}/examples/demo.sh)

# A consumer's project against an installed copy.
if(TARGET heddle_test)
  set(prefix ${PROJECT_BINARY_DIR}/consumer-prefix)
  set(consumer ${CMAKE_CURRENT_SOURCE_DIR}/consumer)
  heddle_add_script(consumer/install ${consumer}/install.sh ${PROJECT_BINARY_DIR} ${prefix})
  set_tests_properties(consumer/install PROPERTIES FIXTURES_SETUP installed_copy)
  foreach(how cmake pkgconfig wrapper)
    foreach(compiler gcc clang)
      set(name consumer/${how}[${compiler}])
      heddle_add_script(${name} ${consumer}/${how}.sh ${prefix} ${compiler})
      set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed_copy)
    endforeach()
  endforeach()
  heddle_add_script(consumer/builds ${consumer}/builds.sh ${prefix})
  set_tests_properties(consumer/builds PROPERTIES FIXTURES_REQUIRED installed_copy)
  heddle_add_script(consumer/fetch ${consumer}/fetch.sh configure)
  heddle_add_script(consumer/fetch/build ${consumer}/fetch.sh build)
  heddle_add_script(consumer/package ${consumer}/package.sh ${PROJECT_BINARY_DIR})
endif()
