/// Random partition problems with small whole amounts, so that sums of doubles are exact and equal means equal.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::test {

/// A number from 0 to `last`; the standard distributions differ between libraries.
inline std::size_t draw(std::mt19937_64& random, std::size_t last) {
  return static_cast<std::size_t>(random() % (last + 1));
}

/// How kernels and edges are given amounts.
struct Alphabet {
  std::size_t compute = 3;  ///< largest of each
  std::size_t network = 3;
  std::size_t memory = 1;
  std::size_t sram = 2;
  std::size_t traffic = 2;
  std::size_t boundary = 1;
  std::size_t inside = 1;  ///< above boundary
};

/// Amounts for the kernels and edges of a problem whose graph is given; every kernel alone needs what the code's
/// accounting says, or less where `streams` (weights in pieces).
inline void fill_amounts(dataflow::PartitionProblem& problem, std::mt19937_64& random, const Alphabet& alphabet,
                         bool streams) {
  for (dataflow::PartitionKernel& kernel : problem.kernels) {
    kernel.compute = Seconds{static_cast<double>(draw(random, alphabet.compute))};
    kernel.network = Seconds{static_cast<double>(draw(random, alphabet.network) * draw(random, 1))};
    kernel.memory = Bytes{static_cast<double>(draw(random, alphabet.memory))};
    kernel.sram = Bytes{static_cast<double>(draw(random, alphabet.sram))};
    kernel.sram_alone = kernel.sram;
  }
  for (dataflow::PartitionEdge& edge : problem.edges) {
    edge.traffic = Bytes{static_cast<double>(draw(random, alphabet.traffic))};
    edge.sram_boundary = Bytes{static_cast<double>(draw(random, alphabet.boundary))};
    edge.sram_inside = edge.sram_boundary + Bytes{static_cast<double>(draw(random, alphabet.inside))};
    problem.kernels[edge.source].sram_alone += edge.sram_boundary;
    problem.kernels[edge.destination].sram_alone += edge.sram_boundary;
  }
  if (streams)
    for (dataflow::PartitionKernel& kernel : problem.kernels)
      kernel.sram_alone = Bytes{std::floor(kernel.sram_alone.value() / 2.0)};
}

/// The cycle model: every kernel gets one to four ways to run.
inline void fill_choices(dataflow::PartitionProblem& problem, std::mt19937_64& random, double cores) {
  problem.cores = cores;
  for (dataflow::PartitionKernel& kernel : problem.kernels) {
    kernel.choices.clear();
    double need = 1.0;
    double time = static_cast<double>(4 + draw(random, 6));
    for (std::size_t i = draw(random, 3) + 1; i > 0 && time > 0.0; --i) {
      kernel.choices.push_back({need, Seconds{time}});
      need += static_cast<double>(1 + draw(random, 2));
      time -= static_cast<double>(1 + draw(random, 2));
    }
  }
}

/// Kernels 0 to n - 1 with edges i -> j, i < j, present where the bits of `edges`, over and over, say so, then renamed
/// by `names`.
inline dataflow::PartitionProblem graph_problem(std::size_t n, std::uint64_t edges,
                                                const std::vector<std::size_t>& names, std::size_t forward) {
  dataflow::PartitionProblem problem;
  problem.kernels.resize(n);
  for (std::size_t k = 0; k < n; ++k) problem.kernels[names[k]].pass = k < forward ? Pass::forward : Pass::backward;
  std::size_t bit = 0;
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i, ++bit)
      if ((edges >> bit % 64 & 1U) != 0) problem.edges.push_back({names[i], names[j], {}, {}, {}});
  return problem;
}

inline std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& random) {
  std::vector<std::size_t> names(n);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(names[i - 1], names[draw(random, i - 1)]);
  return names;
}

}  // namespace dfsweep::test
