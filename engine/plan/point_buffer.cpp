#include "engine/plan/point_buffer.hpp"

#include "models/expect.hpp"

namespace dfsweep {

PointColumns PointBuffer::part(std::size_t first, std::size_t count,
                               std::vector<std::span<const std::uint32_t>>& storage) const {
  DFSWEEP_EXPECT(first + count <= points.size());
  storage.clear();
  for (const auto& column : columns) storage.push_back(column.subspan(first, count));
  return {storage, count};
}

}  // namespace dfsweep
