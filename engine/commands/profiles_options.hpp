/// ProfilesOptions: what `dfsweep profiles` is asked for, whatever kind of tables the folder has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/commands/status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

enum class ProfilesDepth : std::uint8_t {
  coverage,
  validation,  ///< also the cross-validated error of every operator
};

struct ProfilesOptions {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> catalogues;  ///< as SweepReading::catalogues
  ProfilesDepth depth = ProfilesDepth::coverage;
  std::uint32_t threads = 0;  ///< 0: the cores of this process
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
};

}  // namespace dfsweep
