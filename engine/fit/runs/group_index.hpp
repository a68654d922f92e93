/// Numbers of groups, found from what a run says about its group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/fit/runs/run_input.hpp"
#include "models/hash_step.hpp"

namespace dfsweep::fit {

/// Groups in order of appearance.
class GroupIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Number of the group of that key, which joins the index where it is new.
  std::uint32_t add(const hyperparameters::GroupKey& key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place_of(key)];
    if (slot == none) {
      slot = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slot;
  }
  /// Number of the group, or `none`.
  [[nodiscard]] std::uint32_t find(const hyperparameters::GroupKey& key) const {
    return slots_.empty() ? none : slots_[place_of(key)];
  }
  [[nodiscard]] const std::vector<hyperparameters::GroupKey>& keys() const { return keys_; }

 private:
  static std::uint64_t hash(const hyperparameters::GroupKey& key) {
    return hash_step(key.recipe, {key.parameters, key.activated_parameters, key.train_tokens});
  }
  [[nodiscard]] std::size_t place_of(const hyperparameters::GroupKey& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (slots_[at] != none && keys_[slots_[at]] != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), none);
    for (std::uint32_t g = 0; g < keys_.size(); ++g) slots_[place_of(keys_[g])] = g;
  }

  std::vector<hyperparameters::GroupKey> keys_;
  std::vector<std::uint32_t> slots_;  ///< open addressing; as many as a power of two, at most half of them taken
};

/// The key of a run of a block; its recipe joins `recipes` where it is new.
[[nodiscard]] inline hyperparameters::GroupKey key_of(const RunBlock& block, std::size_t run,
                                                      std::vector<hyperparameters::Recipe>& recipes) {
  static const std::string unnamed;
  const std::string& name = block.recipes.empty() ? unnamed : block.recipes[block.recipe[run]];
  const hyperparameters::Recipe recipe = recipe_of(name, block.parameters[run], block.activated_parameters[run]);
  return {.family = recipe.family,
          .activated_parameters = block.activated_parameters[run],
          .parameters = block.parameters[run],
          .train_tokens = block.train_tokens[run],
          .recipe = recipe_number(recipes, recipe)};
}

/// Whether a run is of the group of the run before it, which mostly saves looking it up.
[[nodiscard]] inline bool is_of_group_before(const RunBlock& block, std::size_t run) {
  return run > 0 && block.train_tokens[run] == block.train_tokens[run - 1] &&
         block.parameters[run] == block.parameters[run - 1] &&
         block.activated_parameters[run] == block.activated_parameters[run - 1] &&
         block.recipe[run] == block.recipe[run - 1];
}

}  // namespace dfsweep::fit
