/// Rows that explanations name.
#include "models/measured_tables/rows.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(rows_test)

using namespace dfsweep;

namespace {

const std::vector<CurveSample> curve{{8, 1.0, {0, 2}}, {16, 1.0, {0, 3}}, {16, 1.1, {0, 9}}, {32, 1.0, {0, 4}}};
const std::vector<SurfaceSample> surface{{1, 64, 1.0, {1, 2}},  {1, 128, 1.0, {1, 3}}, {2, 64, 1.0, {1, 4}},
                                         {2, 128, 1.0, {1, 5}}, {8, 64, 1.0, {1, 6}},  {2, 128, 1.1, {1, 7}}};
std::vector<std::uint32_t> lines(const std::vector<RowOrigin>& rows) {
  std::vector<std::uint32_t> result;
  for (const RowOrigin& row : rows) result.push_back(row.line);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(measured_keys_name_all_their_rows) {
  BOOST_TEST((lines(rows_near(curve, 16)) == std::vector<std::uint32_t>{3, 9}));
  BOOST_TEST((lines(rows_near(surface, 2, 128)) == std::vector<std::uint32_t>{5, 7}));
}

BOOST_AUTO_TEST_CASE(keys_between_name_their_neighbours) {
  BOOST_TEST((lines(rows_near(curve, 10)) == std::vector<std::uint32_t>{2, 3, 9}));
  BOOST_TEST((lines(rows_near(curve, 100)) == std::vector<std::uint32_t>{4}));
  BOOST_TEST((lines(rows_near(surface, 2, 100)) == std::vector<std::uint32_t>{2, 3, 4, 5, 7}));
  BOOST_TEST(rows_near(std::span<const CurveSample>(), 1).empty());
  BOOST_TEST(rows_near(std::span<const SurfaceSample>(), 1, 1).empty());
}

BOOST_AUTO_TEST_CASE(places_are_files_and_lines) {
  std::vector<Table> tables(2);
  tables[0].path = "mlp.csv";
  tables[1].path = "attention.csv";
  BOOST_TEST(places_of({{1, 5}, {0, 3}, {1, 5}, {0, 12}}, tables) == "mlp.csv:3, 12, attention.csv:5");
  BOOST_TEST(places_of({}, tables) == "");
  BOOST_TEST(places_of({{0, 4}, {0, 2}, {0, 3}, {0, 7}, {0, 8}, {1, 9}}, tables) ==
             "mlp.csv:2 to 4, 7, 8, attention.csv:9");
}

BOOST_AUTO_TEST_SUITE_END()
