# What is known of single tests: how long they take, so that the long ones begin first; which need both cores; and
# which are slow, rarely fail, and run by `./dev test --all` alone.

# Seconds on an idle machine of two cores (build/release/Testing/Temporary/CTestCostData.txt has those of the last
# runs); tests that are not named take less than eight.
set(costs
  "300 consumer/fetch/build"
  "90 cli/rogue_programs/wild_writes"
  "70 cli/show_script/unedited"
  "70 races/second_opinion/1"
  "70 races/second_opinion/2"
  "70 races/second_opinion/3"
  "70 races/second_opinion/4"
  "60 cli/kill_workers"
  "70 cli/reduction_classics/more"
  "50 cli/frameworks"
  "50 races/1"
  "50 races/2"
  "50 races/3"
  "50 races/4"
  "30 cli/oracle_classics"
  "30 cli/machines"
  "40 cli/oracle_random/more"
  "20 cli/reduction_classics"
  "40 cli/outcomes"
  "40 cli/repeat_failures/1"
  "40 cli/repeat_failures/2"
  "40 cli/repeat_failures/3"
  "40 cli/repeat_failures/4"
  "20 cli/show_script"
  "40 unit-sanitized/0"
  "40 unit-sanitized/1"
  "40 unit-sanitized/2"
  "40 unit-sanitized/3"
  "30 cli/debugger"
  "20 cli/fuzz_endings"
  "20 cli/fuzz_programs"
  "30 cli/memory_growth"
  "20 cli/reduction_random/1"
  "30 cli/reduction_random/2"
  "30 cli/resume"
  "30 cli/rogue_programs"
  "30 cli/wrap_projects"
  "30 gambit/3"
  "30 cli/wild_writes"
  "20 cli/chaos"
  "20 cli/mutated_files"
  "20 cli/ci_output"
  "20 cli/docs_frameworks"
  "20 cli/docs_reports"
  "20 cli/docs_tutorial"
  "20 cli/flow"
  "20 cli/matching"
  "20 cli/oracle_fair"
  "20 cli/oracle_families"
  "20 cli/oracle_races"
  "20 cli/oracle_random"
  "20 cli/page"
  "20 cli/reduction_random/retry"
  "20 cli/same_every_time"
  "20 cli/states"
  "20 cli/wrap_link"
  "20 cli/wrap_native"
  "20 gambit/1"
  "20 gambit/2"
  "20 gambit/4"
  "20 programs/scenario/conditions[clang]"
  "20 programs/scenario/conditions[gcc]"
  "20 programs/verdict/expanded_memory[clang]"
  "20 programs/verdict/expanded_memory[gcc]"
  "20 programs/verdict/freed_in_use[gcc]"
  "20 programs/verdict/overlap[clang]"
  "20 programs/verdict/overlap[gcc]"
  "20 programs/verdict/overlap_plain[gcc]"
  "10 cli/bench_bugs"
  "10 cli/cooperative"
  "10 cli/fair_bugs"
  "10 cli/interrupt"
  "10 cli/oracle_itself"
  "10 cli/reduction_families"
  "10 programs/scenario/interleave[gcc]"
  "10 cli/samplers"
  "10 cli/status_line"
  "10 cli/wrap_compile"
  "10 cli/wrap_warnings"
  "10 programs/fair/atomic_wait[gcc]"
  "10 programs/fair/hidden_counts[clang]"
  "10 programs/fair/hidden_counts[gcc]"
  "10 programs/fair/long_loops[clang]"
  "10 programs/fair/long_loops[gcc]"
  "10 consumer/builds"
  "10 libraries/leveldb_memtable"
  "10 libraries/readerwriterqueue"
  "10 libraries/readerwriterqueue[clang]"
  "10 programs/scale/million_steps[gcc]"
  "10 programs/verdict/clocks[gcc]"
  "10 programs/verdict/compare_exchange[clang]"
  "10 programs/verdict/compare_exchange[gcc]"
  "10 programs/verdict/early_ends[clang]"
  "10 programs/verdict/early_ends[gcc]"
  "10 programs/verdict/freed_in_time[clang]"
  "10 programs/verdict/freed_in_time[gcc]"
  "10 programs/verdict/freed_in_use[clang]"
  "10 programs/verdict/inline_assembly[clang]"
  "10 programs/verdict/library_memory[clang]"
  "10 programs/verdict/library_memory[gcc]"
  "10 programs/verdict/descriptor_numbers[clang]"
  "10 programs/verdict/descriptor_numbers[gcc]"
  "10 programs/verdict/lost_classes[gcc]"
  "10 programs/verdict/outside_memory[clang]"
  "10 programs/verdict/outside_memory[gcc]"
  "10 programs/verdict/overlap_order[gcc]"
  "10 programs/verdict/overlap_plain[clang]"
  "10 programs/verdict/resized[gcc]"
)
foreach(row ${costs})
  string(REPLACE " " ";" row ${row})
  list(GET row 0 seconds)
  list(GET row 1 name)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${seconds})
  endif()
endforeach()

# Measure time or memory while engine and workers are busy: nothing else runs beside them.
set_tests_properties(cli/memory_growth cli/kill_workers cli/budgets cli/status_line PROPERTIES PROCESSORS 2)

set_tests_properties(
  cli/chaos
  cli/flow/more
  cli/fuzz_endings/more
  cli/fuzz_programs/more
  cli/kill_workers
  cli/memory_growth
  cli/oracle_races/more
  cli/oracle_random/more
  cli/reduction_classics/more
  cli/reduction_random/2
  cli/reduction_random/3
  cli/reduction_random/4
  cli/reduction_random/5
  cli/reduction_random/6
  cli/reduction_random/7
  cli/reduction_random/8
  cli/reduction_random/retry/more
  cli/rogue_programs/wild_writes
  cli/show_script/unedited
  consumer/fetch/build
  gambit/2
  gambit/3
  gambit/4
  races/3
  races/4
  races/second_opinion/1
  races/second_opinion/2
  races/second_opinion/3
  races/second_opinion/4
  PROPERTIES LABELS thorough)
