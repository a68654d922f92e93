/// The section of an explanation on price and power of a device, and which of them are derived.
#pragma once

#include <string>

#include "models/cost/bill.hpp"
#include "models/enum_array.hpp"
#include "models/explanation.hpp"

namespace dfsweep::cost {

/// "given", or "derived from the parts of the device".
[[nodiscard]] inline std::string text_of(Source source) {
  return source == Source::given ? std::string(source_names[index_of(source)])
                                 : std::string(source_names[index_of(source)]) + " from the parts of the device";
}

[[nodiscard]] inline Explanation bill_section(const Bill& bill) {
  return {.title = "price and power of a device",
          .facts = {{"price, with its share of the rest", bill.price.value(), "USD"},
                    {"price is", text_of(bill.price_source), ""},
                    {"power, with its share of the rest", bill.power.value(), "W"},
                    {"power is", text_of(bill.power_source), ""},
                    {"limit of the device alone", bill.limit.value(), "W"},
                    {"idle power of the device alone", bill.idle.value(), "W"}},
          .table = {},
          .sections = {}};
}

}  // namespace dfsweep::cost
