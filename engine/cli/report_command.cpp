/// The command `report`: a result as a page.
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/report.hpp"

namespace dfsweep {

void define_report_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      add_command(program, "report", "Write a result as a page: heat maps, breakdowns and fronts in one HTML file",
                  {"dfsweep report runs/quickstart -o quickstart.html",
                   "dfsweep report runs/quickstart -o costs.html --facet device --pareto system_cost,step_time"});
  command
      ->add_option("FILE|DIR", options->paths, "result file or run directory; a second one is compared with the first")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_option("-o,--output", options->output, "page to write; - is standard output")
      ->required()
      ->type_name("OUT.html");
  command->add_option("--facet", options->facet, "one panel of heat maps for each value of this parameter")
      ->type_name("PARAM");
  add_list(command, "--metrics", options->metrics, "show these metrics in the heat maps (default: the main ones)")
      ->type_name("METRIC,...");
  add_list(command, "--pareto", options->pareto, "show the front of these two metrics first; more pairs may follow")
      ->type_name("M1,M2,...");
  add_list(command, "--sensitivity", options->sensitivity,
           "show what would help these metrics most at the row that is best by the first of them")
      ->type_name("METRIC,...");
  command
      ->add_option("--measured", options->measured,
                   "compare with measured rows: columns named like parameters, and one named like a metric")
      ->type_name("FILE.csv");
  command
      ->add_option("--cells", options->cells,
                   "most combinations of values that filters can choose between (default: 20000)")
      ->type_name("N")
      ->check(whole_number(1))
      ->check(number_within(1, 1e6));
  command->add_option("--budget", options->budget, "megabytes of data in the page, about (default: 2.5)")
      ->type_name("X")
      ->check(number_within(0.2, 1000));
  command->add_flag_callback(
      "--live", [options] { options->following = Following::of_run; },
      "write the page again while blocks of a run are finished, until it is published; Ctrl-C ends it");
  add_threads(command, options->threads);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_report(*options); }; });
}

}  // namespace dfsweep
