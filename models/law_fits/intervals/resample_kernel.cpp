#include "models/law_fits/intervals/resample_kernel.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <utility>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/law_fits/law_basis.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr std::size_t triangle(std::size_t size) {
  return size * (size + 1) / 2;
}

constexpr std::size_t stride(std::size_t x_size, std::size_t y_size) {
  return (triangle(x_size) + x_size + triangle(y_size) + y_size + 1) / 2 * 2;
}

/// Solves one target from its packed equations; false where they are singular.
template <std::size_t K>
bool solve_target(const double* sum, double* coefficients) {
  std::array<double, triangle(K)> a;
  std::array<double, K> b;
  std::copy_n(sum, a.size(), a.begin());
  std::copy_n(sum + a.size(), K, b.begin());
  const bool solved = solve_packed<K>(a, b);
  std::copy_n(b.begin(), K, coefficients);
  return solved;
}

template <std::size_t X, std::size_t Y>
void solve_both(const double* sum, double* coefficients) {
  const bool x = solve_target<X>(sum, coefficients);
  const bool y = solve_target<Y>(sum + triangle(X) + X, coefficients + X);
  if (!(x && y)) std::fill_n(coefficients, X + Y, absent);
}

template <std::size_t X, std::size_t Y>
void resample_sizes(const double* sums, std::size_t items, const CounterRandom& random, std::uint64_t first,
                    std::span<double> coefficients) {
  constexpr int width = static_cast<int>(stride(X, Y));
  for (std::size_t at = 0; at < coefficients.size(); at += X + Y, ++first) {
    Eigen::Array<double, width, 1> sum = Eigen::Array<double, width, 1>::Zero();  // unrolled, so it stays in registers
    for (std::size_t j = 0; j < items; ++j)
      sum += Eigen::Array<double, width, 1>::Map(sums + width * random.index(first, j, items));
    solve_both<X, Y>(sum.data(), coefficients.data() + at);
  }
}

/// [x_size - 1][y_size - 1] flattened: the instantiations for every pair of sizes.
using Resample = void (*)(const double*, std::size_t, const CounterRandom&, std::uint64_t, std::span<double>);
using Solve = void (*)(const double*, double*);
constexpr std::size_t pairs = most_coefficients * most_coefficients;

template <std::size_t... I>
constexpr std::array<Resample, pairs> resample_table(std::index_sequence<I...>) {
  return {resample_sizes<I / most_coefficients + 1, I % most_coefficients + 1>...};
}
template <std::size_t... I>
constexpr std::array<Solve, pairs> solve_table(std::index_sequence<I...>) {
  return {solve_both<I / most_coefficients + 1, I % most_coefficients + 1>...};
}
constexpr auto resamples = resample_table(std::make_index_sequence<pairs>{});
constexpr auto solves = solve_table(std::make_index_sequence<pairs>{});

std::size_t pair_number(std::size_t x_size, std::size_t y_size) {
  DFSWEEP_EXPECT(x_size >= 1 && x_size <= most_coefficients && y_size >= 1 && y_size <= most_coefficients);
  return (x_size - 1) * most_coefficients + y_size - 1;
}

}  // namespace

std::size_t resample_stride(std::size_t x_size, std::size_t y_size) {
  return stride(x_size, y_size);
}

void resample(std::span<const double> sums, std::size_t items, std::size_t x_size, std::size_t y_size,
              const CounterRandom& random, std::uint64_t first, std::span<double> coefficients) {
  DFSWEEP_EXPECT(sums.size() == items * stride(x_size, y_size));
  DFSWEEP_EXPECT(coefficients.size() % (x_size + y_size) == 0);
  resamples[pair_number(x_size, y_size)](sums.data(), items, random, first, coefficients);
}

void solve_resample(std::span<const double> sum, std::size_t x_size, std::size_t y_size,
                    std::span<double> coefficients) {
  DFSWEEP_EXPECT(sum.size() == stride(x_size, y_size) && coefficients.size() == x_size + y_size);
  solves[pair_number(x_size, y_size)](sum.data(), coefficients.data());
}

}  // namespace dfsweep::law_fits
