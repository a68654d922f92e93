/// Names: what tables of measurements call an accelerator, and what the catalogue calls its system and its software.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dfsweep::training {

/// Entry of "systems" for an accelerator of a table; "" where there is none.
[[nodiscard]] std::string_view system_of_accelerator(std::string_view accelerator);

/// Entries of "software" for a stack on an accelerator, the most fitting first: that of the stack, that of Megatron on
/// the same accelerator, "default". The first that the catalogue has is meant.
[[nodiscard]] std::vector<std::string> software_entries(std::string_view accelerator, std::string_view stack);

}  // namespace dfsweep::training
