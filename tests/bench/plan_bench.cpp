/// Planning and decoding without walking: prints how long plans of 10^10 points take, and points decoded per second.
#include <fmt/format.h>

#include <chrono>

#include "engine/plan/plan.hpp"
#include "tests/support/sweep_texts.hpp"

using namespace dfsweep;

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr std::string_view ten_billion_points = R"toml(
[parameters]
size = { from = "1 kB", to = "100 kB", points = 100, scale = "linear" }
capacity = { from = "1 kB", to = "100 kB", points = 100, scale = "log" }
rate = { from = "1 GB/s", to = "1 TB/s", points = 100, scale = "log" }
seed = { from = 1, to = 100, step = 1 }
work = { from = 1, to = 100, step = 1 }
)toml";

void measure(std::string_view why, std::string_view filters) {
  const auto start = std::chrono::steady_clock::now();
  const SweepSpec spec = toy_sweep(std::string(ten_billion_points) + std::string(filters));
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  const double planning = seconds_since(start);

  PointBuffer buffer;
  std::uint64_t decoded = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (BlockId id = 0; id < plan.block_count() && decoded < 50'000'000; ++id) {
    const Block block = plan.block(id);
    rows.decode(block.first_kept, block.kept_count, buffer);
    decoded += block.kept_count;
  }
  fmt::print("{:<34} {:>14} of {} points  plan {:8.5f} s  decode {:6.1f} M points/s\n", why, rows.kept(),
             rows.grid_size(), planning, static_cast<double>(decoded) / seconds_since(begin) / 1e6);
}

}  // namespace

int main() {
  measure("no filter", "");
  measure("two of five axes", "[filter]\nkeep = [\"size <= capacity\"]\n");
  measure("dense and independent",
          "[filter]\nkeep = [\"size <= capacity\", \"seed % 7 == work % 7 || seed < 4\", \"rate > '10 GB/s'\"]\n");
  measure("three axes tied (10^6 cases)", "[filter]\nkeep = [\"seed * work == rint(size / 1000)\"]\n");
  measure("sparse", "[filter]\nkeep = [\"size == 5000 && seed * work == 64\", \"capacity * rate / 1e9 > 1e6\"]\n");
  measure("a single point",
          "[filter]\nkeep = [\"size == 5000 && seed == 1 && work == 1 && capacity == 1000 && rate == 1e9\"]\n");
  measure("a search over two axes",
          "[filter]\nkeep = \"seed * work < 500\"\n[search]\nover = [\"size\", \"work\"]\nminimize = \"time\"\n");
}
