/// Exact choice of a sharding by variable elimination over the kernels.
#include "models/dataflow/parallelism/sharding.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::dataflow {

namespace {

double words_of(const Kernel& kernel) {
  return kernel.outer * kernel.m * kernel.n;
}

double price_of_kernel(const Kernel& kernel, ShardDimension dimension, double word_bytes,
                       const ShardingPrices& prices) {
  if (dimension != ShardDimension::k) return 0.0;
  const ShardingPrices::Price& price = prices.of[Collective::all_reduce];
  return words_of(kernel) * word_bytes * price.byte + price.each;
}

double price_of_edge(const Kernel& source, ShardDimension from, const Kernel& destination, ShardDimension to,
                     double chips, double word_bytes, const ShardingPrices& prices) {
  const Conversion conversion =
      conversion_between(produced_layout(source, from), wanted_layout(source, destination, to));
  const std::optional<Collective> collective = collective_of(conversion);
  if (!collective) return 0.0;
  const bool whole = prices.counted == ShardingPrices::Counted::whole_tensor;
  const double bytes = words_of(whole ? source : shard_of(source, from, chips)) * word_bytes;
  return bytes * prices.of[*collective].byte + prices.of[*collective].each;
}

/// Price as a function of the choices of some kernels: row-major over `kernels` (ascending).
struct Factor {
  std::vector<std::size_t> kernels;
  std::vector<double> prices;
};

constexpr std::size_t most_states = std::size_t{1} << 22;

/// Eliminates kernels from the last to the first, then reads the choices back from the first to the last.
class Elimination {
 public:
  Elimination(const Graph& graph, double chips, double word_bytes, const ShardingPrices& prices, SinkSharding sink)
      : choices_(graph.kernels.size()), best_(graph.kernels.size()) {
    for (std::size_t k = 0; k < choices_.size(); ++k) choices_[k] = sharding_choices(graph, k, sink);
    for (std::size_t k = 0; k < choices_.size(); ++k) {
      Factor factor{{k}, {}};
      for (const ShardDimension d : choices_[k])
        factor.prices.push_back(price_of_kernel(graph.kernels[k], d, word_bytes, prices));
      factors_.push_back(std::move(factor));
    }
    for (const Edge& edge : graph.edges) {
      const bool ascending = edge.source < edge.destination;
      Factor factor{{std::min(edge.source, edge.destination), std::max(edge.source, edge.destination)}, {}};
      for (const ShardDimension first : choices_[factor.kernels[0]])
        for (const ShardDimension second : choices_[factor.kernels[1]])
          factor.prices.push_back(price_of_edge(graph.kernels[edge.source], ascending ? first : second,
                                                graph.kernels[edge.destination], ascending ? second : first, chips,
                                                word_bytes, prices));
      factors_.push_back(std::move(factor));
    }
  }

  /// False where the tables would become too large.
  bool run() {
    for (std::size_t k = choices_.size(); k-- > 0;)
      if (!eliminate(k)) return false;
    return true;
  }

  std::vector<ShardDimension> sharding() const {
    std::vector<std::size_t> chosen(choices_.size(), 0);
    std::vector<ShardDimension> result(choices_.size());
    for (std::size_t k = 0; k < choices_.size(); ++k) {
      chosen[k] = best_[k].choice[index_of(best_[k].others, chosen)];
      result[k] = choices_[k][chosen[k]];
    }
    return result;
  }

 private:
  /// The best choice of a kernel for each combination of choices of the earlier kernels that it depends on.
  struct Best {
    std::vector<std::size_t> others;
    std::vector<std::uint8_t> choice;
  };

  std::size_t index_of(const std::vector<std::size_t>& kernels, const std::vector<std::size_t>& chosen) const {
    std::size_t index = 0;
    for (const std::size_t k : kernels) index = index * choices_[k].size() + chosen[k];
    return index;
  }

  bool eliminate(std::size_t kernel) {
    std::vector<Factor> touching;
    std::vector<Factor> rest;
    std::vector<std::size_t> others;
    for (Factor& factor : factors_) {
      if (factor.kernels.back() != kernel) {
        rest.push_back(std::move(factor));
        continue;
      }
      others.insert(others.end(), factor.kernels.begin(), factor.kernels.end() - 1);
      touching.push_back(std::move(factor));
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::size_t states = 1;
    for (const std::size_t k : others)
      if ((states *= choices_[k].size()) > most_states) return false;

    Factor merged{others, std::vector<double>(states)};
    best_[kernel] = {others, std::vector<std::uint8_t>(states)};
    std::vector<std::size_t> chosen(choices_.size(), 0);
    for (std::size_t state = 0; state < states; ++state) {
      std::size_t remaining = state;
      for (std::size_t i = others.size(); i-- > 0;) {
        chosen[others[i]] = remaining % choices_[others[i]].size();
        remaining /= choices_[others[i]].size();
      }
      for (std::size_t choice = 0; choice < choices_[kernel].size(); ++choice) {
        chosen[kernel] = choice;
        double price = 0.0;
        for (const Factor& factor : touching) price += factor.prices[index_of(factor.kernels, chosen)];
        if (choice > 0 && !(price < merged.prices[state])) continue;
        merged.prices[state] = price;
        best_[kernel].choice[state] = static_cast<std::uint8_t>(choice);
      }
    }
    factors_ = std::move(rest);
    if (!others.empty()) factors_.push_back(std::move(merged));
    return true;
  }

  std::vector<std::vector<ShardDimension>> choices_;
  std::vector<Best> best_;
  std::vector<Factor> factors_;
};

}  // namespace

double sharding_price(const Graph& graph, std::span<const ShardDimension> sharding, double chips, double word_bytes,
                      const ShardingPrices& prices) {
  double price = 0.0;
  for (std::size_t k = 0; k < graph.kernels.size(); ++k)
    price += price_of_kernel(graph.kernels[k], sharding[k], word_bytes, prices);
  for (const Edge& edge : graph.edges)
    price += price_of_edge(graph.kernels[edge.source], sharding[edge.source], graph.kernels[edge.destination],
                           sharding[edge.destination], chips, word_bytes, prices);
  return price;
}

std::optional<std::vector<ShardDimension>> best_sharding(const Graph& graph, double chips, double word_bytes,
                                                         const ShardingPrices& prices, SinkSharding sink) {
  Elimination elimination(graph, chips, word_bytes, prices, sink);
  if (!elimination.run()) return std::nullopt;
  return elimination.sharding();
}

}  // namespace dfsweep::dataflow
