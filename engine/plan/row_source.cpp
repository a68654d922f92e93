/// Grids use decision diagrams, point lists a list of kept lines, samples a list of drawn points or groups.
#include "engine/plan/row_source.hpp"

#include "models/expect.hpp"

namespace dfsweep {
namespace {

using Rows = std::variant<GridRows, ListRows, SampledPoints, SampledGroups>;

Rows rows_of(const SweepSpec& spec, std::vector<FilterEffect>& effects) {
  if (spec.points) return Rows(std::in_place_type<ListRows>, spec, effects);
  const bool is_sampled = spec.sample && spec.sample->count;
  if (is_sampled && spec.search) return Rows(std::in_place_type<SampledGroups>, spec, effects);
  if (is_sampled) return Rows(std::in_place_type<SampledPoints>, spec, effects);
  return Rows(std::in_place_type<GridRows>, spec, effects);
}

}  // namespace

RowSource::RowSource(const SweepSpec& spec) : rows_(rows_of(spec, effects_)) {}

std::uint64_t RowSource::grid_size() const {
  return std::visit([](const auto& rows) { return rows.grid_size(); }, rows_);
}

std::uint64_t RowSource::population() const {
  return std::visit([](const auto& rows) { return rows.population(); }, rows_);
}

std::uint64_t RowSource::kept() const {
  return std::visit([](const auto& rows) { return rows.kept(); }, rows_);
}

std::uint64_t RowSource::groups() const {
  return std::visit([](const auto& rows) { return rows.groups(); }, rows_);
}

std::uint64_t RowSource::largest_group() const {
  return std::visit([](const auto& rows) { return rows.largest_group(); }, rows_);
}

std::uint64_t RowSource::group_begin(std::uint64_t group) const {
  DFSWEEP_EXPECT(group <= groups());
  return std::visit([group](const auto& rows) { return rows.group_begin(group); }, rows_);
}

void RowSource::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  DFSWEEP_EXPECT(first <= kept() && count <= kept() - first);
  std::visit([&](const auto& rows) { rows.decode(first, count, buffer); }, rows_);
  buffer.columns.assign(buffer.codes.begin(), buffer.codes.end());
}

}  // namespace dfsweep
