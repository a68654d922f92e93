/// Runs of one setting in a stream: their number, the mean of ln L and the squares about it.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "models/hash_step.hpp"
#include "models/law_fits/runs/seed_noise.hpp"
#include "models/open_addressing.hpp"

namespace dfsweep::fit {

/// Learning rate and batch within a group.
struct SettingKeys {
  struct Key {
    double learning_rate = 0.0;
    double batch_tokens = 0.0;
    bool operator==(const Key&) const = default;
  };
  using Entry = Key;
  static std::uint64_t hash(const Key& key) { return hash_step(0, {key.learning_rate, key.batch_tokens}); }
  static const Key& key_of(const Entry& entry) { return entry; }
  static Entry entry_of(const Key& key) { return key; }
};

/// The settings of a group, in order of appearance.
class SettingSums {
 public:
  /// `log_rel`: ln L less that of the least loss of the group.
  void add(double learning_rate, double batch_tokens, double log_rel) {
    const std::uint32_t setting = index_.find_or_add({learning_rate, batch_tokens});
    if (setting == sums_.size()) sums_.emplace_back();
    Sums& sums = sums_[setting];
    sums.runs += 1.0;
    const double step = log_rel - sums.mean;
    sums.mean += step / sums.runs;
    sums.squares += step * (log_rel - sums.mean);
  }

  /// Adds the settings with two or more runs whose mean is within `window` of the least loss of the group.
  void add_to(law_fits::SeedSums& total, double window) const {
    const double highest = std::log1p(window);
    for (const Sums& sums : sums_) {
      if (sums.runs < 2.0 || !(sums.mean < highest)) continue;
      total.settings += 1;
      total.runs += static_cast<std::size_t>(sums.runs);
      total.squares += sums.squares;
    }
  }

 private:
  struct Sums {
    double runs = 0.0;
    double mean = 0.0;
    double squares = 0.0;
  };
  OpenAddressing<SettingKeys> index_;
  std::vector<Sums> sums_;
};

}  // namespace dfsweep::fit
