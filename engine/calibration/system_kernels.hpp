/// SystemKernels: operator tables of a folder, grouped by the system that they were measured on.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "models/kernels/table_kernels.hpp"
#include "models/machine/system.hpp"

namespace dfsweep {

/// A folder of compute/ or network/, and the entry of "systems" for its machine, because tables name only a chip or a
/// node.
struct MeasuredOn {
  std::string folder;  ///< "a100", "a100_dgx"
  std::string system;
};

struct SystemKernels {
  std::string system;
  System physical;
  std::vector<KernelTable> tables;
  std::vector<KernelTable> square_attention;  ///< tables of attention, with the masked half of scores counted
  std::vector<InputFile> files;               ///< names and checksums, without texts
};

/// The kernels of a system, which is added to `systems` at its first use. Throws UsageError for an unknown system.
[[nodiscard]] SystemKernels& kernels_of(std::vector<SystemKernels>& systems, const std::string& name,
                                        const Catalogue& catalogue);

/// One per system, in order of first appearance. Throws UsageError if a folder or a system does not exist; UserError
/// with all problems of the tables, or if a system has no table of a kernel.
[[nodiscard]] std::vector<SystemKernels> read_system_kernels(const std::filesystem::path& profiles,
                                                             std::span<const MeasuredOn> measured_on,
                                                             const Catalogue& catalogue, unsigned threads);

}  // namespace dfsweep
