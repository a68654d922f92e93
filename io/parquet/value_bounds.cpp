#include "io/parquet/value_bounds.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dfsweep {
namespace {

/// Elements that are compared side by side, so that a comparison need not wait for the one before.
constexpr std::size_t lanes = 16;

template <class Number>
std::string bytes_of(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

template <class Number>
struct Extremes {
  using Limits = std::numeric_limits<Number>;
  Number least = Limits::has_infinity ? Limits::infinity() : Limits::max();
  Number greatest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
};

/// Without values: the least is above the greatest. A comparison with NaN is false.
template <class Number>
Extremes<Number> extremes_of(std::span<const std::byte> plain) {
  std::array<Number, lanes> least;
  std::array<Number, lanes> greatest;
  least.fill(Extremes<Number>().least);
  greatest.fill(Extremes<Number>().greatest);
  const auto add = [&](std::size_t lane, Number value) {
    least[lane] = value < least[lane] ? value : least[lane];
    greatest[lane] = value > greatest[lane] ? value : greatest[lane];
  };
  std::array<Number, lanes> values;
  const std::size_t count = plain.size() / sizeof(Number);
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    std::memcpy(values.data(), plain.data() + at * sizeof(Number), sizeof values);
    for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, values[lane]);
  }
  for (; at < count; ++at) {
    std::memcpy(values.data(), plain.data() + at * sizeof(Number), sizeof(Number));
    add(0, values[0]);
  }
  return {*std::min_element(least.begin(), least.end()), *std::max_element(greatest.begin(), greatest.end())};
}

template <class Number>
std::optional<ValueBounds> bounds_of(std::span<const std::byte> plain) {
  Extremes<Number> found = extremes_of<Number>(plain);
  if (plain.empty() || found.least > found.greatest) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (found.least == 0) found.least = Number{-0.0};
    if (found.greatest == 0) found.greatest = Number{0.0};
  }
  return ValueBounds{bytes_of(found.least), bytes_of(found.greatest)};
}

}  // namespace

std::optional<ValueBounds> bounds_of_numbers(ExportedType type, std::span<const std::byte> plain) {
  switch (type) {
    case ExportedType::int32:
      return bounds_of<std::int32_t>(plain);
    case ExportedType::int64:
      return bounds_of<std::int64_t>(plain);
    case ExportedType::uint64:
      return bounds_of<std::uint64_t>(plain);
    case ExportedType::float32:
      return bounds_of<float>(plain);
    case ExportedType::float64:
      return bounds_of<double>(plain);
    case ExportedType::label:
      break;
  }
  return std::nullopt;
}

std::optional<ValueBounds> bounds_of_labels(const std::vector<std::string>& labels,
                                            std::span<const std::uint32_t> codes) {
  std::vector<std::uint8_t> occurs(labels.size());
  for (const std::uint32_t code : codes) occurs[code] = 1;
  std::optional<ValueBounds> found;
  for (std::size_t code = 0; code < labels.size(); ++code) {
    if (occurs[code] == 0) continue;
    if (!found) {
      found = ValueBounds{labels[code], labels[code]};
    } else {
      found->least = std::min(found->least, labels[code]);
      found->greatest = std::max(found->greatest, labels[code]);
    }
  }
  return found;
}

}  // namespace dfsweep
