/// Numbers of combinations of parameter values.
#include "models/prepared/subspace.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "models/absent.hpp"
#include "models/all_equal.hpp"
#include "models/expect.hpp"

namespace dfsweep {

Subspace::Subspace(const SweepValues& values, std::span<const ParameterIndex> parameters) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::size_t> columns;
  for (const ParameterIndex parameter : parameters) {
    const auto& [of, column] = values.parameters[parameter];
    if (column == SweepValues::fixed) continue;
    // Otherwise numbers would collide or exceed the tables.
    DFSWEEP_EXPECT(column < values.column_sizes.size() && of.size() <= values.column_sizes[column]);
    columns.push_back(column);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    const std::uint64_t codes = values.column_sizes[*column];
    digits_.push_back({*column, size_, codes});
    size_ = codes != 0 && size_ > most / codes ? most : size_ * codes;
  }
}

void Subspace::indices(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const {
  std::fill(out.begin(), out.end(), 0U);
  if (out.empty()) return;
  std::uint32_t same = 0;  // contribution of the columns that are constant here
  for (const Digit& digit : digits_) {
    const std::span<const std::uint32_t> codes = points.column(digit.column).subspan(first, out.size());
    const auto stride = static_cast<std::uint32_t>(digit.stride);
    if (all_equal(codes))
      same += stride * codes[0];
    else
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += stride * codes[i];
  }
  for (std::uint32_t& index : out) index += same;
}

std::uint32_t Subspace::code(const SweepValues& values, ParameterIndex parameter, std::uint64_t index) const {
  const std::size_t column = values.parameters[parameter].column;
  for (const Digit& digit : digits_)
    if (digit.column == column) return static_cast<std::uint32_t>(index / digit.stride % digit.size);
  return 0;
}

std::vector<std::uint32_t> first_equal_codes(const SweepValues::Parameter& parameter) {
  using Key = std::tuple<bool, double, std::string_view, const Entry*>;
  std::map<Key, std::uint32_t> first;
  std::vector<std::uint32_t> codes;
  codes.reserve(parameter.values.size());
  for (const ParameterValue& value : parameter.values) {
    const bool has_number = is_given(value.number);
    const Key key{has_number, has_number ? value.number : 0.0, value.text, value.entry};
    codes.push_back(first.emplace(key, static_cast<std::uint32_t>(codes.size())).first->second);
  }
  return codes;
}

namespace {

bool all_differ(const std::vector<std::uint32_t>& equal) {
  for (std::size_t code = 0; code < equal.size(); ++code)
    if (equal[code] != code) return false;
  return true;
}

/// A varying parameter of a subspace with the first equal code of each code.
struct Varying {
  ParameterIndex parameter;
  std::size_t column;
  std::vector<std::uint32_t> equal;
};

/// True if, for every column, one of its parameters alone distinguishes all its codes.
bool no_two_equal(std::span<const Varying> varying) {
  return std::all_of(varying.begin(), varying.end(), [varying](const Varying& one) {
    return std::any_of(varying.begin(), varying.end(),
                       [&one](const Varying& other) { return other.column == one.column && all_differ(other.equal); });
  });
}

}  // namespace

DistinctSubspace::DistinctSubspace(const SweepValues& values, std::span<const ParameterIndex> parameters)
    : subspace_(values, parameters) {
  DFSWEEP_EXPECT(subspace_.size() < std::numeric_limits<std::uint32_t>::max());
  std::vector<Varying> varying;
  for (const ParameterIndex p : parameters)
    if (const std::size_t column = values.parameters[p].column; column != SweepValues::fixed)
      varying.push_back({p, column, first_equal_codes(values.parameters[p])});
  if (no_two_equal(varying)) return;

  // Refine the numbering by one parameter at a time.
  numbers_.assign(subspace_.size(), 0);
  for (const Varying& next : varying) {
    std::unordered_map<std::uint64_t, std::uint32_t> refined;
    for (std::uint64_t c = 0; c < numbers_.size(); ++c) {
      const std::uint64_t key =
          std::uint64_t{numbers_[c]} << 32 | next.equal[subspace_.code(values, next.parameter, c)];
      numbers_[c] = refined.emplace(key, static_cast<std::uint32_t>(refined.size())).first->second;
    }
  }
  for (std::uint64_t c = 0; c < numbers_.size(); ++c)
    if (numbers_[c] == first_.size()) first_.push_back(c);  // numbers ascend in the order of first appearance
}

void DistinctSubspace::numbers(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const {
  subspace_.indices(points, first, out);
  if (numbers_.empty()) return;
  for (std::uint32_t& number : out) number = numbers_[number];
}

}  // namespace dfsweep
