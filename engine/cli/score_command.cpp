/// The command score.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/score.hpp"

namespace dfsweep {

void define_score_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command =
      add_command(program, "score", "Rank machines by one objective over several results",
                  {"dfsweep score runs/train runs/serve --by system --minimize '0.6 * cost_to_target(A) + 0.4 * "
                   "cost_per_million_tokens(B)'",
                   "dfsweep score train=runs/train serve=runs/serve --by system --minimize 'max(step_time(train), "
                   "latency(serve))'"});
  command
      ->add_option("RESULT", options->results,
                   "result files or run directories, as NAME=PATH or as PATH (names: A, B, ...)")
      ->required()
      ->type_name("");
  add_list(command, "--by", options->by, "shared parameters whose combinations are the machines")
      ->required()
      ->type_name("PARAM,...");
  CLI::Option* minimize =
      command
          ->add_option("--minimize", options->minimize,
                       "a sum of terms METRIC(NAME), each of one result, or the worst of them: max(term, term)")
          ->type_name("EXPR");
  command
      ->add_option("--maximize", options->maximize,
                   "the same, where more is better; the worst of terms: min(term, term)")
      ->type_name("EXPR")
      ->excludes(minimize);
  command
      ->add_option("--where", options->where,
                   "use only rows for which the expression is true; NAME: EXPR concerns one result; may be repeated")
      ->type_name("EXPR");
  command->add_option("--top", options->top, "number of machines to print (default: 10)")
      ->type_name("N")
      ->check(whole_number(1));
  command->add_flag_callback(
      "--front", [options] { options->shown = ScoreOptions::Shown::front; },
      "print machines on the front of the parts of the results");
  command->add_option("-o,--output", options->page, "also write a page")->type_name("OUT.html");
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_score(*options); }; });
}

}  // namespace dfsweep
