/// Names: maps accelerator names of measurement tables to catalogue entries of systems and software.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Entry of "systems" for an accelerator of a table; "" if not found.
[[nodiscard]] std::string_view system_of_accelerator(std::string_view accelerator);

/// Entries of "software" for a stack on an accelerator, best match first: the stack itself, the same stack on an
/// accelerator of the same chip, Megatron on the accelerator, "default". The caller uses the first that the catalogue
/// has.
[[nodiscard]] std::vector<std::string> software_entries(std::string_view accelerator, std::string_view stack);

}  // namespace dfsweep
