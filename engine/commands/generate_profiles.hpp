/// `dfsweep profiles DIR --generate`: tables in the layout of measured ones, for first steps without measurements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

struct GenerateProfilesOptions {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> catalogues;  ///< as SweepReading::catalogues
  std::vector<std::string> devices;               ///< entries with peak_flops and memory_bandwidth
  std::vector<std::string> models;                ///< entries of transformers
  std::vector<std::string> networks;              ///< entries; may be empty
  std::string interconnect;                       ///< entry that the networks are made of; needed with networks
  std::vector<std::string> degrees = {"1", "2", "4", "8"};  ///< tensor-parallel
  double most_tokens = 4096.0;
  double noise = 0.01;
  std::uint64_t seed = 1;
  OutputForm form = OutputForm::text;
};

/// Writes the tables of every device and model and of every network. Throws UsageError where an option cannot be obeyed
/// or a table exists already; nothing is written then.
[[nodiscard]] ExitStatus run_generate_profiles(const GenerateProfilesOptions& options);

}  // namespace dfsweep
