/// Room for a result: what is said about its size beside the free space.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dfsweep::store {

/// "takes 40.0 GB of 72.0 GB that are free", or "needs 90.9 GB, but only 72.0 GB are free"; empty where the result
/// takes less than a tenth of what is free, or where that is unknown.
[[nodiscard]] std::string room_note(std::uint64_t needed, std::optional<std::uint64_t> free);

}  // namespace dfsweep::store
