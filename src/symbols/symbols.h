// From raw addresses of a worker to places in the source and names of variables.
//
// Works on the module table that the worker wrote into its region, as evidence has it. Everything
// there is suspect: the program under test can have written over it. A module whose file is gone,
// changed or without debug information yields what is left: function names of the symbol table, or
// "module+0x1234".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "symbols/modules.h"
#include "symbols/place.h"
#include "symbols/type_path.h"
#include "wire/layout.h"

namespace heddle::symbols {

class ModuleFile;  // symbols/module_file.h

class Symbols {
 public:
  // Copies what it needs: the modules need not outlive this.
  explicit Symbols(const Modules& modules);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // A module that can be read; `name` is that of wire::Stretch.
  struct Loaded {
    std::string path;
    uint64_t name;
    bool instrumented;
    bool system;
    ModuleFile* file;
  };
  std::vector<Loaded> loaded();

  // What `pc` looks like in the source, innermost inlined call first; never empty. A return address
  // is looked up one byte earlier, in the call; an `exact` pc is the instruction itself.
  CallStack places(uint64_t pc, bool exact = false);
  CallStack stack(const wire::Stack& stack, bool first_is_exact = false);

  // The name of the object at `address`: "forks[1]", "counter+4"; empty if it is in no module.
  std::string variable(uint64_t address);
  // The same, but empty also for what has no name: variable() says "module+0x1234" then.
  std::string variable_name(uint64_t address, Aim aim);
  bool is_at_top(uint64_t address);  // see ModuleFile
  // The name of the local variable at `address` in one of the frames of a stack: `pcs` as in
  // wire::Stack, `sps[i]` the stack pointer of frame i in its call of frame i - 1, which is the end
  // of frame i - 1. Empty if there is none.
  std::string local_variable(uint64_t address, Aim aim, std::span<const uint64_t> pcs,
                             std::span<const uint64_t> sps);

 private:
  struct Module {
    uint64_t base;
    uint64_t begin;
    uint64_t end;
    std::string path;
    std::string name;  // file name
    bool system;
    bool is_program;
    bool instrumented;
    bool foreign;  // Place::foreign
    std::vector<uint8_t> build_id;
    bool opened = false;
    std::shared_ptr<ModuleFile> file;  // null: not there, or not the one that ran
  };

  Module* module_of(uint64_t address);
  static ModuleFile* open(Module* module);

  std::vector<Module> modules_;
};

// In a header or library that came with the system or the compiler.
bool is_system_file(const std::string& path);
bool is_system_module(const std::string& path);
// libc, the dynamic linker, what comes with the compiler, and Heddle.
bool is_base_module(const std::string& path);

}  // namespace heddle::symbols
