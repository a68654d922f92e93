/// SystemKernels: operator tables of a folder, as kernels of the systems that they were measured on.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "models/kernels/table_kernels.hpp"
#include "models/machine/system.hpp"

namespace dfsweep {

/// A folder of compute/ or network/, and the entry of "systems" that describes the machine behind it: tables name a
/// chip or a node at most.
struct MeasuredOn {
  std::string folder;  ///< "a100", "a100_dgx"
  std::string system;
};

struct SystemKernels {
  std::string system;
  training::System physical;
  std::vector<training::KernelTable> tables;
  std::vector<training::KernelTable> square_attention;  ///< those of attention, with the masked half of scores counted
  std::vector<InputFile> files;                         ///< names and checksums, without their texts
};

/// One for each system, in the order in which they are named first. Throws UsageError where a folder or a system is not
/// there, UserError with every problem of the tables, or where no table of a system times a kernel.
[[nodiscard]] std::vector<SystemKernels> read_system_kernels(const std::filesystem::path& profiles,
                                                             std::span<const MeasuredOn> measured_on,
                                                             const Catalogue& catalogue, unsigned threads);

}  // namespace dfsweep
