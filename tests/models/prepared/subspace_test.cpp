/// Subspace: numbering of combinations on grids, linked axes and point lists.
#include "models/prepared/subspace.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(subspace_test)

using namespace dfsweep;

namespace {

SweepValues::Parameter numbers(std::size_t column, std::vector<double> values) {
  SweepValues::Parameter parameter{{}, column};
  for (const double value : values) {
    parameter.values.emplace_back();
    parameter.values.back().number = value;
  }
  return parameter;
}

/// Parameters 0 and 1 on axes of 2 and 3, 2 linked with 1, 3 fixed.
SweepValues grid() {
  SweepValues values;
  values.parameters = {numbers(0, {1, 2}), numbers(1, {1, 2, 4}), numbers(1, {7, 7, 8}),
                       numbers(SweepValues::fixed, {5})};
  values.column_sizes = {2, 3};
  return values;
}

struct Codes {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  std::vector<std::span<const std::uint32_t>> columns{first, second};
  PointColumns points() const { return {columns, first.size()}; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(linked_parameters_count_once_and_fixed_ones_not) {
  const SweepValues values = grid();
  const std::vector<ParameterIndex> all{0, 1, 2, 3};
  const Subspace space(values, all);
  BOOST_TEST(space.size() == 6u);
  const Codes codes{{0, 1, 1}, {2, 0, 2}};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t index = space.index(codes.points(), i);
    BOOST_TEST(index < space.size());
    BOOST_TEST(space.code(values, 0, index) == codes.first[i]);
    BOOST_TEST(space.code(values, 1, index) == codes.second[i]);
    BOOST_TEST(space.code(values, 2, index) == codes.second[i]);
    BOOST_TEST(space.code(values, 3, index) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(size_saturates) {
  SweepValues values;
  for (std::size_t c = 0; c < 5; ++c) {
    values.parameters.push_back({std::vector<ParameterValue>(1), c});
    values.column_sizes.push_back(1u << 20);
  }
  const std::vector<ParameterIndex> all{0, 1, 2, 3, 4};
  BOOST_TEST(Subspace(values, all).size() == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(nothing_varies) {
  const SweepValues values = grid();
  const std::vector<ParameterIndex> fixed{3};
  const DistinctSubspace space(values, fixed);
  BOOST_TEST(space.size() == 1u);
  const Codes codes{{1}, {2}};
  BOOST_TEST(space.number(codes.points(), 0) == 0u);
}

BOOST_AUTO_TEST_CASE(equal_values_share_a_number) {
  const SweepValues values = grid();
  const std::vector<ParameterIndex> third{2};  // values 7, 7, 8
  const DistinctSubspace space(values, third);
  BOOST_TEST(space.size() == 2u);
  const Codes codes{{0, 0, 1, 1}, {0, 1, 2, 0}};
  const std::uint32_t expected[] = {0, 0, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(space.number(codes.points(), i) == expected[i]);
  BOOST_TEST(space.code(values, 2, 1) == 2u);
}

BOOST_AUTO_TEST_CASE(lines_of_a_point_list_are_told_apart_by_all_their_values) {
  SweepValues values;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  values.parameters = {numbers(0, {1, 1, 2, 1, 2}), numbers(0, {3, 4, 3, 3, 3}), numbers(0, {nan, nan, 9, nan, 9})};
  values.column_sizes = {5};
  const std::vector<ParameterIndex> all{0, 1, 2};
  const DistinctSubspace space(values, all);
  BOOST_TEST(space.size() == 3u);
  const Codes codes{{0, 1, 2, 3, 4}, {}};
  const std::uint32_t expected[] = {0, 1, 2, 0, 2};
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(space.number(codes.points(), i) == expected[i]);
}

BOOST_AUTO_TEST_SUITE_END()
