/// Numbers of groups, found from what a run says about its group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/fit/runs/run_input.hpp"
#include "models/hash_step.hpp"
#include "models/open_addressing.hpp"

namespace dfsweep::fit {

struct GroupKeys {
  using Key = law_fits::GroupKey;
  using Entry = law_fits::GroupKey;
  static std::uint64_t hash(const Key& key) {
    return hash_step(key.recipe, {key.parameters, key.activated_parameters, key.train_tokens});
  }
  static const Key& key_of(const Entry& entry) { return entry; }
  static Entry entry_of(const Key& key) { return key; }
};

/// Groups in order of appearance.
using GroupIndex = OpenAddressing<GroupKeys>;

/// The key of a run of a block; its recipe joins `recipes` where it is new.
[[nodiscard]] inline law_fits::GroupKey key_of(const RunBlock& block, std::size_t run,
                                               std::vector<law_fits::Recipe>& recipes) {
  static const std::string unnamed;
  const std::string& name = block.recipes.empty() ? unnamed : block.recipes[block.recipe[run]];
  const law_fits::Recipe recipe = recipe_of(name, block.parameters[run], block.activated_parameters[run]);
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
