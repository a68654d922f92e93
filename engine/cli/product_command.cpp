/// The command product.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/product.hpp"

namespace dfsweep {

void define_product_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ProductOptions>();
  CLI::App* command = add_command(program, "product", "Time of a matrix product on a device, and what bounds it",
                                  {"dfsweep product 4096x4096x16384 --devices h100-80g,a100-80g",
                                   "dfsweep product 1x8192x8192 8192x8192x8192 --devices h100-80g --precision fp8"});
  command->add_option("SHAPE", options->shapes, "products of m x k and k x n numbers, as MxKxN")
      ->required()
      ->type_name("");
  add_list(command, "--devices", options->devices, "devices of the catalogue")->required()->type_name("NAME,...");
  command->add_option("--memory", options->memory, "memory of the catalogue (default: that of the device)")
      ->type_name("NAME");
  std::vector<std::string> names;
  for (const PrecisionBytes& precision : product_precisions) names.emplace_back(precision.name);
  command->add_option("--precision", options->precision, "number format: fp32, bf16, fp16, fp8 (default: bf16)")
      ->type_name("NAME")
      ->check(CLI::IsMember(names));
  command->add_option("--utilization", options->utilization, "share of the peak rate that is reached (default: 1)")
      ->type_name("X")
      ->check(number_within(1e-6, 1));
  command->add_option("--count", options->count, "equal products, one after the other (default: 1)")
      ->type_name("N")
      ->check(whole_number(1));
  add_catalogue(command, options->catalogues);
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_product(*options); }; });
}

}  // namespace dfsweep
