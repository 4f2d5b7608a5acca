#include "api/execution_view.h"

#include <link.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "symbols/module_file.h"

namespace heddle {

namespace {

struct Module {
  uint64_t pc;  // sought
  uint64_t bias = 0;
  std::string path;
};

int find_module(dl_phdr_info* info, size_t, void* argument) {
  auto* module = static_cast<Module*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD ||
        module->pc - (info->dlpi_addr + header.p_vaddr) >= header.p_memsz) {
      continue;
    }
    module->bias = info->dlpi_addr;
    module->path = *info->dlpi_name != '\0' ? info->dlpi_name : "/proc/self/exe";
    return 1;
  }
  return 0;
}

// Workers are forks of this process: what is at an address there is at the same address here.
std::string place_of(uint64_t return_address) {
  if (return_address == 0) return "";
  Module module{return_address - 1, 0, ""};
  if (dl_iterate_phdr(find_module, &module) == 0) return "";
  std::shared_ptr<symbols::ModuleFile> file = symbols::ModuleFile::open(module.path, {});
  if (file == nullptr) return "";
  symbols::CallStack stack = file->places(module.pc - module.bias);
  return symbols::short_place(*symbols::user_place(stack));
}

class View final : public Execution {
 public:
  // Before each call of the user's function.
  void show(const trace::Execution& execution, const explore::NextSteps& next) {
    if (&execution != execution_ || execution.id != id_) options_at_.clear();
    execution_ = &execution;
    id_ = execution.id;
    next_ = &next;
  }

  size_t size() const override { return execution_->steps.size(); }

  Step step(size_t number) const override { return step_of(raw(number)); }

  std::optional<Step> next(size_t number, unsigned thread) const override {
    const wire::Step* step = next_->of(thread, static_cast<uint32_t>(number));
    if (step == nullptr) return std::nullopt;
    return step_of(*step);
  }

  std::vector<unsigned> enabled(size_t number) const override {
    const wire::Step& step = raw(number);
    if (options_at_.empty()) {
      uint64_t sum = 0;
      for (const wire::Step& each : execution_->steps) {
        options_at_.push_back(sum);
        sum += each.options;
      }
    }
    std::vector<unsigned> threads;
    uint64_t end =
        std::min<uint64_t>(options_at_[number] + step.options, execution_->option_threads.size());
    for (uint64_t i = options_at_[number]; i < end; ++i) {
      unsigned thread = execution_->option_threads[i];
      if (std::find(threads.begin(), threads.end(), thread) == threads.end())
        threads.push_back(thread);
    }
    return threads;
  }

  std::string location(size_t number) const override {
    uint64_t pc = raw(number).pc;
    auto [entry, is_new] = places_.try_emplace(pc);
    if (is_new) entry->second = place_of(pc);
    return entry->second;
  }

 private:
  const wire::Step& raw(size_t number) const {
    if (number >= size()) throw std::out_of_range("heddle::Execution: there is no such step");
    return execution_->steps[number];
  }

  static Step step_of(const wire::Step& raw) {
    Step step;
    step.thread = raw.thread;
    step.operation = wire::op_name(raw.op);
    step.object = raw.object;
    step.preemption = raw.choice >= raw.free_options && raw.choice != 0;
    step.in_focus_method = (raw.flags & wire::kInFocus) != 0;
    step.on_focus_var = (raw.flags & wire::kVarInFocus) != 0;
    return step;
  }

  const trace::Execution* execution_ = nullptr;
  uint64_t id_ = 0;
  const explore::NextSteps* next_ = nullptr;
  mutable std::vector<uint64_t> options_at_;  // by step; empty: not asked for yet
  mutable std::unordered_map<uint64_t, std::string> places_;
};

}  // namespace

explore::UserFunction user_function(Options::Priority function) {
  if (!function) return nullptr;
  auto view = std::make_shared<View>();
  return [view, function = std::move(function)](const trace::Execution& execution,
                                                const explore::NextSteps& next, uint32_t step,
                                                uint32_t thread) -> int32_t {
    view->show(execution, next);
    return function(*view, step, thread);
  };
}

}  // namespace heddle
