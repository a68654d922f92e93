/// Families of measured operators: their keys, the numbers of their closed form, and the form as a function of both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/measured_tables/operator_work.hpp"
#include "models/units.hpp"

namespace dfsweep::operators {

/// Links that are slower are buses of the host, which devices share.
inline constexpr Bandwidth slowest_switch{100e9};

enum class Family : std::uint8_t {
  products,           ///< matrix products
  prompts,            ///< attention of prompts
  decoding,           ///< attention of decoding
  latent_prompts,     ///< latent attention of prompts, with or without projections
  latent_decoding,    ///< latent attention of decoding, with or without projections
  latent_products,    ///< products for each head before and after latent attention
  experts,            ///< routed experts of one device
  quantisation,       ///< scales and casts of activations
  library_exchanges,  ///< exchanges of NCCL or oneCCL
  own_all_reduces,    ///< an engine's own all-reduce
  token_exchanges,    ///< dispatch to experts and combination, of DeepEP
  nvlink_exchanges,   ///< the same between devices on one switch
};
inline constexpr std::size_t family_count = 12;
[[nodiscard]] constexpr Family family_at(std::size_t index) {
  return static_cast<Family>(index);
}

inline constexpr std::size_t most_keys = 8;
inline constexpr std::size_t most_numbers = 12;
using Keys = std::array<double, most_keys>;        ///< of one row; unused ones are 0
using Numbers = std::array<double, most_numbers>;  ///< of a closed form; unused ones are 0

/// A number of a row that says what was timed.
struct KeyInfo {
  std::string_view name;
  /// Where it belongs when shapes are left out: the shape that a model fixes, or the size that varies while it runs.
  enum class Part : std::uint8_t { shape, size } part = Part::size;
  enum class Range : std::uint8_t { positive, from_zero } range = Range::positive;
  double weight = 1.0;  ///< of its doublings in the distance of keys: what changes times more than the form says is far
};

/// What all rows of a table share: the device, and the formats of the operands.
struct TableSetting {
  DeviceRates rates;  ///< peak rate in the format of the products
  Bandwidth link;     ///< all links of a device inside the node, in one direction
  Bandwidth network;  ///< of a device beyond the node
  double node_devices = 8.0;
  double activation_bytes = 2.0;  ///< of an exchange: of a number
  double weight_bytes = 2.0;      ///< of attention: of a number of the cache
  double products = 3.0;          ///< of an expert
  double passes = 2.0;            ///< of an exchange over its buffer
  double protocols = 1.0;         ///< of a library for the exchange; 2: it changes to another for large buffers
  double quantised = 0.0;         ///< 1: the kernel quantises its activations
};

struct FamilyInfo {
  std::string_view name;  ///< "products"
  std::span<const KeyInfo> keys;
  std::span<const std::string_view> numbers;  ///< names of the numbers of the form
};
[[nodiscard]] const FamilyInfo& info_of(Family family);

/// Numbers to begin a fit with; a number of 0 is not fitted.
[[nodiscard]] Numbers start_of(Family family, const TableSetting& setting);

/// The closed form. Pre: keys are in their ranges, numbers >= 0.
[[nodiscard]] Seconds form_time(Family family, const Keys& keys, const TableSetting& setting, const Numbers& numbers);

/// FLOP and bytes of the memory; of exchanges: no FLOP, the bytes that a device sends at least.
[[nodiscard]] OperatorWork work_of(Family family, const Keys& keys, const TableSetting& setting);

/// Time below which no device can be: max(flop / peak, bytes / bandwidth), of exchanges bytes / link.
[[nodiscard]] Seconds least_time(Family family, const Keys& keys, const TableSetting& setting);

}  // namespace dfsweep::operators
