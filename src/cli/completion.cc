// heddle help --completion: scripts that complete verbs, options and their values, from the option
// table. Each knows where PROGRAM stands: what follows it is no option of ours.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "base/error.h"
#include "cli/help_text.h"
#include "cli/pages.h"
#include "cli/verbs.h"
#include "options/values.h"

namespace heddle::cli {

namespace {

using options::OptionRecord;
using options::Values;
using Kind = options::Values::Kind;

// What a verb takes beside its options.
enum class Operand { none, program, file };

Operand operand_of(const Verb& verb) {
  std::string_view text = verb_text(verb.options);
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.find("PROGRAM") != line.npos) return Operand::program;
  return line.find("FILE") != line.npos ? Operand::file : Operand::none;
}

using Visit = std::function<std::string(const OptionRecord&)>;

std::string for_each_option(unsigned verbs, const Visit& visit) {
  std::string out;
  for (const OptionRecord& record : options::option_table()) {
    if ((record.verbs & verbs) != 0) out += visit(record);
  }
  return out;
}

// "run replay show …"
std::string verb_names() {
  std::string names;
  for (const Verb& verb : verbs()) names += (names.empty() ? "" : " ") + std::string(verb.name);
  return names;
}

// What `heddle help` explains.
std::string help_words() {
  std::string words = verb_names() + " all";
  for (const Topic& topic : topics(~0u)) words += " " + topic.name;
  return words;
}

// Inside of single quotes, with `marked` behind backslashes.
std::string quoted(std::string_view text, std::string_view marked = "") {
  std::string out = "'";
  for (char c : text) {
    if (marked.find(c) != marked.npos) out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

std::string bash_options() {
  std::string out;
  for (const Verb& verb : verbs()) {
    if (verb.options == 0) continue;
    std::string all, with_value;
    for_each_option(verb.options, [&](const OptionRecord& record) {
      all += fmt::format("--{} ", record.name);
      if (record.metavar != nullptr) with_value += fmt::format(" --{} ", record.name);
      return std::string();
    });
    out += fmt::format("    {}) options={}; valued={} ;;\n", verb.name, quoted(all + "--help"),
                       quoted(with_value));
  }
  return out;
}

std::string bash_value(const OptionRecord& record) {
  Values values = options::values_of(record);
  std::string words = fmt::format("{}", fmt::join(values.words, " "));
  switch (values.kind) {
    case Kind::words:
      return fmt::format("    --{}) _heddle_words '{}' ;;\n", record.name, words);
    case Kind::list:
      return fmt::format("    --{}) _heddle_list '{}' ;;\n", record.name, words);
    case Kind::file:
      return fmt::format("    --{}) _heddle_files -f ;;\n", record.name);
    case Kind::directory:
      return fmt::format("    --{}) _heddle_files -d ;;\n", record.name);
    case Kind::none:
    case Kind::any:
      break;
  }
  return "";
}

std::string bash_operands() {
  std::string out;
  for (const Verb& verb : verbs()) {
    if (operand_of(verb) == Operand::program)
      out += fmt::format("    {}) _heddle_files -c ;;\n", verb.name);
    if (operand_of(verb) == Operand::file)
      out += fmt::format("    {}) _heddle_files -f ;;\n", verb.name);
  }
  return out + fmt::format("    help) _heddle_words '{}' ;;\n", help_words());
}

// Where a word has no slash, commands are looked up as a shell would, and files of this folder
// are offered, too.
constexpr const char* kBash =
    R"script(# bash completion for heddle, made by: heddle help --completion bash
_heddle_words() {{ COMPREPLY=($(compgen -W "$1" -- "$cur")); }}
_heddle_list() {{
  local last=${{cur##*,}}
  COMPREPLY=($(compgen -P "${{cur%"$last"}}" -W "$1" -- "$last"))
}}
_heddle_files() {{
  compopt -o filenames
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$cur"))
  [[ $1 == -d ]] && COMPREPLY=($(compgen -d -- "$cur"))
  [[ $1 == -c && $cur != */* && -n $cur ]] && COMPREPLY+=($(compgen -c -- "$cur"))
}}
_heddle_value() {{
  case $1 in
{values}  esac
}}
_heddle() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} options= valued= before= at
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _heddle_words '{verbs} --help --version'
    return
  fi
  case $verb in
{options}  esac
  # The option that the word belongs to, as in --seed 3 and --seed=3; and whether the program stands before it.
  [[ $cur == = ]] && cur=
  for ((at = 2; at < COMP_CWORD; at++)); do
    local word=${{COMP_WORDS[at]}}
    before=
    if [[ $valued == *" $word "* ]]; then
      [[ ${{COMP_WORDS[at + 1]}} == = ]] && ((at += 1))
      ((at + 1 < COMP_CWORD)) && ((at += 1)) || before=$word
    elif [[ $word != -* && $verb != replay && $verb != show && $verb != help ]]; then
      compopt -o default
      return
    fi
  done
  if [[ $before ]]; then
    _heddle_value "$before"
  elif [[ $cur == -* ]]; then
    _heddle_words "$options"
  else
    case $verb in
{operands}    esac
  fi
}}
complete -F _heddle heddle
)script";

std::string bash() {
  return fmt::format(kBash, fmt::arg("values", for_each_option(~0u, bash_value)),
                     fmt::arg("verbs", verb_names()), fmt::arg("options", bash_options()),
                     fmt::arg("operands", bash_operands()));
}

// One specification of _arguments.
std::string zsh_option(const OptionRecord& record) {
  Values values = options::values_of(record);
  std::string text = fmt::format("--{}{}[", record.name, record.metavar != nullptr ? "=" : "");
  std::string mark = quoted(brief(record), "[]:\\");
  text += mark.substr(1, mark.size() - 2) + "]";
  if (record.metavar != nullptr) {
    std::string name = quoted(record.metavar, ":\\");
    text += ":" + name.substr(1, name.size() - 2) + ":";
  }
  std::string words = fmt::format("{}", fmt::join(values.words, " "));
  if (values.kind == Kind::words) text += fmt::format("({})", words);
  if (values.kind == Kind::list) text += fmt::format("_sequence compadd - {}", words);
  if (values.kind == Kind::file) text += "_files";
  if (values.kind == Kind::directory) text += "_files -/";
  // first may be given more than once
  return fmt::format("        '{}{}' \\\n", record.name == std::string_view("first") ? "*" : "",
                     text);
}

std::string zsh_verb(const Verb& verb) {
  if (verb.options == 0) {
    return fmt::format("    help) _arguments '1:topic:({})' ;;\n", help_words());
  }
  std::string out =
      fmt::format("    {})\n      _arguments -S \\\n        '--help[explain it]' \\\n", verb.name);
  out += for_each_option(verb.options, zsh_option);
  switch (operand_of(verb)) {
    case Operand::program:
      return out + "        '(-)1:program:_heddle_program' '*::argument:_files' ;;\n";
    case Operand::file:
      return out + "        '1:schedule:_files' ;;\n";
    case Operand::none:
      return out + "        ;;\n";
  }
  return out;
}

constexpr const char* kZsh = R"script(#compdef heddle
# zsh completion for heddle, made by: heddle help --completion zsh
_heddle_program() {{
  _alternative 'files:program:_files -g "*(*)"' 'commands:command:_path_commands'
}}
_heddle() {{
  local state line
  local -a verbs=(
{verbs}  )
  _arguments -C '(- *)--help[explain heddle]' '(- *)--version[print the version]' '1: :->verb' '*:: :->rest' && return
  if [[ $state == verb ]]; then
    _describe verb verbs
    return
  fi
  case $line[1] in
{each}  esac
}}
if [[ $funcstack[1] == _heddle ]]; then
  _heddle "$@"
else
  compdef _heddle heddle
fi
)script";

std::string zsh() {
  std::string names, each;
  for (const Verb& verb : verbs()) {
    names += fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb.name, verb.help)));
    each += zsh_verb(verb);
  }
  return fmt::format(kZsh, fmt::arg("verbs", names), fmt::arg("each", each));
}

std::string fish_option(const Verb& verb, const OptionRecord& record) {
  Values values = options::values_of(record);
  std::string words = fmt::format("{}", fmt::join(values.words, " "));
  std::string takes;
  switch (values.kind) {
    case Kind::none:
      break;
    case Kind::any:
      takes = " -x";
      break;
    case Kind::words:
      takes = fmt::format(" -x -a '{}'", words);
      break;
    case Kind::list:
      takes = fmt::format(" -x -a '(__heddle_list {})'", words);
      break;
    case Kind::file:
      takes = " -r -F";
      break;
    case Kind::directory:
      takes = " -x -a '(__fish_complete_directories)'";
      break;
  }
  return fmt::format("complete -c heddle -n '__heddle_at {}' -l {}{} -d {}\n", verb.name,
                     record.name, takes, quoted(brief(record)));
}

constexpr const char* kFish =
    R"script(# fish completion for heddle, made by: heddle help --completion fish
set -g __heddle_valued{valued}
# The words behind the verb that are no options, and no values of them.
function __heddle_operands
    set -l words (commandline -opc)[3..]
    while set -q words[1]
        if contains -- $words[1] $__heddle_valued
            set -e words[1]
        else if not string match -q -- '-*' $words[1]
            echo $words[1]
        end
        set -e words[1]
    end
end
# Whether options of this verb, and its operand, can stand here.
function __heddle_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]; and test (count (__heddle_operands)) -eq 0
end
function __heddle_behind_program
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv; and test (count (__heddle_operands)) -gt 0
end
function __heddle_no_verb
    test (count (commandline -opc)) -eq 1
end
function __heddle_list
    set -l given (string split -r -m 1 , -- (commandline -ct | string replace -r '^--[a-z-]+=' ''))
    set -l head
    test (count $given) -eq 2; and set head $given[1],
    printf '%s\n' $head$argv
end
complete -c heddle -f
complete -c heddle -n __heddle_no_verb -l help -d 'Explain heddle'
complete -c heddle -n __heddle_no_verb -l version -d 'Print the version'
{rest})script";

std::string fish() {
  std::string valued = for_each_option(~0u, [](const OptionRecord& record) {
    return record.metavar == nullptr ? "" : fmt::format(" --{}", record.name);
  });
  std::string rest, programs;
  for (const Verb& verb : verbs()) {
    rest += fmt::format("complete -c heddle -n __heddle_no_verb -a {} -d {}\n", verb.name,
                        quoted(verb.help));
    if (operand_of(verb) == Operand::program) programs += fmt::format(" {}", verb.name);
    if (operand_of(verb) != Operand::none)
      rest += fmt::format("complete -c heddle -n '__heddle_at {}' -F\n", verb.name);
    if (verb.options == 0) {
      rest += fmt::format("complete -c heddle -n '__heddle_at help' -a '{}'\n", help_words());
      continue;
    }
    rest +=
        fmt::format("complete -c heddle -n '__heddle_at {}' -l help -d 'Explain it'\n", verb.name);
    rest += for_each_option(verb.options,
                            [&](const OptionRecord& record) { return fish_option(verb, record); });
  }
  rest += fmt::format("complete -c heddle -n '__heddle_behind_program{}' -F\n", programs);
  return fmt::format(kFish, fmt::arg("valued", valued), fmt::arg("rest", rest));
}

}  // namespace

std::string completion(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  throw UserError(
      fmt::format("there is no completion for '{}'; there is for bash, zsh and fish", shell));
}

}  // namespace heddle::cli
