/// BatchClock: the times of the batches of a simulated run, from the measured tables of a replica, and their energy.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/cost/step_power.hpp"
#include "models/hash_step.hpp"
#include "models/open_addressing.hpp"
#include "models/profiled/points/replica.hpp"
#include "models/queueing/vidur/batch.hpp"

namespace dfsweep::profiled {

/// Values by a pair of numbers, each computed once.
template <class Value>
class PairCache {
 public:
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    bool operator==(const Key&) const = default;
  };
  template <class Compute>
  const Value& get(const Key& key, const Compute& compute) {
    const std::size_t before = table_.size();
    const std::uint32_t place = table_.find_or_add(key);
    if (table_.size() > before) table_[place].value = compute();
    return table_[place].value;
  }

 private:
  struct Keys {
    using Key = PairCache::Key;
    struct Entry {
      Key key;
      Value value;
    };
    static std::uint64_t hash(const Key& key) { return hash_step(hash_step(0, key.first), key.second); }
    static const Key& key_of(const Entry& entry) { return entry.key; }
    static Entry entry_of(const Key& key) { return {key, {}}; }
  };
  OpenAddressing<Keys> table_;
};

/// The time of each stage is that of the same batch with queueing = "steady" and this stage. Times that depend on sums
/// of the batch alone are computed once. Not thread-safe.
class BatchClock {
 public:
  /// Pre: `replica` has stage_terms and outlives the object.
  explicit BatchClock(const Replica& replica);

  /// NaN where a table is missing.
  [[nodiscard]] Seconds operator()(const vidur::BatchView& batch, std::uint32_t stage) const;

  /// Worst coverage of the batches since start_run().
  [[nodiscard]] Coverage coverage() const { return coverage_; }
  /// What kernels of a device of each stage have drawn above idle power since start_run(), summed over stages and
  /// replicas (docs/models/cost.md).
  [[nodiscard]] Joules kernel_energy() const { return kernel_energy_; }
  /// `device`: empty where energy is not wanted. Pre: the rates of the device are known where it is.
  void start_run(const std::optional<cost::PowerRange>& device = {}) const {
    coverage_ = Coverage::measured;
    kernel_energy_ = Joules{};
    device_ = device;
  }

 private:
  struct TokenTimes {
    TokenRow row;
    NetworkRow network;
    TimeCell embedding;
    OperatorWork work;  ///< of a layer, without attention
  };
  struct RequestTimes {
    LogitRow logits;
    TimeCell processor;
  };
  [[nodiscard]] TokenTimes token_times(double tokens) const;
  [[nodiscard]] RequestTimes request_times(double requests) const;
  [[nodiscard]] TimeCell decode_time(const vidur::BatchView& batch) const;
  [[nodiscard]] TimeCell prefill_time(const vidur::BatchView& batch) const;
  [[nodiscard]] OperatorWork attention_work_of(const vidur::BatchView& batch) const;
  void add_energy(const vidur::BatchView& batch, const ReplicaTerms& terms, const OperatorWork& of_tokens,
                  const BatchTime& time) const;
  void note(const ReplicaTerms& terms, const TokenTimes& tokens, const TimeCell& decode, const TimeCell& prefill,
            const RequestTimes& requests) const;

  const Replica& replica_;
  std::uint64_t granularity_;
  bool has_mean_decodes_;  ///< the time of decodes depends on their number and mean context
  bool has_one_prompt_;    ///< the time of prompts depends on the sums of prefill_as_one_prompt
  mutable PairCache<TokenTimes> tokens_;
  mutable PairCache<RequestTimes> requests_;
  mutable PairCache<TimeCell> decodes_;
  mutable PairCache<TimeCell> prefills_;
  mutable std::vector<RequestGroup> groups_;
  mutable Coverage coverage_ = Coverage::measured;
  mutable Joules kernel_energy_;
  mutable std::optional<cost::PowerRange> device_;
};

}  // namespace dfsweep::profiled
