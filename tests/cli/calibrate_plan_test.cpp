/// calibrate --plan and --operators: planned rows are timed by formula, and numbers of software are fitted to them.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(calibrate_plan_test)

namespace {

/// A folder of its own that holds a plan.
struct Planned {
  ScratchFile scratch{"file"};
  std::filesystem::path folder = scratch.path().parent_path() / "to-time";
  ProgramResult said;
  Planned() : said(dfsweep({"calibrate", "--plan", "--system", "dgx-h100", "-o", folder.string()})) {}
  ~Planned() { std::filesystem::remove_all(folder); }
};

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The cells of a row of products: m, n, k after five names.
double product_milliseconds(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  const double m = std::stod(cells.at(5)), n = std::stod(cells.at(6)), k = std::stod(cells.at(7));
  const double compute = 2 * m * n * k / (0.7 * 989e12), traffic = 2 * (m * k + k * n + m * n) / (0.85 * 3.35e12);
  return 1e3 * (3e-6 + std::hypot(compute, traffic));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_plan_has_twenty_rows_of_each_kind_and_its_errors, Planned) {
  BOOST_TEST(said.status == 0, said.err);
  for (const char* file : {"gemm.csv", "context_attention.csv", "generation_attention.csv", "nccl.csv"}) {
    const std::vector<std::string> lines = lines_of(folder / file);
    BOOST_TEST(lines.size() == 21U, file);
    for (std::size_t i = 1; i < lines.size(); ++i) BOOST_TEST(lines[i].ends_with(","), file);  // the time is left open
  }
  BOOST_TEST(contains(said.out, "products           gemm.csv"), said.out);
  BOOST_TEST(contains(said.out, "error after"), said.out);
  const ProgramResult json = dfsweep({"calibrate", "--plan", "--system", "tpu-v5e", "--rows", "3", "--json"});
  BOOST_TEST(contains(json.out, "\"family\": \"products\""), json.out);
}

BOOST_FIXTURE_TEST_CASE(rows_without_times_are_named, Planned) {
  const ProgramResult result = dfsweep({"calibrate", "--operators", folder.string()});
  BOOST_TEST(result.status == 3);
  BOOST_TEST(contains(result.err, "gemm.csv:2:"), result.err);
  BOOST_TEST(contains(result.err, "'' is not a time (an empty cell: fill it in"), result.err);
}

BOOST_FIXTURE_TEST_CASE(numbers_are_fitted_to_timed_rows, Planned) {
  for (const char* other : {"context_attention.csv", "generation_attention.csv", "nccl.csv"})
    std::filesystem::remove(folder / other);
  std::vector<std::string> lines = lines_of(folder / "gemm.csv");
  {
    std::ofstream file(folder / "gemm.csv");
    file << lines.front() << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) file << lines[i] << product_milliseconds(lines[i]) << '\n';
  }
  const std::filesystem::path entry = folder / "mine.toml";
  const ProgramResult result = dfsweep({"calibrate", "--operators", folder.string(), "-o", entry.string()});
  BOOST_TEST(result.status == 0, result.err);
  BOOST_TEST(contains(result.out, "kernels of dgx-h100"), result.out);
  BOOST_TEST(contains(result.out, "matrix_share"), result.out);
  std::string text;
  for (const std::string& line : lines_of(entry)) text += line + '\n';
  BOOST_TEST(contains(text, "matrix_share = { value = 0."), text);
  BOOST_TEST(contains(text, "calibrated_on = \"operators/gemm.csv "), text);
}

BOOST_AUTO_TEST_CASE(a_plan_needs_a_machine) {
  const ProgramResult none = dfsweep({"calibrate", "--plan"});
  BOOST_TEST(none.status == 2);
  BOOST_TEST(contains(none.err, "--system NAME"), none.err);
  const ProgramResult mistyped = dfsweep({"calibrate", "--plan", "--system", "dgx-h10"});
  BOOST_TEST(contains(mistyped.err, "Did you mean 'dgx-h100'?"), mistyped.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
