/// Trust: the prediction error of calibrated numbers, as their entry records it.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"

namespace dfsweep {

/// Absent where the entry was not calibrated. The numbers of models with experts are absent where none was measured:
/// then those of all models apply.
struct Trust {
  double expected_error = absent;
  double measured_low = absent;
  double measured_high = absent;
  double expected_memory_error = absent;
  double memory_low = absent;
  double memory_high = absent;
  double expected_error_experts = absent;
  double measured_low_experts = absent;
  double measured_high_experts = absent;
  double expected_memory_error_experts = absent;
  double memory_low_experts = absent;
  double memory_high_experts = absent;
  double expected_error_other_system = absent;
  double expected_error_other_model = absent;
};

inline constexpr auto trust_fields = [] {
  using enum Presence;
  using T = Trust;
  return std::to_array<FieldRow<T>>({
      number_row<T, &T::expected_error>("expected_error", "1", not_negative_number, optional,
                                        "median absolute relative error of the time of runs outside the fit"),
      number_row<T, &T::measured_low>("measured_low", "1", not_negative_number, optional,
                                      "measured over predicted time: ratio that 5 % of such runs stay below"),
      number_row<T, &T::measured_high>("measured_high", "1", not_negative_number, optional,
                                       "ratio that 95 % of such runs stay below"),
      number_row<T, &T::expected_memory_error>("expected_memory_error", "1", not_negative_number, optional,
                                               "median absolute relative error of the memory of such runs"),
      number_row<T, &T::memory_low>("memory_low", "1", not_negative_number, optional,
                                    "measured over predicted memory: ratio that 5 % of such runs stay below"),
      number_row<T, &T::memory_high>("memory_high", "1", not_negative_number, optional,
                                     "ratio that 95 % of such runs stay below"),
      number_row<T, &T::expected_error_experts>("expected_error_experts", "1", not_negative_number, optional,
                                                "expected_error of models with experts"),
      number_row<T, &T::measured_low_experts>("measured_low_experts", "1", not_negative_number, optional,
                                              "measured_low of models with experts"),
      number_row<T, &T::measured_high_experts>("measured_high_experts", "1", not_negative_number, optional,
                                               "measured_high of models with experts"),
      number_row<T, &T::expected_memory_error_experts>("expected_memory_error_experts", "1", not_negative_number,
                                                       optional, "expected_memory_error of models with experts"),
      number_row<T, &T::memory_low_experts>("memory_low_experts", "1", not_negative_number, optional,
                                            "memory_low of models with experts"),
      number_row<T, &T::memory_high_experts>("memory_high_experts", "1", not_negative_number, optional,
                                             "memory_high of models with experts"),
      number_row<T, &T::expected_error_other_system>("expected_error_other_system", "1", not_negative_number, optional,
                                                     "expected_error of systems without measured runs of this stack"),
      number_row<T, &T::expected_error_other_model>("expected_error_other_model", "1", not_negative_number, optional,
                                                    "expected_error of models without measured runs of this stack"),
  });
}();

/// The errors of one model: with routed experts, those of models with experts where they are known. `experts`: number
/// of routed experts, 0: dense.
[[nodiscard]] inline Trust trust_of_model(const Trust& entry, double experts) {
  Trust trust = entry;
  if (!(experts > 0.0)) return trust;
  const auto replace = [](double& number, double of_experts) {
    if (!std::isnan(of_experts)) number = of_experts;
  };
  replace(trust.expected_error, entry.expected_error_experts);
  replace(trust.measured_low, entry.measured_low_experts);
  replace(trust.measured_high, entry.measured_high_experts);
  replace(trust.expected_memory_error, entry.expected_memory_error_experts);
  replace(trust.memory_low, entry.memory_low_experts);
  replace(trust.memory_high, entry.memory_high_experts);
  return trust;
}

/// What the measured runs of a stack had not.
enum class Unmeasured : std::uint8_t { nothing, system, model };

/// The expected error of a combination, where the entry knows it apart; else that of what was measured.
[[nodiscard]] inline double expected_error_of(const Trust& trust, Unmeasured unmeasured) {
  double error = trust.expected_error;
  if (unmeasured == Unmeasured::system) error = trust.expected_error_other_system;
  if (unmeasured == Unmeasured::model) error = trust.expected_error_other_model;
  return std::isnan(error) ? trust.expected_error : error;
}

[[nodiscard]] inline Decoded<Trust> decode_trust(const Entry& entry) {
  Decoded<Trust> decoded;
  FieldReader reader(entry, decoded.problems);
  decode_numbers<Trust>(reader, trust_fields, decoded.value);
  return decoded;
}

}  // namespace dfsweep
