/// Samples of a million rows from a grid of 10^15 points with three filters: prints the seconds of drawing and
/// planning.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "engine/plan/plan.hpp"
#include "tests/support/sweep_texts.hpp"

using namespace dfsweep;

namespace {

constexpr std::string_view grid = R"toml(
[parameters]
size = { from = "1 kB", to = "1000 kB", points = 1000, scale = "linear" }
capacity = { from = "1 kB", to = "1000 kB", points = 1000, scale = "linear" }
rate = { from = "1 GB/s", to = "1 TB/s", points = 1000, scale = "log" }
seed = { from = 1, to = 1000, step = 1 }
work = { from = 1, to = 1000, step = 1 }

[filter]
keep = ["size <= capacity", "seed % 7 == work % 7 || seed < 4", "rate > '10 GB/s'"]

[sample]
count = 1000000
)toml";

void measure(std::string_view more) {
  const auto start = std::chrono::steady_clock::now();
  const SweepSpec spec = toy_sweep(std::string(grid) + std::string(more));
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::string title(more);
  std::replace(title.begin(), title.end(), '\n', ' ');
  fmt::print("{:<45} {} of {} kept of {} points: {:.2f} s\n", title, rows.kept(), rows.population(), rows.grid_size(),
             seconds.count());
}

}  // namespace

int main() {
  measure("method = 'random'");
  measure("method = 'latin_hypercube'");
  measure("method = 'sobol'");
  measure("method = 'sobol'\nstratify = ['seed']");
}
