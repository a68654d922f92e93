/// The command merge.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/merge.hpp"

namespace dfsweep {

void define_merge_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* command = add_command(program, "merge", "Merge results of one estimator into one result",
                                  {"dfsweep merge runs/a100 runs/h100 -o devices.h5",
                                   "dfsweep merge first/run second/run -o whole.h5 --name whole"});
  command->add_option("RESULT", options->request.parts, "result files or run directories, at least two")
      ->required()
      ->expected(2, 1 << 20)
      ->type_name("");
  command->add_option("-o,--output", options->request.output, "result file to write")->required()->type_name("OUT.h5");
  command->add_option("--name", options->request.name, "name of the merged sweep (default: that of the results)")
      ->type_name("NAME");
  command
      ->add_option_function<std::vector<std::string>>(
          "--data",
          [options](const std::vector<std::string>& given) {
            for (const std::string& one : given) options->request.data.push_back(assignment("--data", one));
          },
          "where files of measurements are that the results were computed with; may be repeated")
      ->type_name("NAME=PATH");
  add_threads(command, options->request.threads);
  add_json(command, options->form);
  command->callback([options, &action] { action = [options] { return run_merge(*options); }; });
}

}  // namespace dfsweep
