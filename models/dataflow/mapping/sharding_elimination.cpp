/// Elimination of kernels from the last to the first.
#include "models/dataflow/mapping/sharding_elimination.hpp"

#include <algorithm>
#include <limits>

namespace dfsweep::dataflow {

namespace {

constexpr std::size_t most_states = std::size_t{1} << 16;

}  // namespace

ShardingElimination::ShardingElimination(const ShardingCosts& costs, std::vector<std::vector<double>> prices,
                                         double conversion_weight)
    : costs_(&costs), prices_(std::move(prices)), conversion_weight_(conversion_weight) {
  eliminate();
}

double ShardingElimination::own(std::size_t position, std::span<const std::size_t> chosen) const {
  const std::size_t kernel = costs_->order()[position];
  double price = prices_[kernel][chosen[kernel]];
  for (const std::size_t e : costs_->edges_of(kernel)) {
    const auto [source, destination] = costs_->edges()[e];
    if (costs_->position(source) > position || costs_->position(destination) > position) continue;
    price += conversion_weight_ * costs_->conversion(e, chosen[source], chosen[destination]);
  }
  return price;
}

std::size_t ShardingElimination::index_of(const Message& message, std::span<const std::size_t> chosen) const {
  std::size_t index = 0;
  for (const std::size_t p : message.positions) {
    const std::size_t kernel = costs_->order()[p];
    index = index * costs_->choices(kernel).size() + chosen[kernel];
  }
  return index;
}

void ShardingElimination::eliminate() {
  const std::vector<std::size_t>& order = costs_->order();
  messages_.resize(order.size());
  for (std::size_t p = order.size(); p-- > 0;) {
    std::vector<std::size_t>& positions = messages_[p].positions;
    for (const std::size_t e : costs_->edges_of(order[p])) {
      const auto [source, destination] = costs_->edges()[e];
      const std::size_t other = costs_->position(source == order[p] ? destination : source);
      if (other < p) positions.push_back(other);
    }
    std::vector<std::size_t> later;  // messages whose last kernel is this one
    for (std::size_t q = p + 1; q < order.size(); ++q) {
      const std::vector<std::size_t>& of_later = messages_[q].positions;
      if (of_later.empty() || of_later.back() != p) continue;
      later.push_back(q);
      positions.insert(positions.end(), of_later.begin(), of_later.end() - 1);
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    std::size_t states = 1;
    for (const std::size_t q : positions) states *= costs_->choices(order[q]).size();
    if (states > most_states) {
      complete_ = false;
      return;
    }
    fill(p, states, later);
  }
}

void ShardingElimination::fill(std::size_t position, std::size_t states, std::span<const std::size_t> later) {
  const std::vector<std::size_t>& order = costs_->order();
  Message& message = messages_[position];
  std::vector<std::size_t> chosen(order.size(), 0);
  for (std::size_t state = 0; state < states; ++state) {
    std::size_t rest = state;
    for (std::size_t i = message.positions.size(); i-- > 0;) {
      const std::size_t other = order[message.positions[i]];
      chosen[other] = rest % costs_->choices(other).size();
      rest /= costs_->choices(other).size();
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t& choice = chosen[order[position]];
    for (choice = 0; choice < costs_->choices(order[position]).size(); ++choice) {
      double price = own(position, chosen);
      for (const std::size_t q : later) price += messages_[q].prices[index_of(messages_[q], chosen)];
      least = std::min(least, price);
    }
    choice = 0;
    message.prices.push_back(least);
  }
}

double ShardingElimination::least(std::size_t decided, std::span<const std::size_t> chosen) const {
  double price = 0.0;
  for (std::size_t p = 0; p < decided; ++p) price += own(p, chosen);
  if (!complete_) return price;
  for (std::size_t p = decided; p < messages_.size(); ++p) {
    const Message& message = messages_[p];
    if (message.positions.empty() || message.positions.back() < decided)
      price += message.prices[index_of(message, chosen)];
  }
  return price;
}

}  // namespace dfsweep::dataflow
