/// ProfileFolder: reads and checks a folder of measured tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

struct ProfileFolder {
  std::vector<Table> tables;
  ProfileSet profiles;            ///< views of `tables`
  std::vector<InputFile> inputs;  ///< the files, with their checksums
  std::string warnings;           ///< lines with positions

  [[nodiscard]] std::size_t rows() const;

  ProfileFolder() = default;
  ProfileFolder(const ProfileFolder&) = delete;
  ProfileFolder& operator=(const ProfileFolder&) = delete;
  ProfileFolder(ProfileFolder&&) = default;
};

/// Checks times against the peak rates of devices in the catalogue. Throws UserError with all problems.
[[nodiscard]] ProfileFolder read_profile_folder(const std::filesystem::path& path, const Catalogue& catalogue,
                                                unsigned threads);

}  // namespace dfsweep
