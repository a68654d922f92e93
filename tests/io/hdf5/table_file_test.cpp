/// Tables that are written and read back, and files that are not table files.
#include "io/hdf5/table_file.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "io/dataset_contents.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(table_file_test)

namespace {

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::byte> two_tables() {
  TableFileTable first{
      "groups",
      {{"name", std::vector<std::string>{"a", "\xC3\xA4"}}, {"loss", std::vector<double>{1.5, std::nan("")}}}};
  first.columns[1].units = "s";
  first.columns[1].meaning = "the loss";
  first.columns.push_back({"matrix", std::vector<double>{1, 2, 3, 4}});
  first.columns.back().width = 2;
  const TableFileTable second{"below/deeper", {{"empty", std::vector<double>{}}}, {{"seed", "7"}}};
  const TableFileTable tables[] = {first, second};
  const std::pair<std::string, std::string> attributes[] = {{"format", "of a test"}};
  return table_file(tables, attributes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_come_back_as_they_were) {
  const ScratchFile scratch("tables.h5");
  write_bytes(scratch.path(), two_tables());
  BOOST_TEST(may_be_table_file(scratch.path()));
  const TableFile found = read_table_file(scratch.path(), "of a test");
  BOOST_REQUIRE_EQUAL(found.tables.size(), 2U);
  BOOST_TEST(found.tables[0].path == "below/deeper");
  BOOST_TEST(found.tables[0].attributes[0].second == "7");
  const TableFileTable& groups = found.tables[1];
  BOOST_REQUIRE_EQUAL(groups.columns.size(), 2U);  // the matrix is left out
  BOOST_TEST(groups.columns[0].name == "loss");    // columns are in the order of their names
  BOOST_TEST(groups.columns[0].units == "s");
  BOOST_TEST(groups.columns[0].meaning == "the loss");
  BOOST_TEST(std::get<std::vector<double>>(groups.columns[0].values)[0] == 1.5);
  BOOST_TEST(std::isnan(std::get<std::vector<double>>(groups.columns[0].values)[1]));
  BOOST_TEST(std::get<std::vector<std::string>>(groups.columns[1].values)[1] == "\xC3\xA4");
}

BOOST_AUTO_TEST_CASE(files_of_another_format_have_no_tables) {
  const ScratchFile scratch("tables.h5");
  write_bytes(scratch.path(), two_tables());
  BOOST_TEST(read_table_file(scratch.path(), "another").tables.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_table_file_is_said) {
  const ScratchFile result("result.h5");
  nine_rows().write(result.path());
  BOOST_TEST(!may_be_table_file(result.path()));
  BOOST_TEST(!may_be_table_file("/nonexistent"));
  const ScratchFile damaged("tables.h5");
  std::vector<std::byte> bytes = two_tables();
  bytes.resize(bytes.size() / 2);
  write_bytes(damaged.path(), bytes);
  BOOST_CHECK_THROW(static_cast<void>(read_table_file(damaged.path(), "of a test")), BadDataset);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
