#include "engine/store/room.hpp"

#include <fmt/core.h>

#include "io/number_format.hpp"

namespace dfsweep::store {

RoomNeeded room_needed(std::uint64_t result_bytes, std::optional<int> compression_level) {
  return {.result = result_bytes, .compressed = compression_level ? result_bytes : 0};
}

std::string room_note(const RoomNeeded& needed, std::optional<std::uint64_t> free) {
  if (!free || needed.most() < *free / 10) return {};
  const std::string amount = with_unit(static_cast<double>(needed.result), "byte", 3);
  const std::string room = with_unit(static_cast<double>(*free), "byte", 3);
  const std::string more = needed.compressed == 0
                               ? ""
                               : fmt::format(", and up to {} more while it is compressed",
                                             with_unit(static_cast<double>(needed.compressed), "byte", 3));
  return needed.result > *free ? fmt::format("needs {}, but only {} are free", amount, room)
                               : fmt::format("takes {} of {} that are free{}", amount, room, more);
}

}  // namespace dfsweep::store
