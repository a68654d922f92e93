/// Rows of grids by decision diagrams, rows of point lists by a list of kept lines.
#include "engine/plan/row_source.hpp"

#include "engine/plan/grid_rows.hpp"
#include "engine/plan/list_rows.hpp"
#include "models/expect.hpp"

namespace dfsweep {

class RowSource::Implementation {
 public:
  explicit Implementation(const SweepSpec& spec) {
    if (spec.points)
      list.emplace(spec, effects);
    else
      grid.emplace(spec, effects);
  }

  std::vector<FilterEffect> effects;
  std::optional<GridRows> grid;
  std::optional<ListRows> list;
};

RowSource::RowSource(const SweepSpec& spec) : implementation_(std::make_unique<Implementation>(spec)) {}
RowSource::~RowSource() = default;
RowSource::RowSource(RowSource&&) noexcept = default;
RowSource& RowSource::operator=(RowSource&&) noexcept = default;

std::uint64_t RowSource::grid_size() const {
  return implementation_->list ? implementation_->list->lines() : implementation_->grid->grid_size();
}

std::uint64_t RowSource::kept() const {
  return implementation_->list ? implementation_->list->kept() : implementation_->grid->kept();
}

std::uint64_t RowSource::groups() const {
  return implementation_->list ? implementation_->list->kept() : implementation_->grid->groups();
}

std::uint64_t RowSource::largest_group() const {
  return implementation_->list ? 1 : implementation_->grid->largest_group();
}

std::uint64_t RowSource::group_begin(std::uint64_t group) const {
  DFSWEEP_EXPECT(group <= groups());
  return implementation_->list ? group : implementation_->grid->group_begin(group);
}

void RowSource::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  DFSWEEP_EXPECT(first <= kept() && count <= kept() - first);
  if (implementation_->list)
    implementation_->list->decode(first, count, buffer);
  else
    implementation_->grid->decode(first, count, buffer);
  buffer.columns.assign(buffer.codes.begin(), buffer.codes.end());
}

const std::vector<FilterEffect>& RowSource::filter_effects() const {
  return implementation_->effects;
}

}  // namespace dfsweep
