#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace heddle::cli {

namespace {

void add_option(CLI::App* app, const session::OptionRecord& record, Arguments* arguments) {
  std::string name = fmt::format("--{}", record.name);
  if (record.metavar == nullptr) {
    app->add_flag_callback(
           name, [&record, arguments] { arguments->options.emplace_back(&record, "true"); })
        ->disable_flag_override();
    return;
  }
  app->add_option_function<std::string>(name,
                                        [&record, arguments](const std::string& value) {
                                          arguments->options.emplace_back(&record, value);
                                        })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

}  // namespace

Arguments parse(unsigned verb, bool prefix, const Words& words) {
  Arguments arguments;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", arguments.help);
  for (const session::OptionRecord& record : session::option_table()) {
    if ((record.verbs & verb) != 0) add_option(&app, record, &arguments);
  }
  if (prefix) {
    app.prefix_command();
  } else {
    app.allow_extras();
  }
  Words reversed(words.rbegin(), words.rend());  // as CLI11 wants it
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& error) {
    // "--seed: 1 required TEXT missing", "quiet was given a disallowed flag override"
    std::string what = error.what();
    std::string name = what.substr(0, what.find_first_of(": "));
    if (name.starts_with("--")) name.erase(0, 2);
    const session::OptionRecord* record = session::find_option(name);
    if (record == nullptr) throw UserError(what);
    if (record->metavar == nullptr) throw UserError(fmt::format("--{} takes no value", name));
    throw UserError(fmt::format("--{} needs a value: --{} {}", name, name, record->metavar));
  } catch (const CLI::ParseError& error) {
    throw UserError(error.what());
  }
  arguments.rest = app.remaining();
  // Behind "--" nothing is an option.
  size_t consumed = words.size() - arguments.rest.size();
  bool separated = consumed > 0 && words[consumed - 1] == "--";
  if (!separated && !arguments.rest.empty() && arguments.rest[0] == "--") {
    separated = true;
    arguments.rest.erase(arguments.rest.begin());
  }
  for (const std::string& word : arguments.rest) {
    if (word.size() > 1 && word[0] == '-' && !separated) {
      throw UserError(session::unknown_option(word.substr(0, word.find('=')), verb));
    }
    if (prefix) break;  // what follows the program is not ours
  }
  return arguments;
}

}  // namespace heddle::cli
