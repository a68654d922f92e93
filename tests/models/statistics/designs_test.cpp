/// Permutations hit every number once; designs fill the unit cube evenly, and rows of Sobol sequences are the
/// published.
#include "models/statistics/designs.hpp"

#include <array>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "models/statistics/permutation.hpp"

BOOST_AUTO_TEST_SUITE(designs_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(a_permutation_hits_every_number_once) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 1000u, 65537u})
    for (const std::uint64_t key : {0u, 1u, 99u}) {
      std::vector<int> hits(count);
      const KeyedPermutation permutation(count, key);
      for (std::uint64_t i = 0; i < count; ++i) ++hits[permutation(i)];
      BOOST_TEST((hits == std::vector<int>(count, 1)), count << " numbers, key " << key);
    }
}

BOOST_AUTO_TEST_CASE(large_permutations_stay_in_their_range_and_can_be_computed_anywhere) {
  const std::uint64_t count = std::uint64_t{1'000'000'000'000'000'003};
  const KeyedPermutation permutation(count, 7);
  for (std::uint64_t i = 0; i < 1000; ++i) BOOST_TEST(permutation(count - 1 - i) < count);
  BOOST_TEST(permutation(5) == KeyedPermutation(count, 7)(5));
  BOOST_TEST(permutation(5) != KeyedPermutation(count, 8)(5));
}

// Where a number goes is uniform over keys: 10 places and 20000 keys, so 2000 each with a deviation of 42.
BOOST_AUTO_TEST_CASE(keys_give_all_permutations_equally_often) {
  std::array<int, 10> places{};
  for (std::uint64_t key = 0; key < 20'000; ++key) ++places[KeyedPermutation(10, key * 1'000'003)(3)];
  for (const int hits : places) BOOST_TEST((hits > 1800 && hits < 2200), hits);
}

BOOST_AUTO_TEST_CASE(each_part_of_a_latin_hypercube_has_one_row) {
  for (const std::uint64_t rows : {1u, 2u, 3u, 7u, 100u, 4096u}) {
    const Design design(DesignMethod::latin_hypercube, rows, 3, 42);
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<int> hits(rows);
      for (std::uint64_t row = 0; row < rows; ++row) ++hits[part_of(design.at(row, d), rows)];
      BOOST_TEST((hits == std::vector<int>(rows, 1)), rows << " rows, dimension " << d);
    }
  }
}

// The first 2^k rows of a Sobol sequence have one row in each of 2^k equal parts of every dimension.
BOOST_AUTO_TEST_CASE(each_part_of_a_sobol_sequence_has_one_row) {
  const Design design(DesignMethod::sobol, 1024, 40, 3);
  for (std::size_t d = 0; d < 40; ++d) {
    std::vector<int> hits(1024);
    for (std::uint64_t row = 0; row < 1024; ++row) ++hits[part_of(design.at(row, d), 1024)];
    BOOST_TEST((hits == std::vector<int>(1024, 1)), "dimension " << d);
  }
}

// Rows of scipy.stats.qmc.Sobol(12, scramble=False), times 32. The shift is removed by the exclusive or with row 0.
BOOST_AUTO_TEST_CASE(sobol_rows_are_those_of_joe_and_kuo) {
  struct Row {
    std::uint64_t row;
    std::array<std::uint64_t, 12> numbers;
  };
  const Row rows[] = {
      {1, {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}}, {2, {24, 8, 8, 8, 24, 24, 8, 24, 24, 24, 24, 24}},
      {3, {8, 24, 24, 24, 8, 8, 24, 8, 8, 8, 8, 8}},         {5, {28, 28, 4, 12, 28, 20, 28, 12, 12, 4, 12, 28}},
      {17, {19, 31, 31, 5, 25, 15, 1, 11, 31, 21, 19, 29}},  {31, {1, 17, 29, 31, 31, 25, 11, 17, 5, 19, 1, 11}}};
  const Design design(DesignMethod::sobol, 32, 12, 1);
  for (const Row& row : rows)
    for (std::size_t d = 0; d < 12; ++d)
      BOOST_TEST((design.at(row.row, d) ^ design.at(0, d)) >> 59 == row.numbers[d],
                 "row " << row.row << ", dimension " << d);
}

BOOST_AUTO_TEST_CASE(numbers_do_not_depend_on_the_number_of_dimensions) {
  for (const DesignMethod method : {DesignMethod::random, DesignMethod::latin_hypercube, DesignMethod::sobol})
    for (std::size_t d = 0; d < 3; ++d)
      BOOST_TEST(Design(method, 10, 3, 5).at(7, d) == Design(method, 10, 9, 5).at(7, d));
}

BOOST_AUTO_TEST_CASE(part_of_rounds_down) {
  BOOST_TEST(part_of(0, 3) == 0);
  BOOST_TEST(part_of(std::uint64_t{1} << 63, 3) == 1);  // one half of 3 is 1.5
  BOOST_TEST(part_of(~std::uint64_t{0}, 3) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
