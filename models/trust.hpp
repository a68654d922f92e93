/// Trust: how far predictions with calibrated numbers err, as the entry of those numbers says.
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
                                        "median size of the relative error of runs that the fit has not seen"),
      number_row<T, &T::measured_low>("measured_low", "1", not_negative_number, optional,
                                      "measured over predicted time: 5 % of such runs lie below"),
      number_row<T, &T::measured_high>("measured_high", "1", not_negative_number, optional, "the same: 95 % lie below"),
      number_row<T, &T::expected_memory_error>("expected_memory_error", "1", not_negative_number, optional,
                                               "median size of the relative error of memory of such runs"),
      number_row<T, &T::memory_low>("memory_low", "1", not_negative_number, optional,
                                    "measured over predicted memory: 5 % of such runs lie below"),
      number_row<T, &T::memory_high>("memory_high", "1", not_negative_number, optional, "the same: 95 % lie below"),
  });
}();

[[nodiscard]] inline Decoded<Trust> decode_trust(const Entry& entry) {
  Decoded<Trust> decoded;
  FieldReader reader(entry, decoded.problems);
  decode_numbers<Trust>(reader, trust_fields, decoded.value);
  return decoded;
}

}  // namespace dfsweep
