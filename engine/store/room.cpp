#include "engine/store/room.hpp"

#include <fmt/core.h>

#include "io/number_format.hpp"

namespace dfsweep::store {

std::string room_note(std::uint64_t needed, std::optional<std::uint64_t> free) {
  if (!free || needed < *free / 10) return {};
  const std::string amount = with_unit(static_cast<double>(needed), "byte", 3);
  const std::string room = with_unit(static_cast<double>(*free), "byte", 3);
  return needed > *free ? fmt::format("needs {}, but only {} are free", amount, room)
                        : fmt::format("takes {} of {} that are free", amount, room);
}

}  // namespace dfsweep::store
