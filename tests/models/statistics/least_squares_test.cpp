/// Small dense systems: solutions by hand, and matrices that are not positive definite.
#include "models/statistics/least_squares.hpp"

#include <boost/test/unit_test.hpp>

#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(least_squares_test)

using namespace dfsweep;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_CASE(two_equations_by_hand) {
  std::array<double, 4> a = {4.0, 2.0, 2.0, 3.0};
  std::array<double, 2> b = {10.0, 9.0};  // x = (1.5, 2)
  BOOST_TEST(solve_positive(a, b));
  BOOST_TEST(b[0] == 1.5, tt::tolerance(1e-14));
  BOOST_TEST(b[1] == 2.0, tt::tolerance(1e-14));
  std::array<double, 3> packed = {4.0, 2.0, 3.0};
  std::array<double, 2> c = {10.0, 9.0};
  BOOST_TEST(solve_packed<2>(packed, c));
  BOOST_TEST(c[0] == 1.5, tt::tolerance(1e-14));
  BOOST_TEST(c[1] == 2.0, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(matrices_without_a_minimum_are_refused) {
  for (const std::array<double, 3>& triangle : {std::array<double, 3>{1.0, 1.0, 1.0},
                                                {1.0, 2.0, 1.0},
                                                {0.0, 0.0, 1.0},
                                                {-1.0, 0.0, 1.0},
                                                {1.0, 1.0 - 1e-14, 1.0}}) {
    std::array<double, 4> a = {triangle[0], triangle[1], triangle[1], triangle[2]};
    std::array<double, 2> b = {1.0, 1.0};
    BOOST_TEST(!solve_positive(a, b));
    std::array<double, 3> packed = triangle;
    std::array<double, 2> c = {1.0, 1.0};
    BOOST_TEST(!solve_packed<2>(packed, c));
    BOOST_TEST(inverse_positive(std::array<double, 4>{triangle[0], triangle[1], triangle[1], triangle[2]}, 2).empty());
  }
}

BOOST_AUTO_TEST_CASE(badly_scaled_matrices_are_not_singular) {
  std::array<double, 4> a = {1e-20, 0.0, 0.0, 1e20};
  std::array<double, 2> b = {1e-20, 1e20};
  BOOST_TEST(solve_positive(a, b));
  BOOST_TEST(b[0] == 1.0, tt::tolerance(1e-14));
  BOOST_TEST(b[1] == 1.0, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(packed_and_square_solvers_and_the_inverse_agree) {
  constexpr std::size_t size = 5;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CounterRandom random(seed);
    std::array<double, size * size> a{};
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        for (std::size_t k = 0; k < size + 2; ++k)
          a[i * size + j] += (random.uniform(i * 16 + k) - 0.5) * (random.uniform(j * 16 + k) - 0.5);
    std::array<double, size*(size + 1) / 2> packed{};
    std::array<double, size> right{};
    for (std::size_t i = 0; i < size; ++i) {
      right[i] = random.uniform(1000 + i);
      for (std::size_t j = 0; j <= i; ++j) packed[i * (i + 1) / 2 + j] = a[i * size + j];
    }
    const std::vector<double> inverse = inverse_positive(a, size);
    std::array<double, size> square_solution = right;
    std::array<double, size> packed_solution = right;
    std::array<double, size* size> work = a;
    BOOST_TEST_REQUIRE(solve_positive(work, square_solution));
    BOOST_TEST_REQUIRE(solve_packed<size>(packed, packed_solution));
    for (std::size_t i = 0; i < size; ++i) {
      double by_inverse = 0.0;
      for (std::size_t j = 0; j < size; ++j) by_inverse += inverse[i * size + j] * right[j];
      BOOST_TEST(packed_solution[i] == square_solution[i], tt::tolerance(1e-9));
      BOOST_TEST(by_inverse == square_solution[i], tt::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
