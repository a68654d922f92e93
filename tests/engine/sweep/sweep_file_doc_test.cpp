/// The examples of docs/sweep-file.md are read as they stand there.
#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/plan/plan.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/toml.hpp"

BOOST_AUTO_TEST_SUITE(sweep_file_doc_test)

using namespace dfsweep;

namespace {

/// Examples that are no whole file are read with this before or after their own parameters.
constexpr std::string_view heading = "[sweep]\nname = \"example\"\nestimator = \"dataflow\"\n";

struct Example {
  std::string language;
  std::string text;
};

std::vector<Example> examples_of(const std::filesystem::path& page) {
  std::istringstream lines(read_text_file(page, page.string()));
  std::vector<Example> blocks;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

/// The example with a heading, and with those parameters that the estimator requires and it does not give.
std::string completed(const std::string& example) {
  if (example.starts_with("[sweep]")) return example;
  const std::string required[] = {"model = \"gpt3-175b\"\n", "device = \"h100\"\n", "memory = \"hbm3\"\n",
                                  "topology = \"ring\"\n", "interconnect = \"nvlink4\"\n"};
  std::string parameters = example.find("device_count") == std::string::npos ? "device_count = 8\n" : "";
  for (const std::string& line : required)
    if (("\n" + example).find("\n" + line.substr(0, line.find(' ')) + " ") == std::string::npos) parameters += line;
  const std::size_t at = example.find("[parameters]\n");
  if (at == std::string::npos) return std::string(heading) + "[parameters]\n" + parameters + example;
  return std::string(heading) + example.substr(0, at + 13) + parameters + example.substr(at + 13);
}

}  // namespace

BOOST_AUTO_TEST_CASE(examples_of_the_reference_are_read) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("dfsweep_doc_{}", ::getpid());
  std::filesystem::create_directories(folder);
  int sweeps = 0;
  for (const Example& block : examples_of(std::filesystem::path(DFSWEEP_SOURCE_DIR) / "docs" / "sweep-file.md")) {
    if (block.language != "toml") {
      std::ofstream(folder / "points.csv") << block.text;
      continue;
    }
    BOOST_TEST_INFO_SCOPE(block.text);
    try {
      const SweepSpec spec = read_sweep_text(completed(block.text), "example", folder, {});
      const RowSource rows(spec);
      BOOST_TEST(Plan(spec, rows).row_count() > 0);
      static_cast<void>(spec.estimator->prepare(spec.values));
    } catch (const UserError& error) {
      BOOST_ERROR(error.what());
    } catch (const InvalidValues& error) {
      BOOST_ERROR(error.problems.front().problem);
    }
    ++sweeps;
  }
  std::filesystem::remove_all(folder);
  BOOST_TEST(sweeps == 8);
}

BOOST_AUTO_TEST_SUITE_END()
