/// Trust: the prediction error of calibrated numbers, as their entry records it.
#pragma once

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"

namespace dfsweep {

/// Absent where the entry was not calibrated.
struct Trust {
  double expected_error = absent;
  double measured_low = absent;
  double measured_high = absent;
  double expected_memory_error = absent;
  double memory_low = absent;
  double memory_high = absent;
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
  });
}();

[[nodiscard]] inline Decoded<Trust> decode_trust(const Entry& entry) {
  Decoded<Trust> decoded;
  FieldReader reader(entry, decoded.problems);
  decode_numbers<Trust>(reader, trust_fields, decoded.value);
  return decoded;
}

}  // namespace dfsweep
