/// Bench: our solver of small positive definite systems beside Eigen's Cholesky factorization of fixed size, on the
/// same systems; how many numbers of the solutions differ in a bit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include <Eigen/Cholesky>

#include "models/statistics/least_squares.hpp"
#include "models/statistics/random.hpp"

namespace {

using namespace dfsweep;

constexpr int systems = 512;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Least processor seconds of one of 400 passes over all systems.
template <typename Pass>
double least_seconds(const Pass& pass) {
  double least = 1e300;
  for (int repetition = 0; repetition < 400; ++repetition) {
    const double start = processor_seconds();
    pass();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

/// Normal equations of three times as many random rows as unknowns.
template <std::size_t K>
struct System {
  static constexpr auto size = static_cast<Eigen::Index>(K);
  Eigen::Matrix<double, size, size> matrix;
  Eigen::Matrix<double, size, 1> right;
  std::array<double, K*(K + 1) / 2> packed{};

  explicit System(std::uint64_t seed) {
    const CounterRandom random(seed);
    std::uint64_t drawn = 0;
    Eigen::Matrix<double, 3 * size, size> rows;
    for (double& value : rows.reshaped()) value = 2.0 * random.uniform(drawn++) - 1.0;
    for (double& value : right.reshaped()) value = 2.0 * random.uniform(drawn++) - 1.0;
    matrix = rows.transpose() * rows;
    std::size_t place = 0;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) packed[place++] = matrix(i, j);
  }
};

template <std::size_t K>
void compare() {
  std::vector<System<K>> all;
  for (std::uint64_t seed = 1; seed <= systems; ++seed) all.emplace_back(seed);
  std::vector<std::array<double, K>> ours(all.size());
  std::vector<std::array<double, K>> theirs(all.size());
  const double own = least_seconds([&] {
    for (std::size_t s = 0; s < all.size(); ++s) {
      auto packed = all[s].packed;
      std::copy_n(all[s].right.data(), K, ours[s].begin());
      if (!solve_packed<K>(packed, ours[s])) fmt::print("not positive definite\n");
    }
  });
  const double other = least_seconds([&] {
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto& matrix = all[s].matrix;
      const Eigen::LLT<std::remove_cvref_t<decltype(matrix)>> factor(matrix);
      const auto pivots = factor.matrixLLT().diagonal().array().square();
      if (!(pivots > 1e-12 * matrix.diagonal().array()).all()) fmt::print("not positive definite\n");
      Eigen::Map<Eigen::Matrix<double, System<K>::size, 1>>(theirs[s].data()) = factor.solve(all[s].right);
    }
  });
  std::size_t differ = 0;
  for (std::size_t s = 0; s < all.size(); ++s)
    for (std::size_t i = 0; i < K; ++i) differ += ours[s][i] != theirs[s][i] ? 1 : 0;
  fmt::print("{} unknowns: Eigen takes {:.2f} times as long; {} of {} numbers differ in a bit\n", K, other / own,
             differ, K * all.size());
}

}  // namespace

int main() {
  compare<4>();
  compare<5>();
  compare<6>();
}
