# What is known of single tests: how long they take, so that the long ones begin first; which run alone; and
# which are slow, rarely fail, and run by `./dev test --all` alone.

# Seconds on an idle machine of two cores (build/release/Testing/Temporary/CTestCostData.txt has those of the last
# runs); tests that are not named take less than four.
set(costs
  "300 consumer/fetch/build"
  "200 unit-sanitized/all_samples"
  "120 cli/rogue_programs/all_samples"
  "70 cli/reduction_classics/more"
  "70 cli/show_script/unedited"
  "70 races/second_opinion/1"
  "70 races/second_opinion/2"
  "70 races/second_opinion/3"
  "70 races/second_opinion/4"
  "60 cli/kill_workers"
  "60 cli/repeat_failures/1/each"
  "60 cli/repeat_failures/2/each"
  "60 cli/repeat_failures/3/each"
  "60 cli/repeat_failures/4/each"
  "50 races/2"
  "50 races/3"
  "50 races/4"
  "20 cli/frameworks"
  "40 cli/oracle_random/more"
  "40 unit/all_samples"
  "30 cli/debugger/all_samples"
  "50 cli/frameworks/all_samples"
  "30 cli/guide/all_samples"
  "30 cli/memory_growth"
  "30 cli/oracle_classics/all_samples"
  "30 cli/oracle_fair/all_samples"
  "30 cli/outcomes/all_samples"
  "30 cli/page/all_samples"
  "30 cli/reduction_random/2"
  "30 cli/wrap_projects/all_samples"
  "30 gambit/3"
  "25 cli/repeat_failures/1"
  "25 cli/repeat_failures/3"
  "9 cli/rogue_programs"
  "15 cli/status_line"
  "25 races/1"
  "20 cli/chaos"
  "20 cli/reduction_classics"
  "20 cli/repeat_failures/2"
  "20 cli/repeat_failures/4"
  "20 cli/resume"
  "20 cli/wrap_projects"
  "20 gambit/2"
  "20 gambit/4"
  "20 programs/scenario/conditions[gcc]"
  "20 unit-sanitized/0"
  "20 unit-sanitized/1"
  "20 unit-sanitized/2"
  "20 unit-sanitized/3"
  "15 cli/debugger"
  "15 cli/guide"
  "15 cli/machines"
  "15 cli/oracle_classics"
  "15 cli/oracle_families"
  "15 cli/oracle_races"
  "15 cli/page"
  "15 libraries/readerwriterqueue"
  "10 cli/budgets"
  "10 cli/docs_reports"
  "10 cli/matching"
  "10 cli/outcomes"
  "10 cli/show_script"
  "10 cli/wrap_native"
  "10 programs/scenario/interleave[gcc]"
  "10 programs/scale/million_steps[gcc]"
  "10 programs/verdict/expanded_memory[gcc]"
  "9 cli/docs_tutorial"
  "9 cli/explain_fewest"
  "9 cli/oracle_fair"
  "9 cli/reduction_random/1"
  "9 cli/same_every_time"
  "9 cli/shards"
  "9 programs/verdict/early_ends[gcc]"
  "9 programs/verdict/outside_memory[gcc]"
  "9 programs/verdict/resized[gcc]"
  "8 cli/fuzz_programs"
  "8 cli/samplers"
  "8 cli/wrap_link"
  "8 programs/verdict/descriptor_numbers[gcc]"
  "8 programs/verdict/overlap[gcc]"
  "7 cli/docs_frameworks"
  "7 cli/explain_critical"
  "7 cli/portfolio"
  "7 gambit/1"
  "7 programs/fair/hidden_counts[gcc]"
  "7 programs/fair/long_loops[gcc]"
  "7 programs/verdict/overlap_plain[gcc]"
  "6 cli/fair_bugs"
  "6 cli/oracle_random"
  "6 cli/wrap_compile"
  "6 programs/fair/atomic_wait[gcc]"
  "6 programs/verdict/compare_exchange[gcc]"
  "6 programs/verdict/freed_in_use[gcc]"
  "6 programs/verdict/library_memory[clang]"
  "6 programs/verdict/library_memory[gcc]"
  "6 programs/verdict/lost_classes[gcc]"
  "5 cli/compare"
  "5 cli/cooperative"
  "5 cli/flow"
  "5 cli/fuzz_endings"
  "5 cli/oracle_random/subtrees"
  "5 cli/reduction_families"
  "5 cli/reduction_random/retry"
  "5 cli/states"
  "5 consumer/builds"
  "5 programs/scenario/interleavings[clang]"
  "5 programs/scenario/interleavings[gcc]"
  "5 programs/scenario/random_scripts[gcc]"
  "5 programs/verdict/freed_in_time[gcc]"
  "4 cli/bench_bugs"
  "4 cli/ci_output"
  "4 cli/oracle_itself"
  "4 cli/subtrees"
  "4 cli/wrap_warnings"
  "4 programs/fair/stop_flags[gcc]"
  "4 programs/scenario/paper[gcc]"
  "4 programs/verdict/overlap_order[gcc]"
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
set_tests_properties(cli/memory_growth cli/kill_workers cli/budgets PROPERTIES RUN_SERIAL ON)

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
  cli/show_script/unedited
  consumer/fetch/build
  gambit/2
  gambit/3
  gambit/4
  races/2
  races/3
  races/4
  races/second_opinion/1
  races/second_opinion/2
  races/second_opinion/3
  races/second_opinion/4
  unit/all_samples
  PROPERTIES LABELS thorough)
