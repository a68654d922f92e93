/// 10 300 malformed measured tables: every one is either still usable or has a problem at a place in the file.
#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "engine/profiles/profile_folder.hpp"
#include "engine/sweep/data_tables.hpp"
#include "io/csv_table.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/profile_text.hpp"

BOOST_AUTO_TEST_SUITE(malformed_tables_test)

using namespace dfsweep;

namespace {

constexpr const char* paths[] = {"compute/a100/lab/small/mlp.csv", "compute/a100/lab/small/attention.csv",
                                 "network/a100_dgx/all_reduce.csv", "cpu_overhead/a100/cpu_overheads.csv"};

std::vector<std::string> valid_tables() {
  return {small_layer_text(), small_attention_text(), small_network_text(), small_processor_text()};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

/// Problems of the text as a table, each at a line of it and at a column that it has.
std::size_t problems_of(const char* path, const std::string& text) {
  std::vector<Table> tables;
  try {
    CsvReader reader(text, path);
    tables.push_back(as_table(path, read_csv_table(reader)));
    for (const Problem& problem : reader.problems()) BOOST_REQUIRE_GE(problem.at.line, 1);
    if (!reader.problems().empty()) return reader.problems().size();
  } catch (const UserError& error) {
    for (const Problem& problem : error.problems) BOOST_REQUIRE_GE(problem.at.line, 1);
    return error.problems.size();
  }
  const ProfileReading reading = read_profiles(tables, "profiles");
  for (const auto* problems : {&reading.errors, &reading.warnings})
    for (const DataProblem& problem : *problems) {
      BOOST_REQUIRE_EQUAL(problem.path, path);
      BOOST_REQUIRE_LE(problem.line, lines_of(text));
      BOOST_REQUIRE(problem.column.empty() || tables[0].column(problem.column) != nullptr);
      BOOST_REQUIRE(!problem.problem.empty());
    }
  return reading.errors.size() + reading.warnings.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(malformed_tables_have_a_place) {
  const std::vector<std::string> valid = valid_tables();
  for (std::size_t i = 0; i < valid.size(); ++i) BOOST_REQUIRE_EQUAL(problems_of(paths[i], valid[i]), 0);
  int refused = 0;
  for (std::uint64_t n = 0; n < 10'000; ++n) {
    const std::size_t i = n % valid.size();
    const std::string text = mutant({valid[i]}, n);
    BOOST_TEST_INFO_SCOPE("mutant " << n << " of " << paths[i] << ":\n" << text.substr(0, 3000));
    if (problems_of(paths[i], text) > 0) ++refused;
  }
  BOOST_TEST_MESSAGE(refused << " of 10000 mutants have problems, the others are valid");
  BOOST_TEST(refused > 5000);
}

BOOST_AUTO_TEST_CASE(malformed_files_are_told_with_line_and_column) {
  const auto root = std::filesystem::temp_directory_path() / fmt::format("dfsweep_tables_{}", ::getpid());
  const auto file = root / paths[0];
  std::filesystem::create_directories(file.parent_path());
  const Catalogue catalogue = catalogue_with({});
  int refused = 0;
  for (std::uint64_t n = 0; n < 300; ++n) {
    const std::string text = mutant({small_layer_text()}, n);
    std::ofstream(file, std::ios::binary) << text;
    BOOST_TEST_INFO_SCOPE("mutant " << n << ":\n" << text.substr(0, 3000));
    try {
      static_cast<void>(read_profile_folder(root, catalogue, 1));
    } catch (const UserError& error) {
      ++refused;
      for (const Problem& problem : error.problems) {
        BOOST_REQUIRE_EQUAL(problem.at.file, file.string());
        if (problem.at.line > 0) BOOST_REQUIRE_GE(problem.at.column, 1);
        BOOST_REQUIRE(to_string(problem).find('\n') == std::string::npos);
      }
    }
  }
  std::filesystem::remove_all(root);
  BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_SUITE_END()
