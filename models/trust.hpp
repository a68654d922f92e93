/// Trust: how far predictions with calibrated numbers err, as the entry of those numbers says.
#pragma once

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/field_reader.hpp"

namespace dfsweep {

/// Absent where the entry was not calibrated.
struct Trust {
  double expected_error = absent;         ///< median size of the relative error of runs that the fit has not seen
  double measured_low = absent;           ///< measured over predicted time: 5 % of such runs lie below
  double measured_high = absent;          ///< 95 % do
  double expected_memory_error = absent;  ///< the same three of memory
  double memory_low = absent;
  double memory_high = absent;
};

[[nodiscard]] inline Decoded<Trust> decode_trust(const Entry& entry) {
  Decoded<Trust> decoded;
  FieldReader fields(entry, decoded.problems);
  decoded.value = {
      fields.not_negative_or("expected_error", absent), fields.not_negative_or("measured_low", absent),
      fields.not_negative_or("measured_high", absent),  fields.not_negative_or("expected_memory_error", absent),
      fields.not_negative_or("memory_low", absent),     fields.not_negative_or("memory_high", absent)};
  return decoded;
}

}  // namespace dfsweep
